/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_FILE_STATS_H
#define A32_FILE_STATS_H

#include <stddef.h>

#include "a32uwind.h"

/**
 * struct file_stats - counts of each file, those where most chains were cut
 *	short first; files without any count are left out
 */
struct file_stats {
	size_t nr;
	struct a32_stats *items;
};

/* Returns 0 or -errno; file_stats_free() after either. */
int file_stats_read(int ctl, struct file_stats *files);
void file_stats_free(struct file_stats *files);

/* Chains cut short in it: not outermost, and perf had room for more. */
__u64 file_stats_ended(const struct a32_stats *file);

/* The most frequent enum a32_stop of those. */
__u32 file_stats_main_stop(const struct a32_stats *file);

#endif
