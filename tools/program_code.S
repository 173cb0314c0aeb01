/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small programs whose call chains are known, one for each frame ABI and one without frame records: "doctor" runs and
 * samples them. Each is a whole ELF file:
 *
 *	start -> outer -> middle -> inner -> leaf
 *			  middle -> side
 *
 * round and round, without a system call. Every function has one call site, so a pc has one chain. Behind each is a
 * table of its functions, struct program_function; behind the one without records, its unwind table as well.
 */
#ifdef __arm__
	.syntax	unified
	.arch	armv7-a
	.section .rodata

#define BASE		0x10000		/* where a program is mapped, and above any vm.mmap_min_addr */
#define ROUNDS		12		/* of a leaf: few, for samples in prologues and epilogues */

	/* ELF header, and two program headers: all of the file, executable; a stack that is not */
.macro	headers abi, bit
	.balign	8
	.global	program_\abi
program_\abi:
	.byte	0x7f, 'E', 'L', 'F', 1, 1, 1, 0
	.zero	8
	.hword	2, 40			/* ET_EXEC, EM_ARM */
	.word	1, BASE + start_\abi - program_\abi + \bit
	.word	52, 0, 0x05000000	/* EF_ARM_EABI_VER5 */
	.hword	52, 32, 2, 0, 0, 0
	.word	1, 0, BASE, BASE, end_\abi - program_\abi, end_\abi - program_\abi, 5, 4096
	.word	0x6474e551, 0, 0, 0, 0, 0, 6, 16
.endm

	/* struct program_function; caller 0 and no return address: the outermost */
.macro	function abi, name, next, caller, ra
	.word	\name\()_\abi - program_\abi, \next\()_\abi - program_\abi, \caller, \ra\()_\abi - program_\abi
.endm

.macro	functions abi
	.balign	4
	.global	program_\abi\()_size
program_\abi\()_size:
	.word	end_\abi - program_\abi
	.global	program_\abi\()_functions
program_\abi\()_functions:
	function \abi, start, outer, -1, program
	function \abi, outer, middle, 0, in_start
	function \abi, middle, inner, 1, in_outer
	function \abi, inner, leaf, 2, to_inner
	function \abi, leaf, side, 3, in_inner
	function \abi, side, end, 2, to_side
.endm

.macro	spin
	movs	r0, #ROUNDS
1:	subs	r0, r0, #1
	bne	1b
.endm

	/* What calls what; the frames are enter_ABI's and leave_ABI's, those of leaves leaf_ABI's and unleaf_ABI's. */
.macro	graph abi, frame
start_\abi:
	movs	r0, #0
	mov	\frame, r0
	mov	lr, r0
	enter_\abi
again_\abi:
	bl	outer_\abi
in_start_\abi:
	cmp	sp, #0			/* never is */
	bne	again_\abi
	leave_\abi
	.balign	4
outer_\abi:
	enter_\abi
	bl	middle_\abi
in_outer_\abi:
	leave_\abi
	.balign	4
middle_\abi:
	enter_\abi
	bl	inner_\abi
to_inner_\abi:
	bl	side_\abi
to_side_\abi:
	leave_\abi
	.balign	4
inner_\abi:
	enter_\abi
	bl	leaf_\abi
in_inner_\abi:
	leave_\abi
	.balign	4
leaf_\abi:
	enter_leaf_\abi
	spin
	leave_leaf_\abi
	.balign	4
	/* No frame at all */
side_\abi:
	spin
	bx	lr
	.balign	4
end_\abi:
.endm

.macro	enter_apcs
	mov	ip, sp
	push	{fp, ip, lr, pc}
	sub	fp, ip, #4
.endm

.macro	leave_apcs
	sub	sp, fp, #12
	ldm	sp, {fp, sp, pc}
.endm

.macro	enter_leaf_apcs
	enter_apcs
.endm

.macro	leave_leaf_apcs
	leave_apcs
.endm

.macro	enter_aapcs
	push	{fp, lr}
	mov	fp, sp
	sub	sp, sp, #8
.endm

.macro	leave_aapcs
	mov	sp, fp
	pop	{fp, pc}
.endm

.macro	enter_leaf_aapcs
	enter_aapcs
.endm

.macro	leave_leaf_aapcs
	leave_aapcs
.endm

.macro	enter_gcc
	push	{fp, lr}
	add	fp, sp, #4
	sub	sp, sp, #8
.endm

.macro	leave_gcc
	sub	sp, fp, #4
	pop	{fp, pc}
.endm

.macro	enter_leaf_gcc
	str	fp, [sp, #-4]!
	add	fp, sp, #0
.endm

.macro	leave_leaf_gcc
	add	sp, fp, #0
	ldr	fp, [sp], #4
	bx	lr
.endm

.macro	enter_aapcs_r7
	push	{r7, lr}
	mov	r7, sp
	sub	sp, #8
.endm

.macro	leave_aapcs_r7
	add	sp, #8
	pop	{r7, pc}
.endm

.macro	enter_leaf_aapcs_r7
	push	{r7, lr}
	mov	r7, sp
.endm

.macro	leave_leaf_aapcs_r7
	pop	{r7, pc}
.endm

	.arm
	headers	apcs, 0
	graph	apcs, fp
	functions apcs

	headers	aapcs, 0
	graph	aapcs, fp
	functions aapcs

	headers	gcc, 0
	graph	gcc, fp
	functions gcc

	.thumb
	headers	aapcs_r7, 1
	graph	aapcs_r7, r7
	functions aapcs_r7

	/* Without records, and so with an unwind table */
.macro	enter_none
	push	{r4, lr}
	sub	sp, #8
.endm

.macro	leave_none
	add	sp, #8
	pop	{r4, pc}
.endm

.macro	enter_leaf_none
	push	{r4, r5, r6, lr}
.endm

.macro	leave_leaf_none
	pop	{r4, r5, r6, pc}
.endm

	headers	none, 1
	graph	none, r7
	functions none

	/* Rules: no data, outermost, and the bytes that are pushed */
#define NO_DATA		0
#define OUTERMOST	1
#define PUSHED_0	2
#define PUSHED_8	3
#define PUSHED_16	4
#define NR_RULES	5

	/* A32_TABLE_ROW(), little endian */
.macro	row label, more, rule
	.hword	\rule, \label\()_none - program_none + \more
.endm

	/* Rows of a function from its first instruction to the pop at its end, behind its last call */
.macro	rows_of name, behind_call
	row	\name, 0, PUSHED_0
	row	\name, 2, PUSHED_8
	row	\name, 4, PUSHED_16
	row	\behind_call, 2, PUSHED_8
.endm

	/* struct a32_table_rule, source code */
.macro	rule kind, cfa_reg, cfa_off, ra, frames
	.byte	\kind, 3, \cfa_reg, 0
	.word	\cfa_off
	.hword	\ra, \frames, \frames, 0
.endm

#define ROW_NR		((table_rules - table_rows) / 4)
#define SAME		0x7fff
#define IN_LR		(0x7fe0 + 14)

	/* a32table.h */
	.balign	8
	.global	program_table
program_table:
	.ascii	"A32T"
	.word	1, table_end - program_table, 1, ROW_NR, NR_RULES, 0, 0
	.zero	20 + 4			/* no build-id, and nobody compares the code */
	.word	end_none - program_none, 0
	.word	0, ROW_NR
table_rows:
	row	program, 0, NO_DATA
	row	start, 0, OUTERMOST
	rows_of	outer, in_outer
	rows_of	middle, to_side
	rows_of	inner, in_inner
	row	leaf, 0, PUSHED_0
	row	leaf, 2, PUSHED_16
	row	side, 0, PUSHED_0
	row	end, 0, NO_DATA
table_rules:
	rule	3, 0, 0, 0, 0
	rule	1, 0, 0, 0, 0
	rule	0, 13, 0, IN_LR, SAME
	rule	0, 13, 8, -1, SAME
	rule	0, 13, 16, -1, SAME
table_end:
	.global	program_table_size
program_table_size:
	.word	table_end - program_table
#endif

	.section .note.GNU-stack, "", %progbits
