// SPDX-License-Identifier: GPL-2.0
/*
 * Registers between two stores of the kernel's, when it sets up a signal handler and
 * when that returns: the order of the stores is that of Debian's kernels
 * (Documentation/design.rst), and what they store is in arch/arm/kernel/signal.c.
 * Each state may give a chain of before or after, or the start of one; nothing else.
 */
#include "tap.h"
#include "walk_cases.h"

enum {
	IT_EQ		= 1 << 10 | 0x3 << 25,	/* some IT state */
	NR_CLONE	= 120,
};

static struct thread t;

/* @nr: entries up to the callers */
struct want {
	u32 nr;
	u32 entry[3];
};

/*
 * What is interrupted, a function that keeps its return address on the stack, in its middle:
 *	push	{r4, lr}		push	{r4, lr}
 *	mov	r0, #0			movs	r0, #0
 *	pop	{r4, pc}		pop	{r4, pc}
 * The handler is a leaf, and so is what lies behind the restorer:
 *	bx	lr
 */
static void make(bool thumb)
{
	static const u32 arm[] = { 0xe92d4010, 0xe3a00000, 0xe8bd8010 };
	static const u32 t16[] = { 0xb510, 0x2000, 0xbd10 };
	u32 i, at = FUNCTION_AT;

	thread_init(&t, A32_ABI_AAPCS, thumb);
	for (i = 0; i < 3; i++)
		at = thread_code(&t, at, thumb ? t16[i] : arm[i], thumb ? 2 : 4);
	t.r[SP] = CFA - 8;
	thread_poke(&t, CFA - 4, t.r[LR]);
	t.r[LR] = t.ret_outer | thumb;
	t.r[PC] = FUNCTION_AT + (thumb ? 2 : 4);
	for (i = 0; i < 13; i++) {
		if (i != thread_frame_register(&t))
			t.r[i] = 0x1000 + i;
	}
	a32_host_kernel = (struct a32_host_kernel){ .at_work = true, .syscall = 1 };
}

/* thread_code() would make Thumb code of a word. */
static u32 put(u32 at, u32 code, u32 len)
{
	memcpy(t.code + (at - CODE_START), &code, len);
	return at + len;
}

static void put_return(u32 at, bool thumb)
{
	put(at, thumb ? 0x4770 : 0xe12fff1e, thumb ? 2 : 4);
}

/* The restorer: mov r7, #173; svc 0, in either instruction set */
static u32 make_restorer(bool thumb)
{
	static const u32 t16[] = { 0xf04f, 0x07ad, 0xdf00 };
	u32 i, at = RESTORER_AT;

	if (thumb) {
		for (i = 0; i < 3; i++)
			at = put(at, t16[i], 2);
		return at;
	}
	return put(put(at, 0xe3a070ad, 4), 0xef000000, 4);
}

/* The rt frame of what is interrupted, where the kernel puts it */
static u32 push_frame(void)
{
	u32 at = (t.r[SP] - 888) & ~7, uc = at + 128, i;

	thread_poke(&t, at, 10);
	thread_poke(&t, uc, 0);
	for (i = 0; i < 16; i++)
		thread_poke(&t, uc + 32 + 4 * i, t.r[i]);
	thread_poke(&t, uc + 96, t.cpsr);
	/* Stale: what a wrong sp finds looks like callers. */
	for (i = 0; i < 8; i++)
		thread_poke(&t, at + 4 + 4 * i, t.ret_outer | t.thumb);
	return at;
}

static bool is_start_of(const struct want *want)
{
	u32 i;

	if (!t.nr)
		return false;
	for (i = 0; i < t.nr; i++) {
		const u32 callers[3] = { t.ret, t.ret_inner, t.ret_outer };

		if (i >= want->nr + 3 ||
		    t.entry[i] != (i < want->nr ? want->entry[i] : callers[i - want->nr]))
			return false;
	}
	return true;
}

/* Cold; and warm, after what a thread in user mode has taught, which is @before */
static bool is_true(const struct thread *before, const struct want *a, const struct want *b)
{
	struct thread torn = t;
	u32 warm, nr, i;

	for (warm = 0; warm < 2; warm++) {
		if (warm) {
			t = *before;
			a32_host_kernel.at_work = false;
			thread_walk(&t, false);
			a32_host_kernel.at_work = true;
			t = torn;
		}
		thread_walk(&t, warm);
		if (!is_start_of(a) && !is_start_of(b)) {
			tap_note("  pc %#x lr %#x sp %#x cpsr %#x, %s:", t.r[PC], t.r[LR], t.r[SP],
				 t.cpsr, warm ? "warm" : "cold");
			for (i = 0; i < t.nr; i++)
				tap_note("    %#llx", (unsigned long long)t.entry[i]);
			return false;
		}
	}
	nr = t.nr;
	t = torn;
	t.nr = nr;
	return true;
}

struct store {
	u32 reg;	/* 16: cpsr */
	u32 val;
};

/* Up to each of the stores, and behind the last one, where the chain has to be whole */
static bool each_store(const struct store *store, u32 nr, const struct want *a,
		       const struct want *b)
{
	struct thread before = t;
	bool ok = true;
	u32 i;

	for (i = 0; ok && i < nr; i++) {
		if (store[i].reg == 16)
			t.cpsr = store[i].val;
		else
			t.r[store[i].reg] = store[i].val;
		ok = is_true(&before, a, b);
	}
	return ok && t.nr == b->nr + 3;
}

/* setup_return() */
static void delivery(bool thumb, bool handler_thumb, bool r0_first)
{
	const struct want before = { 1, { FUNCTION_AT + (thumb ? 2 : 4) } };
	const struct want after = { 3, { HANDLER_AT, RESTORER_AT, before.entry[0] } };
	u32 first = r0_first ? 0 : SP, frame;

	make(thumb);
	make_restorer(thumb);
	put_return(HANDLER_AT, handler_thumb);
	if (thumb)
		t.cpsr |= IT_EQ;
	frame = push_frame();
	{
		const struct store stores[] = {
			{ first, first ? frame : 10 }, { SP - first, first ? 10 : frame },
			{ LR, RESTORER_AT | thumb }, { PC, HANDLER_AT | handler_thumb },
			{ 16, handler_thumb ? 1 << 5 : 0 },
		};

		tap_result(each_store(stores, 5, &before, &after),
			   "a signal is delivered: %s to %s, %s first", thumb ? "Thumb" : "ARM",
			   handler_thumb ? "Thumb" : "ARM", r0_first ? "r0" : "sp");
	}
}

/* restore_sigframe() */
static void restoring(bool thumb, bool trampoline_thumb)
{
	u32 behind, frame, i, n = 0;
	struct store store[17];
	struct thread whole;
	struct want before, after;

	make(thumb);
	behind = make_restorer(trampoline_thumb);
	put_return(behind, trampoline_thumb);
	frame = push_frame();
	whole = t;
	before = (struct want){ 2, { behind, t.r[PC] } };
	after = (struct want){ 1, { t.r[PC] } };
	for (i = 1; i < 16; i++)
		store[n++] = (struct store){ i, t.r[i] };
	store[n++] = (struct store){ 0, t.r[0] };
	store[n++] = (struct store){ 16, t.cpsr };
	/* As the handler has left them */
	for (i = 0; i < 4; i++)
		t.r[i] = 0x77;
	t.r[IP] = 0x77;
	t.r[R7] = 173;
	t.r[SP] = frame;
	t.r[LR] = t.ret_inner | thumb;
	t.r[PC] = behind;
	t.cpsr = (trampoline_thumb ? 1 << 5 : 0) | 0x60000000;
	a32_host_kernel.syscall = 173;
	a32_host_kernel.in_syscall = true;
	tap_result(each_store(store, n, &before, &after) && !memcmp(t.r, whole.r, sizeof(t.r)),
		   "a handler returns: trampoline in %s, to %s", trampoline_thumb ? "Thumb" : "ARM",
		   thumb ? "Thumb" : "ARM");
}

/* One that clone() has made, and that has not run yet: r0 is 0, or has its first signal. */
static void new_thread(void)
{
	const struct want nothing = { 1, { FUNCTION_AT + 4 } };

	make(false);
	thread_code(&t, FUNCTION_AT, 0xef000000, 4);
	t.r[R7] = NR_CLONE;
	t.r[1] = t.r[SP];
	t.r[0] = 10;
	thread_walk(&t, false);
	tap_result(t.nr == 1 && is_start_of(&nothing), "a signal is delivered to a new thread");
}

void walk_torn(void)
{
	u32 i;

	for (i = 0; i < 8; i++)
		delivery(i & 1, i & 2, i & 4);
	for (i = 0; i < 4; i++)
		restoring(i & 1, i & 2);
	new_thread();
	a32_host_kernel = (struct a32_host_kernel){};
}
