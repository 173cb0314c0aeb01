// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>

#include "program.h"

#ifdef __arm__

#define NR_FUNCTIONS	6

#define DECLARE(abi)							\
	extern const char program_##abi[];				\
	extern const __u32 program_##abi##_size;			\
	extern const struct program_function program_##abi##_functions[NR_FUNCTIONS]

#define FILE_OF(abi)							\
	.file = program_##abi, .size = &program_##abi##_size,		\
	.functions = program_##abi##_functions, .nr = NR_FUNCTIONS

DECLARE(apcs);
DECLARE(aapcs);
DECLARE(gcc);
DECLARE(aapcs_r7);
DECLARE(none);
extern const char program_table[];
extern const __u32 program_table_size;

const struct program programs[] = {
	{ .name = "apcs", .abi = A32_ABI_APCS, FILE_OF(apcs) },
	{ .name = "aapcs", .abi = A32_ABI_AAPCS, FILE_OF(aapcs) },
	{ .name = "gcc", .abi = A32_ABI_GCC, FILE_OF(gcc) },
	{ .name = "aapcs-r7", .abi = A32_ABI_AAPCS_R7, FILE_OF(aapcs_r7) },
	{ .name = "table", .abi = A32_ABI_NONE, FILE_OF(none),
	  .table = program_table, .table_size = &program_table_size },
	{ .name = NULL },
};

#else

const struct program programs[] = {
	{ .name = NULL },
};

#endif

static int function_at(const struct program *program, __u64 address)
{
	__u64 at = address - PROGRAM_BASE;
	int i;

	for (i = 0; i < program->nr; i++)
		if (at >= program->functions[i].start && at < program->functions[i].end)
			return i;
	return -1;
}

enum verdict program_judge(const struct program *program, const __u64 *chain, unsigned int nr)
{
	const struct program_function *function;
	unsigned int i;
	int at;

	at = nr ? function_at(program, chain[0]) : -1;
	if (at < 0)
		return CHAIN_WRONG;
	for (i = 1;; i++) {
		function = &program->functions[at];
		at = function->caller;
		if (at < 0)
			return i == nr ? CHAIN_EXACT : CHAIN_WRONG;
		if (i == nr)
			return CHAIN_SHORT;
		if (chain[i] != PROGRAM_BASE + function->ra)
			return CHAIN_WRONG;
	}
}
