// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "callee.h"

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

/* The same from what the code does up to its end */
static bool saved_by_code(struct a32_walk *w, u32 d, const struct a32_span *span,
			  enum a32_frame_reg reg, bool *is_saved, u32 *val)
{
	const struct a32_frame *frame = a32_frame_at(w, d);
	const struct a32_rule *rule = &w->scan.rule;
	u32 err = 0;

	w->scan.wanted = 1 << reg;
	if (a32_callee_scan(w, d, span, false, PROLOGUE_NONE) != A32_STOP_NR)
		return false;
	if (rule->lost & 1 << reg)
		return false;
	*is_saved = rule->saved & 1 << reg;
	*val = frame->r[reg];
	if (*is_saved)
		a32_load32((frame->r[rule->cfa_reg] + rule->cfa_off + rule->off[reg]) & ~3, val,
			   &err);
	if (rule->held & 1 << reg)
		*val = w->r[rule->off[reg]];
	return !err;
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
		if (!a32_space_span(w->space, pc, &span) || span.abi == A32_ABI_NONE)
			return false;
		w->scan.look.keeps = !span.changes;
		if (!saved_by_prologue(w, d, span.abi, reg, &is_saved, &frame->r[reg]) &&
		    !saved_by_code(w, d, &span, reg, &is_saved, &frame->r[reg]))
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
