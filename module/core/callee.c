// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "callee.h"
#include "table.h"

#define RECOVER_COST	8	/* of a frame's prologue, as in a32_scan.left */

/* Does the frame at depth d have its sp where it is said to be? */
bool a32_callee_has_sp(struct a32_walk *w, u32 d)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	u32 entry;

	if (!(frame->proven & FRAME_NEAR_SP))
		return frame->proven & 1 << FRAME_SP;
	entry = a32_call_target(frame->pc);
	return entry && !a32_prologue_has_arguments(entry & ~1, entry & 1);
}

static u32 right_registers(struct a32_walk *w, u32 d)
{
	u32 proven = a32_frame_at(w, d)->proven;

	return (proven & 1 << FRAME_R7 ? 1 << R7 : 0) | (proven & 1 << FRAME_R11 ? 1 << R11 : 0) |
	       (a32_callee_has_sp(w, d) ? 1 << SP : 0);
}

/* Look through the code of the frame at d, from where it goes on to its end. */
enum a32_stop a32_callee_scan(struct a32_walk *w, u32 d, const struct a32_span *span,
			      bool has_record, enum a32_prologue evidence)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	struct a32_scan *s = &w->scan;

	w->caller[R7] = frame->r[FRAME_R7];
	w->caller[R11] = frame->r[FRAME_R11];
	w->caller[SP] = frame->r[FRAME_SP];
	a32_callee_scan_in(s, span);
	s->known = d ? 1 << R7 | 1 << R11 | 1 << SP : 0xffff & ~(1 << LR | 1 << PC);
	s->right = d ? right_registers(w, d) : s->known;
	s->r = d ? w->caller : w->r;
	s->record = *a32_abi_rule(span->abi);
	s->record_ra = frame->r[s->record.cfa_reg] + s->record.cfa_off + s->record.ra_off;
	s->has_record = has_record;
	s->evidence = evidence;
	return a32_scan_caller(s, frame->pc & ~1, frame->pc & 1, d ? 0 : a32_itstate(w->cpsr));
}

/* Where lr is saved in frame d's function, when that is certain; else 0 */
static u32 find_prologue(struct a32_walk *w, u32 d, u32 abi)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	const struct a32_rule *rule = a32_abi_rule(abi);
	u32 ra = frame->r[rule->cfa_reg] + rule->cfa_off + rule->ra_off, at;

	return a32_prologue_find(frame->pc & ~1, frame->pc & 1, abi, ra, &w->scan.look,
				 &at) == PROLOGUE_RECORD ? at : 0;
}

/* What a function's prologue has saved of a frame register that isn't its own */
static bool saved_by_prologue(struct a32_walk *w, u32 d, u32 abi, enum a32_frame_reg reg,
			      bool *is_saved, u32 *val)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	/* A sampled frame's record may not be complete, or gone again. */
	u32 at = d ? find_prologue(w, d, abi) : 0, err = 0;
	struct a32_saved slot;

	if (!at || !a32_prologue_slot(at, frame->pc & 1, abi, a32_frame_reg_number(reg), &slot))
		return false;
	*is_saved = slot.is_saved && slot.pc < (frame->pc & ~1);
	*val = frame->r[reg];
	if (*is_saved)
		a32_load32((frame->r[a32_abi_rule(abi)->cfa_reg] + slot.off) & ~3, val, &err);
	return !err;
}

/* The same from a rule: one with values in other registers is the first frame's. */
static bool saved_by_rule(struct a32_walk *w, const struct a32_frame *frame,
			  const struct a32_rule *rule, enum a32_frame_reg reg, bool *is_saved,
			  u32 *val)
{
	u32 cfa = frame->r[rule->cfa_reg] + rule->cfa_off, err = 0;

	if (rule->lost & 1 << reg)
		return false;
	*is_saved = rule->saved & 1 << reg;
	*val = frame->r[reg];
	if (*is_saved)
		a32_load32((cfa + rule->off[reg]) & ~3, val, &err);
	if (rule->held & 1 << reg)
		*val = w->r[rule->off[reg]];
	return !err;
}

/* The same from what the code does up to its end */
static bool saved_by_code(struct a32_walk *w, u32 d, const struct a32_span *span,
			  enum a32_frame_reg reg, bool *is_saved, u32 *val)
{
	const struct a32_frame *frame = a32_frame_at(w, d);

	w->scan.wanted = 1 << reg;
	if (a32_callee_scan(w, d, span, false, PROLOGUE_NONE) != A32_STOP_NR)
		return false;
	return saved_by_rule(w, frame, &w->scan.rule, reg, is_saved, val);
}

/* The same from the table of its file */
static bool saved_by_table(struct a32_walk *w, u32 d, const struct a32_span *span,
			   enum a32_frame_reg reg, bool *is_saved, u32 *val)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	const struct a32_rule *rule;
	u32 pc = frame->pc & ~1;

	rule = d ? a32_table_of_caller(span, pc) :
		   a32_table_find(span->table, pc + span->to_offset);
	return rule->stop == A32_STOP_NR && saved_by_rule(w, frame, rule, reg, is_saved, val);
}

/* What a frame's function has saved of a register, or not */
static bool is_followed(struct a32_walk *w, u32 d, const struct a32_span *span,
			enum a32_frame_reg reg, bool *is_saved, u32 *val)
{
	if (span->table)
		return saved_by_table(w, d, span, reg, is_saved, val);
	if (span->abi == A32_ABI_NONE)
		return false;
	w->scan.look.keeps = !span->changes;
	return saved_by_prologue(w, d, span->abi, reg, is_saved, val) ||
	       saved_by_code(w, d, span, reg, is_saved, val);
}

/*
 * The frame at w->depth is built on a register that is gone, as longjmp() and
 * switches of contexts have it for some instructions. Where sp is known, and the
 * code runs on from the prologue, it says how far they are apart.
 */
static bool recover_by_sp(struct a32_walk *w, enum a32_frame_reg reg)
{
	struct a32_frame *frame = a32_frame_at(w, w->depth);
	u32 pc = frame->pc & ~1, thumb = frame->pc & 1, at;
	struct a32_scan *s = &w->scan;
	struct a32_span span;
	s32 off;

	if (!a32_callee_has_sp(w, w->depth) || !a32_space_span(w->space, pc - 1, &span) ||
	    span.abi == A32_ABI_NONE || a32_abi_rule(span.abi)->cfa_reg != reg)
		return false;
	if (a32_prologue_before(pc, thumb, span.abi, &s->look, &at) != PROLOGUE_RECORD)
		return false;
	a32_callee_scan_in(s, &span);
	s->known = 0xffff & ~(1 << PC);
	s->right = 0;
	s->r = w->caller;
	w->caller[SP] = frame->r[FRAME_SP];
	if (!a32_since_prologue(s, at, pc, thumb, &off))
		return false;
	frame->r[reg] = frame->r[FRAME_SP] + off;
	frame->proven |= 1 << reg;
	return true;
}

/*
 * The frame at w->depth is built on a register that the rules of its callees
 * don't follow. Ask their code, the nearest first: who has it saved, saved
 * what this frame had in it; who has not, left it as it was.
 */
static bool recover_by_callees(struct a32_walk *w, enum a32_frame_reg reg)
{
	struct a32_frame *frame = a32_frame_at(w, w->depth);
	struct a32_span span;
	u32 d = w->depth;
	bool is_saved;

	while (d-- > 0 && w->depth - d < A32_TRAIL) {
		u32 pc = (a32_frame_at(w, d)->pc & ~1) - !!d;

		if (w->scan.look.left < RECOVER_COST)
			return false;
		w->scan.look.left -= RECOVER_COST;
		if (!a32_space_span(w->space, pc, &span) ||
		    !is_followed(w, d, &span, reg, &is_saved, &frame->r[reg]))
			return false;
		if (is_saved || a32_frame_at(w, d)->proven & 1 << reg) {
			frame->proven |= 1 << reg;
			return true;
		}
	}
	return false;
}

bool a32_callee_recover(struct a32_walk *w, enum a32_frame_reg reg)
{
	return recover_by_callees(w, reg) || recover_by_sp(w, reg);
}

static enum a32_place place_of(struct a32_walk *w, u32 d)
{
	return (d ? PLACE_CALL : PLACE_ARM) + (a32_frame_at(w, d)->pc & 1);
}

/* The rule of a frame, as it is kept, if the CFA is its caller's sp for certain */
static const struct a32_rule *exact_rule(struct a32_walk *w, u32 d)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	const struct a32_found *found;

	found = a32_found_at(w->found, w->tag, frame->pc & ~1, place_of(w, d));
	if (!found || found->rule.stop != A32_STOP_NR || !(found->rule.saved & 1 << FRAME_SP))
		return NULL;
	return frame->proven & 1 << found->rule.cfa_reg ? &found->rule : NULL;
}

static void keep_exact(struct a32_walk *w, u32 d, const struct a32_span *span,
		       struct a32_rule rule)
{
	struct a32_found it = { .tag = w->tag, .code = span->code, .rule = rule };
	u32 pc = a32_frame_at(w, d)->pc & ~1;

	it.rule.saved = (rule.saved & ~FRAME_NEAR_SP) | 1 << FRAME_SP;
	if (!span->changes && w->tag != A32_TAG_NONE)
		a32_found_add(w->found, &it, pc, pc + 2, place_of(w, d));
}

/* Where a sampled frame's function is about to save lr; 0 for not near */
static u32 find_push(u32 pc, bool thumb)
{
	struct a32_insn i;
	u32 n;

	for (n = 0; n < A32_PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		if (a32_insn_stores_lr(&i))
			return pc;
		if (a32_insn_leaves(&i) || i.op == OP_CALL || i.op == OP_DEAD)
			break;
		pc += i.len;
	}
	return 0;
}

/*
 * Where frame d's function saves lr, and has its record by that; or will have
 * it: the rule that it is left by then counts from sp.
 */
static u32 find_save(struct a32_walk *w, u32 d, u32 abi)
{
	u32 pc = a32_frame_at(w, d)->pc, at;

	if (!d && a32_rule_has_ra_in_lr(w->rule))
		return find_push(pc & ~1, pc & 1);
	if (d)
		return find_prologue(w, d, abi);
	return a32_prologue_before(pc & ~1, pc & 1, abi, &w->scan.look, &at) == PROLOGUE_RECORD ?
	       at : 0;
}

/* Is nothing pushed above frame d's record, so that it says sp for certain? */
static bool has_no_arguments(struct a32_walk *w, u32 d, const struct a32_span *span)
{
	bool thumb = a32_frame_at(w, d)->pc & 1;
	u32 at = find_save(w, d, span->abi);

	if (!at || !a32_prologue_is_first(at, thumb))
		return false;
	/* What a scan has found for this once is not true another time. */
	if (w->rule != &w->top)
		keep_exact(w, d, span, *w->rule);
	return true;
}

/* Where frame d's code leaves sp when it returns */
static bool cfa_by_code(struct a32_walk *w, u32 d, const struct a32_span *span, u32 *cfa)
{
	const struct a32_rule *rule = &w->scan.rule;

	w->scan.wanted = 0;
	if (a32_callee_scan(w, d, span, false, PROLOGUE_NONE) != A32_STOP_NR ||
	    !(rule->saved & 1 << FRAME_SP))
		return false;
	*cfa = a32_frame_at(w, d)->r[rule->cfa_reg] + rule->cfa_off;
	if (w->scan.is_static)
		keep_exact(w, d, span, *rule);
	return true;
}

static bool find_cfa(struct a32_walk *w, u32 d, u32 *cfa)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	const struct a32_rule *rule = exact_rule(w, d);
	struct a32_span span;

	if (rule) {
		*cfa = frame->r[rule->cfa_reg] + rule->cfa_off;
		return true;
	}
	if (w->scan.look.left < RECOVER_COST)
		return false;
	w->scan.look.left -= RECOVER_COST;
	if (!a32_space_span(w->space, (frame->pc & ~1) - !!d, &span) || span.abi == A32_ABI_NONE)
		return false;
	w->scan.look.keeps = !span.changes;
	return has_no_arguments(w, d, &span) || cfa_by_code(w, d, &span, cfa);
}

bool a32_callee_recover_sp(struct a32_walk *w)
{
	struct a32_frame *frame = a32_frame_at(w, w->depth);
	u32 cfa = frame->r[FRAME_SP];

	if (!w->depth || !find_cfa(w, w->depth - 1, &cfa))
		return false;
	if (cfa < frame->r[FRAME_SP] || cfa & 3)
		return false;
	frame->r[FRAME_SP] = cfa;
	frame->proven = (frame->proven & ~FRAME_NEAR_SP) | 1 << FRAME_SP;
	return true;
}
