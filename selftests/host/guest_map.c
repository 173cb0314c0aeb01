// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include "guest_call.h"

/* include/uapi/asm-generic/mman-common.h in Linux */
enum { GUEST_MAP_FIXED = 0x10, GUEST_MAP_ANONYMOUS = 0x20, GUEST_MAP_FIXED_NOREPLACE = 0x100000 };

static u32 do_brk(struct guest *g, const u32 *r)
{
	u32 end = (r[0] + GUEST_PAGE - 1) & -GUEST_PAGE, old;

	old = (g->brk + GUEST_PAGE - 1) & -GUEST_PAGE;
	if (r[0] < g->brk_start)
		return g->brk;
	if (end > old && guest_memory_find(&g->mem, end - old, end) != old)
		return g->brk;
	if (end > old)
		guest_memory_map(&g->mem, old, end - old, PROT_READ | PROT_WRITE);
	else
		guest_memory_unmap(&g->mem, end, old - end);
	g->brk = r[0];
	return g->brk;
}

/* What was translated of these addresses, and what is known of them, is void. */
static void forget_code(struct guest *g, u32 addr, u32 size)
{
	uc_ctl_remove_cache(g->uc, (u64)addr, (u64)addr + size);
	guest_memory_publish(&g->mem);
}

static u32 choose_address(struct guest *g, u32 addr, u32 size, u32 flags)
{
	if (flags & (GUEST_MAP_FIXED | GUEST_MAP_FIXED_NOREPLACE))
		return addr % GUEST_PAGE ? 0 : addr;
	return guest_memory_find(&g->mem, size, GUEST_MMAP_TOP);
}

static bool has_exec(const struct guest *g, u32 addr, u32 size)
{
	u32 page;

	for (page = addr / GUEST_PAGE; page < (addr + size + GUEST_PAGE - 1) / GUEST_PAGE; page++) {
		if (g->mem.page[page] & PROT_EXEC)
			return true;
	}
	return false;
}

static u32 map_file(struct guest *g, const u32 *r, u32 addr)
{
	int fd = guest_fd(g, r[4]);

	if (pread(fd, g->mem.base + addr, r[1], (u64)r[5] * GUEST_PAGE) < 0)
		return guest_error(errno);
	if (r[2] & PROT_EXEC)
		guest_code_add(g, fd, addr, r[1], r[5] * GUEST_PAGE);
	return addr;
}

static u32 do_mmap2(struct guest *g, const u32 *r)
{
	u32 addr = choose_address(g, r[0], r[1], r[3]);
	bool had_code;

	if (!r[1])
		return guest_error(EINVAL);
	if (!addr)
		return guest_error(ENOMEM);
	if (!(r[3] & GUEST_MAP_ANONYMOUS) && guest_fd(g, r[4]) < 0)
		return guest_error(EBADF);
	had_code = has_exec(g, addr, r[1]);
	guest_memory_map(&g->mem, addr, r[1], r[2]);
	if (had_code)
		forget_code(g, addr, r[1]);
	return r[3] & GUEST_MAP_ANONYMOUS ? addr : map_file(g, r, addr);
}

static u32 do_munmap(struct guest *g, const u32 *r)
{
	bool had_code = has_exec(g, r[0], r[1]);

	guest_memory_unmap(&g->mem, r[0], r[1]);
	if (had_code)
		forget_code(g, r[0], r[1]);
	return 0;
}

static u32 do_mprotect(struct guest *g, const u32 *r)
{
	bool had_code = has_exec(g, r[0], r[1]);

	if (!guest_memory_has(&g->mem, r[0], r[1]))
		return guest_error(ENOMEM);
	guest_memory_protect(&g->mem, r[0], r[1], r[2]);
	if (had_code || r[2] & PROT_EXEC)
		forget_code(g, r[0], r[1]);
	return 0;
}

/* Always moves, which is allowed when it is asked for. */
static u32 do_mremap(struct guest *g, const u32 *r)
{
	u32 to;

	if (r[2] <= r[1]) {
		guest_memory_unmap(&g->mem, r[0] + r[2], r[1] - r[2]);
		return r[0];
	}
	to = guest_memory_find(&g->mem, r[2], GUEST_MMAP_TOP);
	if (!(r[3] & 1) || !to)
		return guest_error(ENOMEM);
	guest_memory_map(&g->mem, to, r[2], PROT_READ | PROT_WRITE);
	memcpy(g->mem.base + to, g->mem.base + r[0], r[1]);
	guest_memory_unmap(&g->mem, r[0], r[1]);
	return to;
}

const struct guest_call guest_map_calls[] = {
	{ 45, do_brk }, { 91, do_munmap }, { 125, do_mprotect }, { 163, do_mremap },
	{ 192, do_mmap2 }, { }
};
