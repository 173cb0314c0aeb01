// SPDX-License-Identifier: GPL-2.0
#include "oracle.h"

/* arch/arm/kernel/perf_callchain.c: {fp, sp, lr}, just below the frame pointer */
static u32 stock_frame(u32 tail, struct oracle_chain *chain)
{
	u32 fp, lr, err = 0;

	a32_load32(tail, &fp, &err);
	a32_load32(tail + 8, &lr, &err);
	if (err)
		return 0;
	chain->entry[chain->nr++] = lr & ~1;
	return tail + 12 >= fp ? 0 : fp - 12;
}

void oracle_stock_walk(const u32 *r, struct oracle_chain *chain)
{
	u32 tail = r[R11] - 12;

	chain->nr = 1;
	chain->entry[0] = r[PC];
	while (chain->nr < ORACLE_ENTRIES && tail && !(tail & 3))
		tail = stock_frame(tail, chain);
}
