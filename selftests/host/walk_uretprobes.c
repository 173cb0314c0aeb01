// SPDX-License-Identifier: GPL-2.0
/*
 * Walks through functions whose return is probed: kernel/events/uprobes.c puts
 * the trampoline's address in lr at their first instruction, and keeps sp and
 * lr as they were then.
 */
#include "tap.h"
#include "walk_cases.h"

enum {
	BELOW	= CFA - 0x400,		/* of what a longjmp() has left behind */
	ABOVE	= CFA + 0x400,		/* of a call farther out */
};

static struct thread t;

/* A call that was probed; the latest is the first to be pushed. */
static void push_call(u32 stack, u32 ra, bool is_tail)
{
	t.returns.call[t.returns.nr++] = (struct a32_host_call){ stack, ra, is_tail };
}

/* At the start of a leaf at CASE_AT, called by INNER: bx lr */
static void in_leaf(u32 abi)
{
	thread_init(&t, abi, false);
	t.r[LR] = UPROBES_AT;
}

/* INNER's return address is below its CFA; see shapes[] in cases.c. */
static u32 inner_cfa(u32 abi)
{
	return CFA + (abi == A32_ABI_APCS ? 16 : 8);
}

static u32 inner_ra(u32 abi)
{
	return inner_cfa(abi) - (abi == A32_ABI_APCS ? 8 : 4);
}

static void one_and_all(u32 abi, const char *name)
{
	static const u32 chain[] = { CASE_AT };
	u32 cfa = inner_cfa(abi);

	in_leaf(abi);
	push_call(CFA, t.ret, false);
	tap_result(walk_gives(&t, 1, chain), "%s: a leaf", name);

	thread_init(&t, abi, false);
	thread_poke(&t, inner_ra(abi), UPROBES_AT);
	push_call(cfa, t.ret_inner, false);
	tap_result(walk_gives(&t, 1, chain), "%s: a caller", name);

	in_leaf(abi);
	thread_poke(&t, inner_ra(abi), UPROBES_AT);
	thread_poke(&t, inner_ra(abi) + (cfa - CFA), UPROBES_AT);
	push_call(CFA, t.ret, false);
	push_call(cfa, t.ret_inner, false);
	push_call(2 * cfa - CFA, t.ret_outer, false);
	tap_result(walk_gives(&t, 1, chain), "%s: each of three", name);
}

static void left_behind(void)
{
	static const u32 chain[] = { CASE_AT };
	bool ok;

	in_leaf(A32_ABI_GCC);
	push_call(BELOW, t.ret_outer, false);
	push_call(BELOW - 8, t.ret_inner, false);
	push_call(CFA, t.ret, false);
	push_call(CFA, t.ret_outer, false);
	push_call(ABOVE, t.ret_inner, false);
	ok = walk_gives(&t, 1, chain);
	tap_result(ok, "calls that longjmp() has left behind are not taken for it");

	in_leaf(A32_ABI_GCC);
	push_call(BELOW, t.ret, false);
	push_call(CFA + 4, t.ret, false);
	push_call(ABOVE, t.ret, false);
	ok = walk_stops(&t, A32_STOP_URETPROBE, 1, chain);
	t.returns.nr = 0;
	ok &= walk_stops(&t, A32_STOP_URETPROBE, 1, chain);
	tap_result(ok, "none of the calls is the frame's: URETPROBE");
}

/* The kernel takes a tail call's return address from the call before it. */
static void tail_calls(void)
{
	static const u32 chain[] = { CASE_AT };

	in_leaf(A32_ABI_GCC);
	push_call(CFA, t.ret_outer, true);
	push_call(BELOW, t.ret_outer, false);
	push_call(CFA, t.ret, false);
	tap_result(walk_gives(&t, 1, chain), "tail calls go by the call that they end");
}

/*
 *	30000:	push	{r0, r1, r2, r3}
 *	30004:	push	{fp, lr}
 *	30008:	add	fp, sp, #4
 *	3000c:	bl	38000
 *	30010:	sub	sp, fp, #4
 *	30014:	pop	{fp, lr}
 *	30018:	add	sp, sp, #16
 *	3001c:	bx	lr
 * The record's CFA is 16 bytes below what sp was. The thread is in 38000.
 */
static void arguments_above(void)
{
	static const u32 code[] = {
		0xe92d000f, 0xe92d4800, 0xe28db004, 0, 0xe24bd004, 0xe8bd4800, 0xe28dd010,
		0xe12fff1e,
	};
	static const u32 chain[] = { HANDLER_AT, FUNCTION_AT + 16 };
	u32 i;

	thread_init(&t, A32_ABI_GCC, false);
	for (i = 0; i < 8; i++)
		thread_code(&t, FUNCTION_AT + 4 * i, code[i], 4);
	thread_call(&t, FUNCTION_AT + 12, HANDLER_AT);
	thread_poke(&t, CFA - 20, UPROBES_AT);
	thread_poke(&t, CFA - 24, t.fp_inner);
	t.r[R11] = CFA - 20;
	t.r[SP] = CFA - 24;
	t.r[PC] = HANDLER_AT;
	t.r[LR] = FUNCTION_AT + 16;
	push_call(CFA - 24, t.ret_outer, false);
	push_call(CFA, t.ret, false);
	tap_result(walk_gives(&t, 2, chain), "a vararg function: sp was above the record's CFA");
}

/* On the trampoline: INNER goes on in a moment. */
static void on_the_trampoline(void)
{
	const u32 callers[] = { UPROBES_AT };
	bool ok;

	in_leaf(A32_ABI_GCC);
	t.r[PC] = UPROBES_AT;
	push_call(CFA, t.ret, false);
	push_call(ABOVE, t.ret_outer, false);
	thread_walk(&t, false);
	ok = thread_expect(&t, 0, NULL);
	thread_walk(&t, true);
	tap_result(thread_expect(&t, 0, NULL) && ok, "pc is the trampoline");

	t.returns.nr = 0;
	tap_result(walk_stops(&t, A32_STOP_URETPROBE, 1, callers),
		   "pc is the trampoline, of no call: URETPROBE");
	/* Where setup_return() makes it a signal handler "in Thumb" */
	t.r[PC] = UPROBES_AT | 1;
	tap_result(walk_stops(&t, A32_STOP_ABI_NONE, 1, callers),
		   "pc is the trampoline, with bit 0 set: it is not in the entry");
}

/*
 * A probe at a function's start, while it is handled; the call was indirect:
 *	38000:	push	{fp, lr}		a breakpoint there
 *	38004:	add	fp, sp, #4
 *	38008:	bl	3a000
 *	3800c:	pop	{fp, pc}
 */
static void at_a_breakpoint(void)
{
	static const u32 chain[] = { HANDLER_AT };
	bool ok;

	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, HANDLER_AT, 0xe7f001f9, 4);
	thread_code(&t, HANDLER_AT + 4, 0xe28db004, 4);
	thread_call(&t, HANDLER_AT + 8, OTHER_AT);
	thread_code(&t, HANDLER_AT + 12, 0xe8bd8800, 4);
	t.r[PC] = HANDLER_AT;
	ok = walk_stops(&t, A32_STOP_UNDECIDED, 1, chain);
	t.returns.insn_at = HANDLER_AT;
	t.returns.insn = 0xe92d4800;
	/* Though it is known from before that it could not be told. */
	thread_walk(&t, true);
	ok &= thread_expect(&t, 1, chain);
	ok &= walk_gives(&t, 1, chain);
	tap_result(ok, "at a breakpoint: UNDECIDED, or by what it hides");

	/* lr has the trampoline, but the list may not have the call yet. */
	t.r[LR] = UPROBES_AT;
	push_call(CFA, t.ret_outer, false);
	tap_result(walk_stops(&t, A32_STOP_URETPROBE, 1, chain),
		   "at a breakpoint, while a uretprobe is made: URETPROBE");
}

/* In another mapping's first word, and elsewhere in the page */
static void others(void)
{
	static const u32 chain[] = { CASE_AT };
	bool ok;

	in_leaf(A32_ABI_GCC);
	t.r[LR] = UPROBES_AT + 64;
	push_call(CFA, t.ret, false);
	ok = walk_stops(&t, A32_STOP_CODE_FAULT, 1, chain);
	t.r[LR] = UPROBES_AT | 1;
	ok &= walk_stops(&t, A32_STOP_NO_MAPPING, 1, chain);
	t.r[LR] = t.ret;
	t.returns.nr = 0;
	ok &= walk_gives(&t, 1, chain) && !t.returns.asked;
	tap_result(ok, "other return addresses are not asked for");
}

void walk_uretprobes(void)
{
	one_and_all(A32_ABI_APCS, "uretprobes, apcs");
	one_and_all(A32_ABI_AAPCS, "uretprobes, aapcs");
	one_and_all(A32_ABI_GCC, "uretprobes, gcc");
	left_behind();
	tail_calls();
	arguments_above();
	on_the_trampoline();
	at_a_breakpoint();
	others();
}
