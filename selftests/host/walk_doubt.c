// SPDX-License-Identifier: GPL-2.0
/*
 * Code that leads somewhere by what is not known, or not known there: a chain may
 * end, but not be wrong. What is true follows from the disassembly beside each.
 */
#include "tap.h"
#include "walk_cases.h"

enum {
	SAMPLED_AT	= LEAF_AT + 0x100,
	AWAY_AT		= HANDLER_AT + 0x400,	/* code of another function */
	TABLE_AT	= HANDLER_AT + 0x800,	/* words that lead there */
};

static struct thread t;

/* Cold and warm: the entries and the thread's three callers, or the first few of them */
static void never_wrong(const char *name, u32 nr, const u32 *entry)
{
	const u32 callers[3] = { t.ret, t.ret_inner, t.ret_outer };
	bool ok = true;
	u32 i, n;

	for (n = 0; n < 2; n++) {
		thread_walk(&t, n);
		ok = ok && t.nr >= 1 && t.nr <= nr + 3 &&
		     (t.nr == nr + 3 || t.stop != A32_STOP_OUTERMOST);
		for (i = 0; ok && i < t.nr; i++)
			ok = t.entry[i] == (i < nr ? entry[i] : callers[i - nr]);
	}
	for (i = 0; !ok && i < t.nr; i++)
		tap_note("    %#llx", (unsigned long long)t.entry[i]);
	tap_result(ok, "%s", name);
}

/*
 * A caller goes on by r7, which its callee has saved and uses for something else:
 *	30000:	push	{r4, lr}
 *	30004:	bl	3a000
 *	30008:	@insn				30008 or 3000c goes by r7
 *	3000c:	@next
 *	30010:	pop	{r4, pc}
 *	3a000:	push	{r7, fp, lr}
 *	3a004:	add	fp, sp, #8
 *	3a008:	bl	SAMPLED_AT		a leaf
 *	3a00c:	sub	sp, fp, #8
 *	3a010:	pop	{r7, fp, pc}
 * Where r7 leads now is the end of another function:
 *	38400:	add	sp, sp, #12
 *	38404:	pop	{pc}
 */
static void jump_by_lost_register(u32 insn, u32 next, u32 r7, const char *name)
{
	const u32 caller[] = { 0xe92d4010, 0, insn, next, 0xe8bd8010 };
	static const u32 callee[] = { 0xe92d4880, 0xe28db008, 0, 0xe24bd008, 0xe8bd8880 };
	static const u32 away[] = { 0xe28dd00c, 0xe49df004 };
	static const u32 chain[] = { SAMPLED_AT, OTHER_AT + 12, CASE_AT + 8 };
	u32 i;

	thread_init(&t, A32_ABI_GCC, false);
	for (i = 0; i < 5; i++) {
		thread_code(&t, CASE_AT + 4 * i, caller[i], 4);
		thread_code(&t, OTHER_AT + 4 * i, callee[i], 4);
		thread_code(&t, TABLE_AT + 4 * i, AWAY_AT, 4);
	}
	thread_call(&t, CASE_AT + 4, OTHER_AT);
	thread_call(&t, OTHER_AT + 8, SAMPLED_AT);
	for (i = 0; i < 2; i++)
		thread_code(&t, AWAY_AT + 4 * i, away[i], 4);
	thread_poke(&t, CFA - 4, t.ret);
	thread_poke(&t, CFA - 8, 4);
	thread_poke(&t, CFA - 12, CASE_AT + 8);
	thread_poke(&t, CFA - 16, t.fp_inner);
	thread_poke(&t, CFA - 20, CASE_AT + 16);
	t.r[R11] = CFA - 12;
	t.r[SP] = CFA - 20;
	t.r[LR] = OTHER_AT + 12;
	t.r[PC] = SAMPLED_AT;
	t.r[R7] = r7;
	never_wrong(name, 3, chain);
}

/*
 * Two ways through a function, of which the one that was not taken has a frame of
 * another size:
 *	30000:	beq	30018
 *	30004:	push	{fp, lr}
 *	30008:	sub	sp, sp, #16
 *	3000c:	beq	30028
 *	30010:	add	sp, sp, #16
 *	30014:	pop	{fp, pc}
 *	30018:	sub	sp, sp, #8
 *	3001c:	@push
 *	30020:	nop
 *	30024:	@end
 *	30028:	b	.
 * Stopped at 30028. Two of the locals are old return addresses.
 */
static void two_ways(u32 push, u32 end, const char *name)
{
	const u32 code[] = {
		0x0a000004, 0xe92d4800, 0xe24dd010, 0x0a000005, 0xe28dd010, 0xe8bd8800,
		0xe24dd008, push, 0xe1a00000, end, 0xeafffffe,
	};
	static const u32 chain[] = { CASE_AT + 0x28 };
	u32 i;

	thread_init(&t, A32_ABI_GCC, false);
	for (i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		thread_code(&t, CASE_AT + 4 * i, code[i], 4);
	t.r[PC] = CASE_AT + 0x28;
	t.r[SP] = CFA - 24;
	thread_poke(&t, CFA - 4, t.ret);
	thread_poke(&t, CFA - 8, t.fp_inner);
	thread_poke(&t, CFA - 12, t.ret_inner);
	thread_poke(&t, CFA - 24, t.ret_inner);
	never_wrong(name, 1, chain);
}

void walk_doubt(void)
{
	jump_by_lost_register(0xe1a0f007, 0xe1a00000, AWAY_AT, "mov pc, r7, which is lost");
	jump_by_lost_register(0xe797f102, 0xe1a00000, TABLE_AT,
			      "ldr pc, [r7, r2, lsl #2], r7 is lost");
	jump_by_lost_register(0xe7973102, 0xe1a0f003, TABLE_AT,
			      "ldr r3, [r7, r2, lsl #2]; mov pc, r3, r7 is lost");
	two_ways(0xe92d4800, 0xe8bd8800, "stores of a way that was not taken");
	two_ways(0xe52de004, 0xeafffffe, "sp of a way that was not taken");
}
