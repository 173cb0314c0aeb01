/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/a32uwind and its sysfs files */
#ifndef A32_DEV_H
#define A32_DEV_H

#include <linux/fs.h>
#include <linux/sysfs.h>

int a32_dev_init(void);
void a32_dev_exit(void);

/**
 * a32_ioctl() - the ioctls of uapi/a32uwind.h
 */
long a32_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

extern const struct attribute_group *a32_sysfs_groups[];

/* Which hook is in use: enum a32_hook; main.c's */
extern unsigned int a32_hook_kind;

/* Samples that a kprobe had to leave to the kernel's walker; main.c's */
unsigned long a32_hook_missed(void);

#endif
