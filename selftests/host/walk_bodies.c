// SPDX-License-Identifier: GPL-2.0
/*
 * A function that is too large for one sample to go through: later ones go on with it,
 * and until they have come to an end, what is known is right.
 */
#include "tap.h"
#include "walk_cases.h"

/* push {fp, lr}; add fp, sp, #4; blocks; pop {fp, pc}; and right behind: add r0, r0, #1; bx lr */
enum {
	BLOCKS		= 440,
	BLOCK_BYTES	= 16 * 4,
	BODY_AT		= FUNCTION_AT + 8,
	END_AT		= BODY_AT + BLOCKS * BLOCK_BYTES,
	BEHIND_AT	= END_AT + 4,
	KNOWN_LOADS	= 16,		/* of a chain of four entries, all known */
};

static struct thread t;

/* Jumped over by a return, and by a word that reads as one: "addne; bne 34; pop; .word; ... b" */
static u32 make_block(u32 at)
{
	u32 end = at + BLOCK_BYTES;

	at = thread_code(&t, at, 0x12800001, 4);	/* addne r0, r0, #1 */
	at = thread_code(&t, at, 0x1a000001, 4);	/* bne, over the next two */
	at = thread_code(&t, at, 0xe8bd8800, 4);	/* pop {fp, pc} */
	at = thread_code(&t, at, 0xe12fff1e, 4);	/* data */
	while (at != end - 4)
		at = thread_code(&t, at, 0xe2800001, 4);	/* add r0, r0, #1 */
	return thread_code(&t, at, 0xeaffffff, 4);	/* b, to what follows */
}

static void make_function(void)
{
	u32 at = FUNCTION_AT;

	thread_init(&t, A32_ABI_GCC, false);
	at = thread_code(&t, at, 0xe92d4800, 4);
	at = thread_code(&t, at, 0xe28db004, 4);
	while (at != END_AT)
		at = make_block(at);
	at = thread_code(&t, at, 0xe8bd8800, 4);
	at = thread_code(&t, at, 0xe2800001, 4);
	thread_code(&t, at, 0xe12fff1e, 4);
	thread_poke(&t, CFA - 4, t.ret);
	thread_poke(&t, CFA - 8, t.fp_inner);
}

/* Return the words that were read, U32_MAX when the chain isn't right. */
static u32 walk_in(u32 pc, bool has_frame, bool warm)
{
	u64 loads = a32_memory.loads;

	t.r[PC] = pc;
	t.r[SP] = has_frame ? CFA - 8 : CFA;
	t.r[R11] = has_frame ? CFA - 4 : t.fp_inner;
	t.r[LR] = has_frame ? 0 : t.ret;
	thread_walk(&t, warm);
	return thread_expect(&t, 1, &pc) ? a32_memory.loads - loads : U32_MAX;
}

static bool all_right(u32 most)
{
	u32 at, n, loads;

	for (at = BODY_AT; at != END_AT; at += BLOCK_BYTES) {
		for (n = 0; n < BLOCK_BYTES; n += 4) {
			loads = n == 12 ? 0 : walk_in(at + n, true, true);
			if (loads > most)
				return false;
		}
	}
	return walk_in(BEHIND_AT, false, true) != U32_MAX;
}

void walk_bodies(void)
{
	u32 first;
	bool ok;

	make_function();
	first = walk_in(BODY_AT + 16, true, false);
	ok = first != U32_MAX && walk_in(BEHIND_AT, false, true) != U32_MAX &&
	     walk_in(END_AT - 8, true, true) != U32_MAX;
	tap_result(ok && first < (END_AT - FUNCTION_AT) / 4,
		   "large function: one sample does not go through all of it");
	ok = ok && all_right(U32_MAX - 1) && all_right(KNOWN_LOADS);
	tap_result(ok, "large function: later samples go on with it");
}
