// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "ctl.h"
#include "missed.h"

enum { ONE_IN = 100 };		/* more than that are not allowed for */

uint64_t missed_since(int ctl, uint64_t before, const char *name)
{
	uint64_t missed = ctl_missed(ctl) - before;
	struct a32_stats stats;

	if (!missed || ctl_stats(ctl, &stats))
		return 0;
	printf("# %s: kprobes missed %llu samples, and took %llu\n", name,
	       (unsigned long long)missed, (unsigned long long)stats.samples);
	return missed <= 1 + stats.samples / ONE_IN ? missed : 0;
}
