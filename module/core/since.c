// SPDX-License-Identifier: GPL-2.0
#include "path.h"

enum {
	ENTRY_RUN	= 8192,	/* bytes from a function's entry that are run through */
	RETURN_INSNS	= 4,	/* on a condition, in front of the one that leaves */
};

/*
 * Does the function go on behind a branch in it? With a frame, none leads out of
 * it: no tail call has one. What lies between is of the function, and has the same.
 */
static bool goes_on_behind(const struct a32_scan *s, const struct a32_insn *i, u32 *reach)
{
	if (a32_val_is_start(&s->now.val[SP], SP))
		return false;
	if (i->target > *reach)
		*reach = i->target;
	return *reach > s->now.pc;
}

/*
 * A branch leads on to @to, or nearer: what is true there is as here. Behind clone(),
 * its condition may be that this is a new thread.
 */
static void note_branch(struct a32_scan *s, u32 target, u32 to)
{
	u32 n;

	if (target <= s->now.pc || target > to || s->now.forked)
		return;
	for (n = 0; n < s->nr_later; n++) {
		if (s->later[n].pc == target)
			return;
		if (s->later[n].pc <= s->now.pc)
			break;
	}
	if (n == A32_SCAN_PATHS)
		return;
	s->nr_later += n == s->nr_later;
	s->later[n] = s->now;
	s->later[n].it = 0;
	s->later[n].pc = target;
}

/* The code ends at now.pc. Go on where the nearest branch has led to. */
static bool resume(struct a32_scan *s)
{
	u32 n, best = A32_SCAN_PATHS;

	for (n = 0; n < s->nr_later; n++) {
		if (s->later[n].pc > s->now.pc &&
		    (best == A32_SCAN_PATHS || s->later[n].pc < s->later[best].pc))
			best = n;
	}
	if (best == A32_SCAN_PATHS)
		return false;
	s->now = s->later[best];
	/* From here on, what others have stored beyond that is overwritten: they are gone. */
	for (n = 0; n < s->nr_later; n++) {
		if (s->later[n].stores > s->now.stores)
			s->later[n].pc = 0;
	}
	return true;
}

/* Do the branches that have led to here say the same of sp as what is before? */
static bool agrees(const struct a32_scan *s)
{
	const struct a32_val *v, *sp = &s->now.val[SP];
	u32 n;

	for (n = 0; n < s->nr_later; n++) {
		v = &s->later[n].val[SP];
		if (s->later[n].pc == s->now.pc &&
		    (v->kind != sp->kind || v->reg != sp->reg || v->off != sp->off))
			return false;
	}
	return true;
}

/* Is it part of a return on a condition? What is behind it is as without it. */
static bool is_of_return(const struct a32_scan *s, const struct a32_insn *first, u32 cond)
{
	u32 pc = s->now.pc + first->len, n;
	struct a32_path p = { .it = a32_next_it(s->now.it) };
	struct a32_insn i;

	for (n = 0; n < RETURN_INSNS && a32_insn_fetch(pc, s->now.thumb, &i); n++) {
		if (a32_path_cond(&p, &i) != cond)
			return false;
		if (a32_insn_leaves(&i))
			return i.op != OP_BRANCH;
		pc += i.len;
		p.it = a32_next_it(p.it);
	}
	return false;
}

static enum a32_verdict look_on(struct a32_scan *s, const struct a32_insn *i, u32 to, u32 *reach)
{
	u32 cond = a32_path_cond(&s->now, i);

	if (i->op == OP_BRANCH)
		note_branch(s, i->target, to);
	if (i->op == OP_BRANCH && goes_on_behind(s, i, reach))
		return GO_ON;
	if (cond != COND_ALWAYS && (a32_insn_leaves(i) || is_of_return(s, i, cond)))
		return GO_ON;
	if (a32_insn_leaves(i) && !a32_scan_is_old_call(s))
		return NO_WAY;
	s->calls |= i->op == OP_CALL;
	return a32_scan_look(s, i);
}

/* Run through the code from a function's entry to an address in it. */
static bool run_to(struct a32_scan *s, u32 entry, u32 pc, bool thumb)
{
	struct a32_insn i;
	u32 reach = 0;

	a32_scan_start(s, entry, thumb, 0);
	s->behind_call = true;
	s->since_entry = true;
	s->calls = false;
	while (s->now.pc != pc) {
		if (pc - s->now.pc > ENTRY_RUN || !s->look.left ||
		    !a32_insn_fetch(s->now.pc, thumb, &i))
			return false;
		s->look.left--;
		if (look_on(s, &i, pc, &reach) != GO_ON) {
			if (!resume(s))
				return false;
			reach = 0;
			continue;
		}
		if (s->now.assumed != COND_ALWAYS)
			return false;
		s->now.it = i.op == OP_IT ? i.imm : a32_next_it(s->now.it);
		s->now.pc += i.len;
		if (!agrees(s))
			return false;
	}
	return true;
}

/* Where the path has stored what a register was at its start, as an offset from sp there */
static bool find_store(struct a32_scan *s, u32 number, s16 *off)
{
	u32 i = s->now.stores, sp = a32_path_address(s, &s->now.val[SP]);

	while (i-- > 0) {
		if (s->store[i].at >= sp && a32_val_is_start(&s->store[i].val, number))
			return a32_rule_note_slot(&s->rule, s->store[i].at, s->r[SP], off);
	}
	return false;
}

/* Which register has what another one was at the start of the path */
static bool find_copy(const struct a32_scan *s, u32 number, s16 *held)
{
	u32 r;

	for (r = 0; r < PC; r++) {
		if (a32_val_is_start(&s->now.val[r], number)) {
			*held = r;
			return true;
		}
	}
	return false;
}

static bool place_ra(struct a32_scan *s)
{
	struct a32_rule *rule = &s->rule;

	if (find_store(s, LR, &rule->ra_off))
		return true;
	if (a32_val_is_start(&s->now.val[LR], LR))
		rule->ra_off = LR;
	else if (!find_copy(s, LR, &rule->ra_off))
		return false;
	rule->held |= FRAME_RA;
	return true;
}

static void place(struct a32_scan *s, enum a32_frame_reg reg)
{
	u32 number = a32_frame_reg_number(reg);
	struct a32_rule *rule = &s->rule;
	bool is_kept = a32_val_is_start(&s->now.val[number], number);

	if (find_store(s, number, &rule->off[reg]))
		rule->saved |= 1 << reg;
	else if (!is_kept && find_copy(s, number, &rule->off[reg]))
		rule->held |= 1 << reg;
	else if (!is_kept)
		rule->lost |= 1 << reg;
}

static bool is_from_sp(const struct a32_val *v)
{
	return v->kind == VAL_REG && v->reg == SP;
}

/*
 * Behind a call lr is not what it was at the entry, or has been restored. What the
 * function has stored is in memory, and may not be in its register any more, even
 * if the path says so: lr may be left from a recursion. What it has not stored is
 * there, or in another register.
 */
bool a32_since_entry(struct a32_scan *s, u32 entry, u32 pc, bool thumb)
{
	const struct a32_val *sp = &s->now.val[SP];
	enum a32_frame_reg reg;

	if (!run_to(s, entry, pc, thumb) || !is_from_sp(sp))
		return false;
	if (s->calls && !a32_val_is_start(&s->now.val[LR], LR))
		return false;
	s->rule = (struct a32_rule){
		.cfa_reg = FRAME_SP, .stop = A32_STOP_NR, .cfa_off = -sp->off,
		.saved = 1 << FRAME_SP,
	};
	if (!place_ra(s))
		return false;
	for (reg = FRAME_R7; reg <= FRAME_R11; reg++)
		place(s, reg);
	return true;
}

/*
 * In ARM code an APCS frame counts from ip, which sp has been copied to before the push, and
 * before a vararg function has pushed its arguments.
 */
static u32 before_push(u32 at, bool thumb, u32 abi)
{
	struct a32_insn i;
	u32 n;

	for (n = 4; abi == A32_ABI_APCS && !thumb && n <= 8; n += 4) {
		if (a32_insn_fetch(at - n, false, &i) && i.op == OP_MOV && i.rd == IP &&
		    i.rm == SP)
			return at - n;
	}
	return at;
}

bool a32_since_prologue(struct a32_scan *s, u32 at, u32 pc, bool thumb, s32 *off)
{
	const struct a32_val *own, *sp = &s->now.val[SP];

	if (!run_to(s, before_push(at, thumb, s->abi), pc, thumb))
		return false;
	own = &s->now.val[s->own];
	if (!is_from_sp(own) || !is_from_sp(sp))
		return false;
	*off = own->off - sp->off;
	return true;
}
