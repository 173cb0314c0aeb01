/* SPDX-License-Identifier: GPL-2.0 */
/* System calls: r7 is the number then, whatever it is otherwise. */
#include "asm.inc"

	begin	sys_push
	push	{r7}
	mov	r7, #20
	svc	#0
	pop	{r7}
	bx	lr
	end	sys_push

	/* glibc's __libc_do_syscall() */
	begin	sys_do
	push	{r7, lr}
	mov	r7, ip
	svc	#0
	pop	{r7, pc}
	end	sys_do

	begin	sys_through_do
	push	{r4, lr}
	mov	ip, #20
	bl	sys_do
	pop	{r4, pc}
	end	sys_through_do

	/* glibc's stubs (sysdeps/unix/sysv/linux/arm/sysdep.h, DO_CALL) */
	begin	sys_ip
	mov	ip, r7
	mov	r7, #20
	svc	#0
	mov	r7, ip
	cmn	r0, #4096
	it	cc
	bxcc	lr
	b	leaf_void
	end	sys_ip

	/* With more arguments than fit in r0 to r3: DOARGS_6 */
	begin	sys_six
	mov	ip, sp
	push	{r4, r5, r6, r7}
	mov	r4, #0
	mov	r5, #0
	mov	r6, #0
	mov	r7, #192
	svc	#0
	pop	{r4, r5, r6, r7}
	cmn	r0, #4096
	it	cc
	bxcc	lr
	b	leaf_void
	end	sys_six

	/* musl's __syscall_cp_asm() (src/thread/arm/syscall_cp.s) */
	begin	sys_cancel
	mov	ip, sp
	push	{r4, r5, r6, r7, lr}
	cmp	r0, #4
	beq	1f
	mov	r7, #20
	mov	r0, #1
	svc	#0
	pop	{r4, r5, r6, r7, lr}
	bx	lr
1:	pop	{r4, r5, r6, r7, lr}
	b	leaf_void
	end	sys_cancel

	/* vfork(): nothing may be on the stack */
	begin	sys_vfork
	mov	r2, lr
	mov	ip, r7
	mov	r7, #190
	svc	#0
	mov	r7, ip
	mov	lr, r2
	bx	lr
	end	sys_vfork

	/* OABI-like: the number is in the instruction; EABI kernels don't look */
	begin	sys_loop
	push	{r4, r7, lr}
	mov	r4, #3
	mov	r7, #20
1:	svc	#0
	subs	r4, r4, #1
	bne	1b
	pop	{r4, r7, pc}
	end	sys_loop
