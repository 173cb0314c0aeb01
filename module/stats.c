// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>
#include "stats.h"

void a32_stats_sum(const struct a32_counts *counts, struct a32_stats *stats)
{
	unsigned int i, r;

	stats->samples = 0;
	stats->frames = 0;
	memset(stats->stop, 0, sizeof(stats->stop));
	for (i = 0; i < a32_counts_nr(); i++) {
		stats->samples += READ_ONCE(counts[i].samples);
		stats->frames += READ_ONCE(counts[i].frames);
		for (r = 0; r < A32_STOP_NR; r++)
			stats->stop[r] += READ_ONCE(counts[i].stop[r]);
	}
}

void a32_stats_reset(struct a32_counts *counts)
{
	memset(counts, 0, a32_counts_nr() * sizeof(*counts));
}
