/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the meter module and its users share: one request, a walk from given
 * registers, repeated.
 */
#ifndef BENCH_METER_H
#define BENCH_METER_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define METER_DEVICE	"/dev/meter"
#define METER_ENTRIES	127	/* perf's default: kernel.perf_event_max_stack */

/**
 * struct meter - METER_WALK
 * @r: r0 to r15; the pc without bit 0
 * @cpsr: of the same moment
 * @room: entries that the chain may have, at most METER_ENTRIES
 * @loops: times to walk
 * @nr: out: entries of the chain
 * @ns: out: nanoseconds for all loops; instructions when the clock counts them
 * @entry: out: the chain
 */
struct meter {
	__u32 r[16];
	__u32 cpsr;
	__u32 room;
	__u32 loops;
	__u32 nr;
	__u64 ns;
	__u64 entry[METER_ENTRIES];
};

#define METER_WALK	_IOWR('m', 0, struct meter)
/* The same with a function that does nothing, for the cost of the loop */
#define METER_NOTHING	_IOWR('m', 1, struct meter)

#endif
