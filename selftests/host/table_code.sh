#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# table_code.sh [A32UWCTL]
#
# Rows of machine code that is assembled here: frames by other registers than sp, and call frame information that says
# something else than the code. Expected rows follow from the instructions.
set -u
here=$(cd "${0%/*}" && pwd)
# shellcheck source=table_rows.sh
. "$here/table_rows.sh"

# thumb_function NAME: the library NAME.so of one Thumb function, which is on stdin
thumb_function() {
	{
		printf '.cfi_sections .debug_frame\n.syntax unified\n.thumb\n.globl %s\n.type %s, %%function\n%s:\n' "$1" "$1" "$1"
		cat
		printf '.size %s, .-%s\n' "$1" "$1"
	} | assemble "$1.so"
}

# cfi_function NAME: the same, with call frame information of all of it
cfi_function() {
	{
		echo .cfi_startproc
		cat
		echo .cfi_endproc
	} | thumb_function "$1"
}

# As OpenSSL's bn_mul_mont() has it: what was taken from sp is added to it again.
test_size() {
	thumb_function size <<-EOF
		push	{r4-r7, lr}
		lsls	r0, r0, #2
		sub	sp, sp, r0
		sub	sp, #4
		subs	r0, #4
		add	r0, sp		@ cfa - 20 - 4 - 4
		nop
		mov	r4, sp
		mov	sp, r0
		add	sp, #8
		pop	{r4-r7, pc}
	EOF
	same "sp is moved by a register, and back" size.so --source code <<-EOF
	0-2 sp+0 lr same same code
	2-8 sp+20 cfa-4 cfa-8 same code
	8-14 stop - - - code
	14-20 r0+28 cfa-4 cfa-8 same code
	20-22 sp+28 cfa-4 cfa-8 same code
	22-24 sp+20 cfa-4 cfa-8 same code
	EOF
	thumb_function other <<-EOF
		push	{r4-r7, lr}
		sub	sp, sp, r0
		mov	r0, r1
		add	sp, r0
		nop
		b	.
	EOF
	same "back by something else" other.so --source code <<-EOF
	0-2 sp+0 lr same same code
	2-6 sp+20 cfa-4 cfa-8 same code
	6-14 stop - - - code
	EOF
}

# Only the second time is r6 a size at all, and that of the first time.
test_size_of_another_time() {
	thumb_function twice <<-EOF
		push	{r4-r6, lr}
		mov	r4, sp
		cmp	r0, #0
		bne	3f
	1:	sub	sp, sp, r5
		add	ip, sp, r6
		beq	2f
		mov	sp, ip
		nop
	2:	mov	sp, r4
		mov	r6, r5
		ldr	r5, [r1], #4
		mov	r7, r1
		cmp	r5, #0
		bne	1b
	3:	mov	sp, r4
		pop	{r4-r6, pc}
	EOF
	same "the size of another time" twice.so --source code <<-EOF
	0-2 sp+0 lr same same code
	2-8 sp+16 cfa-4 same same code
	8-12 sp+16 cfa-4 lost same code
	12-24 r4+16 cfa-4 lost same code
	24-40 sp+16 cfa-4 lost same code
	EOF
}

# As OpenSSL's SHA-1 for NEON has it: the old sp is in lr, and in sp again on one way.
test_aligned() {
	thumb_function aligned <<-EOF
		push	{r4, lr}
		mov	lr, sp
		sub	ip, sp, #64
		bic	ip, ip, #15
		mov	sp, ip
	1:	nop
		cmp	r0, #0
		it	eq
		moveq	sp, lr
		bne	1b
		pop	{r4, pc}
	EOF
	same "sp is aligned, and was put into lr" aligned.so --source code <<-EOF
	0-2 sp+0 lr same same code
	2-14 sp+8 cfa-4 same same code
	14-24 lr+8 cfa-4 same same code
	24-26 sp+8 cfa-4 same same code
	EOF
}

# As in glibc's __mpn_submul_1()
test_forgotten_pop() {
	cfi_function forgotten <<-EOF
		push	{r7, lr}
		.cfi_def_cfa_offset 8
		.cfi_offset lr, -4
		.cfi_offset r7, -8
		cbz	r0, 1f
		pop	{r7, pc}
	1:	pop	{r7, lr}
		bx	lr
	EOF
	same "CFI knows nothing of a pop" forgotten.so <<-EOF
	0-2 sp+0 lr same same debug_frame
	2-10 sp+8 cfa-4 cfa-8 same debug_frame
	10-12 sp+0 lr same same code
	EOF
	same "and no code is to be used" forgotten.so --source debug_frame <<-EOF
	0-2 sp+0 lr same same debug_frame
	2-10 sp+8 cfa-4 cfa-8 same debug_frame
	10-12 stop - - - debug_frame
	EOF
	"$ctl" table build forgotten.so >"$tmp/out" 2>"$tmp/err"
	grep -q '^corrected	2$' "$tmp/out" && grep -q '^doubted	0$' "$tmp/out"
	result $? "it is counted"
	"$ctl" table build forgotten.so --source debug_frame --json >"$tmp/out" 2>"$tmp/err"
	grep -q '"corrected": 0' "$tmp/out" && grep -q '"doubted": 2' "$tmp/out"
	result $? "and so is the other, as JSON"
}

# r7 isn't sp + 4 yet where CFI begins to count from it, and is the caller's again where it goes on to.
test_frame_register() {
	cfi_function framed <<-EOF
		push	{r4, r7, lr}
		.cfi_def_cfa r7, 8
		.cfi_offset lr, -4
		.cfi_offset r7, -8
		sub	sp, #16
		add	r7, sp, #20
		nop
		add	sp, #16
		pop	{r4, r7, pc}
	EOF
	same "CFI is early to count from r7" framed.so <<-EOF
	0-2 sp+0 lr same same debug_frame
	2-4 sp+12 cfa-4 cfa-8 same code
	4-6 sp+28 cfa-4 cfa-8 same code
	6-12 r7+8 cfa-4 cfa-8 same debug_frame
	EOF
}

# What CFI has an expression for, the code may know.
test_expression() {
	cfi_function expression <<-EOF
		push	{r4, lr}
		.cfi_escape 0x0f, 3, 0x7d, 0, 0x06
		nop
		pop	{r4, pc}
	EOF
	same "CFI that no row can say" expression.so <<-EOF
	0-2 sp+0 lr same same debug_frame
	2-6 sp+8 cfa-4 same same code
	EOF
}

# As in glibc's _dl_runtime_profile(), which is jumped to behind a push of lr: the code can't know.
test_entry() {
	cfi_function entry <<-EOF
		.cfi_def_cfa_offset 4
		.cfi_offset lr, -4
		sub	sp, #8
		.cfi_def_cfa_offset 12
		nop
		add	sp, #8
		.cfi_def_cfa_offset 4
		pop	{pc}
	EOF
	same "they differ where the function begins" entry.so <<-EOF
	0-8 stop - - - debug_frame
	EOF
	thumb_function late <<-EOF
		push	{r4, lr}
		.cfi_startproc
		.cfi_def_cfa_offset 12
		.cfi_offset lr, -4
		nop
		.cfi_endproc
		pop	{r4, pc}
	EOF
	same "CFI begins behind the function's start" late.so <<-EOF
	0-2 sp+0 lr same same code
	2-4 stop - - - debug_frame
	4-6 sp+8 cfa-4 same same code
	EOF
}

# A jump to where isn't known may lead anywhere, with another frame.
test_lost() {
	cfi_function lost <<-EOF
		push	{r4, lr}
		.cfi_def_cfa_offset 8
		.cfi_offset lr, -4
		cbz	r0, 1f
		bx	r1
	1:	pop	{r4, lr}
		bx	lr
	EOF
	same "not all ways are known" lost.so <<-EOF
	0-2 sp+0 lr same same debug_frame
	2-10 sp+8 cfa-4 same same debug_frame
	10-12 stop - - - debug_frame
	EOF
}

echo "TAP version 13"
test_size
test_size_of_another_time
test_aligned
test_forgotten_pop
test_frame_register
test_expression
test_entry
test_lost
tap_end
