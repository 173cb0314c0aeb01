// SPDX-License-Identifier: GPL-2.0
/*
 * Whole walks: the kinds of fault that unwinders have had. Expected chains follow
 * from the disassembly beside them.
 */
#include "tap.h"
#include "walk_cases.h"

enum { PUSH_R4_LR = 0xe92d4010 };

static struct thread t;

static bool stops(const struct thread *t, enum a32_stop stop, u32 nr, const u32 *entry)
{
	bool ok = t->stop == stop && t->nr == nr;
	u32 i;

	for (i = 0; ok && i < nr; i++)
		ok = t->entry[i] == entry[i];
	if (!ok) {
		tap_note("%u entries, then %u", t->nr, t->stop);
		for (i = 0; i < t->nr; i++)
			tap_note("    %#llx", (unsigned long long)t->entry[i]);
	}
	return ok;
}

bool walk_gives(struct thread *t, u32 nr, const u32 *entry)
{
	thread_walk(t, false);
	if (!thread_expect(t, nr, entry))
		return false;
	thread_walk(t, true);
	return thread_expect(t, nr, entry);
}

bool walk_stops(struct thread *t, enum a32_stop stop, u32 nr, const u32 *entry)
{
	thread_walk(t, false);
	if (!stops(t, stop, nr, entry))
		return false;
	thread_walk(t, true);
	return stops(t, stop, nr, entry);
}

/*
 * CASES.md, 3: two assembly functions call each other; neither makes a record,
 * each saves lr at [sp, #-8]!:
 *	30000:	str	lr, [sp, #-8]!
 *	30004:	bl	3a000
 *	30008:	ldr	pc, [sp], #8
 *	3a000:	str	lr, [sp, #-8]!
 *	3a004:	bl	30000
 *	3a008:	ldr	pc, [sp], #8
 * Short or exact, never a chain that repeats more than is there.
 */
static void calls_without_records(void)
{
	static const u32 true_chain[] = { FUNCTION_AT, OTHER_AT + 8, FUNCTION_AT + 8 };
	u32 i;
	bool ok = true;

	thread_init(&t, A32_ABI_GCC, false);
	for (i = 0; i < 2; i++) {
		u32 at = i ? OTHER_AT : FUNCTION_AT;

		thread_code(&t, at, 0xe52de008, 4);
		thread_call(&t, at + 4, i ? FUNCTION_AT : OTHER_AT);
		thread_code(&t, at + 8, 0xe49df008, 4);
	}
	/* FUNCTION was entered from INNER, called OTHER, and is called by that. */
	thread_poke(&t, CFA - 8, t.ret);
	thread_poke(&t, CFA - 16, FUNCTION_AT + 8);
	t.r[SP] = CFA - 16;
	t.r[LR] = OTHER_AT + 8;
	thread_walk(&t, false);
	for (i = 0; i < t.nr && i < 3; i++)
		ok &= t.entry[i] == true_chain[i];
	if (t.nr > 3)
		ok &= thread_expect(&t, 3, true_chain);
	tap_result(ok && t.nr, "case 3: assembly functions that call each other");
}

/*
 * CASES.md, 4: the last instruction is a call that does not return; the next
 * function has another frame.
 *	30000:	push	{r4, fp, lr}
 *	30004:	add	fp, sp, #8
 *	30008:	sub	sp, sp, #20
 *	3000c:	bl	38000			never returns
 *	30010:	sub	sp, sp, #256		the next function
 *	30014:	str	r0, [sp, #4]
 *	30018:	add	sp, sp, #256
 *	3001c:	bx	lr
 * The thread is in 38000, a leaf.
 */
static void noreturn_at_end_arm(void)
{
	static const u32 code[] = { 0xe92d4810, 0xe28db008, 0xe24dd014 };
	static const u32 next[] = { 0xe24ddc01, 0xe58d0004, 0xe28ddc01, 0xe12fff1e };
	static const u32 chain[] = { HANDLER_AT, FUNCTION_AT + 16 };
	u32 i;

	thread_init(&t, A32_ABI_GCC, false);
	for (i = 0; i < 3; i++)
		thread_code(&t, FUNCTION_AT + 4 * i, code[i], 4);
	thread_call(&t, FUNCTION_AT + 12, HANDLER_AT);
	for (i = 0; i < 4; i++)
		thread_code(&t, FUNCTION_AT + 16 + 4 * i, next[i], 4);
	thread_poke(&t, CFA - 4, t.ret);
	thread_poke(&t, CFA - 8, t.fp_inner);
	t.r[R11] = CFA - 4;
	t.r[SP] = CFA - 32;
	t.r[PC] = HANDLER_AT;
	t.r[LR] = FUNCTION_AT + 16;
	tap_result(walk_gives(&t, 2, chain),
		   "case 4: a call that does not return ends an ARM function");
}

/*
 *	30000:	push	{r4, r6, r7, lr}
 *	30002:	add	r7, sp, #8
 *	30004:	bl	38000			never returns
 *	30008:	sub	sp, #64			the next function
 *	3000a:	add	sp, #64
 *	3000c:	bx	lr
 */
static void noreturn_at_end_thumb(void)
{
	static const u32 chain[] = { HANDLER_AT, FUNCTION_AT + 8 };

	thread_init(&t, A32_ABI_AAPCS_R7, true);
	thread_code(&t, FUNCTION_AT, 0xb5d0, 2);
	thread_code(&t, FUNCTION_AT + 2, 0xaf02, 2);
	thread_call(&t, FUNCTION_AT + 4, HANDLER_AT);
	thread_code(&t, FUNCTION_AT + 8, 0xb090, 2);
	thread_code(&t, FUNCTION_AT + 10, 0xb010, 2);
	thread_poke(&t, CFA - 4, t.ret | 1);
	thread_poke(&t, CFA - 8, t.fp_inner);
	t.r[R7] = CFA - 8;
	t.r[SP] = CFA - 16;
	t.r[PC] = HANDLER_AT;
	t.r[LR] = (FUNCTION_AT + 8) | 1;
	tap_result(walk_gives(&t, 2, chain),
		   "case 4: a call that does not return ends a Thumb function");
}

/*
 * CASES.md, 5: lr is saved, then used for something else.
 *	30000:	push	{r4, fp, lr}
 *	30004:	add	fp, sp, #8
 *	30008:	mov	lr, r0
 *	3000c:	ldr	r0, [lr]
 *	30010:	pop	{r4, fp, pc}
 * Stopped at 3000c, with lr an address on the stack, then one in code.
 */
static void lr_as_a_register(void)
{
	static const u32 code[] = { 0xe92d4810, 0xe28db008, 0xe1a0e000, 0xe59e0000, 0xe8bd8810 };
	static const u32 chain[] = { FUNCTION_AT + 12 };
	u32 i;
	bool ok;

	thread_init(&t, A32_ABI_GCC, false);
	for (i = 0; i < 5; i++)
		thread_code(&t, FUNCTION_AT + 4 * i, code[i], 4);
	thread_poke(&t, CFA - 4, t.ret);
	thread_poke(&t, CFA - 8, t.fp_inner);
	t.r[R11] = CFA - 4;
	t.r[SP] = CFA - 12;
	t.r[PC] = FUNCTION_AT + 12;
	t.r[LR] = CFA - 64;
	ok = walk_gives(&t, 1, chain);
	t.r[LR] = t.ret_outer;
	tap_result(walk_gives(&t, 1, chain) && ok, "case 5: lr as a general register");
}

/*
 * CASES.md, 7: a stack that ends where user addresses can end: with sp and fp
 * up there the next frame's address would wrap.
 */
static void stack_at_the_top(void)
{
	u32 entry[] = { CASE_AT, 0 };

	thread_init(&t, A32_ABI_GCC, false);
	t.r[SP] = 0xfffffff8;
	t.r[R11] = 0xfffffffc;
	entry[1] = t.ret;
	thread_walk(&t, false);
	tap_result(t.nr == 2 && t.entry[0] == entry[0] && t.entry[1] == entry[1],
		   "case 7: a stack pointer at the top of the address space");
}

/* What must not be shown */
static void refused(void)
{
	static const u32 nowhere[] = { CODE_START - 0x1000 };
	u32 chain[2] = { CASE_AT, 0 };

	thread_init(&t, A32_ABI_GCC, false);
	t.r[LR] = INNER_AT;		/* nothing calls right before that */
	tap_result(walk_stops(&t, A32_STOP_NOT_A_CALL, 1, chain),
		   "no call before the return address: NOT_A_CALL");
	t.r[LR] = 0x5000;
	tap_result(walk_stops(&t, A32_STOP_NO_MAPPING, 1, chain),
		   "return address in no mapping: NO_MAPPING");
	t.r[LR] = t.ret + 2;
	tap_result(walk_stops(&t, A32_STOP_MISALIGNED, 1, chain),
		   "ARM return address at a halfword: MISALIGNED");
	t.r[LR] = 0;
	tap_result(walk_stops(&t, A32_STOP_OUTERMOST, 1, chain), "lr is 0: OUTERMOST");
	t.r[PC] = nowhere[0];
	tap_result(walk_stops(&t, A32_STOP_NO_MAPPING, 1, nowhere), "pc in no mapping: NO_MAPPING");

	/* mov lr, #8; bx r1: to where, and back to where? */
	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, CASE_AT, 0xe3a0e008, 4);
	thread_code(&t, CASE_AT + 4, 0xe12fff11, 4);
	thread_code(&t, t.ret - 4, 0xe12fff33, 4);	/* blx r3 */
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain), "jump without lr: UNDECIDED");

	/* b .: nothing ever comes of it, but lr is from a call to right there */
	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, CASE_AT, 0xeafffffe, 4);
	thread_walk(&t, false);
	tap_result(thread_expect(&t, 1, chain), "endless loop, called directly");
	thread_code(&t, t.ret - 4, 0xe12fff33, 4);
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "endless loop, called through a register: UNDECIDED");
	t.r[3] = CASE_AT;
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "endless loop that may be of the function with the call: UNDECIDED");
	thread_code(&t, CASE_AT - 8, PUSH_R4_LR, 4);
	thread_walk(&t, false);
	tap_result(thread_expect(&t, 1, chain), "endless loop, called through r3 as it is");
	thread_code(&t, CASE_AT - 4, 0xe1a01001, 4);
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "endless loop that code runs on to: UNDECIDED");
	t.r[3] = CASE_AT + 2;
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "endless loop, called through what was something else: UNDECIDED");

	/* mov sp, r0; bx lr: the CFA is anywhere */
	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, CASE_AT, 0xe1a0d000, 4);
	t.r[0] = CFA - 0x800;
	tap_result(walk_stops(&t, A32_STOP_NO_PROGRESS, 1, chain),
		   "sp goes down before the return: NO_PROGRESS");

	/* ldr pc, [sp], #4 with sp outside of memory */
	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, CASE_AT, 0xe49df004, 4);
	t.r[SP] = STACK_START + STACK_BYTES;
	tap_result(walk_stops(&t, A32_STOP_FAULT, 1, chain), "stack not in memory: FAULT");
}

/*
 * As longjmp() does it, the function has a number of its own in the frame register,
 * and doesn't return:
 *	30000:	mov	fp, #5
 *	30004:	b	.
 */
static void frame_register_is_gone(u32 abi, bool thumb, const char *name)
{
	const bool is_r7 = abi == A32_ABI_AAPCS_R7;
	static struct thread t;
	u32 chain[1], at;

	thread_init(&t, abi, thumb);
	if (!thumb)
		at = thread_code(&t, CASE_AT, 0xe3a0b005, 4);
	else
		at = thread_code(&t, CASE_AT, is_r7 ? 0x2705 : 0xf04f0b05, is_r7 ? 2 : 4);
	thread_code(&t, at, thumb ? 0xe7fe : 0xeafffffe, thumb ? 2 : 4);
	t.r[is_r7 ? R7 : R11] = 5;
	t.r[PC] = at;
	chain[0] = at;
	thread_walk(&t, false);
	tap_result(thread_expect(&t, 1, chain), "frame register gone, caller's counted from sp: %s",
		   name);
}

/*
 * A tail call through a pointer out of the frame, to what stands behind a call:
 *	30000:	ldr	r3, [sp, #8]
 *	30002:	pop	{r7, lr}
 *	30006:	bx	r3
 */
static void tail_call_to_behind_call(void)
{
	static const u32 chain[] = { CASE_AT + 6 };
	static struct thread t;

	thread_init(&t, A32_ABI_AAPCS_R7, true);
	thread_code(&t, CASE_AT, 0x9b02, 2);
	thread_code(&t, CASE_AT + 2, 0xe8bd4080, 4);
	thread_code(&t, CASE_AT + 6, 0x4718, 2);
	thread_call(&t, LEAF_AT, CASE_AT);
	t.r[3] = LEAF_AT + 5;
	t.r[PC] = CASE_AT + 6;
	thread_walk(&t, false);
	tap_result(t.stop == A32_STOP_UNDECIDED ? t.nr == 1 : thread_expect(&t, 1, chain),
		   "tail call to what stands behind a call: no return");
}

/*
 * lr is from a recursion that has returned, to a function that loops back to
 * near its entry and whose end is far:
 *	30000:	push	{r4, lr}
 *	30004:	nop ...
 *	304b4:	bl	30000
 *	304b8:	bne	30004
 *	304bc:	pop	{r4, pc}
 */
static void stale_lr(void)
{
	static const u32 chain[] = { CASE_AT + 8 };
	static struct thread t;
	u32 at;

	thread_init(&t, A32_ABI_GCC, false);
	for (at = CASE_AT; at < CASE_AT + 0x4b4; at += 4)
		thread_code(&t, at, at == CASE_AT ? 0xe92d4010 : 0xe1a00000, 4);
	thread_code(&t, CASE_AT + 0x4b4, 0xebfffed1, 4);
	thread_code(&t, CASE_AT + 0x4b8, 0x1afffed1, 4);
	thread_code(&t, CASE_AT + 0x4bc, 0xe8bd8010, 4);
	t.r[PC] = CASE_AT + 8;
	t.r[SP] = CFA - 8;
	t.r[LR] = CASE_AT + 0x4b8;
	thread_poke(&t, CFA - 4, t.ret);
	thread_walk(&t, false);
	tap_result(thread_expect(&t, 1, chain), "lr is left from a recursion");
}

/*
 * A jump that the function has not taken, by a register that is something else by now:
 *	30000:	push	{r4, lr}
 *	30004:	beq	3000c
 *	30008:	bx	r3
 *	3000c:	b	.
 * Stopped at 3000c, which only the way from the entry says something of.
 */
static void jump_not_taken(void)
{
	static const u32 code[] = { PUSH_R4_LR, 0x0a000000, 0xe12fff13, 0xeafffffe };
	static const u32 chain[] = { CASE_AT + 12 };
	static struct thread t;
	u32 i;

	thread_init(&t, A32_ABI_GCC, false);
	for (i = 0; i < 4; i++)
		thread_code(&t, CASE_AT + 4 * i, code[i], 4);
	t.r[3] = CASE_AT + 0x100;
	t.r[PC] = CASE_AT + 12;
	t.r[SP] = CFA - 8;
	thread_poke(&t, CFA - 4, t.ret);
	thread_walk(&t, false);
	tap_result(thread_expect(&t, 1, chain), "a jump that was not taken, by a register of now");
}

int main(void)
{
	tap_plan(SIGNAL_RESULTS + TORN_RESULTS + URETPROBE_RESULTS + FLOW_RESULTS + MIXED_RESULTS +
		 TABLE_RESULTS + RUN_RESULTS + STUB_RESULTS + DOUBT_RESULTS + 27);
	walk_signals();
	walk_torn();
	walk_uretprobes();
	walk_flow();
	walk_mixed();
	walk_runs();
	walk_tables();
	walk_stubs();
	walk_doubt();
	frame_register_is_gone(A32_ABI_APCS, false, "apcs");
	frame_register_is_gone(A32_ABI_GCC, false, "gcc");
	frame_register_is_gone(A32_ABI_AAPCS, false, "aapcs");
	frame_register_is_gone(A32_ABI_AAPCS, true, "aapcs in Thumb");
	frame_register_is_gone(A32_ABI_AAPCS_R7, true, "aapcs-r7");
	tail_call_to_behind_call();
	stale_lr();
	jump_not_taken();
	calls_without_records();
	noreturn_at_end_arm();
	noreturn_at_end_thumb();
	lr_as_a_register();
	stack_at_the_top();
	refused();
	return tap_status();
}
