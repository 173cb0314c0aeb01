/* SPDX-License-Identifier: GPL-2.0 */
/* From a frame to its caller's. For those who walk only. */
#ifndef A32_CORE_STEP_H
#define A32_CORE_STEP_H

#include "rule.h"

#define A32_FRAME_PROVEN	(1 << FRAME_R7 | 1 << FRAME_R11)

/* Take what a rule has in registers. */
static inline bool a32_step_held(const struct a32_rule *rule, const u32 *r, u32 *ra,
				 struct a32_frame *next)
{
	if (!r)
		return false;
	if (rule->held & FRAME_RA)
		*ra = r[rule->ra_off];
	if (rule->held & 1 << FRAME_R7)
		next->r[FRAME_R7] = r[rule->off[FRAME_R7]];
	if (rule->held & 1 << FRAME_R11)
		next->r[FRAME_R11] = r[rule->off[FRAME_R11]];
	return true;
}

/**
 * a32_step_read() - read the caller's frame
 * @frame: the frame
 * @rule: how to get to the caller's
 * @r: r0 to r15 of a sampled or interrupted frame, else NULL: of others, nobody
 *	knows what they had in registers
 * @next: the result
 *
 * Every check of a frame is here or in enter_caller(); none depends on how its
 * rule was found.
 *
 * Context: within a32_user_begin() and a32_user_end().
 * Return: A32_STOP_NR, or why not
 */
static __always_inline enum a32_stop a32_step_read(const struct a32_frame *frame,
						   const struct a32_rule *rule, const u32 *r,
						   struct a32_frame *next)
{
	u32 cfa = frame->r[rule->cfa_reg] + rule->cfa_off;
	u32 ra = 0, err = 0;

	/* No code has its stack like that. */
	if (unlikely(cfa & 3))
		return A32_STOP_MISALIGNED;
	/* A frame lies above those it called, and nothing lies below sp. */
	if (unlikely(cfa < (u32)rule->low || cfa - rule->low < frame->r[FRAME_SP]))
		return A32_STOP_NO_PROGRESS;

	next->r[FRAME_R7] = frame->r[FRAME_R7];
	next->r[FRAME_R11] = frame->r[FRAME_R11];
	next->r[FRAME_SP] = cfa;
	if (rule->held && unlikely(!a32_step_held(rule, r, &ra, next)))
		return A32_STOP_UNDECIDED;
	if (!(rule->held & FRAME_RA))
		a32_load32(cfa + rule->ra_off, &ra, &err);
	if (rule->saved & 1 << FRAME_R7)
		a32_load32(cfa + rule->off[FRAME_R7], &next->r[FRAME_R7], &err);
	if (rule->saved & 1 << FRAME_R11)
		a32_load32(cfa + rule->off[FRAME_R11], &next->r[FRAME_R11], &err);
	if (unlikely(err))
		return A32_STOP_FAULT;
	next->pc = ra;
	next->proven = (frame->proven & A32_FRAME_PROVEN & ~rule->lost) | rule->saved;
	return A32_STOP_NR;
}

#endif
