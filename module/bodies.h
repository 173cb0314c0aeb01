/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bodies of functions, found once for each file that follows a frame ABI, by
 * core/body.c. A work item does it, so that nobody waits: until then samples look
 * at the code themselves.
 */
#ifndef A32_BODIES_H
#define A32_BODIES_H

#include <linux/fs.h>
#include "file.h"

/**
 * a32_bodies_want() - have the bodies in a file found, unless that was done
 * @file: its object
 * @from: the file itself
 * @abi: an ABI with records, which the file follows
 *
 * Context: process, may sleep.
 */
void a32_bodies_want(struct a32_file *file, struct file *from, u32 abi);

/* Were those of an ABI asked for already? */
bool a32_bodies_are_wanted(const struct a32_file *file, u32 abi);

/* Free what a file has; no walk sees it any more. */
void a32_bodies_free(const struct a32_bodies *bodies);

/* KiB that all of them take, and files that are still to be looked at */
unsigned int a32_bodies_kib(void);
unsigned int a32_bodies_pending(void);

int a32_bodies_init(void);

/* Nobody asks for any more. What is being looked at is left. */
void a32_bodies_exit(void);

#endif
