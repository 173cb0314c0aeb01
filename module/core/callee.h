/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames that have called: what their code says where their ABI does not. For
 * walk.c only.
 */
#ifndef A32_CORE_CALLEE_H
#define A32_CORE_CALLEE_H

#include "walk.h"

enum { PSR_THUMB = 1 << 5, PSR_IT = 0x0600fc00 };

/* DDI 0406C, B1.3.3: ITSTATE[7:2] is cpsr[15:10], ITSTATE[1:0] cpsr[26:25] */
static inline u32 a32_itstate(u32 cpsr)
{
	return cpsr & PSR_THUMB ? (cpsr >> 8 & 0xfc) | (cpsr >> 25 & 3) : 0;
}

static inline struct a32_frame *a32_frame_at(struct a32_walk *w, u32 depth)
{
	return &w->frame[depth % A32_TRAIL];
}

static inline void a32_callee_scan_in(struct a32_scan *s, const struct a32_span *span)
{
	s->abi = span->abi;
	s->start = span->start;
	s->size = span->size;
	s->bodies = NULL;
	s->look.keeps = !span->changes;
}

/**
 * a32_callee_has_sp() - does a frame have its sp where it is said to be?
 * @w: the walk
 * @d: the frame's depth
 */
bool a32_callee_has_sp(struct a32_walk *w, u32 d);

/**
 * a32_callee_scan() - look through a frame's code, from where it goes on
 * @w: the walk; the result is in its scan
 * @d: the frame's depth
 * @span: what holds there
 * @has_record: its frame register points at what may be its record
 * @evidence: what stands before
 */
enum a32_stop a32_callee_scan(struct a32_walk *w, u32 d, const struct a32_span *span,
			      bool has_record, enum a32_prologue evidence);

/**
 * a32_callee_recover() - find a register of the frame at w->depth
 * @w: the walk
 * @reg: FRAME_R7 or FRAME_R11; the rules of the callees don't follow it
 *
 * Return: false when their code does not tell
 */
bool a32_callee_recover(struct a32_walk *w, enum a32_frame_reg reg);

/**
 * a32_callee_recover_sp() - find sp of the frame at w->depth
 * @w: the walk; its rule, which is the callee's, does not say it for certain
 *
 * A record says it unless its function has pushed arguments above it. So what
 * the function has done before it made the record is looked at, or what it will
 * do up to its end.
 *
 * Return: false when neither tells
 */
bool a32_callee_recover_sp(struct a32_walk *w);

#endif
