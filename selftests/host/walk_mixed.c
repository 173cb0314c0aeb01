// SPDX-License-Identifier: GPL-2.0
/*
 * ARM and Thumb functions in one file: in each instruction set, the other's code
 * reads as anything.
 */
#include "tap.h"
#include "walk_cases.h"

enum { FAR = 600 };	/* instructions; more than a search for a prologue looks at */

static struct thread t;

static u32 put(u32 at, const u16 *code, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		at = thread_code(&t, at, code[i], 2);
	return at;
}

#define PUT(at, code)	put(at, code, sizeof(code) / sizeof((code)[0]))

static u32 put_nops(u32 at, u32 nr)
{
	while (nr--)
		at = thread_code(&t, at, t.thumb ? 0xbf00 : 0xe1a00000, t.thumb ? 2 : 4);
	return at;
}

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
 * What is between two functions seems to branch from the one into the other:
 *	30000:	push	{r7, lr}
 *	30002:	mov	r7, sp
 *	30004:	cbnz	r0, 3000e
 *	30006:	mov	sp, r7
 *	30008:	pop.w	{r7, lr}
 *	3000c:	b	30040
 *	3000e:	nop ...
 *	3003c:	blx	r3
 *	3003e:	pop	{r7, pc}
 *	30040:	bl	38000			never returns
 *	30044:	nop				in ARM code; in Thumb, b 3038a at 30046
 *	30048:	bx	lr
 *	3004c:	push	{r4, r5, r6, lr}
 *	3004e:	nop ...
 *	304fe:	blx	r3
 *	30500:	pop	{r4, r5, r6, pc}
 */
static void thumb_far_behind_arm(void)
{
	static const u16 begin[] = {
		0xb580, 0x466f, 0xb918, 0x46bd, 0xe8bd, 0x4080, 0xe018,
	};
	static const u16 call[] = { 0x4798 };
	static const u16 between[] = {
		0xbd80, 0xf007, 0xffde, 0x0000, 0xe1a0, 0xff1e, 0xe12f, 0xb570,
	};
	static const u16 end[] = { 0xbd70 };
	u32 called, at;

	thread_init(&t, A32_ABI_AAPCS_R7, true);
	called = PUT(put_nops(PUT(FUNCTION_AT, begin), 23), call);
	at = PUT(put_nops(PUT(called, between), FAR), call);
	PUT(at, end);
	tap_result(finds_both(at, called), "Thumb behind ARM code, but far");
}

/*
 * The same in ARM:
 *	30000:	push	{fp, lr}
 *	30004:	mov	fp, sp
 *	30008:	cmp	r0, #0
 *	3000c:	popeq	{fp, lr}
 *	30010:	beq	30044
 *	30014:	nop ...
 *	3003c:	blx	r3
 *	30040:	pop	{fp, pc}
 *	30044:	bl	38000			never returns
 *	30048:	lsls	r0, r0, #3		in Thumb; in ARM, 30048 is
 *	3004a:	cmp	r2, #0			bhs 30350
 *	3004c:	bx	lr
 *	30050:	push	{r4, r5, r6, lr}
 *	30054:	nop ...
 *	309b4:	blx	r3
 *	309b8:	pop	{r4, r5, r6, pc}
 */
static void arm_far_behind_thumb(void)
{
	static const u16 begin[] = {
		0x4800, 0xe92d, 0xb00d, 0xe1a0, 0x0000, 0xe350, 0x4800, 0x08bd, 0x000b, 0x0a00,
	};
	static const u16 call[] = { 0xff33, 0xe12f };
	static const u16 between[] = {
		0x8800, 0xe8bd, 0x1fed, 0xeb00, 0x00c0, 0x2a00, 0x4770, 0xbf00, 0x4070, 0xe92d,
	};
	static const u16 end[] = { 0x8070, 0xe8bd };
	u32 called, at;

	thread_init(&t, A32_ABI_AAPCS, false);
	called = PUT(put_nops(PUT(FUNCTION_AT, begin), 10), call);
	at = PUT(put_nops(PUT(called, between), FAR), call);
	PUT(at, end);
	tap_result(finds_both(at, called), "ARM behind Thumb code, but far");
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
	thumb_far_behind_arm();
	arm_far_behind_thumb();
}
