/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other stacks, and where they begin. A struct context is r4 to r11, sp, lr,
 * pc. Nothing here is called from an outermost function: whoever changes
 * stacks has callers on both, and who starts a stack has none on it.
 */
#include "asm.inc"

	.macro	make_record
#if defined(FRAME_apcs)
	mov	ip, sp
	push	{fp, ip, lr, pc}
	sub	fp, ip, #4
#elif defined(FRAME_gcc)
	push	{fp, lr}
	add	fp, sp, #4
#elif defined(FRAME_aapcs)
	push	{fp, lr}
	mov	fp, sp
#elif defined(FRAME_none)
	push	{r7, fp, lr}
	mov	r7, sp
#else
	push	{r7, lr}
	mov	r7, sp
#endif
	.endm

	/* Back to the caller, with sp taken from the record */
	.macro	leave_record
#if defined(FRAME_apcs)
	sub	sp, fp, #12
	ldm	sp, {fp, sp, pc}
#elif defined(FRAME_gcc)
	sub	sp, fp, #4
	pop	{fp, pc}
#elif defined(FRAME_aapcs)
	mov	sp, fp
	pop	{fp, pc}
#elif defined(FRAME_none)
	mov	sp, r7
	pop	{r7, fp, pc}
#else
	mov	sp, r7
	pop	{r7, pc}
#endif
	.endm

	/* int swap_context(struct context *from, const struct context *to) */
	begin	swap_context
	stmia	r0, {r4-r11}
	str	sp, [r0, #32]
	str	lr, [r0, #36]
	str	lr, [r0, #40]
	ldmia	r1, {r4-r11}
	switching swap
	ldr	sp, [r1, #32]
	ldr	lr, [r1, #36]
	ldr	pc, [r1, #40]
	switched swap
	end	swap_context

	/* The same the other way round: lr first */
	begin	swap_context_lr
	stmia	r0, {r4-r11}
	str	sp, [r0, #32]
	str	lr, [r0, #36]
	str	lr, [r0, #40]
	ldmia	r1, {r4-r11}
	switching swap_lr
	ldr	lr, [r1, #36]
	ldr	ip, [r1, #32]
	mov	sp, ip
	bx	lr
	switched swap_lr
	end	swap_context_lr

	/* All in one instruction */
	begin_arm swap_context_ldm
	.inst	0xe8a06ff0		/* stmia r0!, {r4-r11, sp, lr} */
	str	lr, [r0]
	switching swap_ldm
	.inst	0xe891eff0		/* ldmia r1, {r4-r11, sp, lr, pc} */
	switched swap_ldm
	end	swap_context_ldm

	/* glibc's __setcontext(): int set_context(const struct context *to) */
	begin	set_context
	mov	lr, r0
	ldmia	lr!, {r4-r11}
	switching set
	ldr	sp, [lr]
	add	lr, lr, #4
#ifdef __thumb__
	ldr	ip, [lr, #4]
	ldr	lr, [lr]
	bx	ip
#else
	.inst	0xe89ec000		/* ldmia lr, {lr, pc} */
#endif
	switched set
	end	set_context

	/* The first function of a context that run_context begins: see there */
	begin	inherits
	mov	r0, #3
	blx	r4
	udf	#0
	end	inherits

	/*
	 * Boost's jump_fcontext(), without its d8 to d15:
	 * void jump_context(void **from, void *to, int val)
	 */
	begin	jump_context
	push	{lr}
	push	{r0, r4-r11, lr}
	str	sp, [r0]
	switching jump
	mov	sp, r1
	pop	{r0, r4-r11, lr}
	mov	r0, r2
	pop	{pc}
	switched jump
	end	jump_context

	/*
	 * It makes a record, keeps all on the stack, and changes to another one.
	 * What begins there inherits its frame register.
	 * void run_context(void **from, void *to)
	 */
	begin	run_context
	make_record
	push	{r4-r10}
	str	sp, [r0]
	mov	r4, r2
	switching run
	mov	sp, r1
	b	inherits
	switched run
	end	run_context

	/* And back from there: void end_context(void *to) */
	begin	end_context
	switching end
	mov	sp, r0
	pop	{r4-r10}
#if defined(FRAME_apcs)
	add	fp, sp, #12
#elif defined(FRAME_gcc)
	add	fp, sp, #4
#elif defined(FRAME_aapcs)
	mov	fp, sp
#else
	mov	r7, sp
#endif
	leave_record
	switched end
	end	end_context

	/* The first function of a context: r4(r5) is called, and never returns. */
	begin	context_start
	mov	r0, r5
	blx	r4
	udf	#0
	end	context_start

	/* The same, called with nothing to go on with */
	begin	context_start_clean
	mov	fp, #0
	mov	r7, #0
	mov	lr, #0
	mov	r0, r5
	blx	r4
	udf	#0
	end	context_start_clean

	/* A trampoline that jumps, with an address in lr that is none of its callers' */
	begin	context_jump
	mov	r0, r5
	ldr	lr, =context_over
	bx	r4
	.ltorg
	end	context_jump

	begin	context_over
	udf	#0
	end	context_over

	/*
	 * glibc's __startcontext(): what makecontext() has a function return to.
	 * r4 is uc_link. A nop stands before it, for unwinders.
	 */
	nop
	begin	startcontext
	mov	r0, r4
	cmp	r0, #0
	bne	set_context
	udf	#0
	end	startcontext

	/* glibc's _start (sysdeps/arm/start.S); lr and the frame register are anything. */
	begin	process_start
	mov	fp, #0
	mov	lr, #0
	pop	{r1}
	mov	r2, sp
	push	{r2}
	push	{r0}
	mov	r3, #0
	push	{r3}
	mov	r0, r4
	bl	process_main
	bl	process_abort
	end	process_start

	/* The first function behind it is no caller of process_main(). */
	begin	process_main
	make_record
	blx	r0
	leave_record
	end	process_main

	begin	process_abort
	push	{r4, lr}
	blx	r4
	pop	{r4, pc}
	end	process_abort

	/* musl's (arch/arm/crt_arch.h) */
	begin	process_start_musl
	mov	fp, #0
	mov	lr, #0
	ldr	r1, 1f
	mov	r0, sp
	and	ip, r0, #-16
	mov	sp, ip
	bl	process_main_musl
	.balign	4
1:	.word	0
	end	process_start_musl

	begin	process_main_musl
	mov	r0, #2
	bx	r4
	end	process_main_musl

	/*
	 * glibc's clone() (sysdeps/unix/sysv/linux/arm/clone.S):
	 * int clone_glibc(int (*fn)(int), void *stack, int flags, int arg)
	 */
	begin	clone_glibc
	str	r3, [r1, #-4]!
	str	r0, [r1, #-4]!
	mov	r0, r2
	mov	r2, r3
	push	{r4, r7}
	mov	r7, #120
	svc	#0
	cmp	r0, #0
	beq	1f
	pop	{r4, r7}
	bx	lr
	end	clone_glibc

	/* Its own symbol in glibc, too */
	.type	clone_glibc_child, %function
#ifdef __thumb__
	.thumb_func
#endif
clone_glibc_child:
1:	ldr	r0, [sp, #4]
	ldr	ip, [sp], #8
	blx	ip
	mov	r7, #1
	svc	#0
	pop	{r4, r7}		/* As its parent: see oracle_kernel.c. */
	bx	lr
	.size	clone_glibc_child, . - clone_glibc_child

	/* musl's clone() (src/thread/arm/clone.s), with the same arguments */
	begin	clone_musl
	push	{r4, r5, r6, r7}
	mov	r7, #120
	mov	r6, r3
	mov	r5, r0
	mov	r0, r2
	and	r1, r1, #-16
	svc	#0
	tst	r0, r0
	beq	1f
	pop	{r4, r5, r6, r7}
	bx	lr

1:	mov	r0, r6
	bl	3f
2:	mov	r7, #1
	svc	#0
	pop	{r4, r5, r6, r7}
	bx	lr
3:	bx	r5
	end	clone_musl

	/*
	 * One function on another stack, for the length of a call:
	 * int call_on(void *sp, int (*fn)(int), int arg)
	 */
	begin	call_on
	make_record
	mov	ip, r1
	mov	sp, r0
	mov	r0, r2
	blx	ip
	leave_record
	end	call_on

	/* The same, with the old sp on the new stack */
	begin	call_on_saved
	push	{r4, lr}
	mov	ip, sp
	mov	sp, r0
	push	{r3, ip}
	mov	r0, r2
	blx	r1
	pop	{r3, ip}
	mov	sp, ip
	pop	{r4, pc}
	end	call_on_saved

	/* And in a register */
	begin	call_on_kept
	push	{r4, lr}
	mov	r4, sp
	mov	sp, r0
	mov	r0, r2
	blx	r1
	mov	sp, r4
	pop	{r4, pc}
	end	call_on_kept

	/*
	 * How GCC's __builtin_eh_return() ends: the return address is overwritten,
	 * and sp is adjusted by r2 (EH_RETURN_STACKADJ_RTX)
	 */
	begin	eh_return
	push	{r4, lr}
	mov	r2, r0
	switching eh
	str	r1, [sp, #4]
	pop	{r4, lr}
	add	sp, sp, r2
	bx	lr
	switched eh
	end	eh_return

	begin	eh_throw
	push	{r4, r5, r6, lr}
	mov	r0, #16
	ldr	r1, =landing
	bl	eh_return
	udf	#0
	.ltorg
	end	eh_throw

	begin	eh_catch
	push	{r4, lr}
	bl	eh_throw
	pop	{r4, pc}
	.type	landing, %function
#ifdef __thumb__
	.thumb_func
#endif
landing:
	mov	r0, #1
	pop	{r4, pc}
	end	eh_catch
	.size	landing, . - landing

	/* On the next 4 KiB above the usual stack, see oracle.h */
	.globl	stack_high
	.type	stack_high, %object
	.set	stack_high, 0xbf000000
	.size	stack_high, 0x2000
	.globl	high_end
	.set	high_end, 0xbf004000
