// SPDX-License-Identifier: GPL-2.0
/*
 * What a window can cost. It is full of jumps by tables of 1,021 entries, all of which lead
 * to a chain of branches that ends in what no body has: to find that out, each jump has to
 * be asked once for each branch of the chain. The linker counts targets that are looked at.
 */
#include "../../module/core/body.h"
#include "../../module/core/body_step.h"
#include "tap.h"

enum {
	BLOCKS		= 15,
	BLOCK_BYTES	= 8192,
	JUMPS		= 255,	/* of a block; behind them is their table */
	TABLE_AT	= 4096,
	ENTRIES		= 1024,
	CHAIN		= 700,
	CHAIN_AT	= BLOCKS * BLOCK_BYTES,
	LOOP_AT		= CHAIN_AT + 4 * (CHAIN + 1),
	/* core/body.c's STEPS, at each of go_through(), spread_back() and spread_live() */
	TARGETS_MAX	= 3 << 20,
};

static struct a32_body_work work;
static u64 targets;
static u32 marks;

u32 __real_body_target(const struct a32_body_work *work, const struct body_step *step, u32 n);
u32 __wrap_body_target(const struct a32_body_work *work, const struct body_step *step, u32 n);

u32 __wrap_body_target(const struct a32_body_work *work, const struct body_step *step, u32 n)
{
	targets++;
	return __real_body_target(work, step, n);
}

static void put(u32 at, u32 word)
{
	u32 i;

	for (i = 0; i < 4; i++)
		work.code[at + i] = word >> 8 * i;
}

static void put_branch(u32 at, u32 to)
{
	put(at, 0xea000000 | ((to - at - 8) >> 2 & 0xffffff));
}

static void put_block(u32 base)
{
	u32 i, at, end = base + 16 * JUMPS;

	for (i = 0; i < JUMPS; i++) {
		at = base + 16 * i;
		put(at, 0xe3500fff);				/* cmp r0, #1020 */
		put(at + 4, 0xe1a02002);			/* mov r2, r2 */
		put(at + 8, 0xe28f1e00 | (JUMPS - i));		/* adr r1, the table */
		put(at + 12, 0x9791f100);			/* ldrls pc, [r1, r0, lsl #2] */
	}
	put_branch(end, base + BLOCK_BYTES < CHAIN_AT ? base + BLOCK_BYTES : LOOP_AT);
	for (i = 0; i < ENTRIES; i++)
		put(base + TABLE_AT + 4 * i, LOOP_AT);
}

static void make_window(void)
{
	u32 i;

	work.abi = A32_ABI_AAPCS;
	work.size = A32_BODY_WINDOW;
	for (i = 0; i < BLOCKS; i++)
		put_block(i * BLOCK_BYTES);
	put(0, 0xe92d4800);		/* push {fp, lr} */
	put(4, 0xe1a0b00d);		/* mov fp, sp */
	put(8, 0xe1a02002);
	put(12, 0xe1a02002);
	for (i = 0; i < CHAIN; i++)
		put_branch(CHAIN_AT + 4 * i, CHAIN_AT + 4 * (i + 1));
	put(CHAIN_AT + 4 * CHAIN, 0xe12fff1e);		/* bx lr: not with a record */
	put_branch(LOOP_AT, LOOP_AT);
	/* The first table finds the chain from its end on. */
	for (i = 0; i <= CHAIN; i++)
		put(TABLE_AT + 4 * i, CHAIN_AT + 4 * (CHAIN - i));
}

static void mark(void *arg, u32 at)
{
	marks++;
}

int main(void)
{
	tap_plan(2);
	make_window();
	a32_body_window(&work, A32_BODY_WINDOW / 2, mark, NULL);
	tap_note("%llu targets of jumps by tables, %u instructions in bodies",
		 (unsigned long long)targets, marks);
	tap_result(targets > ENTRIES && targets <= TARGETS_MAX, "targets are paid for");
	tap_result(!marks, "code that is made to take time has no bodies");
	return tap_status();
}
