// SPDX-License-Identifier: GPL-2.0
/* Walks through signal frames, by each trampoline */
#include "tap.h"
#include "walk_cases.h"

static struct thread t;

/*
 * arch/arm/kernel/signal.h: a plain frame is a ucontext with a magic number in
 * uc_flags, an rt frame a siginfo of 128 bytes and a ucontext. r0 of the
 * sigcontext is 32 bytes into that, cpsr 64 bytes behind r0.
 */
static void push_signal(u32 sp, bool rt)
{
	u32 uc = rt ? sp + 128 : sp, i;

	if (rt)
		thread_poke(&t, sp, 10);		/* si_signo */
	thread_poke(&t, uc, rt ? 0 : 0x5ac3c35a);
	for (i = 0; i < 16; i++)
		thread_poke(&t, uc + 32 + 4 * i, t.r[i]);
	thread_poke(&t, uc + 96, t.cpsr);
	t.r[SP] = sp;
}

struct trampoline {
	const char *name;
	bool thumb;
	bool rt;
	u32 code[3];	/* halfwords in Thumb */
};

static const struct trampoline trampolines[] = {
	{ "glibc, Thumb-2: mov.w r7, #119; svc 0", true, false, { 0xf04f, 0x0777, 0xdf00 } },
	{ "glibc, Thumb-2: mov.w r7, #173; svc 0", true, true, { 0xf04f, 0x07ad, 0xdf00 } },
	{ "Thumb-1: movs r7, #119; svc 0", true, false, { 0x2777, 0xdf00 } },
	{ "Thumb-1: movs r7, #173; svc 0", true, true, { 0x27ad, 0xdf00 } },
	{ "sigpage, musl: mov r7, #119; svc 0", false, false, { 0xe3a07077, 0xef000000 } },
	{ "sigpage, musl: mov r7, #173; svc 0", false, true, { 0xe3a070ad, 0xef000000 } },
	{ "sigpage: mov r7, #119; svc 0x900077", false, false, { 0xe3a07077, 0xef900077 } },
	{ "sigpage: mov r7, #173; svc 0x9000ad", false, true, { 0xe3a070ad, 0xef9000ad } },
	{ "OABI: svc 0x900077", false, false, { 0xef900077 } },
	{ "OABI: svc 0x9000ad", false, true, { 0xef9000ad } },
};

static u32 half_or_word(const struct trampoline *tr, u32 at, u32 code)
{
	u32 size = tr->thumb ? 2 : 4;

	memcpy(t.code + (at - CODE_START), &code, size);
	return at + size;
}

/*
 * A leaf handler, and the interrupted function about to return:
 *	mov r0, #0	movs r0, #0
 *	bx lr		bx lr
 */
static void make_signal(const struct trampoline *tr, u32 abi, bool thumb)
{
	u32 i, at = RESTORER_AT;

	thread_init(&t, abi, thumb);
	for (i = 0; i < 3 && tr->code[i]; i++)
		at = half_or_word(tr, at, tr->code[i]);
	push_signal(SIGNAL_STACK, tr->rt);
	thread_code(&t, HANDLER_AT, thumb ? 0x2000 : 0xe3a00000, thumb ? 2 : 4);
	t.r[PC] = HANDLER_AT;
	t.r[LR] = RESTORER_AT | tr->thumb;
	t.r[7] = 0x07070707;
}

static void signal_frames(u32 abi, bool thumb)
{
	static const u32 chain[] = { HANDLER_AT, RESTORER_AT, FUNCTION_AT };
	u32 i;

	for (i = 0; i < sizeof(trampolines) / sizeof(trampolines[0]); i++) {
		const struct trampoline *tr = &trampolines[i];

		make_signal(tr, abi, thumb);
		tap_result(walk_gives(&t, 3, chain), "%s handler, trampoline %s",
			   thumb ? "Thumb" : "ARM", tr->name);
	}
}

static bool is_in_trampoline(const struct trampoline *tr, u32 at)
{
	u32 chain[2] = { at, FUNCTION_AT };

	t.r[PC] = at;
	t.r[SP] = SIGNAL_STACK;
	t.r[LR] = 0x12345678;
	/* Behind "mov r7" it is the system call's number. */
	t.r[R7] = at == RESTORER_AT ? 0 : tr->rt ? 173 : 119;
	t.cpsr = tr->thumb ? 1 << 5 : 0;
	if (walk_gives(&t, 2, chain))
		return true;
	tap_note("  at +%u of trampoline %s", at - RESTORER_AT, tr->name);
	return false;
}

/* The handler has returned: at each instruction of the trampoline, and behind its svc */
static void in_trampolines(u32 abi, bool thumb)
{
	u32 i, j, at;
	bool ok = true;

	for (i = 0; i < sizeof(trampolines) / sizeof(trampolines[0]); i++) {
		const struct trampoline *tr = &trampolines[i];

		make_signal(tr, abi, thumb);
		for (j = 0, at = RESTORER_AT; j < 3; j++) {
			/* "mov.w" is one instruction of two halfwords. */
			if (!tr->thumb || j != 1 || !a32_thumb_is_wide(tr->code[0]))
				ok &= is_in_trampoline(tr, at);
			if (!tr->code[j])
				break;
			at += tr->thumb ? 2 : 4;
		}
		if (j == 3)
			ok &= is_in_trampoline(tr, at);
	}
	tap_result(ok, "stopped in a trampoline, %s handler", thumb ? "Thumb" : "ARM");
}

/* On a stack above the interrupted one, and a second signal in that handler */
static void other_stacks(void)
{
	static const u32 chain[] = { OTHER_AT, RESTORER_AT, HANDLER_AT, RESTORER_AT, FUNCTION_AT };

	thread_init(&t, A32_ABI_GCC, false);
	half_or_word(&trampolines[5], RESTORER_AT, trampolines[5].code[0]);
	half_or_word(&trampolines[5], RESTORER_AT + 4, trampolines[5].code[1]);
	push_signal(ALTERNATE_STACK, true);
	t.r[PC] = HANDLER_AT;
	t.r[LR] = RESTORER_AT;
	tap_result(walk_gives(&t, 3, chain + 2), "a handler on an alternate stack");
	push_signal(SIGNAL_STACK, true);
	t.r[PC] = OTHER_AT;
	tap_result(walk_gives(&t, 5, chain), "a signal in a handler, back on the first stack");
}

/* The signal frame isn't one: no magic number, or sp misaligned */
static void bad_signal_frame(void)
{
	static const u32 chain[] = { HANDLER_AT, RESTORER_AT };
	bool ok;

	make_signal(&trampolines[4], A32_ABI_GCC, false);
	thread_poke(&t, SIGNAL_STACK, 0);
	ok = walk_stops(&t, A32_STOP_BAD_SIGFRAME, 2, chain);
	make_signal(&trampolines[4], A32_ABI_GCC, false);
	t.r[SP] += 4;
	tap_result(ok && walk_stops(&t, A32_STOP_BAD_SIGFRAME, 2, chain),
		   "a trampoline without a signal frame ends the chain");
}

/*
 * CASES.md, 1: the signal hit the first instruction of a function:
 *	30000:	udf	#0
 *	30004:	push	{fp, lr}
 *	30008:	add	fp, sp, #4
 *	3000c:	bl	...
 *	30010:	pop	{fp, pc}
 * The code before it has another frame, in the middle:
 *	2fffc:	add	sp, sp, #64
 * The frame at 30000 is that before the push.
 */
static void signal_on_first_instruction(void)
{
	static const u32 chain[] = { HANDLER_AT, RESTORER_AT, FUNCTION_AT };

	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, FUNCTION_AT - 4, 0xe28dd040, 4);
	thread_code(&t, FUNCTION_AT, 0xe7f000f0, 4);
	thread_code(&t, FUNCTION_AT + 4, 0xe92d4800, 4);
	thread_code(&t, FUNCTION_AT + 8, 0xe28db004, 4);
	thread_call(&t, FUNCTION_AT + 12, OTHER_AT);
	thread_code(&t, FUNCTION_AT + 16, 0xe8bd8800, 4);
	half_or_word(&trampolines[5], RESTORER_AT, trampolines[5].code[0]);
	half_or_word(&trampolines[5], RESTORER_AT + 4, trampolines[5].code[1]);
	push_signal(SIGNAL_STACK, true);
	t.r[PC] = HANDLER_AT;
	t.r[LR] = RESTORER_AT;
	tap_result(walk_gives(&t, 3, chain), "case 1: a signal on a function's first instruction");
}

void walk_signals(void)
{
	signal_frames(A32_ABI_GCC, false);
	signal_frames(A32_ABI_AAPCS_R7, true);
	in_trampolines(A32_ABI_GCC, false);
	in_trampolines(A32_ABI_AAPCS_R7, true);
	other_stacks();
	bad_signal_frame();
	signal_on_first_instruction();
}
