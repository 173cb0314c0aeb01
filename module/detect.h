/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What A32_ABI_AUTO stands for: each file that such a rule holds for is read
 * once, by core/detect.c.
 *
 * A process whose mappings have changed does it before it returns to user
 * mode, behind the update of its index and without any lock but the file's
 * own. So it is known before the first sample of new code, and nobody who
 * maps something else, or samples, waits for a file that is slow to read.
 */
#ifndef A32_DETECT_H
#define A32_DETECT_H

#include <linux/fs.h>
#include "file.h"
#include "maps.h"

/**
 * a32_detect_read() - find out which ABI a file follows, unless that is known
 * @file: its object
 * @from: the file itself
 *
 * What can't be read follows none. A fatal signal leaves it unknown.
 *
 * Context: process, may sleep, without the mmap_lock and policy.c's.
 */
void a32_detect_read(struct a32_file *file, struct file *from);

/* For a struct a32_source of a struct file; a fatal signal ends it */
int a32_detect_read_at(void *arg, u32 pos, void *buf, u32 len);

/* Can a file be read that way? */
bool a32_detect_is_readable(const struct file *from);

/* A user can have reads of it take for ever: nobody else may wait for that. */
bool a32_detect_is_from_user_space(const struct file *from);

/**
 * a32_detect_mm() - find out what a process's rules need to know
 * @am: its index, up to date
 * @mm: whose it is; the caller holds it
 * @start: first address looked at
 * @end: address behind the last one
 *
 * Context: process, may sleep, without the mmap_lock.
 */
void a32_detect_mm(struct a32_mm *am, struct mm_struct *mm, u32 start, u32 end);

/**
 * a32_detect_all() - the same for all processes, when rules have changed
 *
 * Context: process, may sleep.
 */
void a32_detect_all(void);

#endif
