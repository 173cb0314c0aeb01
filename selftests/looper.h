/* SPDX-License-Identifier: GPL-2.0 */
/*
 * looper: a program without libc, whose every pc has one known chain:
 *
 *	leaf <- middle <- outer <- start
 *
 *	looper MODE MILLISECONDS
 *
 * Each function is alone in 64 KB of addresses (see the Makefile's sections),
 * and built with APCS frames. A pc in one of them has been called by those
 * before it, whichever instruction it is.
 */
#ifndef SELFTESTS_LOOPER_H
#define SELFTESTS_LOOPER_H

#define LOOPER_START	0x10	/* address >> 16 */
#define LOOPER_OUTER	0x11
#define LOOPER_MIDDLE	0x12
#define LOOPER_LEAF	0x13

/* Where these start in the file: see readelf -lW. */
#define LOOPER_MIDDLE_OFFSET	0x3000
#define LOOPER_LEAF_OFFSET	0x4000

/* The modes. */
#define LOOPER_SPIN	"s"	/* computes */
#define LOOPER_MMAP	"m"	/* mmap()s, touches, mprotect()s and munmap()s */
#define LOOPER_FORK	"f"	/* forks and waits */
#define LOOPER_YIELD	"y"	/* sched_yield() */
#define LOOPER_FAULT	"p"	/* page faults, at a load of its own */

#endif /* SELFTESTS_LOOPER_H */
