/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What linkers put between a call and a function, in their own bytes. All but
 * the last end in leaf(). None touches lr for good, or the stack; sources are
 * named GNU ld (bfd/elf32-arm.c), gold (gold/arm.cc) and lld
 * (lld/ELF/Arch/ARM.cpp for PLT entries, lld/ELF/Thunks.cpp).
 */
#include "asm.inc"

	/* elf32_arm_plt_entry_short; also gold's and lld's short one */
	begin_arm plt_short
	add	ip, pc, #0
	add	ip, ip, #0
	ldr	pc, [ip, #(1f - plt_short - 8)]!
	end	plt_short
1:	.word	leaf

	/* elf32_arm_plt_entry_long */
	begin_arm plt_long
	add	ip, pc, #0
	add	ip, ip, #0
	add	ip, ip, #0
	ldr	pc, [ip, #(1f - plt_long - 8)]!
	end	plt_long
1:	.word	leaf

	/* elf32_arm_plt_thumb_stub: "bx pc; b .-2", "bx pc; nop" up to 2.26 */
	begin_thumb plt_from_thumb
	bx	pc
	nop
	.arm
	add	ip, pc, #0
	add	ip, ip, #0
	ldr	pc, [ip, #(1f - plt_from_thumb - 12)]!
	end	plt_from_thumb
1:	.word	leaf

	begin_thumb plt_from_thumb_new
	bx	pc
	.short	0xe7fd			/* b .-2 */
	.arm
	add	ip, pc, #0
	add	ip, ip, #0
	ldr	pc, [ip, #(1f - plt_from_thumb_new - 12)]!
	end	plt_from_thumb_new
1:	.word	leaf

	/* elf32_thumb2_plt_entry, where there is no ARM state */
	begin_thumb plt_thumb2
	movw	ip, #:lower16:(1f - (2f + 4))
	movt	ip, #:upper16:(1f - (2f + 4))
2:	add	ip, pc
	ldr.w	pc, [ip]
	.short	0xe7fc			/* b .-4 */
	end	plt_thumb2
	.balign	4
1:	.word	leaf

	/* lld's long one: ARM::writePlt() */
	begin_arm plt_lld_long
	ldr	ip, 1f
2:	add	ip, ip, pc
	ldr	pc, [ip]
1:	.word	3f - 2b - 8
	end	plt_lld_long
3:	.word	leaf

	/* elf32_arm_symbian_plt_entry, and lld's ARMV5LongLdrPcThunk */
	begin_arm plt_absolute
	ldr	pc, [pc, #-4]
	.word	leaf
	end	plt_absolute

	/* elf32_arm_plt0_entry, and _dl_runtime_resolve() that it goes to */
	begin_arm plt_lazy
	add	ip, pc, #0
	add	ip, ip, #0
	ldr	pc, [ip, #(1f - plt_lazy - 8)]!
	end	plt_lazy
1:	.word	plt_zero

	begin_arm plt_zero
	str	lr, [sp, #-4]!
	ldr	lr, 1f
	add	lr, pc, lr
	ldr	pc, [lr, #8]!
1:	.word	got - .
	end	plt_zero

	/* lld's: ARM::writePltHeader() */
	begin_arm plt_lazy_lld
	add	ip, pc, #0
	add	ip, ip, #0
	ldr	pc, [ip, #(1f - plt_lazy_lld - 8)]!
	end	plt_lazy_lld
1:	.word	plt_zero_lld

	begin_arm plt_zero_lld
	str	lr, [sp, #-4]!
	add	lr, pc, #0
	add	lr, lr, #0
	ldr	pc, [lr, #(1f - plt_zero_lld - 12)]!
	end	plt_zero_lld
1:	.word	resolve

	/* elf32_thumb2_plt0_entry */
	begin_thumb plt_lazy_thumb2
	movw	ip, #:lower16:(1f - (2f + 4))
	movt	ip, #:upper16:(1f - (2f + 4))
2:	add	ip, pc
	ldr.w	pc, [ip]
	.short	0xe7fc
	end	plt_lazy_thumb2
	.balign	4
1:	.word	plt_zero_thumb2

	begin_thumb plt_zero_thumb2
	push	{lr}
	ldr.w	lr, 1f
	add	lr, pc
	ldr.w	pc, [lr, #8]!
1:	.word	got - . + 2
	end	plt_zero_thumb2

	/* glibc's sysdeps/arm/dl-trampoline.S */
	begin	resolve
	push	{r0-r4}
	ldr	r0, [lr, #-4]
	sub	r1, ip, lr
	sub	r1, r1, #4
	add	r1, r1, r1
	bl	fixup
	mov	ip, r0
	pop	{r0-r4, lr}
	bx	ip
	end	resolve

	.data
	.balign	4
got:	.word	0, 0, resolve
	.text

	/* arm_stub_long_branch_any_any */
	begin_arm stub_any_any
	ldr	pc, [pc, #-4]
	.word	leaf
	end	stub_any_any

	/* arm_stub_long_branch_v4t_arm_thumb */
	begin_arm stub_v4t_arm_thumb
	ldr	ip, [pc]
	bx	ip
	.word	leaf
	end	stub_v4t_arm_thumb

	/* arm_stub_long_branch_any_arm_pic */
	begin_arm stub_any_arm_pic
	ldr	ip, [pc]
	add	pc, pc, ip
	.word	leaf - . - 4
	end	stub_any_arm_pic

	/* arm_stub_long_branch_any_thumb_pic, arm_stub_long_branch_v4t_arm_thumb_pic */
	begin_arm stub_any_thumb_pic
	ldr	ip, [pc, #4]
	add	ip, pc, ip
	bx	ip
	.word	leaf - .
	end	stub_any_thumb_pic

	/* arm_stub_long_branch_v4t_thumb_thumb */
	begin_thumb stub_v4t_thumb_thumb
	bx	pc
	.short	0xe7fd
	.arm
	ldr	ip, [pc]
	bx	ip
	.word	leaf
	end	stub_v4t_thumb_thumb

	/* arm_stub_long_branch_v4t_thumb_arm */
	begin_thumb stub_v4t_thumb_arm
	bx	pc
	nop
	.arm
	ldr	pc, [pc, #-4]
	.word	leaf
	end	stub_v4t_thumb_arm

	/* arm_stub_short_branch_v4t_thumb_arm */
	begin_thumb stub_short_v4t_thumb_arm
	bx	pc
	nop
	.arm
	b	stub_any_any
	end	stub_short_v4t_thumb_arm

	/* arm_stub_long_branch_v4t_thumb_thumb_pic */
	begin_thumb stub_v4t_thumb_thumb_pic
	bx	pc
	nop
	.arm
	ldr	ip, [pc, #4]
	add	ip, pc, ip
	bx	ip
	.word	leaf - .
	end	stub_v4t_thumb_thumb_pic

	/* arm_stub_long_branch_v4t_thumb_arm_pic */
	begin_thumb stub_v4t_thumb_arm_pic
	bx	pc
	nop
	.arm
	ldr	ip, [pc]
	add	pc, ip, pc
	.word	leaf - . - 4
	end	stub_v4t_thumb_arm_pic

	/* arm_stub_long_branch_thumb_only: with the stack */
	begin_thumb stub_thumb_only
	push	{r0}
	ldr	r0, 1f
	mov	ip, r0
	pop	{r0}
	bx	ip
	nop
	.balign	4
1:	.word	leaf
	end	stub_thumb_only

	/* arm_stub_long_branch_thumb_only_pic */
	begin_thumb stub_thumb_only_pic
	push	{r0}
	ldr	r0, 1f
	mov	ip, pc
	add	ip, r0
	pop	{r0}
	bx	ip
1:	.word	leaf - . + 4
	end	stub_thumb_only_pic

	/* arm_stub_long_branch_thumb2_only */
	begin_thumb stub_thumb2_only
	.short	0xf85f, 0xf000		/* ldr.w pc, [pc, #-0] */
	.word	leaf
	end	stub_thumb2_only

	/* arm_stub_long_branch_thumb2_only_pure, lld's ThumbV7ABSLongThunk */
	begin_thumb stub_thumb2_pure
	movw	ip, #:lower16:leaf
	movt	ip, #:upper16:leaf
	bx	ip
	end	stub_thumb2_pure

	/* lld's ARMV7ABSLongThunk */
	begin_arm thunk_v7_abs
	movw	ip, #:lower16:leaf
	movt	ip, #:upper16:leaf
	bx	ip
	end	thunk_v7_abs

	/* lld's ARMV7PILongThunk */
	begin_arm thunk_v7_pi
	movw	ip, #:lower16:(leaf - (1f + 8))
	movt	ip, #:upper16:(leaf - (1f + 8))
1:	add	ip, ip, pc
	bx	ip
	end	thunk_v7_pi

	/* lld's ThumbV7PILongThunk */
	begin_thumb thunk_thumb_v7_pi
	movw	ip, #:lower16:(leaf - (1f + 4))
	movt	ip, #:upper16:(leaf - (1f + 4))
1:	add	ip, pc
	bx	ip
	end	thunk_thumb_v7_pi

	/* lld's ThumbV6MABSLongThunk: the last instruction is no return */
	begin_thumb thunk_v6m_abs
	push	{r0, r1}
	ldr	r0, 1f
	str	r0, [sp, #4]
	pop	{r0, pc}
	.balign	4
1:	.word	leaf
	end	thunk_v6m_abs

	/* lld's ThumbV6MPILongThunk */
	begin_thumb thunk_v6m_pi
	push	{r0}
	ldr	r0, 1f
	mov	ip, r0
	pop	{r0}
	.balign	2
2:	add	ip, pc
	bx	ip
	.balign	4
1:	.word	leaf - 2b - 4
	end	thunk_v6m_pi

	/* a8_veneer_b: of Cortex-A8 erratum 657417 */
	begin_thumb stub_a8
	b.w	stub_thumb2_pure
	end	stub_a8

	/* a8_veneer_b_cond: what is branched to on a condition */
	begin_thumb stub_a8_cond
	cmp	r0, r1
	beq.w	stub_thumb2_pure
	b.w	stub_thumb2_only
	end	stub_a8_cond

	/* stm32l4xx_create_replacing_stub_ldmia(): a long pop in two */
	begin_thumb stub_stm32l4xx
	push.w	{r4-r11, lr}
	bl	stub_thumb2_pure
	ldmia.w	sp!, {r4-r9}
	ldmia.w	sp!, {r10, r11, pc}
	end	stub_stm32l4xx

	/* libgcc's _call_via_r3, what Thumb-1 code has for blx */
	begin_thumb call_via
	push	{r4, lr}
	ldr	r3, 1f
	bl	call_via_r3
	pop	{r4}
	pop	{r3}
	bx	r3
	.balign	4
1:	.word	leaf
	end	call_via

	begin_thumb call_via_r3
	bx	r3
	nop
	end	call_via_r3

	/* Both to what may be in the other instruction set: the linker adds a veneer then. */
	begin_arm jumps_from_arm
	b	leaf
	end	jumps_from_arm

	begin_thumb jumps_from_thumb
	b.w	leaf
	end	jumps_from_thumb

	/* C++'s: this is another one (thunk for a virtual call) */
	begin	thunk_adjust
	subs	r0, r0, #8
	b	leaf
	end	thunk_adjust
