/* SPDX-License-Identifier: GPL-2.0 */
/* What a compiler would not write: a handler's entry, restorers, and an undefined first instruction. */
	.syntax	unified
	.cfi_sections .debug_frame
	.text

.macro	function name
	.global	\name
	.type	\name, %function
\name:
.endm

.macro	end name
	.size	\name, . - \name
.endm

#ifdef __thumb__
	.thumb
#else
	.arm
#endif
	.balign	4

	/* The signal frame is at sp: say so, and where to return to. */
#ifdef __thumb__
	.thumb_func
#endif
function entry
	.cfi_startproc
	movw	ip, #:lower16:entry_sp
	movt	ip, #:upper16:entry_sp
	str	sp, [ip]
	str	lr, [ip, #4]
	b	handler
	.cfi_endproc
end entry

#ifdef __thumb__
	.thumb_func
#endif
function before_first
	.cfi_startproc
	push	{r4, r5, r6, lr}
	.cfi_def_cfa_offset 16
	.cfi_offset lr, -4
	sub	sp, sp, #256
	.cfi_def_cfa_offset 272
	mov	r4, r0
	mov	r0, r4
	add	sp, sp, #256
	.cfi_def_cfa_offset 16
	pop	{r4, r5, r6, pc}
	.cfi_endproc
end before_first

#ifdef __thumb__
	.thumb_func
#endif
function first
	.cfi_startproc
#ifdef __thumb__
	.inst.n	0xde00
#else
	.inst	0xe7f000f0
#endif
	add	r0, r0, #1
	bx	lr
	.cfi_endproc
end first

	.bss
	.balign	4
	.global	entry_sp
entry_sp:
	.space	8

	.text
	.arm
	.balign	4
function restorer_arm
	mov	r7, #119
	svc	#0
end restorer_arm

function restorer_arm_rt
	mov	r7, #173
	svc	#0
end restorer_arm_rt

	/* Only looked at: no EABI kernel takes the number from there. */
function restorer_oabi
	.inst	0xef900077
end restorer_oabi

function restorer_oabi_rt
	.inst	0xef9000ad
end restorer_oabi_rt

	.thumb
	.balign	4
	.thumb_func
function restorer_thumb1
	movs	r7, #119
	svc	#0
end restorer_thumb1

	.thumb_func
function restorer_thumb1_rt
	movs	r7, #173
	svc	#0
end restorer_thumb1_rt

	.thumb_func
function restorer_thumb2
	mov.w	r7, #119
	svc	#0
end restorer_thumb2

	.thumb_func
function restorer_thumb2_rt
	mov.w	r7, #173
	svc	#0
end restorer_thumb2_rt

	.section .note.GNU-stack, "", %progbits
