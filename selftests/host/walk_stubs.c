// SPDX-License-Identifier: GPL-2.0
/*
 * Whole walks from code that no compiler makes of a function: the linker's stubs,
 * switches of stacks, the kernel's helpers.
 */
#include "../../module/core/kuser.h"
#include "tap.h"
#include "walk_cases.h"

static struct thread t;

/*
 * A PLT entry (binutils, elf32_arm_plt_entry_short) on its way into what it
 * calls: the chain is the caller's.
 *	30000:	add	ip, pc, #0, 12
 *	30004:	add	ip, ip, #163840		; 0x28000
 *	30008:	ldr	pc, [ip, #1600]!	; 0x640
 */
static void plt_arm(void)
{
	static const u32 code[] = { 0xe28fc600, 0xe28cca28, 0xe5bcf640 };
	bool ok = true;
	u32 i, pc;

	for (i = 0; i < 3; i++) {
		thread_init(&t, A32_ABI_GCC, false);
		for (pc = 0; pc < 3; pc++)
			thread_code(&t, CASE_AT + 4 * pc, code[pc], 4);
		pc = CASE_AT + 4 * i;
		t.r[PC] = pc;
		t.r[IP] = i ? 0x30008 + (i == 2 ? 0x28000 : 0) : 0;
		ok &= walk_gives(&t, 1, &pc);
	}
	tap_result(ok, "PLT entry, ARM: every instruction");
}

/*
 * The same, entered from Thumb:
 *	30000:	bx	pc
 *	30002:	nop
 *	30004:	add	ip, pc, #0, 12		ARM from here on
 *	30008:	add	ip, ip, #163840
 *	3000c:	ldr	pc, [ip, #1600]!
 */
static void plt_thumb(void)
{
	static const u32 code[] = { 0x46c04778, 0xe28fc600, 0xe28cca28, 0xe5bcf640 };
	bool ok = true;
	u32 i, pc;

	for (i = 0; i < 4; i++) {
		thread_init(&t, A32_ABI_AAPCS_R7, true);
		for (pc = 0; pc < 4; pc++)
			memcpy(t.code + CASE_AT - CODE_START + 4 * pc, &code[pc], 4);
		pc = CASE_AT + 4 * i;
		t.r[PC] = pc;
		t.cpsr = i ? 0 : 1 << 5;
		ok &= walk_gives(&t, 1, &pc);
	}
	tap_result(ok, "PLT entry, from Thumb: every instruction");
}

/*
 * A linker's veneers:
 *	30000:	ldr	pc, [pc, #-4]		ARM to ARM or Thumb, ld
 *	30004:	.word	0x3a000
 *
 *	30000:	movw	ip, #0xa000		lld
 *	30004:	movt	ip, #3
 *	30008:	bx	ip
 */
static void veneers(void)
{
	static const u32 jump[] = { 0xe51ff004, OTHER_AT };
	static const u32 lld[] = { 0xe30ac000, 0xe340c003, 0xe12fff1c };
	u32 i, j, pc = CASE_AT;
	bool ok;

	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, CASE_AT, jump[0], 4);
	thread_code(&t, CASE_AT + 4, jump[1], 4);
	ok = walk_gives(&t, 1, &pc);
	tap_result(ok, "veneer: ldr pc, [pc, #-4]");
	for (i = 0; i < 3; i++) {
		thread_init(&t, A32_ABI_AAPCS, false);
		for (j = 0; j < 3; j++)
			thread_code(&t, CASE_AT + 4 * j, lld[j], 4);
		pc = CASE_AT + 4 * i;
		t.r[PC] = pc;
		t.r[IP] = i == 2 ? OTHER_AT : 0xa000;
		/* Half of the address was set before: the walk may not know it. */
		thread_walk(&t, false);
		if (i != 1 || t.stop != A32_STOP_UNDECIDED)
			ok &= walk_gives(&t, 1, &pc);
	}
	tap_result(ok, "veneer: movw, movt, bx ip: every instruction");
}

/*
 * A coroutine's switch, onto a stack that lies above:
 *	38000:	push	{r4-r11, lr}
 *	38004:	str	sp, [r0]
 *	38008:	mov	sp, r1
 *	3800c:	pop	{r4-r11, pc}
 * Where it returns to is not where it was called from.
 */
static void stack_switch(u32 abi, const char *name)
{
	static const u32 code[] = { 0xe92d4ff0, 0xe580d000, 0xe1a0d001, 0xe8bd8ff0 };
	static const u32 chain[] = { HANDLER_AT };
	u32 i;

	thread_init(&t, abi, false);
	for (i = 0; i < 4; i++)
		thread_code(&t, HANDLER_AT + 4 * i, code[i], 4);
	t.r[PC] = HANDLER_AT;
	t.r[0] = CFA - 0x800;
	t.r[1] = CFA + 0x800;
	thread_poke(&t, CFA + 0x800 + 32, t.ret_outer);
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "%s: a switch of stacks: UNDECIDED", name);
}

/*
 * A switch of contexts that has been called through r2:
 *	30000:	stmia	r0!, {r4 - r11, sp, lr}
 *	30004:	str	lr, [r0]
 *	30008:	ldm	r1, {r4 - r11, sp, lr, pc}
 * r0 has moved, and where it says that lr has been stored is not where it was.
 */
static void switches_by_register(void)
{
	static const u32 chain[] = { CASE_AT + 8 };

	thread_init(&t, A32_ABI_GCC, false);
	thread_code(&t, CASE_AT, 0xe8a06ff0, 4);
	thread_code(&t, CASE_AT + 4, 0xe5804000 | LR << 12, 4);
	thread_code(&t, CASE_AT + 8, 0xe891eff0, 4);
	thread_code(&t, CASE_AT - 8, 0xe92d4010, 4);	/* push {r4, lr}: another function */
	thread_code(&t, t.ret - 4, 0xe12fff32, 4);
	t.r[2] = CASE_AT;
	t.r[PC] = CASE_AT + 8;
	t.r[0] = CFA + 40;
	t.r[1] = CFA + 80;
	thread_poke(&t, CFA + 36, t.ret);
	thread_poke(&t, CFA + 40, t.ret);
	thread_poke(&t, CFA + 76, t.ret_outer);
	thread_poke(&t, CFA + 80, t.ret_outer);
	thread_walk(&t, false);
	tap_result(thread_expect(&t, 1, chain), "switch of contexts, called through a register");
}

/*
 * The kernel's helpers, as 6.1 has them on an SMP v7 processor. Each is called
 * by INNER. __kuser_cmpxchg64() has pushed 16 bytes from its second to its last
 * but one instruction, and r7 is one of them.
 */
static void kuser_helpers(void)
{
	static const u32 code[A32_KUSER_SIZE / 4] = {
		0xe92d00f0,	/* ffff0f60:	push	{r4, r5, r6, r7}	*/
		0xe1c040d0,	/* ffff0f64:	ldrd	r4, [r0]		*/
		0xe1c160d0,	/* ffff0f68:	ldrd	r6, [r1]		*/
		0xf57ff05b,	/* ffff0f6c:	dmb	ish			*/
		0xe1b20f9f,	/* ffff0f70:	ldrexd	r0, [r2]		*/
		0xe0303004,	/* ffff0f74:	eors	r3, r0, r4		*/
		0x00313005,	/* ffff0f78:	eorseq	r3, r1, r5		*/
		0x01a23f96,	/* ffff0f7c:	strexdeq r3, r6, [r2]		*/
		0x03330001,	/* ffff0f80:	teqeq	r3, #1			*/
		0x0afffff9,	/* ffff0f84:	beq	ffff0f70		*/
		0xf57ff05b,	/* ffff0f88:	dmb	ish			*/
		0xe2730000,	/* ffff0f8c:	rsbs	r0, r3, #0		*/
		0xe8bd00f0,	/* ffff0f90:	pop	{r4, r5, r6, r7}	*/
		0xe12fff1e,	/* ffff0f94:	bx	lr			*/
		0xe7fddef1, 0xe7fddef1,
		0xf57ff05b,	/* ffff0fa0:	dmb	ish			*/
		0xe12fff1e,	/* ffff0fa4:	bx	lr			*/
		0xe7fddef1, 0xe7fddef1, 0xe7fddef1, 0xe7fddef1, 0xe7fddef1, 0xe7fddef1,
		0xf57ff05b,	/* ffff0fc0:	dmb	ish			*/
		0xe1923f9f,	/* ffff0fc4:	ldrex	r3, [r2]		*/
		0xe0533000,	/* ffff0fc8:	subs	r3, r3, r0		*/
		0x01823f91,	/* ffff0fcc:	strexeq	r3, r1, [r2]		*/
		0x03330001,	/* ffff0fd0:	teqeq	r3, #1			*/
		0x0afffffa,	/* ffff0fd4:	beq	ffff0fc4		*/
		0xe2730000,	/* ffff0fd8:	rsbs	r0, r3, #0		*/
		0xeaffffef,	/* ffff0fdc:	b	ffff0fa0		*/
		0xee1d0f70,	/* ffff0fe0:	mrc	15, 0, r0, cr13, cr0, {3} */
		0xe12fff1e,	/* ffff0fe4:	bx	lr			*/
		0xee1d0f70, 0xe7fddef1, 0, 0, 0, 5,
	};
	bool ok = true, ok_r7 = true;
	u32 i, pc;

	for (i = 0; i < 34; i++) {
		if (code[i] == 0xe7fddef1)
			continue;
		pc = A32_KUSER_START + 4 * i;
		thread_init(&t, A32_ABI_GCC, false);
		t.kuser = code;
		t.r[PC] = pc;
		t.r[SP] = i > 0 && i < 13 ? CFA - 16 : CFA;
		ok &= walk_gives(&t, 1, &pc);
		/* From Thumb code whose frames are in r7 */
		thread_init(&t, A32_ABI_AAPCS_R7, true);
		t.kuser = code;
		t.r[PC] = pc;
		t.cpsr = 0;
		if (i > 0 && i < 13) {
			t.r[SP] = CFA - 16;
			thread_poke(&t, CFA - 4, t.r[R7]);
			t.r[R7] = 0x12345678;
		}
		ok_r7 &= walk_gives(&t, 1, &pc);
	}
	tap_result(ok, "the kernel's helpers: every instruction");
	tap_result(ok_r7, "the kernel's helpers, from code with r7 frames");
	thread_init(&t, A32_ABI_GCC, false);
	t.r[PC] = pc;
	tap_result(walk_stops(&t, A32_STOP_CODE_FAULT, 1, &pc), "no such helpers: CODE_FAULT");
	pc = A32_KUSER_START - 4;
	t.r[PC] = pc;
	t.kuser = code;
	tap_result(walk_stops(&t, A32_STOP_NO_MAPPING, 1, &pc), "beside the helpers: NO_MAPPING");
}

void walk_stubs(void)
{
	plt_arm();
	plt_thumb();
	veneers();
	stack_switch(A32_ABI_APCS, "apcs");
	stack_switch(A32_ABI_AAPCS, "aapcs");
	stack_switch(A32_ABI_GCC, "gcc");
	switches_by_register();
	kuser_helpers();
}
