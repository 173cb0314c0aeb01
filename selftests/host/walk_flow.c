// SPDX-License-Identifier: GPL-2.0
/*
 * Where chains begin and stacks change: what registers still hold there is
 * another function's. Short is right in most of these, and going on is wrong.
 */
#include "tap.h"
#include "walk_cases.h"

static struct thread t;

static void put(u32 addr, const u32 *code, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		addr = thread_code(&t, addr, code[i], t.thumb && code[i] < 0xe800 ? 2 : 4);
}

#define PUT(addr, code)	put(addr, code, sizeof(code) / sizeof((code)[0]))

/* Cold and warm, is the walk's chain what is true, as far as it goes? */
static bool never_wrong(u32 nr, const u32 *entry)
{
	bool ok = true;
	u32 i, warm;

	for (warm = 0; warm < 2; warm++) {
		thread_walk(&t, warm);
		for (i = 0; i < t.nr; i++)
			ok &= i < nr && t.entry[i] == entry[i];
		if (ok)
			continue;
		tap_note("%s: %u entries, then %u", warm ? "warm" : "cold", t.nr, t.stop);
		for (i = 0; i < t.nr; i++)
			tap_note("    %#llx", (unsigned long long)t.entry[i]);
	}
	return ok;
}

/*
 * What was found where a condition held, or might, says nothing where it doesn't:
 *	30000:	push	{r4, lr}
 *	30004:	sub	sp, sp, #8
 *	30008:	bl	38000
 *	3000c:	cmp	r0, #3
 *	30010:	addeq	sp, sp, #8
 *	30014:	popeq	{r4, lr}
 *	30018:	bxeq	lr
 *	3001c:	add	sp, sp, #8
 *	30020:	pop	{r4, pc}
 *	38000:	bx	lr
 */
static bool with_flags(u32 pc, bool equal, bool warm)
{
	bool added = equal && pc > FUNCTION_AT + 0x10, popped = equal && pc > FUNCTION_AT + 0x14;

	t.cpsr = equal ? FLAG_Z : 0;
	t.r[PC] = pc;
	t.r[SP] = CFA - (popped ? 0 : added ? 8 : 16);
	t.r[LR] = popped ? t.ret : FUNCTION_AT + 0xc;
	thread_poke(&t, CFA - 4, t.ret);
	thread_walk(&t, warm);
	return thread_expect(&t, 1, &pc);
}

/* The same, from the function that it has called */
static bool in_callee(void)
{
	static const u32 chain[] = { LEAF_AT, FUNCTION_AT + 0xc };

	with_flags(FUNCTION_AT + 0xc, false, false);
	t.r[PC] = LEAF_AT;
	thread_walk(&t, false);
	return thread_expect(&t, 2, chain);
}

/* The same, from its first instruction */
static bool at_entry(void)
{
	static const u32 chain[] = { FUNCTION_AT };

	t.cpsr = 0;
	t.r[PC] = FUNCTION_AT;
	t.r[SP] = CFA;
	t.r[LR] = t.ret;
	thread_walk(&t, false);
	return thread_expect(&t, 1, chain);
}

static bool at_each(void)
{
	bool ok = true;
	u32 pc;

	for (pc = FUNCTION_AT + 0xc; pc < FUNCTION_AT + 0x1c; pc += 4)
		ok &= with_flags(pc, false, true) && with_flags(pc, true, true);
	return ok;
}

static void flags_change(void)
{
	static const u32 code[] = {
		0xe92d4010, 0xe24dd008, 0xeb001ffc, 0xe3500003, 0x028dd008, 0x08bd4010,
		0x012fff1e, 0xe28dd008, 0xe8bd8010,
	};
	bool ok = true;
	u32 pc;

	thread_init(&t, A32_ABI_GCC, false);
	PUT(FUNCTION_AT, code);
	for (pc = FUNCTION_AT + 0xc; pc < FUNCTION_AT + 0x1c; pc += 4) {
		ok &= with_flags(pc, false, false) && at_each();
		ok &= with_flags(pc, true, false) && at_each();
	}
	ok &= in_callee() && at_each();
	ok &= at_entry() && at_each();
	tap_result(ok, "conditional return: found with other flags before");
}

/*
 * The first function of a context, behind one that makes a record:
 *	30000:	push	{fp, lr}
 *	30004:	mov	fp, sp
 *	30008:	pop	{fp, pc}
 *	3000c:	mov	r0, r5
 *	30010:	blx	r4
 *	30014:	udf	#0
 * Its stack is below; fp is what it was where the context was made.
 */
static void context_begins(void)
{
	static const u32 code[] = {
		0xe92d4800, 0xe1a0b00d, 0xe8bd8800, 0xe1a00005, 0xe12fff34, 0xe7f000f0,
	};
	const u32 called[] = { OTHER_AT, FUNCTION_AT + 0x14 }, top[] = { FUNCTION_AT + 0x10 };

	thread_init(&t, A32_ABI_AAPCS, false);
	PUT(FUNCTION_AT, code);
	t.r[SP] = STACK_START + 0x4000;
	t.r[PC] = OTHER_AT;
	t.r[LR] = FUNCTION_AT + 0x14;
	tap_result(never_wrong(2, called), "first function of a context has called");
	t.r[PC] = FUNCTION_AT + 0x10;
	t.r[LR] = FUNCTION_AT + 0xc;
	tap_result(never_wrong(1, top), "first function of a context is about to call");
}

/*
 * A thread that has just begun has its parent's registers, but for sp and r0:
 *	30000:	push	{r4, r7}
 *	30004:	mov	r7, #120
 *	30008:	svc	#0
 *	3000c:	cmp	r0, #0
 *	30010:	beq	3001c
 *	30014:	pop	{r4, r7}
 *	30018:	bx	lr
 *	3001c:	ldr	r0, [sp, #4]
 *	30020:	ldr	ip, [sp], #8
 *	30024:	blx	ip
 *	30028:	mov	r7, #1
 *	3002c:	svc	#0
 */
static void thread_begins(void)
{
	static const u32 code[] = {
		0xe92d0090, 0xe3a07078, 0xef000000, 0xe3500000, 0x0a000001, 0xe8bd0090,
		0xe12fff1e, 0xe59d0004, 0xe49dc008, 0xe12fff3c, 0xe3a07001, 0xef000000,
	};
	bool ok = true;
	u32 pc;

	thread_init(&t, A32_ABI_GCC, false);
	PUT(FUNCTION_AT, code);
	/* The kernel leaves r1, which says where its stack is to be. */
	t.r[SP] = STACK_START + 0x4000;
	t.r[1] = t.r[SP];
	t.r[R7] = 120;
	for (pc = FUNCTION_AT + 0xc; pc <= FUNCTION_AT + 0x24; pc += 4) {
		if (pc == FUNCTION_AT + 0x14)
			pc += 8;
		t.r[PC] = pc;
		/* cmp r0, #0 */
		t.cpsr = pc > FUNCTION_AT + 0xc ? FLAG_Z : 0;
		ok &= never_wrong(1, &pc);
	}
	tap_result(ok, "clone(): the child has no caller");
}

/*
 * A process begins with what ld.so left; glibc's _start, in Thumb:
 *	30000:	mov.w	fp, #0
 *	30004:	mov.w	lr, #0
 *	30008:	pop	{r1}
 *	3000a:	mov	r2, sp
 *	3000c:	bl	30014
 *	30010:	bl	3001c
 *	30014:	push	{r7, lr}
 *	30016:	mov	r7, sp
 *	30018:	blx	r0
 *	3001a:	pop	{r7, pc}
 */
static void process_begins(void)
{
	static const u32 code[] = {
		0xf04f0b00, 0xf04f0e00, 0xbc02, 0x466a, 0xf000f802, 0xf000f804,
		0xb580, 0x466f, 0x4780, 0xbd80,
	};
	bool ok = true;
	u32 pc;

	thread_init(&t, A32_ABI_AAPCS_R7, true);
	PUT(FUNCTION_AT, code);
	t.r[SP] = STACK_START + 0x4000;
	for (pc = FUNCTION_AT; pc <= FUNCTION_AT + 0xc; pc += pc < FUNCTION_AT + 8 ? 4 : 2) {
		t.r[PC] = pc;
		t.r[LR] = pc > FUNCTION_AT + 4 ? 0 : t.ret_inner | 1;
		ok &= never_wrong(1, &pc);
	}
	tap_result(ok, "_start has no caller, whatever lr and r7 are");
}

/*
 * A switch of contexts has the other's r4 to r11 before it has its sp:
 *	30000:	stm	r0, {r4-r11}
 *	30004:	str	sp, [r0, #32]
 *	30008:	str	lr, [r0, #40]
 *	3000c:	ldm	r1, {r4-r11}
 *	30010:	ldr	sp, [r1, #32]
 *	30014:	ldr	pc, [r1, #40]
 */
static void context_switches(void)
{
	static const u32 code[] = {
		0xe8800ff0, 0xe580d020, 0xe580e028, 0xe8910ff0, 0xe591d020, 0xe591f028,
	};
	u32 truth[4] = { FUNCTION_AT + 0x10 };

	thread_init(&t, A32_ABI_AAPCS, false);
	PUT(FUNCTION_AT, code);
	truth[1] = t.ret;
	truth[2] = t.ret_inner;
	truth[3] = t.ret_outer;
	t.r[PC] = FUNCTION_AT + 0x10;
	t.r[1] = STACK_START + 0x4000;
	/* The frame of the caller's caller: one would be missing. */
	t.r[R11] = thread_peek(&t, t.fp_inner);
	tap_result(never_wrong(4, truth), "switch of contexts: the frame register is the other's");
}

void walk_flow(void)
{
	flags_change();
	context_begins();
	thread_begins();
	process_begins();
	context_switches();
}
