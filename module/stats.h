/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_STATS_H
#define A32_STATS_H

#include <linux/preempt.h>
#include <linux/smp.h>
#include "core/map.h"

/*
 * A sample can interrupt another on the same CPU, so everything that a walk
 * writes exists once per CPU and level: task, softirq, hardirq. perf has no
 * NMI on 32-bit ARM.
 */
#define A32_LEVELS	3

static inline unsigned int a32_counts_nr(void)
{
	return nr_cpu_ids * A32_LEVELS;
}

/* Which of a32_counts_nr() belongs to the caller; preemption is off. */
static inline unsigned int a32_counts_index(void)
{
	unsigned int count = preempt_count();
	unsigned int level = count & HARDIRQ_MASK ? 2 : !!(count & SOFTIRQ_OFFSET);

	return smp_processor_id() * A32_LEVELS + level;
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
