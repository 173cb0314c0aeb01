// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "path.h"

enum {
	LOOK_BACK	= 8,		/* instructions, or halfwords in Thumb */
	RUN_BACK	= 256,		/* bytes */
	POPPED		= 32,		/* bytes that one sp is above lr's slot and 4 */
};

/* Go on at an address that the code holds as a constant; bit 0 says Thumb. */
enum a32_verdict a32_leave_to(struct a32_scan *s, u32 addr)
{
	if ((addr & 3) == 2)
		return NO_WAY;
	s->now.jumps++;
	s->now.pc = addr & ~1;
	s->now.thumb = addr & 1;
	s->now.it = 0;
	return MOVED;
}

static bool is_return_address(struct a32_scan *s, u32 ra)
{
	enum a32_trampoline kind;
	enum a32_stop stop;

	if ((ra & 3) == 2)
		return false;
	stop = a32_check_call(ra & ~1, ra & 1, &kind);
	if (stop == A32_STOP_CODE_FAULT)
		a32_look_charge(&s->look, A32_FAULT_COST);
	return stop == A32_STOP_NR;
}

/*
 * An epilogue has been gone through: what follows is not this function's. It
 * has restored the frame register, and lr from beside it (lr alone may hold
 * anything); that of gcc's leaves has restored nothing but r11.
 */
bool a32_path_is_behind_epilogue(const struct a32_scan *s)
{
	const struct a32_rule *abi = a32_abi_rule(s->abi);
	const struct a32_val *own = &s->now.val[s->own], *lr = &s->now.val[LR];
	u32 apart = abi->ra_off - abi->off[abi->cfa_reg];

	if (own->kind != VAL_MEM)
		return false;
	if (lr->kind != VAL_MEM)
		return s->abi == A32_ABI_GCC && a32_val_is_start(lr, LR);
	return a32_path_address(s, lr) - a32_path_address(s, own) == apart;
}

/* Is lr still on the stack that the path has pushed it to? */
static bool has_lr_pushed(const struct a32_scan *s)
{
	const struct a32_val *sp = &s->now.val[SP];
	u32 i;

	for (i = 0; i < s->now.stores; i++) {
		if (a32_val_is_start(&s->store[i].val, LR) &&
		    (sp->kind != VAL_REG || s->store[i].at >= a32_path_address(s, sp)))
			return true;
	}
	return false;
}

/* Has lr been popped again? */
static bool has_lr_popped(const struct a32_scan *s)
{
	const struct a32_val *lr = &s->now.val[LR], *sp = &s->now.val[SP];

	return lr->kind == VAL_MEM && lr->by == SP && sp->kind == VAL_REG &&
	       a32_path_address(s, sp) - a32_path_address(s, lr) - 4 < POPPED;
}

/*
 * Is a jump to a register a tail call? The caller's registers are as at a
 * return then, with the return address in lr. Where nothing was restored on
 * the way, clang's ARM code may also mean a computed goto; gcc has "mov pc, rm"
 * for that, and so has Thumb code.
 */
static bool is_tail_call(const struct a32_scan *s)
{
	if (a32_path_is_behind_epilogue(s) || has_lr_popped(s))
		return true;
	return (s->now.thumb || s->abi != A32_ABI_AAPCS) && !has_lr_pushed(s);
}

/* Does the code run straight on from an address to the start, and keep a register? */
static bool runs_to_start(struct a32_scan *s, u32 at, u32 reg)
{
	struct a32_insn i;

	while (at != s->first) {
		if (s->first - at > RUN_BACK || !s->look.left ||
		    !a32_insn_fetch(at, s->starts_thumb, &i))
			return false;
		s->look.left--;
		if (i.op == OP_CALL || a32_insn_writes(&i) & 1 << reg ||
		    (a32_insn_leaves(&i) && i.cond == COND_ALWAYS))
			return false;
		at += i.len;
	}
	return true;
}

/* Has it been popped into a register right before, or moved there from lr? */
static bool is_brought_before(struct a32_scan *s, u32 reg)
{
	u32 unit = s->starts_thumb ? 2 : 4, at = s->first, n;
	struct a32_insn i;

	for (n = 0; n < LOOK_BACK; n++) {
		at -= unit;
		if (!a32_insn_fetch(at, s->starts_thumb, &i))
			return false;
		if (!(i.op == OP_MOV && i.rd == reg && i.rm == LR) &&
		    !(i.op == OP_LOAD && i.list & 1 << reg && i.rn == SP && i.wb > 0))
			continue;
		return runs_to_start(s, at + i.len, reg);
	}
	return false;
}

/* Has the caller's frame register been popped right before, and lr not? */
static bool is_own_restored(const struct a32_scan *s)
{
	u32 unit = s->starts_thumb ? 2 : 4, at = s->first, n;
	bool restored = false;
	struct a32_insn i;

	for (n = 0; n < LOOK_BACK; n++) {
		at -= unit;
		if (!a32_insn_fetch(at, s->starts_thumb, &i) || i.op == OP_CALL)
			break;
		if (a32_insn_writes(&i) & 1 << LR)
			return false;
		if (restored || !(a32_insn_writes(&i) & 1 << s->own))
			continue;
		restored = (i.op == OP_LOAD && i.rn == SP && i.wb > 0) ||
			   (i.op == OP_MOV && i.rm != SP);
		if (!restored)
			return false;
	}
	return restored;
}

/*
 * A register has had a return address from the start on. A jump to there is a
 * return, as in "pop {r1}; bx r1", and no tail call of what happens to stand
 * behind a call: lr isn't the caller's any more, but is left from the last call,
 * or something else; or this is an epilogue, which has the caller's frame register
 * back, and has popped no lr.
 */
static bool is_return_by(struct a32_scan *s, const struct a32_val *v)
{
	u32 lr = s->r[LR];

	if (v->kind != VAL_REG || v->off || !(s->known & 1 << LR))
		return false;
	if (s->r[v->reg] == lr)
		return true;
	if (!is_brought_before(s, v->reg))
		return false;
	if (!is_return_address(s, lr) || is_own_restored(s))
		return true;
	return (lr & 1) == s->starts_thumb && runs_to_start(s, lr & ~1, LR);
}

/*
 * Or is it a return, though not through lr? If it is not, what is jumped to
 * tells whether it is a tail call.
 */
static enum a32_verdict to_other_register(struct a32_scan *s, const struct a32_val *v)
{
	u32 addr = 0, err = 0;

	/* Counted from what may be wrong, it may be any word. */
	if (v->kind == VAL_MEM && !(s->right & 1 << v->reg))
		return NO_WAY;
	if (v->kind == VAL_MEM)
		a32_load32(a32_path_address(s, v) & ~3, &addr, &err);
	else if (!a32_path_number(s, v, &addr))
		return is_tail_call(s) ? a32_outcome_return(s, s->now.val[LR]) : NO_WAY;
	if (err)
		return NO_WAY;
	if (!is_return_address(s, addr))
		return is_tail_call(s) ? a32_outcome_return(s, s->now.val[LR]) :
					 a32_leave_to(s, addr);
	if (is_return_by(s, v))
		return a32_outcome_return(s, *v);
	return v->kind == VAL_MEM && a32_val_is_stack(s, v) ? a32_outcome_return(s, *v) : NO_WAY;
}

enum a32_verdict a32_leave_by_register(struct a32_scan *s, u32 rm)
{
	struct a32_val *v = &s->now.val[rm];

	if (rm == PC)					/* bx pc, in Thumb PLT entries */
		return a32_leave_to(s, (s->now.pc + (s->now.thumb ? 4 : 8)) & ~3);
	if (rm == LR || (v->kind != VAL_MEM && a32_path_is_behind_epilogue(s)))
		return a32_outcome_return(s, s->now.val[LR]);
	if (a32_val_is_start(v, LR))
		return a32_outcome_return(s, *v);
	return to_other_register(s, v);
}

/*
 * One of the targets of a jump table is as good as another. One after the
 * other, because the first may lead back to the same table.
 */
enum a32_verdict a32_leave_by_table(struct a32_scan *s, const struct a32_insn *i)
{
	const struct a32_val *a = &s->now.val[i->rn], *b = &s->now.val[i->rm];
	u32 at = i->target, w, n = s->now.tables % TABLE_ENTRIES;
	struct a32_val here = { .kind = VAL_CONST, .off = s->now.pc + 8 };	/* in ARM code */
	u32 thumb = s->now.thumb, err = 0;

	if (i->imm != TABLE_NONE && i->imm != TABLE_SUM)
		s->now.tables++;
	switch (i->imm) {
	case TABLE_CODE:
		return a32_leave_to(s, at + 4 * n);
	case TABLE_LOADED:
		if (!a32_path_number(s, a, &at))
			return NO_WAY;
		fallthrough;
	case TABLE_WORDS:
		a32_load32((at & ~3) + 4 * n, &w, &err);
		return err ? NO_WAY : a32_leave_to(s, w);
	case TABLE_HALVES:
	case TABLE_BYTES:
		return a32_insn_table_entry(i, n, &at) ? a32_leave_to(s, at | thumb) : NO_WAY;
	case TABLE_NONE:
		return a32_path_number(s, b, &at) ? a32_leave_to(s, at | thumb) : NO_WAY;
	case TABLE_SUM:
		if (i->rm == PC)
			b = &here;
		if (a32_path_number(s, a, &at) && a32_path_number(s, b, &w))
			return a32_leave_to(s, (at + w) | thumb);
	}
	return NO_WAY;
}

/*
 * A PLT's header has pushed lr, and counts from there to the resolver: "ldr pc,
 * [lr, #8]!". That pops it again before it goes where the call was to go.
 */
static enum a32_verdict by_plt_header(struct a32_scan *s)
{
	struct a32_val *sp = &s->now.val[SP], ra;

	if (sp->kind != VAL_REG)
		return NO_WAY;
	ra = a32_path_slot(s, *sp, SP);
	a32_val_add(sp, 4);
	return a32_outcome_return(s, ra);
}

/*
 * Into pc: a return pops it. A PLT entry loads it from the GOT with ip, and a
 * veneer from the word behind itself.
 */
enum a32_verdict a32_leave_by_load(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_val *v = &s->now.val[PC];

	if (i->rn == PC)
		return v->kind == VAL_CONST ? a32_leave_to(s, v->off) : NO_WAY;
	if (i->rn == IP)
		return a32_outcome_return(s, s->now.val[LR]);
	if (i->rn == LR && i->wb && i->list == 1 << PC)
		return by_plt_header(s);
	return a32_outcome_return(s, *v);
}
