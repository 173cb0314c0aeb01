/* SPDX-License-Identifier: GPL-2.0 */
/* Code of which nobody has said which frame ABI it follows: see corpus.ld. */
#include "asm.inc"
	.section .foreign, "ax", %progbits
	own_mode

	begin	foreign_leaf
	add	r0, r0, #1
	bx	lr
	end	foreign_leaf

	begin	foreign_tail
	b	leaf
	end	foreign_tail

	begin	foreign_call
	push	{r4, lr}
	mov	r4, r0
	bl	nonleaf
	add	r0, r0, r4
	pop	{r4, pc}
	end	foreign_call

	/* As the vdso's __vdso_clock_gettime() where it has no clock */
	begin	foreign_time
	push	{r4, r7, lr}
	mov	r7, #263
	svc	#0
	pop	{r4, r7, pc}
	end	foreign_time
