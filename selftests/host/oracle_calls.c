// SPDX-License-Identifier: GPL-2.0
#include <sys/mman.h>
#include "oracle_calls.h"

enum { PSR_THUMB = 1 << 5 };
#define HALFWORDS	((size_t)1 << 31)

void oracle_calls_init(struct oracle_calls *c)
{
	c->insn = mmap(NULL, HALFWORDS, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->insn == MAP_FAILED)
		oracle_die("no room for instructions");
}

void oracle_calls_free(struct oracle_calls *c)
{
	munmap(c->insn, HALFWORDS);
}

static u32 read_register(uc_engine *uc, int id)
{
	u32 val = 0;

	uc_reg_read(uc, id, &val);
	return val;
}

/* DDI 0406C, A8.8.25 and A8.8.26: BL, BLX (immediate), BLX (register) */
static u32 decode_arm(u32 pc)
{
	u32 w, err = 0, insn = INSN_WIDE;

	a32_load32(pc, &w, &err);
	if (w == 0xebffffff)
		return insn | INSN_CALL | INSN_NEXT;
	if (w >> 28 == 15)
		return w >> 25 == 0x7d ? insn | INSN_CALL : insn;
	if (w == 0xe1a0e00f)
		return insn | INSN_LINK;
	if ((w >> 24 & 15) == 11 || (w & 0x0ffffff0) == 0x012fff30)
		insn |= INSN_CALL;
	return insn;
}

static u32 decode_thumb(u32 pc)
{
	u32 h1, h2, err = 0;

	a32_load16(pc, &h1, &err);
	if (h1 >> 7 == 0x8f)
		return INSN_THUMB | INSN_CALL;
	if ((h1 & 0xff00) == 0xbf00 && h1 & 15)
		return INSN_THUMB | INSN_IT;
	if (h1 >> 11 < 0x1d)
		return INSN_THUMB;
	a32_load16(pc + 2, &h2, &err);
	if (h1 == 0xf000 && h2 == 0xf800)
		return INSN_THUMB | INSN_WIDE | INSN_CALL | INSN_NEXT;
	if (h1 >> 11 == 0x1e && h2 >> 14 == 3)
		return INSN_THUMB | INSN_WIDE | INSN_CALL;
	return INSN_THUMB | INSN_WIDE;
}

/* No instruction is in both instruction sets in one run. */
static u32 decode(uc_engine *uc, u32 pc)
{
	bool thumb = read_register(uc, UC_ARM_REG_CPSR) & PSR_THUMB;

	return INSN_SEEN | (thumb ? decode_thumb(pc) : decode_arm(pc));
}

static void push(struct oracle_calls *c)
{
	if (c->nr == CALLS_DEPTH)
		oracle_die("calls deeper than %d", CALLS_DEPTH);
	c->call[c->nr++] = c->pending;
}

/*
 * Neither the next instruction nor a call: a return, a jump, or a longjmp().
 * The latter goes on where a call, setjmp(), has returned before, in a frame
 * that is not above all others; an exception goes on anywhere in a frame, past
 * open calls that were made from below it. Either is behind that frame's own
 * call. A jump to another function (a tail call, a stub) leaves sp where its
 * caller had it, and no function begins where a call has returned.
 */
static void arrive(struct oracle_calls *c, uc_engine *uc, u32 pc, u32 insn)
{
	bool left = insn & INSN_RETURNED;
	u32 sp;

	if (!c->nr)
		return;
	sp = read_register(uc, UC_ARM_REG_SP);
	if (c->call[c->nr - 1].sp > sp)
		return;
	if (c->call[c->nr - 1].ret == pc && c->call[c->nr - 1].sp == sp) {
		c->nr--;
		c->insn[pc / 2] |= INSN_RETURNED;
		return;
	}
	for (; c->nr && c->call[c->nr - 1].sp < sp; c->nr--)
		left = true;
	while (left && c->nr && c->call[c->nr - 1].sp == sp)
		c->nr--;
}

static void leave(struct oracle_calls *c, uc_engine *uc, u32 pc, u32 insn)
{
	c->behind = pc + (insn & INSN_WIDE ? 4 : 2);
	c->surely = insn & INSN_NEXT;
	c->maybe = insn & INSN_CALL || c->linked == pc;
	if (c->maybe) {
		c->pending.ret = c->behind;
		c->pending.sp = read_register(uc, UC_ARM_REG_SP);
	}
	c->linked = insn & INSN_LINK ? c->behind : 0;
}

u32 oracle_calls_step(struct oracle_calls *c, uc_engine *uc, u32 pc)
{
	u32 insn = c->insn[pc / 2];

	if (unlikely(!insn)) {
		insn = decode(uc, pc);
		c->insn[pc / 2] = insn;
	}
	if (c->maybe && (pc != c->behind || c->surely))
		push(c);
	else if (pc != c->behind)
		arrive(c, uc, pc, insn);
	leave(c, uc, pc, insn);
	return insn;
}

void oracle_calls_chain(const struct oracle_calls *c, u32 pc, u32 room,
			struct oracle_chain *chain)
{
	u32 i;

	chain->nr = 0;
	chain->entry[chain->nr++] = pc;
	for (i = c->nr; i-- > 0 && chain->nr < room;)
		chain->entry[chain->nr++] = c->call[i].ret;
}
