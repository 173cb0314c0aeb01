/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way through a function's body: body_pass.c goes it, and body_skip.c the most of
 * it, over what is seen to at a glance. For these and body.c only.
 */
#ifndef A32_CORE_BODY_PASS_H
#define A32_CORE_BODY_PASS_H

#include "body.h"

/* From an IT to behind the last instruction that it is for, at most */
enum { A32_IT_BYTES = 2 + 4 * 4 };

/* The maps have a word for each of the lines that code is read by. */
static inline void a32_pass_set(u32 *map, u32 at)
{
	map[at / 64] |= 1u << at / 2 % 32;
}

static inline bool a32_pass_has(const u32 *map, u32 at)
{
	return map[at / 64] >> at / 2 % 32 & 1;
}

/* Is it in the code that may be gone through? */
static inline bool a32_pass_covers(const struct a32_pass *p, u32 at)
{
	return at - p->from < p->size;
}

static inline void a32_pass_spend(struct a32_pass *p, u32 steps)
{
	p->left -= steps < p->left ? steps : p->left;
}

static inline void a32_pass_widen_guess(struct a32_pass *p, u32 low, u32 high)
{
	if (low < p->guess_low)
		p->guess_low = low;
	if (high > p->guess_high)
		p->guess_high = high;
}

/* The body goes on at @target. */
static inline void a32_pass_note(struct a32_pass *p, u32 target)
{
	u32 n = (target - p->base) / 64;

	if (!a32_pass_covers(p, target))
		return;
	p->note[n] |= 1u << target / 2 % 32;
	p->pending[n / 32] |= 1u << n % 32;
	if (target > p->top)
		p->top = target;
	if (unlikely(p->guess))
		a32_pass_widen_guess(p, target, target);
	else if (target > p->reach)
		p->reach = target;
}

/* What the code loads from near itself, at @at, is data, and not run on to. */
static inline void a32_pass_note_data(struct a32_pass *p, u32 at)
{
	if (!a32_pass_covers(p, at))
		return;
	a32_pass_set(p->data, at - p->base);
	a32_pass_set(p->stop, at - p->base);
}

/* Behind the end of a piece, does the body go on at once? */
static inline bool a32_pass_goes_on(const struct a32_pass *p, u32 pc)
{
	return !p->doubt && a32_pass_covers(p, pc) && a32_pass_has(p->note, pc - p->base);
}

/* The code from p->sure on is of the body for certain. */
void a32_pass_settle(struct a32_pass *p);

/* A branch, at a place that is in doubt */
void a32_pass_branch_in_doubt(struct a32_pass *p, u32 target);

static inline void a32_pass_branch(struct a32_pass *p, u32 target)
{
	if (p->doubt)
		a32_pass_branch_in_doubt(p, target);
	else
		a32_pass_note(p, target);
}

/*
 * There is a call, which ends at @pc. Behind a call inside of the function, another
 * call needs a record as well.
 */
static __always_inline void a32_pass_call(struct a32_pass *p, u32 pc)
{
	if (p->doubt && pc <= p->reach)
		a32_pass_settle(p);
	if (p->doubt && !p->guess)
		return;
	p->sure = pc;
	p->doubt = true;
}

/**
 * a32_pass_skip() - go on over instructions that are seen to at a glance
 * @p: the way; @pc is then at one that isn't, or that @stop has
 */
void a32_pass_skip(struct a32_pass *p);

/**
 * a32_pass_go() - go on through a function's body
 * @p: the way; @done, @held, @low and @high are the result
 * @steps: words or halfwords that may be gone through
 */
void a32_pass_go(struct a32_pass *p, u32 steps);

/* The nearest push of lr within @bytes behind @at, which may be one itself; 0 for none */
u32 a32_push_behind(u32 at, bool thumb, u32 bytes);

/* The last push of lr in a line of A32_LOAD_LINE bytes, before @at; 0 for none */
u32 a32_push_in_line(u32 line, u32 at, bool thumb);

/* Where is the record complete that begins to be made at a push of lr? 0: it isn't one */
u32 a32_record_end(u32 at, bool thumb, u32 abi);

#endif
