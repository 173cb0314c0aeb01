// SPDX-License-Identifier: GPL-2.0
#include "sigframe.h"
#include "walk.h"

#define GO_ON	A32_STOP_NR	/* no reason to stop */

enum { PSR_THUMB = 1 << 5 };

/* DDI 0406C, B1.3.3: ITSTATE[7:2] is cpsr[15:10], ITSTATE[1:0] cpsr[26:25] */
static u32 it_left(u32 cpsr)
{
	u32 mask = (cpsr >> 25 & 3) | (cpsr >> 8 & 0xc);

	return cpsr & PSR_THUMB && mask ? 4 - __builtin_ctz(mask) : 0;
}

static struct a32_frame *frame_at(struct a32_walk *w, u32 depth)
{
	return &w->frame[depth % A32_TRAIL];
}

static void account(struct a32_walk *w)
{
	if (w->where && w->nr != w->accounted)
		w->account(w, w->where, w->nr - w->accounted);
	w->accounted = w->nr;
}

/* An entry in what w->span is about */
static void emit(struct a32_walk *w, u32 addr)
{
	struct a32_code *code = w->span.size ? w->span.code : NULL;

	if (unlikely(code != w->where)) {
		account(w);
		w->where = code;
	}
	w->entry[w->nr++] = addr;
}

/* Make w->span the one around addr. */
static bool enter_span(struct a32_walk *w, u32 addr)
{
	return likely(a32_span_has(&w->span, addr)) ||
	       a32_space_span(w->space, addr, &w->span);
}

static bool is_arm_call(u32 w)
{
	return (w & 0x0f000000) == 0x0b000000 ||	/* BL, BLX to Thumb */
	       (w & 0xfe000000) == 0xfa000000 ||
	       (w & 0x0ffffff0) == 0x012fff30;		/* BLX register */
}

/* "mov lr, pc" and the jump behind it: how ARMv4T calls through a register */
static bool is_old_arm_call(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc - 8, &w, &err);
	return (w & 0x0fffffff) == 0x01a0e00f;
}

static bool is_thumb_call(u32 h1, u32 h2)
{
	return ((h1 & 0xf800) == 0xf000 && (h2 & 0xc000) == 0xc000) ||	/* BL, BLX */
	       (h2 & 0xff87) == 0x4780;			/* BLX register */
}

/* Could a trampoline, "mov r7, #N", begin with this? A cheap first look. */
static bool like_trampoline(u32 behind, bool thumb)
{
	if (thumb)
		return behind == 0xf04f || (behind & 0xff00) == 0x2700;
	return (behind & 0xfffff000) == 0xe3a07000;
}

/*
 * Is there a call right before a return address? A signal trampoline needs
 * none, and is one even where a call that does not return stands before it.
 */
static enum a32_stop check_call(u32 pc, bool thumb, enum a32_trampoline *kind)
{
	u32 h1, before, behind, err = 0, end = 0;
	bool call;

	if (thumb) {
		a32_load16(pc - 4, &h1, &err);
		a32_load16(pc - 2, &before, &err);
		a32_load16(pc, &behind, &end);
		call = is_thumb_call(h1, before);
	} else {
		a32_load32(pc - 4, &before, &err);
		a32_load32(pc, &behind, &end);
		call = is_arm_call(before) || is_old_arm_call(pc);
	}
	if (likely(call && !err && !like_trampoline(behind, thumb)))
		return GO_ON;
	*kind = a32_trampoline(pc, thumb);
	if (*kind != TRAMPOLINE_NONE || (call && !err))
		return GO_ON;
	return err ? A32_STOP_CODE_FAULT : A32_STOP_NOT_A_CALL;
}

/*
 * Go to the caller's frame. Every check of a frame is here; none depends on
 * how its rule was found. A caller that fails one is not shown.
 */
static enum a32_stop step(struct a32_walk *w, const struct a32_rule *rule,
			  enum a32_trampoline *kind)
{
	const struct a32_frame *frame = frame_at(w, w->depth);
	struct a32_frame *next = frame_at(w, w->depth + 1);
	u32 cfa = frame->r[rule->cfa_reg] + rule->cfa_off;
	u32 ra = w->r[LR], err = 0;

	/* No code has its stack like that. */
	if (unlikely(cfa & 3))
		return A32_STOP_MISALIGNED;
	/* A frame lies above those it called, and nothing lies below sp. */
	if (unlikely(cfa < rule->low || cfa - rule->low < frame->r[FRAME_SP]))
		return A32_STOP_NO_PROGRESS;

	next->r[FRAME_R7] = frame->r[FRAME_R7];
	next->r[FRAME_R11] = frame->r[FRAME_R11];
	next->r[FRAME_SP] = cfa;
	if (!rule->ra_in_lr)
		a32_load32(cfa + rule->ra_off, &ra, &err);
	if (rule->saved & 1 << FRAME_R7)
		a32_load32(cfa + rule->off[FRAME_R7], &next->r[FRAME_R7], &err);
	if (rule->saved & 1 << FRAME_R11)
		a32_load32(cfa + rule->off[FRAME_R11], &next->r[FRAME_R11], &err);
	if (unlikely(err))
		return A32_STOP_FAULT;

	/* _start and clone() clear lr: they have no caller. */
	if (unlikely(!(ra & ~1)))
		return A32_STOP_OUTERMOST;
	/* ARM code is aligned to words. */
	if (unlikely((ra & 3) == 2))
		return A32_STOP_MISALIGNED;
	next->pc = ra;
	w->depth++;
	/* A call that does not return may be the last instruction mapped. */
	if (unlikely(!enter_span(w, (ra & ~1) - 1)))
		return A32_STOP_NO_MAPPING;
	return check_call(ra & ~1, ra & 1, kind);
}

/* The first frame: all registers are known, but not how far its function is. */
static enum a32_stop top_rule(struct a32_walk *w, const struct a32_rule **rule)
{
	struct a32_frame *frame = &w->frame[0];
	struct a32_scan *s = &w->scan;
	bool mapped = a32_space_span(w->space, w->r[PC], &w->span);
	enum a32_stop stop;

	w->depth = 0;
	frame->r[FRAME_R7] = w->r[R7];
	frame->r[FRAME_R11] = w->r[R11];
	frame->r[FRAME_SP] = w->r[SP];
	frame->pc = w->r[PC] | (w->cpsr & PSR_THUMB ? 1 : 0);
	emit(w, w->r[PC]);
	if (!mapped)
		return A32_STOP_NO_MAPPING;
	if (w->span.abi == A32_ABI_NONE)
		return A32_STOP_ABI_NONE;
	s->abi = w->span.abi;
	s->through_calls = false;
	s->known = 0xffff & ~(1 << PC);
	s->r = w->r;
	stop = a32_scan(s, w->r[PC], frame->pc & 1, it_left(w->cpsr));
	w->top = s->rule;
	*rule = &w->top;
	return stop;
}

/* The rule of frame d as far as its ABI tells it, NULL if it has none */
static const struct a32_rule *rule_of(struct a32_walk *w, u32 d)
{
	struct a32_span span;

	if (d == 0)
		return &w->top;
	if (!a32_space_span(w->space, (frame_at(w, d)->pc & ~1) - 1, &span))
		return NULL;
	return span.abi == A32_ABI_NONE ? NULL : a32_abi_rule(span.abi);
}

/* What frame d's code restores at its end, if that agrees with its record */
static bool scan_to_end(struct a32_walk *w, u32 d, const struct a32_rule *rule)
{
	const struct a32_frame *frame = frame_at(w, d);
	struct a32_scan *s = &w->scan;
	u32 ra_slot = frame->r[rule->cfa_reg] + rule->cfa_off + rule->ra_off;

	w->r[R7] = frame->r[FRAME_R7];
	w->r[R11] = frame->r[FRAME_R11];
	w->r[SP] = frame->r[FRAME_SP];
	s->through_calls = true;
	s->known = 1 << R7 | 1 << R11 | 1 << SP;
	s->r = w->r;
	return a32_scan(s, frame->pc & ~1, frame->pc & 1, d ? 0 : it_left(w->cpsr)) == GO_ON &&
	       frame->r[FRAME_SP] + s->rule.cfa_off + s->rule.ra_off == ra_slot;
}

/*
 * The frame at w->depth is built on a register that the rules of its callees
 * don't follow. Ask their code, the nearest first: who has it saved, saved
 * what this frame had in it; who has not, left it as it was.
 */
static bool recover(struct a32_walk *w, enum a32_frame_reg reg)
{
	struct a32_frame *frame = frame_at(w, w->depth);
	const struct a32_rule *rule;
	u32 d, err = 0;

	for (d = w->depth; d-- > 0 && w->depth - d < A32_TRAIL;) {
		rule = rule_of(w, d);
		if (!rule)
			return false;
		if (!(rule->lost & 1 << reg)) {
			frame->r[reg] = frame_at(w, d + 1)->r[reg];
			return true;
		}
		if (rule->ra_in_lr || !scan_to_end(w, d, rule) || w->scan.rule.lost & 1 << reg)
			return false;
		if (w->scan.rule.saved & 1 << reg) {
			a32_load32(frame_at(w, d)->r[FRAME_SP] + w->scan.rule.cfa_off +
				   w->scan.rule.off[reg], &frame->r[reg], &err);
			return !err;
		}
		frame->r[reg] = frame_at(w, d)->r[reg];
		if (d == 0)
			return true;
	}
	return false;
}

/* The rule of a caller: its record is complete. */
static enum a32_stop caller_rule(struct a32_walk *w, const struct a32_rule **rule)
{
	const struct a32_rule *last = *rule;
	struct a32_frame *frame = frame_at(w, w->depth);
	enum a32_frame_reg reg;

	if (unlikely(w->span.abi == A32_ABI_NONE))
		return A32_STOP_ABI_NONE;
	*rule = a32_abi_rule(w->span.abi);
	reg = (*rule)->cfa_reg;
	if (unlikely(last->lost & 1 << reg) && !recover(w, reg))
		return A32_STOP_UNPROVEN;
	/* AAPCS32 section 6.2.1.4: zero ends the chain of records. */
	if (unlikely(!frame->r[reg]))
		return A32_STOP_OUTERMOST;
	return GO_ON;
}

/* Through a trampoline: the interrupted frame is one like the sampled one. */
static enum a32_stop enter_interrupted(struct a32_walk *w, enum a32_trampoline kind)
{
	if (w->nr == w->room)
		return A32_STOP_MAX_STACK;
	if (++w->sig_depth > A32_SIG_DEPTH)
		return A32_STOP_SIG_DEPTH;
	if (!a32_sigframe_load(frame_at(w, w->depth)->r[FRAME_SP], kind, w->r, &w->cpsr))
		return A32_STOP_BAD_SIGFRAME;
	w->r[PC] &= ~1;
	return GO_ON;
}

/* One entry further: from a frame whose rule is known to its caller's rule */
static enum a32_stop next_frame(struct a32_walk *w, const struct a32_rule **rule)
{
	enum a32_trampoline kind = TRAMPOLINE_NONE;
	enum a32_stop stop;

	if (unlikely(w->nr == w->room))
		return A32_STOP_MAX_STACK;
	stop = step(w, *rule, &kind);
	if (unlikely(stop != GO_ON))
		return stop;
	emit(w, frame_at(w, w->depth)->pc & ~1);
	if (likely(kind == TRAMPOLINE_NONE))
		return caller_rule(w, rule);
	stop = enter_interrupted(w, kind);
	return stop == GO_ON ? top_rule(w, rule) : stop;
}

enum a32_stop a32_walk(struct a32_walk *w)
{
	const struct a32_rule *rule;
	enum a32_stop stop;

	w->nr = 0;
	w->accounted = 0;
	w->where = NULL;
	w->span.size = 0;
	w->sig_depth = 0;
	w->scan.left = A32_WALK_INSNS;
	stop = top_rule(w, &rule);
	w->from = w->where;
	while (stop == GO_ON)
		stop = next_frame(w, &rule);
	account(w);
	return stop;
}
