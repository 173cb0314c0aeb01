/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code is written to the newest supported kernel; older ones get its
 * names here.
 */
#ifndef A32_COMPAT_H
#define A32_COMPAT_H

#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
static inline time64_t inode_get_mtime_sec(const struct inode *inode)
{
	return inode->i_mtime.tv_sec;
}

static inline long inode_get_mtime_nsec(const struct inode *inode)
{
	return inode->i_mtime.tv_nsec;
}
#endif

#endif
