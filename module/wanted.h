/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files in which chains end for want of an unwind table: walks mark them, and
 * who has /dev/a32uwind open gets a list of them. There is no queue but the
 * marks: it can't overflow, and takes no memory of its own.
 */
#ifndef A32_WANTED_H
#define A32_WANTED_H

#include <linux/fs.h>
#include <linux/poll.h>
#include "../uapi/a32uwind.h"

/**
 * enum a32_want - a file's mark; a32_code.want
 * @WANT_UNKNOWN: no chain has ended in it for want of a table
 * @WANT_NOTED: one has
 * @WANT_NEVER: it is no file
 */
enum a32_want { WANT_UNKNOWN, WANT_NOTED, WANT_NEVER };

/* The device is opened: nothing is known to it. */
int a32_wanted_open(struct inode *inode, struct file *file);

/**
 * a32_wanted_next() - the next file of the list
 * @file: the open device; at the end of the list, a32_wanted_poll() waits
 * @wanted: its cursor says behind which one; the rest is the result
 *
 * Context: process.
 * Return: 0, or -ENOENT past the last one
 */
int a32_wanted_next(struct file *file, struct a32_wanted *wanted);

/* Has a file been marked since this open device was at the end of the list? */
__poll_t a32_wanted_poll(struct file *file, struct poll_table_struct *table);

/* All walks are over. */
void a32_wanted_exit(void);

#endif
