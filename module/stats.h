/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_STATS_H
#define A32_STATS_H

#include <linux/preempt.h>
#include <linux/smp.h>
#include "../uapi/a32uwind.h"

/*
 * A sample can interrupt another on the same CPU, so everything that a walk
 * writes exists once per CPU and level: task, softirq, hardirq, NMI.
 */
#define A32_LEVELS	4

/**
 * struct a32_counts - what one CPU counted at one level
 * @samples: chains that began here; of all samples it is the sum of @stop
 * @frames: entries
 * @stop: chains that ended here, by enum a32_stop
 *
 * Written by its owner only, so plain increments are exact. A reader on
 * another CPU may see one of 2^32 a carry short.
 */
struct a32_counts {
	u64 samples;
	u64 frames;
	u64 stop[A32_STOP_NR];
};

static inline unsigned int a32_counts_nr(void)
{
	return nr_cpu_ids * A32_LEVELS;
}

/* Which of a32_counts_nr() belongs to the caller; preemption is off. */
static inline unsigned int a32_counts_index(void)
{
	return smp_processor_id() * A32_LEVELS + interrupt_context_level();
}

/**
 * a32_stats_sum() - add up counts
 * @counts: a32_counts_nr() of them
 * @stats: its samples, frames and stop are set
 */
void a32_stats_sum(const struct a32_counts *counts, struct a32_stats *stats);

/**
 * a32_stats_reset() - set counts to 0
 * @counts: a32_counts_nr() of them
 *
 * What is counted meanwhile may survive.
 */
void a32_stats_reset(struct a32_counts *counts);

#endif
