// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chain.h"
#include "flow.h"

/* Modules begin here, above the user's memory; the kernel's helpers are at the end of all. */
#define USER_END	0xbf000000
#define KERNEL_HELPERS	0xffff0000

unsigned long chain_checked, chain_unchecked;

struct file *chain_place(const struct chain *chain, size_t entry, uint32_t *offset)
{
	uint32_t addr = chain->ips[entry] & ~1;
	const struct map *map = process_find(chain->proc, addr);

	*offset = map ? addr - map->start + map->offset : addr;
	return map ? map->file : NULL;
}

/* What a handler returns to, in the C library or the kernel's page: the next was interrupted. */
static bool sigreturn(const struct chain *chain, size_t entry)
{
	uint32_t offset;
	const struct file *file = chain_place(chain, entry, &offset);

	if (file && file->image)
		return file_sigreturn(file, offset);
	return file && !strcmp(file->path, "[sigpage]");
}

static bool called(const struct chain *chain, size_t entry)
{
	return entry && !sigreturn(chain, entry) && !sigreturn(chain, entry - 1);
}

static bool possible(const struct chain *chain, size_t entry)
{
	uint64_t addr = chain->ips[entry];
	uint32_t offset;
	const struct file *file = chain_place(chain, entry, &offset);

	if (addr >= USER_END)
		return addr >= KERNEL_HELPERS && addr <= UINT32_MAX;
	if (!file)
		return false;
	/* The vdso is no file. */
	return !file->image || !called(chain, entry) || file_call_before(file, offset);
}

static bool follows(const struct chain *chain, size_t entry)
{
	uint32_t from, to;
	struct file *caller = chain_place(chain, entry, &from);
	struct file *callee = chain_place(chain, entry - 1, &to);
	enum flow flow = FLOW_UNKNOWN;

	if (caller && caller->image)
		flow = flow_leads(chain->proc, caller, from, callee, to);
	if (flow == FLOW_UNKNOWN)
		chain_unchecked++;
	else
		chain_checked++;
	return flow != FLOW_NO;
}

static bool outermost(const struct chain *chain)
{
	uint32_t offset;
	const struct file *file = chain_place(chain, chain->nr - 1, &offset);

	return file && (file == chain->proc->program || file->loader || file->clone) &&
	       file_outermost(file, offset);
}

enum verdict chain_judge(const struct chain *chain, size_t *bad)
{
	size_t i;

	for (i = 0; i < chain->nr; i++) {
		*bad = i;
		if (!possible(chain, i))
			return IMPOSSIBLE;
		if (called(chain, i) && !follows(chain, i))
			return GAP;
	}
	if (outermost(chain))
		return OUTERMOST;
	return chain->full ? LIMIT : EARLY;
}
