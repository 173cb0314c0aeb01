/* SPDX-License-Identifier: GPL-2.0 */
/* One instruction of a body: where it goes on. For body.c only. */
#ifndef A32_CORE_BODY_STEP_H
#define A32_CORE_BODY_STEP_H

#include "body.h"
#include "insn.h"

#define BODY_SP_UNKNOWN	(-(1 << 23))
#define BODY_SP_MAX	(1 << 22)	/* bytes: a frame that is larger is not followed */

enum {
	BODY_SEEN	= 1 << 0,
	BODY_WIDE	= 1 << 1,	/* it has 4 bytes */
	BODY_COND	= 1 << 2,	/* in an IT block */
	BODY_TURNS	= 1 << 3,	/* more than running on has to be asked of body_step() */
	BODY_BARRED	= 1 << 4,	/* leads to what no body has */
	BODY_LIVE	= 1 << 5,	/* can be got to without such */
	BODY_ENDS	= 1 << 6,	/* leads to where the record is taken down */
	BODY_HIDDEN	= 1 << 7,	/* may be a new thread's first */
};

/**
 * enum body_end - does a path end here?
 * @BODY_ON: no
 * @BODY_OUT: the record is taken down
 * @BODY_LOST: where it goes is not known
 * @BODY_ODD: there is no such thing in a body
 */
enum body_end { BODY_ON, BODY_OUT, BODY_LOST, BODY_ODD };

/**
 * struct body_step - what comes of an instruction
 * @end: enum body_end, for when it is executed
 * @runs_on: it may run on to the next one
 * @calls: it does so behind a call, if that returns
 * @len: its bytes
 * @sp: as in struct a32_body_node, behind it
 * @nr: other addresses that it may go to
 * @table: offset of the table that they are from
 * @insn: the instruction
 */
struct body_step {
	u8 end;
	bool runs_on;
	bool calls;
	u8 len;
	s32 sp;
	u32 nr;
	u32 table;
	struct a32_insn insn;
};

/* Are some bytes in the window? */
static inline bool body_has(const struct a32_body_work *work, u32 at, u32 len)
{
	return at < work->size && work->size - at >= len;
}

static inline u32 body_half(const struct a32_body_work *work, u32 at)
{
	return work->code[at] | work->code[at + 1] << 8;
}

static inline u32 body_word(const struct a32_body_work *work, u32 at)
{
	return body_half(work, at) | body_half(work, at + 2) << 16;
}

/* Decode what is at an offset in the window. Return false past its end. */
bool body_fetch(const struct a32_body_work *work, u32 at, struct a32_insn *i);

/**
 * body_step() - look at an instruction with the record complete before it
 * @work: the window
 * @at: its offset there; its node has sp and flags
 * @step: the result
 *
 * What it reads as data is noted in @work.
 */
void body_step(struct a32_body_work *work, u32 at, struct body_step *step);

/* The offset of the n-th of step->nr targets; beyond the window when it is not there */
u32 body_target(const struct a32_body_work *work, const struct body_step *step, u32 n);

/**
 * body_table() - where does a jump by a table go?
 * @work: the window
 * @at: the jump's offset
 * @step: its insn is set; its nr and table are the result
 *
 * A table is as long as the compare before it says: "cmp rm, #n", and then the jump
 * itself has the condition, or a branch past it has the opposite one.
 *
 * Return: false when that can't be told
 */
bool body_table(struct a32_body_work *work, u32 at, struct body_step *step);

/* Something is read as data. */
void body_note_data(struct a32_body_work *work, u32 at, u32 len);

/* Is something read as data there? */
static inline bool body_is_data(const struct a32_body_work *work, u32 at)
{
	return work->data[at / 64] >> (at / 2 % 32) & 1;
}

/**
 * body_prologue() - is there a prologue that makes the ABI's record?
 * @work: the window
 * @at: offset of what may be its push of lr
 * @sp: as in struct a32_body_node, at its end
 *
 * Return: offset of the first instruction behind; 0 when there is none
 */
u32 body_prologue(const struct a32_body_work *work, u32 at, s32 *sp);

#endif
