/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions as people write them, and as compilers do without frame pointers.
 * None makes a record; each keeps its caller's.
 */
#include "asm.inc"

	/* Returns on conditions: both ways are taken. */
	begin	cond_pop
	push	{r4, lr}
	cmp	r0, #3
	it	eq
	popeq	{r4, pc}
	bl	leaf_void
	movs	r0, #1
	pop	{r4, pc}
	end	cond_pop

	begin	cond_ldm
	push	{r4, r5, r6, lr}
	mov	r4, r0
	bl	leaf_void
	cmp	r4, #3
	ittt	ne
	movne	r0, #2
	movne	r5, #1
	popne	{r4, r5, r6, pc}
	mov	r0, r4
	bl	leaf_void
	pop	{r4, r5, r6, pc}
	end	cond_ldm

	begin	cond_bx
	cmp	r0, #3
	itt	eq
	moveq	r0, #9
	bxeq	lr
	push	{r4, r5, lr}
	sub	sp, sp, #12
	mov	r4, r0
	bl	leaf_void
	cmp	r4, #5
	ittt	eq
	addeq	sp, sp, #12
	popeq	{r4, r5, lr}
	bxeq	lr
	add	sp, sp, #12
	pop	{r4, r5, pc}
	end	cond_bx

	/* Tail calls on conditions */
	begin	cond_tail
	cmp	r0, #3
	beq	leaf_void
	push	{r4, lr}
	mov	r4, r0
	bl	leaf_void
	cmp	r4, #4
	pop	{r4, lr}
	bne	asm_leaf
	bx	lr
	end	cond_tail

	begin	cond_over
	push	{r3, lr}
#ifdef __thumb__
	cbz	r0, 1f
#else
	cmp	r0, #0
	beq	1f
#endif
	bl	leaf_void
	pop	{r3, pc}
1:	pop	{r3, lr}
	b	leaf_void
	end	cond_over

	/* lr once it is saved: a number, an address on the stack, one behind a call */
	begin	lr_counts
	push	{r4, lr}
	mov	lr, #3
	mov	r4, #0
1:	add	r4, r4, lr
	subs	lr, lr, #1
	bne	1b
	mov	r0, r4
	pop	{r4, pc}
	end	lr_counts

	begin	lr_points
	push	{r4, r5, lr}
	sub	sp, sp, #20
	mov	lr, sp
	str	r0, [lr]
	str	r0, [lr, #4]!
	ldr	r4, [lr], #4
	add	r0, r4, #1
	add	sp, sp, #20
	pop	{r4, r5, pc}
	end	lr_points

	begin	lr_lies
	push	{r4, lr}
	ldr	lr, =behind_a_call
	mov	r4, lr
	add	r0, r0, #1
	nop
	ldr	r4, =behind_a_call
	push	{r4}
	nop
	pop	{r4}
	pop	{r4, pc}
	.ltorg
	end	lr_lies

	begin	calls_twice
	push	{r4, lr}
	bl	leaf_void
behind_a_call:
	bl	leaf_void
	pop	{r4, pc}
	end	calls_twice

	/* One register, and how it comes back */
	begin	one_pc
	push	{lr}
	sub	sp, sp, #12
	bl	leaf_void
	add	sp, sp, #12
	ldr	pc, [sp], #4
	end	one_pc

	begin	one_lr
	str	lr, [sp, #-8]!
	bl	leaf_void
	ldr	lr, [sp], #8
	bx	lr
	end	one_lr

	begin	one_pair
	sub	sp, sp, #8
	strd	r4, r5, [sp]
	str	lr, [sp, #-8]!
	bl	leaf_void
	ldr	lr, [sp, #0]
	ldrd	r4, r5, [sp, #8]
	add	sp, sp, #16
	bx	lr
	end	one_pair

	begin	one_late
	push	{lr}
	sub	sp, sp, #4
	bl	leaf_void
	add	sp, sp, #4
	pop	{lr}
	b	asm_leaf
	end	one_late

	begin	one_writeback
	str	lr, [sp, #-4]!
	str	r4, [sp, #-4]!
	mov	r4, r0
	bl	leaf_void
	mov	r0, r4
	ldr	r4, [sp], #4
	ldr	pc, [sp], #4
	end	one_writeback

	/* Room first, registers then */
	begin	room_first
	sub	sp, sp, #24
	stmia	sp, {r4, r5, r6, lr}
	mov	r4, r0
	bl	leaf_void
	mov	r0, r4
	ldmia	sp, {r4, r5, r6, lr}
	add	sp, sp, #24
	bx	lr
	end	room_first

	begin	room_above
	sub	sp, sp, #24
	str	lr, [sp, #20]
	str	r4, [sp, #16]
	bl	leaf_void
	ldr	r4, [sp, #16]
	ldr	lr, [sp, #20]
	add	sp, sp, #24
	bx	lr
	end	room_above

	begin	room_by_ip
	mov	ip, sp
	sub	sp, sp, #24
	stmdb	ip, {r4, r5, r6, lr}
	bl	leaf_void
	add	ip, sp, #8
	ldmia	ip, {r4, r5, r6, lr}
	add	sp, sp, #24
	bx	lr
	end	room_by_ip

	/* gcc's prologue of a vararg function */
	begin	room_varargs
	push	{r0, r1, r2, r3}
	str	lr, [sp, #-4]!
	sub	sp, sp, #12
	add	r3, sp, #20
	str	r3, [sp, #4]
	ldr	r0, [sp, #16]
	bl	leaf_void
	add	sp, sp, #12
	ldr	lr, [sp], #4
	add	sp, sp, #16
	bx	lr
	end	room_varargs

	/* The stack, aligned by hand; and a frame that is so large that a register says it */
	begin	room_aligned
	mov	ip, sp
	bic	r3, ip, #31
	mov	sp, r3
	push	{r3, ip, lr}
	sub	sp, sp, #4
	bl	leaf_void
	add	sp, sp, #4
	pop	{r3, ip, lr}
	mov	sp, ip
	bx	lr
	end	room_aligned

	begin	room_large
	push	{r4, lr}
	ldr	r4, =0x4004
	sub	sp, sp, r4
	bl	leaf_void
	ldr	r4, =0x4004
	add	sp, sp, r4
	pop	{r4, pc}
	.ltorg
	end	room_large

	begin	room_large_kept
	push	{r4, lr}
	movw	r4, #0x4004
	sub	sp, sp, r4
	bl	leaf_void
	add	sp, sp, r4
	pop	{r4, pc}
	end	room_large_kept

	/* Late: the leaf's way out needs no frame */
	begin	late_frame
	cmp	r0, #2
	bls	1f
	subs	r0, r0, #1
	push	{r4, r5, r11, lr}
	mov	r11, r0
	bl	leaf_void
	add	r0, r11, #1
	pop	{r4, r5, r11, lr}
1:	add	r0, r0, #1
	bx	lr
	end	late_frame

	/* The return address in a register for the length of a call */
	begin	kept_in_r4
	str	r4, [sp, #-8]!
	mov	r4, lr
	bl	leaf_void
	mov	lr, r4
	ldr	r4, [sp], #8
	bx	lr
	end	kept_in_r4

	begin	kept_in_ip
	mov	ip, lr
	add	r0, r0, #1
	mov	lr, #0
	add	r0, r0, lr
	bx	ip
	end	kept_in_ip

	.fpu	vfpv3-d16
	begin	kept_in_vfp
	vmov	s0, lr
	mov	lr, #7
	add	r0, r0, lr
	vmov	lr, s0
	bx	lr
	end	kept_in_vfp

	/* Returns through another register, as for ARMv4T in Thumb */
	begin	returns_r1
	push	{r4, lr}
	bl	leaf_void
	pop	{r4}
	pop	{r1}
	bx	r1
	end	returns_r1

	begin	returns_r3
	push	{r4, r5, lr}
	bl	leaf_void
	pop	{r4, r5}
	ldr	r3, [sp], #4
	bx	r3
	end	returns_r3

	begin	returns_mov
	push	{r4, lr}
	bl	leaf_void
	pop	{r4, lr}
	mov	pc, lr
	end	returns_mov

	/* Work left to do behind the epilogue, and lr used for it */
	begin	works_behind
	push	{r4, r5, lr}
	mov	r4, r0
	bl	leaf_void
	mov	r1, r4
	pop	{r4, r5, lr}
	cmp	r1, #4
	ite	eq
	moveq	r0, #1
	movne	r0, #2
	add	r0, r0, r1
	bx	lr
	end	works_behind

	/* A call that is none: where am I? */
	begin	where_am_i
	push	{r4, lr}
#ifdef __thumb__
	bl	1f
1:	mov	r0, lr
#else
	bl	1f
1:	mov	r0, lr
#endif
	movs	r0, r0
	pop	{r4, pc}
	end	where_am_i

	/* ARMv4: no blx, no interworking */
	begin_arm old_call
	push	{r4, lr}
	ldr	r4, =asm_leaf_arm
	mov	lr, pc
	mov	pc, r4
	mov	lr, pc
	bx	r4
	ldr	ip, =1f
	mov	lr, pc
	ldr	pc, [ip]
	pop	{r4, pc}
	.ltorg
1:	.word	asm_leaf_arm
	end	old_call

	begin_arm asm_leaf_arm
	add	r0, r0, #1
	mov	pc, lr
	end	asm_leaf_arm

	/* ARM in the middle of a Thumb function, and the reverse */
	begin_thumb half_arm
	push	{r4, lr}
	adds	r0, #1
	bx	pc
	nop
	.arm
	add	r0, r0, #1
	add	r4, r0, #1
	pop	{r4, lr}
	bx	lr
	end	half_arm

	begin_arm half_thumb
	push	{r4, lr}
	add	r4, pc, #1
	bx	r4
	.thumb
	adds	r0, #1
	adds	r0, #2
	pop	{r4, pc}
	end	half_thumb

	/* As memcpy(): a head that jumps into the loop, and several ways out */
	begin	copies
	push	{r0, r4, r5, lr}
	subs	r2, r2, #16
	blt	2f
1:	ldmia	r1!, {r3, r4, r5, lr}
	subs	r2, r2, #16
	stmia	r0!, {r3, r4, r5, lr}
	bge	1b
2:	adds	r2, r2, #16
	it	eq
	popeq	{r0, r4, r5, pc}
	cmp	r2, #4
	blt	4f
3:	ldr	r3, [r1], #4
	subs	r2, r2, #4
	str	r3, [r0], #4
	bgt	3b
	pop	{r0, r4, r5, lr}
	bx	lr
4:	lsls	r2, r2, #31
	itt	ne
	ldrbne	r3, [r1], #1
	strbne	r3, [r0], #1
	itt	cs
	ldrbcs	r4, [r1], #1
	strbcs	r4, [r0], #1
	pop	{r0, r4, r5, lr}
	bx	lr
	end	copies

	/* A jump into the middle of what repeats, as glibc's memcpy() and memset() do */
	begin_arm jumps_in
	push	{r4, lr}
	and	r1, r0, #3
	rsb	r1, r1, #3
	add	pc, pc, r1, lsl #2
	nop
	add	r0, r0, #1
	add	r0, r0, #2
	add	r0, r0, #3
	add	r0, r0, #4
	pop	{r4, pc}
	end	jumps_in

	begin_thumb jumps_by_table
	push	{r4, lr}
	and	r1, r0, #1
	tbb	[pc, r1]
1:	.byte	(2f - 1b) / 2
	.byte	(3f - 1b) / 2
2:	adds	r0, #1
	pop	{r4, pc}
3:	adds	r0, #2
	pop	{r4}
	ldr	pc, [sp], #4
	end	jumps_by_table

	/* Large ones: nothing that returns is near */
	begin	long_leaf
	.rept	150
	add	r0, r0, r1
	eor	r1, r1, r0
	.endr
	bx	lr
	end	long_leaf

	begin	long_body
	push	{r4, r5, lr}
	sub	sp, sp, #4
	mov	r4, r0
	.rept	80
	add	r0, r0, r4
	eor	r4, r4, r0
	.endr
	cmp	r0, #0
	ittt	eq
	addeq	sp, sp, #4
	popeq	{r4, r5, lr}
	bxeq	lr
	bl	leaf_void
	.rept	80
	add	r0, r0, r4
	eor	r4, r4, r0
	.endr
	add	sp, sp, #4
	pop	{r4, r5, pc}
	end	long_body

	/* It runs round, and its end is beyond */
	begin	long_loop
	push	{r4, r5, lr}
	mov	r4, #2
1:
	.rept	40
	add	r0, r0, r4
	eor	r5, r4, r0
	cmp	r5, r0
	it	eq
	addeq	r0, r0, #1
	.endr
	subs	r4, r4, #1
	bne	1b
	bl	leaf_void
	pop	{r4, r5, pc}
	end	long_loop

	/* Branches all the way, as a state machine has */
	begin	long_branches
	push	{r4, r5, lr}
	mov	r4, r0
	.rept	40
	cmp	r4, #200
	bhi	9f
	adds	r4, r4, #1
	nop
	.endr
	mov	r0, r4
	pop	{r4, r5, pc}
9:	mov	r0, #0
	pop	{r4, r5, pc}
	end	long_branches
