// SPDX-License-Identifier: GPL-2.0
/*
 * Chains of callers in one file with an unwind table, which a32_table_run()
 * follows, and what ends them amid it. Each is walked cold, where all return
 * addresses are looked up, and warm, where they are known.
 */
#include <stdio.h>
#include "tap.h"
#include "walk_cases.h"

enum {
	SAME		= A32_TABLE_SAME,
	LOST		= A32_TABLE_LOST,
	FRAMES		= 8,
	FRAME_BYTES	= 16,
	ODD		= 4,		/* the frame that is like no other */
	ROWS_EACH	= 4,
	FAR		= 4000,		/* words: there is no stack any more */
};

static struct thread t;
static u32 chain[FRAMES];
static struct tablefile_row rows[FRAMES * ROWS_EACH];

/* They lie apart, so that each has other lines of the table; one is in another block. */
static u32 function(u32 i)
{
	return LIBRARY_AT + 0x100 + (FRAMES - i) * 0x4c + (i == 3) * 0x1000;
}

static u32 by_address(u32 i)
{
	return i == FRAMES - 1 ? 3 : i < 4 ? FRAMES - 1 - i : FRAMES - 2 - i;
}

static struct tablefile_row *body(u32 i)
{
	u32 n;

	for (n = 0; by_address(n) != i; n++)
		;
	return &rows[n * ROWS_EACH + 2];
}

/* CFA of a frame */
static u32 cfa(u32 i)
{
	return CFA - FRAME_BYTES * (FRAMES - 1 - i);
}

/*
 *	push {r4, lr}; sub sp, sp, #8; bl ...		push {r4, lr}; sub sp, #8; bl ...
 */
static void make_rows(void)
{
	u32 n, at, size = t.thumb ? 2 : 4;

	for (n = 0; n < FRAMES; n++) {
		const struct tablefile_row each[ROWS_EACH] = {
			{ 0, TABLEFILE_FRAME(SP, 0, A32_TABLE_IN_REG(LR), SAME, SAME) },
			{ size, TABLEFILE_FRAME(SP, 8, -1, SAME, SAME) },
			{ 2 * size, TABLEFILE_FRAME(SP, FRAME_BYTES, -1, SAME, SAME) },
			{ 2 * size + 4, TABLEFILE_FRAME(SP, 8, -1, SAME, SAME) },
		};

		at = function(by_address(n));
		memcpy(&rows[n * ROWS_EACH], each, sizeof(each));
		for (u32 i = 0; i < ROWS_EACH; i++)
			rows[n * ROWS_EACH + i].offset += at;
	}
}

/* Frame 0 is sampled at its call; the outermost is called by INNER. */
static void make_chain(bool thumb)
{
	u32 i, ret, size = thumb ? 2 : 4;

	thread_init(&t, thumb ? A32_ABI_AAPCS_R7 : A32_ABI_GCC, thumb);
	make_rows();
	for (i = 0; i < FRAMES; i++) {
		ret = thread_call(&t, function(i) + 2 * size, function(i ? i - 1 : 0));
		chain[i] = i ? ret : ret - 4;
		thread_poke(&t, cfa(i) - 4, t.ret | thumb);
		if (i)
			thread_poke(&t, cfa(i - 1) - 4, ret | thumb);
	}
	t.r[PC] = chain[0];
	t.r[SP] = cfa(0) - FRAME_BYTES;
	t.r[R7] = t.r[R11] = t.fp_inner;
}

/* What frame ODD has in its rule; or how it is without one */
static void set_rule(struct a32_table_rule rule)
{
	body(ODD)->rule = rule;
}

static void set_frame(u8 reg, s32 off, s16 ra, s16 r7, s16 r11)
{
	const struct a32_table_rule rule = TABLEFILE_FRAME(reg, off, ra, r7, r11);

	set_rule(rule);
}

/* Its callee has r7 in a slot, or nowhere. */
static void set_r7(s16 at, u32 value)
{
	const struct a32_table_rule rule = TABLEFILE_FRAME(SP, FRAME_BYTES, -1, at, SAME);

	body(ODD - 1)->rule = rule;
	if (at != LOST)
		thread_poke(&t, cfa(ODD - 1) + 4 * at, value);
}

static void result(enum a32_stop stop, u32 nr, const char *what)
{
	bool ok;

	walk_set_table(&t, rows, FRAMES * ROWS_EACH);
	ok = stop == A32_STOP_NR ? walk_gives(&t, FRAMES, chain) : walk_stops(&t, stop, nr, chain);
	tap_result(ok, "%s: a run of callers: %s", t.thumb ? "Thumb" : "ARM", what);
}

#define FOLLOWED A32_STOP_NR, FRAMES

/* The return address into frame ODD, and what is around it */
static void returns(bool thumb)
{
	u32 ret, at = cfa(ODD - 1) - 4;

	make_chain(thumb);
	result(FOLLOWED, "all are followed");

	make_chain(thumb);
	thread_code(&t, chain[ODD] - 2, 0xbf00, 2);
	thread_code(&t, chain[ODD] - 4, thumb ? 0xbf00 : 0xe1a00000, thumb ? 2 : 4);
	result(A32_STOP_NOT_A_CALL, ODD, "no call");

	make_chain(thumb);
	thread_poke(&t, at, chain[ODD] | !thumb);
	result(A32_STOP_NOT_A_CALL, ODD, "another instruction set");

	make_chain(thumb);
	thread_poke(&t, at, (chain[ODD] & ~3u) | 2);
	result(A32_STOP_MISALIGNED, ODD, "half a word");

	make_chain(thumb);
	thread_poke(&t, at, 0x5000);
	result(A32_STOP_NO_MAPPING, ODD, "nowhere");

	make_chain(thumb);
	thread_poke(&t, at, 0);
	result(A32_STOP_OUTERMOST, ODD, "0");

	make_chain(thumb);
	ret = thread_code(&t, chain[ODD], thumb ? 0x2777 : 0xe3a07077, thumb ? 2 : 4);
	thread_code(&t, ret, thumb ? 0xdf00 : 0xef000000, thumb ? 2 : 4);
	result(A32_STOP_BAD_SIGFRAME, ODD + 1, "a trampoline behind a call");

	make_chain(thumb);
	thread_code(&t, chain[ODD] - (thumb ? 2 : 4), thumb ? 0x4798 : 0xe12fff33, thumb ? 2 : 4);
	result(FOLLOWED, "blx r3");
}

/* What the table says of frame ODD */
static void rules(bool thumb)
{
	const struct a32_table_rule outermost = TABLEFILE_KIND(OUTERMOST);
	const struct a32_table_rule stop = TABLEFILE_KIND(STOP);

	make_chain(thumb);
	set_rule(stop);
	result(A32_STOP_TABLE, ODD + 1, "stop");

	make_chain(thumb);
	set_rule(outermost);
	result(A32_STOP_OUTERMOST, ODD + 1, "outermost");

	make_chain(thumb);
	set_frame(SP, FRAME_BYTES, A32_TABLE_IN_REG(LR), SAME, SAME);
	result(A32_STOP_TABLE, ODD + 1, "return address in lr");

	make_chain(thumb);
	set_frame(4, FRAME_BYTES, -1, SAME, SAME);
	result(A32_STOP_TABLE, ODD + 1, "CFA from r4");

	make_chain(thumb);
	set_frame(SP, -8, -1, SAME, SAME);
	result(A32_STOP_NO_PROGRESS, ODD + 1, "CFA below sp");

	make_chain(thumb);
	set_frame(SP, FRAME_BYTES, -1, -5, SAME);
	result(A32_STOP_NO_PROGRESS, ODD + 1, "r7 below sp");

	make_chain(thumb);
	set_frame(SP, FRAME_BYTES, -1, FAR, SAME);
	result(A32_STOP_FAULT, ODD + 1, "r7 where nothing is");

	make_chain(thumb);
	set_frame(SP, FRAME_BYTES, -1, SAME, FAR);
	result(A32_STOP_FAULT, ODD + 1, "r11 where nothing is");

	make_chain(thumb);
	set_frame(SP, FRAME_BYTES, FAR, SAME, SAME);
	result(A32_STOP_FAULT, ODD + 1, "a return address where nothing is");
}

/* Frame ODD counts from r7, and saves it. */
static void base(bool thumb, s16 at, u32 r7, enum a32_stop stop, u32 nr, const char *what)
{
	make_chain(thumb);
	set_frame(R7, FRAME_BYTES, -1, -3, SAME);
	thread_poke(&t, cfa(ODD) - 12, t.fp_inner);
	set_r7(at, r7);
	result(stop, nr, what);
}

static void bases(bool thumb)
{
	const u32 sp = cfa(ODD) - FRAME_BYTES;

	base(thumb, -2, sp, FOLLOWED, "CFA from r7");
	base(thumb, LOST, 0, A32_STOP_UNPROVEN, ODD + 1, "CFA from an r7 that is lost");
	base(thumb, -2, 0, A32_STOP_NO_PROGRESS, ODD + 1, "CFA from 0");
	base(thumb, -2, sp + 2, A32_STOP_MISALIGNED, ODD + 1, "CFA from an odd r7");
}

void walk_runs(void)
{
	u32 thumb;

	for (thumb = 0; thumb < 2; thumb++) {
		returns(thumb);
		rules(thumb);
		bases(thumb);
	}
}
