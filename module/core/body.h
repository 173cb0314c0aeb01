/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The body of a function: the code in which its record is complete. From the
 * prologue on, all code is of it that the function runs on to, or branches to,
 * until an epilogue takes the frame register back. A function is gone through once,
 * and all of its body is known then.
 */
#ifndef A32_CORE_BODY_H
#define A32_CORE_BODY_H

#include "rule.h"

enum {
	A32_BODY_LINE	= 256,		/* bytes of code in a line */
	A32_BODY_WORDS	= A32_BODY_LINE / 64,
	A32_BODY_BITS	= 10,
	A32_BODY_WAYS	= 2,
	A32_BODY_SEEN_BITS = 8,
	A32_BODY_MAX	= 64 << 10,	/* bytes of code that a function may have */
	A32_BODY_NEAR	= 2 << 10,	/* bytes around a pc */
	A32_BODY_PASSES	= 2,		/* functions gone through at a time, bit by bit */
	A32_BODY_MAPS	= 5,		/* for each, a bit for each halfword */
	A32_BODY_AGAIN	= 64,
	A32_BODY_SVCS	= 8,
	A32_BODY_TARGETS = 4,
};

struct a32_code;
struct a32_look;
struct a32_span;

/**
 * struct a32_body - what is of a function's body in a line of code
 * @line: its address, a multiple of A32_BODY_LINE; bit 0 set in Thumb
 * @tag: see struct a32_known
 * @code: what is mapped there
 * @rule: the record's
 * @mask: a bit for each halfword of the line that is of a body
 */
struct a32_body {
	u32 line;
	u32 tag;
	struct a32_code *code;
	const struct a32_rule *rule;
	u32 mask[A32_BODY_WORDS];
};

/**
 * struct a32_pass - a way through a function's body; for body.c
 * @push: where the function pushes lr; bit 0 set in Thumb
 * @tag: see struct a32_known
 * @code: what is mapped there
 * @rule: the record's
 * @done: it has come to its end
 * @goes: how often it has been gone on
 * @base: where the code that is gone through begins, a multiple of A32_BODY_LINE
 * @from: the same, or where the ABI begins
 * @size: bytes from there to where it ends, or the ABI does
 * @own: number of the frame register
 * @thumb: the instruction set
 * @left: halfwords or words that may still be gone through
 * @reach: the highest address that is known to be of the function
 * @top: the highest one that has been noted
 * @pending: a bit for each word of @note that may have bits that @held has not
 * @used: the maps are empty from this address on, but for what is behind the end
 * @pc: the next instruction
 * @start: the first one of the straight piece before it that is not held yet
 * @sure: what is before it is of the body; what is from it on, unless @doubt
 * @doubt: @sure is behind a call, which may not come back
 * @it: the IT in that piece that was last, or 0
 * @nr_targets: branches since @sure, while in doubt
 * @target: where they go
 * @guess: a guess is being followed up, as if it were true
 * @guess_low: the lowest address that has to do with it
 * @guess_high: the highest one
 * @nr_again: pieces that are in doubt
 * @again: where they begin
 * @nr_svcs: system calls
 * @svc: where they are
 * @low: the lowest address held since the last ones were kept
 * @high: the address behind the highest one
 * @held: a bit for each halfword of the body
 * @note: where the body branches to
 * @data: what the code uses as data, and what is behind the end
 * @maybe: what is of the body, if a guess is right
 * @stop: all of these three: where who runs on through the code has to look
 */
struct a32_pass {
	u32 push;
	u32 tag;
	struct a32_code *code;
	const struct a32_rule *rule;
	bool done;
	u32 goes;
	u32 base;
	u32 from;
	u32 size;
	u32 own;
	bool thumb;
	u32 left;
	u32 reach;
	u32 top;
	u32 pending[A32_BODY_MAX / 64 / 32];
	u32 used;
	u32 pc;
	u32 start;
	u32 sure;
	bool doubt;
	u32 it;
	u32 nr_targets;
	u32 target[A32_BODY_TARGETS];
	bool guess;
	u32 guess_low;
	u32 guess_high;
	u32 nr_again;
	u32 again[A32_BODY_AGAIN];
	u32 nr_svcs;
	u32 svc[A32_BODY_SVCS];
	u32 low;
	u32 high;
	u32 *held;
	u32 *note;
	u32 *data;
	u32 *maybe;
	u32 *stop;
};

/**
 * struct a32_bodies - all that is known of them, and working memory
 * @line: sets of lines
 * @seen: pushes of lr whose functions have been gone through; bit 0 set in Thumb
 * @pass: the last ways through functions, which may not have come to their ends
 * @map: the maps of each
 * @near: the way through code around a pc
 * @near_map: its maps
 */
struct a32_bodies {
	struct a32_body line[A32_BODY_WAYS << A32_BODY_BITS];
	struct a32_body_seen {
		u32 push;
		u32 tag;
	} seen[1 << A32_BODY_SEEN_BITS];
	struct a32_pass pass[A32_BODY_PASSES];
	u32 map[A32_BODY_PASSES][A32_BODY_MAPS * A32_BODY_MAX / 64];
	struct a32_pass near;
	u32 near_map[A32_BODY_MAPS * A32_BODY_NEAR / 64];
};

/* Code is in one piece, mostly: that spreads best as it is. */
static inline u32 a32_body_index(u32 line)
{
	return line / A32_BODY_LINE % (1 << A32_BODY_BITS) * A32_BODY_WAYS;
}

static inline bool a32_body_has(const struct a32_body *body, u32 tag, u32 line, u32 pc)
{
	return body->line == line && body->mask[pc / 64 % A32_BODY_WORDS] >> pc / 2 % 32 & 1 &&
	       body->tag == tag;
}

/**
 * a32_body_at() - is an address known to be of a function's body?
 * @bodies: what is known
 * @tag: see struct a32_known
 * @pc: the address, bit 0 clear
 * @thumb: its instruction set
 *
 * Return: NULL when it isn't
 */
static __always_inline const struct a32_body *a32_body_at(const struct a32_bodies *bodies,
							  u32 tag, u32 pc, bool thumb)
{
	u32 line = (pc & -A32_BODY_LINE) | thumb;
	const struct a32_body *body = &bodies->line[a32_body_index(line)];

	if (likely(a32_body_has(body, tag, line, pc)))
		return body;
	body++;
	return a32_body_has(body, tag, line, pc) ? body : NULL;
}

/**
 * a32_body_pass() - the way through a function
 * @bodies: what is known
 * @tag: see struct a32_known
 * @entry: the function's entry, bit 0 set in Thumb
 *
 * All from the entry to @reach is one function.
 *
 * Return: NULL when it isn't one of the last ones
 */
const struct a32_pass *a32_body_pass(const struct a32_bodies *bodies, u32 tag, u32 entry);

/**
 * a32_body_find() - go through the function around a sampled pc
 * @look: what may be looked at, and what is known
 * @span: what is mapped there, and its ABI
 * @pc: the pc, bit 0 clear
 * @thumb: its instruction set
 * @r: the registers there. The record is a hint where a large function begins
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 * Return: whether the pc is of a function's body
 */
bool a32_body_find(struct a32_look *look, const struct a32_span *span, u32 pc, bool thumb,
		   const u32 *r);

/**
 * a32_body_spread() - go through the code around a sampled pc that is of a body
 * @rule: the rule there, which follows from the code
 *
 * As a32_body_find(), for where the function's prologue is too far.
 */
bool a32_body_spread(struct a32_look *look, const struct a32_span *span, u32 pc, bool thumb,
		     const u32 *r, const struct a32_rule *rule);

#endif
