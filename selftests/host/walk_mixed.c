// SPDX-License-Identifier: GPL-2.0
/*
 * ARM and Thumb functions in one file: in each instruction set, the other's code
 * reads as anything.
 */
#include "tap.h"
#include "walk_cases.h"

static struct thread t;

static u32 put(u32 at, const u16 *code, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		at = thread_code(&t, at, code[i], 2);
	return at;
}

#define PUT(at, code)	put(at, code, sizeof(code) / sizeof((code)[0]))

/*
 * FUNCTION makes a record. It has called another one, which has pushed 16 bytes,
 * without a record, and called LEAF.
 */
static bool finds_both(u32 ra, u32 ra_function)
{
	const u32 chain[] = { LEAF_AT, ra, ra_function };

	thread_poke(&t, CFA - 4, t.ret | t.thumb);
	thread_poke(&t, CFA - 8, t.fp_inner);
	thread_poke(&t, CFA - 12, ra_function | t.thumb);
	t.r[thread_frame_register(&t)] = CFA - 8;
	t.r[SP] = CFA - 24;
	t.r[LR] = ra | t.thumb;
	t.r[PC] = LEAF_AT;
	return walk_gives(&t, 3, chain);
}

/*
 * What ends ARM code looks like the first half of a wide instruction:
 *	30000:	push	{r7, lr}
 *	30002:	mov	r7, sp
 *	30004:	blx	r3
 *	30006:	pop	{r7, pc}
 *	30008:	nop				in ARM code; in Thumb, b 30350 at 3000a
 *	3000c:	pop	{r4, fp, pc}
 *	30010:	push	{r4, r5, r6, lr}
 *	30012:	blx	r3
 *	30014:	pop	{r4, r5, r6, pc}
 */
static void thumb_behind_arm(void)
{
	static const u16 code[] = {
		0xb580, 0x466f, 0x4798, 0xbd80, 0x0000, 0xe1a0, 0x8810, 0xe8bd, 0xb570, 0x4798,
		0xbd70,
	};

	thread_init(&t, A32_ABI_AAPCS_R7, true);
	PUT(FUNCTION_AT, code);
	tap_result(finds_both(FUNCTION_AT + 0x14, FUNCTION_AT + 6), "Thumb right behind ARM code");
}

/*
 * Thumb code where the ABI is APCS, which counts from ip in ARM code:
 *	30002:	mov	fp, ip
 *	30004:	bl	38000
 */
static void thumb_with_apcs(void)
{
	static const u16 code[] = { 0x46e3, 0xf007, 0xfffc };
	static const u32 chain[] = { FUNCTION_AT + 2 };

	thread_init(&t, A32_ABI_APCS, false);
	PUT(FUNCTION_AT + 2, code);
	t.r[PC] = FUNCTION_AT + 2;
	t.r[IP] = CFA + 16;
	t.cpsr = 1 << 5;
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "Thumb code where the ABI is APCS");
}

void walk_mixed(void)
{
	thumb_with_apcs();
	thumb_behind_arm();
}
