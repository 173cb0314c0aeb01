/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions as tables: at each instruction, where the frame is. A thread is
 * made that has stopped there, called from two more functions, and walked.
 */
#ifndef A32_CASES_H
#define A32_CASES_H

#include "../../module/core/table.h"
#include "../../module/core/walk.h"

/* Addresses of the thread that is walked */
enum {
	CODE_START	= 0x10000,
	CODE_SIZE	= 0x40000,
	START_AT	= 0x20000,	/* the thread's outermost function */
	OUTER_AT	= 0x20100,	/* called by that */
	INNER_AT	= 0x20200,	/* called by OUTER, calls the function of the case */
	CASE_AT		= 0x30000,
	UPROBES_AT	= 0x60000,	/* [uprobes]: probed functions return there */
	LEAF_AT		= 0x38000,	/* returns at once; so does all else */
	LIBRARY_AT	= 0x40000,	/* up to the end of the code: another file */
	STACK_START	= 0xbefe0000,
	STACK_BYTES	= 0x20000,
	CFA		= 0xbeffe000,	/* of the function of the case */
	CASE_STEPS	= 512,		/* that a function has at most */
};

/**
 * struct step - an instruction, and the frame before it is executed
 * @code: its encoding; of a wide Thumb one, the first halfword is the upper
 * @len: bytes
 * @text: its disassembly
 * @sp: bytes from sp up to the CFA
 * @ra: the return address is at CFA + ra; 0: it is in lr
 * @saved: the caller's frame register is at CFA + saved; 0: not saved
 * @fp: the frame register is CFA + fp; 0: it is the caller's
 * @stop: 0 when the chain must be whole; else why it ends at this frame, plus 1
 * @flags: condition flags that the way here leaves set
 * @reg: a register that holds an address on the stack, when @val isn't 0, or
 *	something else, when @num isn't
 * @val: that is CFA + val
 * @num: that is it
 * @ra_reg: the return address is in that register; 0: it is as @ra says
 * @saved_reg: so is the caller's frame register; 0: it is as @saved says
 * @data: no instruction: it is only there to be read
 *
 * Every column follows from the disassembly above it and the procedure call
 * standard, never from the code under test.
 */
struct step {
	u32 code;
	u8 len;
	const char *text;
	s32 sp;
	s32 ra;
	s32 saved;
	s32 fp;
	u32 stop;
	u32 flags;
	u32 reg;
	s32 val;
	u32 num;
	u32 ra_reg;
	u32 saved_reg;
	bool data;
};

enum { FLAG_Z = 1 << 30 };	/* of cpsr */

/**
 * struct function_case - a function, to be stopped at each instruction
 * @name: what it is, for the result
 * @abi: the frame ABI it and its callers follow
 * @thumb: its instruction set
 * @nr: instructions
 * @step: they
 */
struct function_case {
	const char *name;
	u32 abi;
	bool thumb;
	u32 nr;
	const struct step *step;
};

#define CASE(title, frame_abi, is_thumb, steps) \
	{ title, A32_ABI_##frame_abi, is_thumb, sizeof(steps) / sizeof((steps)[0]), steps }

/* The memory and registers of the thread */
struct thread {
	u32 abi;
	bool thumb;
	u8 code[CODE_SIZE];
	u8 stack[STACK_BYTES];
	u32 r[16];
	u32 cpsr;
	u32 ret;	/* return addresses, bit 0 clear: in INNER, in OUTER, in START */
	u32 ret_inner;
	u32 ret_outer;
	u32 fp_inner;	/* INNER's frame register */
	const u32 *kuser;	/* the kernel's helpers, A32_KUSER_SIZE bytes; or NULL */
	struct a32_host_returns returns;
	const struct a32_unwind_table *table;	/* of the library, or NULL */
	u32 stop;	/* of the last walk */
	u32 nr;
	u64 entry[16];
};

/* Make a thread with START, OUTER and INNER, about to enter CASE_AT. */
void thread_init(struct thread *t, u32 abi, bool thumb);

/* Put code at an address; returns the one behind it. */
u32 thread_code(struct thread *t, u32 addr, u32 code, u32 len);

void thread_poke(struct thread *t, u32 addr, u32 val);
u32 thread_peek(const struct thread *t, u32 addr);

/* A call from addr to target in the thread's instruction set */
u32 thread_call(struct thread *t, u32 addr, u32 target);

/* The register that frames of the thread's ABI are built on */
u32 thread_frame_register(const struct thread *t);

/* Walk it as it is; @warm lets the walk know what an earlier one found. */
void thread_walk(struct thread *t, bool warm);

/**
 * thread_expect() - check the last walk's chain
 * @t: the thread
 * @nr: entries; those of the three callers come behind
 * @entry: they, bit 0 clear
 *
 * Return: false, with a note, unless the chain is that and ends with OUTERMOST
 */
bool thread_expect(const struct thread *t, u32 nr, const u32 *entry);

/* Stop the function at each of its instructions, and give one result. */
void case_run(const struct function_case *c);

#endif
