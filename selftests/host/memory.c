// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "../../module/core/map.h"

struct a32_host_memory a32_memory;
struct a32_host_kernel a32_host_kernel;
struct a32_host_returns *a32_host_returns;

bool a32_uprobe_insn(u32 pc, u32 *w)
{
	const struct a32_host_returns *returns = a32_host_returns;

	if (!returns || !returns->insn || pc != returns->insn_at)
		return false;
	*w = returns->insn;
	return true;
}

u32 a32_uretprobes(struct a32_return *list, u32 room)
{
	u32 i;

	if (!a32_host_returns)
		return 0;
	a32_host_returns->asked++;
	for (i = 0; i < a32_host_returns->nr && i < room; i++) {
		const struct a32_host_call *call = &a32_host_returns->call[i];

		list[i] = (struct a32_return){ call->stack, call->ra, call->is_tail };
	}
	return i;
}

void a32_want_table(struct a32_code *code)
{
	code->want = true;
}

void a32_host_region_add(u32 start, u32 size, const void *data)
{
	if (a32_memory.nr == A32_HOST_REGIONS)
		abort();
	a32_memory.region[a32_memory.nr++] = (struct a32_host_region){ start, size, data };
}
