// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "ctl.h"
#include "missed.h"

uint64_t missed_since(int ctl, uint64_t before, const char *name)
{
	uint64_t missed = ctl_missed(ctl) - before;

	if (missed)
		printf("# %s: kprobes missed %llu samples\n", name, (unsigned long long)missed);
	return missed;
}
