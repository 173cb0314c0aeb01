/* SPDX-License-Identifier: GPL-2.0 */
	.syntax	unified
#ifdef __thumb__
	.thumb
#else
	.arm
#endif
	.text

	.macro	function name
	.globl	\name
	.type	\name, %function
#ifdef __thumb__
	.thumb_func
#endif
\name:
	.endm

	.macro	end name
	.size	\name, . - \name
	.endm

	.balign	4
	function _start
	mov	r11, #0
	mov	r7, #0
	mov	lr, #0
	bl	main
	.globl	finish
finish:
	nop
	nop
	end	_start

	.balign	4
	function save_context
	mov	ip, sp
	stmia	r0!, {r4-r11}
	stmia	r0!, {ip, lr}
	mov	r0, #0
	bx	lr
	end	save_context

	.balign	4
	function load_context
	ldmia	r0!, {r4-r11}
	ldmia	r0!, {r2, lr}
	.globl	switching_load
switching_load:
	mov	sp, r2
	mov	r0, r1
	bx	lr
	.globl	switched_load
switched_load:
	end	load_context

	.balign	4
	function asm_leaf
	adds	r0, r0, #1
	bne	1f
	mov	r0, #7
1:	bx	lr
	end	asm_leaf

	.balign	4
	nop
	function restorer
#ifdef PLAIN
	mov	r7, #119
#else
	mov	r7, #173
#endif
	svc	#0
	end	restorer
	.section .note.GNU-stack, "", %progbits
