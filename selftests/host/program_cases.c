// SPDX-License-Identifier: GPL-2.0
/* What "doctor" makes of chains of a program that it knows: exact, short, or wrong. */
#include "../../tools/program.h"
#include "tap.h"

#define AT(offset)	(PROGRAM_BASE + (offset))

/* start (0x10) calls outer (0x20), that calls inner (0x30) and then side (0x40). */
static const struct program_function functions[] = {
	{ 0x10, 0x20, -1, 0 },
	{ 0x20, 0x30, 0, 0x14 },
	{ 0x30, 0x40, 1, 0x26 },
	{ 0x40, 0x50, 1, 0x2a },
};

static const struct program program = { .name = "test", .functions = functions, .nr = 4 };

static const struct {
	const char *name;
	enum verdict want;
	unsigned int nr;
	__u64 chain[6];
} cases[] = {
	{ "the outermost function", CHAIN_EXACT, 1, { AT(0x1e) } },
	{ "all callers", CHAIN_EXACT, 3, { AT(0x30), AT(0x26), AT(0x14) } },
	{ "the last byte of a function", CHAIN_EXACT, 3, { AT(0x3f), AT(0x26), AT(0x14) } },
	{ "two functions with one caller", CHAIN_EXACT, 3, { AT(0x40), AT(0x2a), AT(0x14) } },
	{ "no caller", CHAIN_SHORT, 1, { AT(0x36) } },
	{ "the last caller is missing", CHAIN_SHORT, 2, { AT(0x36), AT(0x26) } },
	{ "a caller in the middle is missing", CHAIN_WRONG, 2, { AT(0x36), AT(0x14) } },
	{ "another's return address", CHAIN_WRONG, 3, { AT(0x36), AT(0x2a), AT(0x14) } },
	{ "a caller is there twice", CHAIN_WRONG, 4, { AT(0x36), AT(0x26), AT(0x26), AT(0x14) } },
	{ "an entry behind the outermost", CHAIN_WRONG, 4, { AT(0x36), AT(0x26), AT(0x14), 0 } },
	{ "an entry behind the outermost function", CHAIN_WRONG, 2, { AT(0x10), AT(0x14) } },
	{ "a Thumb bit", CHAIN_WRONG, 3, { AT(0x36), AT(0x27), AT(0x14) } },
	{ "a pc behind the program", CHAIN_WRONG, 1, { AT(0x50) } },
	{ "a pc in its headers", CHAIN_WRONG, 1, { AT(0xc) } },
	{ "a pc below it", CHAIN_WRONG, 1, { 0x20 } },
	{ "no entry", CHAIN_WRONG, 0, { 0 } },
};

int main(void)
{
	unsigned int i, nr = sizeof(cases) / sizeof(cases[0]);

	tap_plan(nr);
	for (i = 0; i < nr; i++)
		tap_result(program_judge(&program, cases[i].chain, cases[i].nr) == cases[i].want,
			   "%s", cases[i].name);
	return tap_status();
}
