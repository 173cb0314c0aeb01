/* SPDX-License-Identifier: GPL-2.0 */
	.syntax	unified
#ifdef __thumb__
#define OWN	.thumb
#define OWN_FN	.thumb_func
#define OTHER	.arm
#define OTHER_FN
#else
#define OWN	.arm
#define OWN_FN
#define OTHER	.thumb
#define OTHER_FN .thumb_func
#endif

	.text
	OWN
	.balign	4
	/* void co_switch(void **save, void *sp) */
	.global	co_switch
	.type	co_switch, %function
	OWN_FN
co_switch:
	push	{r4, r5, r6, r7, r8, r9, r10, r11, lr}
	str	sp, [r0]
	mov	sp, r1
	pop	{r4, r5, r6, r7, r8, r9, r10, r11, pc}
	.size	co_switch, . - co_switch

	/* A coroutine's outermost frame */
	.global	asmco_start
	.type	asmco_start, %function
	OWN_FN
asmco_start:
	blx	r4
	udf	#0
	.size	asmco_start, . - asmco_start

	.section .far, "ax", %progbits
	OTHER
	.balign	4
	.global	far_other_isa
	.type	far_other_isa, %function
	OTHER_FN
far_other_isa:
	movs	r1, #50
1:	adds	r0, r0, r1
	subs	r1, r1, #1
	bne	1b
	bx	lr
	.size	far_other_isa, . - far_other_isa

	.section .note.GNU-stack, "", %progbits
