/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions without a frame record among those that have one, as in hand-written code and in libgcc: each lies about
 * its caller to whoever takes lr, the frame register or old stack words at face value.
 */
	.syntax	unified
	.text
#ifdef __thumb__
	.thumb
#define FUNCTION	.thumb_func
#else
	.arm
#define FUNCTION
#endif
#ifdef FRAME_R7
#define FRAME		r7
#else
#define FRAME		r11
#endif

.macro	function name
	.balign	4
	.global	\name
	.type	\name, %function
	FUNCTION
\name:
.endm

.macro	end name
	.size	\name, . - \name
.endm

.macro	spin
	movw	r0, #200
1:	subs	r0, r0, #1
	bne	1b
.endm

	/* lr = a true return address into decoy(). */
.macro	plausible_lr
	adr	lr, decoy_return
.endm

function decoy
	push	{r4, lr}
	bl	decoy_callee
decoy_return:
	pop	{r4, pc}
end decoy

function decoy_callee
	bx	lr
end decoy_callee

	/* lr is saved, but not in a record. */
function saved_lr
	push	{r4, r5, r6, lr}
	sub	sp, sp, #64
	spin
	add	sp, sp, #64
	pop	{r4, r5, r6, pc}
end saved_lr

function lr_is_text
	push	{r4, lr}
	plausible_lr
	spin
	pop	{r4, pc}
end lr_is_text

function lr_is_stack
	push	{r4, lr}
	mov	lr, sp
	spin
	pop	{r4, pc}
end lr_is_stack

function lr_moved
	mov	ip, lr
	plausible_lr
	spin
	bx	ip
end lr_moved

	/* A return address in r12, and lr that of another function's. */
function lr_moved_stacked
	sub	sp, sp, #8
	str	lr, [sp, #4]
	plausible_lr
	str	lr, [sp]
	spin
	ldr	ip, [sp, #4]
	add	sp, sp, #8
	bx	ip
end lr_moved_stacked

function frame_is_number
	push	{r4, FRAME, lr}
	movw	FRAME, #4660
	spin
	pop	{r4, FRAME, pc}
end frame_is_number

	/* Between two functions with records: its caller is in no chain of records. */
function between
	push	{r4, lr}
	bl	between_callee
	pop	{r4, pc}
end between

function between_moved
	push	{r4, r5, r6, lr}
	sub	sp, sp, #128
	bl	between_moved_callee
	add	sp, sp, #128
	pop	{r4, r5, r6, pc}
end between_moved

	/* The frame register of its callees' records holds no frame. */
function number_between
	push	{r4, FRAME, lr}
	movw	FRAME, #4660
	bl	number_between_callee
	pop	{r4, FRAME, pc}
end number_between

	/* Two of them in a row, over stack words that earlier calls left there. */
function first_of_two
	push	{r4, r5, r6, lr}
	sub	sp, sp, #48
	bl	second_of_two
	add	sp, sp, #48
	pop	{r4, r5, r6, pc}
end first_of_two

function second_of_two
	sub	sp, sp, #16
	str	lr, [sp]
	spin
	ldr	lr, [sp]
	add	sp, sp, #16
	bx	lr
end second_of_two

	.section .note.GNU-stack, "", %progbits
