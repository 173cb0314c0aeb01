/* SPDX-License-Identifier: GPL-2.0 */
/* Small built-in programs whose call chains are known: see program_code.S. */
#ifndef A32_PROGRAM_H
#define A32_PROGRAM_H

#include <stddef.h>

#include "a32uwind.h"

#define PROGRAM_BASE	0x10000		/* address of a program's first byte */

/**
 * struct program_function - one function; offsets from the program's first byte
 * @start: its first instruction
 * @end: behind its last
 * @caller: which function calls it; -1: none, it is where the program starts
 * @ra: where it returns to
 */
struct program_function {
	__u32 start;
	__u32 end;
	__s32 caller;
	__u32 ra;
};

/**
 * struct program - a program that runs until it is killed
 * @name: the frame ABI that its functions follow, or "table"
 * @abi: the same; A32_ABI_NONE: it is followed by @table
 * @file: the ELF file
 * @size: bytes of it
 * @functions: its code, function by function
 * @nr: how many
 * @table: its unwind table, or NULL
 * @table_size: bytes of that
 */
struct program {
	const char *name;
	__u32 abi;
	const void *file;
	const __u32 *size;
	const struct program_function *functions;
	int nr;
	const void *table;
	const __u32 *table_size;
};

/* There are none but on 32-bit ARM; ends with a NULL name. */
extern const struct program programs[];

enum verdict {
	CHAIN_EXACT,
	CHAIN_SHORT,		/* the true one's beginning */
	CHAIN_WRONG,
	CHAIN_VERDICTS,
};

/* @chain is what was sampled: @nr user addresses, the pc first. */
enum verdict program_judge(const struct program *program, const __u64 *chain, unsigned int nr);

#endif
