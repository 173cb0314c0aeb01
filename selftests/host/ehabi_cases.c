// SPDX-License-Identifier: GPL-2.0
/*
 * What each unwind instruction of .ARM.exidx comes to. Expected values are
 * worked out by hand from IHI 0038, table "ARM-defined frame-unwinding
 * instructions".
 */
#include <stdlib.h>
#include <string.h>
#include "../../tools/ehabi.h"
#include "../../tools/exidx.h"
#include "../../tools/rows.h"
#include "tap.h"

#define SAME	A32_TABLE_SAME
#define IN_LR	A32_TABLE_IN_REG(14)
#define CODE(...) { __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

/* @reg -1: there is no rule. Slots are in words from the CFA. */
static const struct ehabi_case {
	const char *name;
	uint8_t code[12];
	size_t size;
	int reg;
	int off;
	int ra;
	int r7;
	int r11;
} cases[] = {
	{ "nothing at all", { 0 }, 0, 13, 0, IN_LR, SAME, SAME },
	{ "finish", CODE(0xb0), 13, 0, IN_LR, SAME, SAME },
	{ "nothing counts behind finish", CODE(0xb0, 0xa8), 13, 0, IN_LR, SAME, SAME },
	{ "vsp += 4", CODE(0x00), 13, 4, IN_LR, SAME, SAME },
	{ "vsp += 256", CODE(0x3f), 13, 256, IN_LR, SAME, SAME },
	{ "vsp -= 4", CODE(0x3f, 0x40), 13, 252, IN_LR, SAME, SAME },
	{ "vsp -= 256", CODE(0x3f, 0x00, 0x7f), 13, 4, IN_LR, SAME, SAME },
	{ "refuse to unwind", CODE(0x80, 0x00), -1 },
	{ "pop r4 by mask", CODE(0x80, 0x01), 13, 4, IN_LR, SAME, SAME },
	{ "pop r7 by mask", CODE(0x80, 0x08), 13, 4, IN_LR, -1, SAME },
	{ "pop r11 by mask", CODE(0x80, 0x80), 13, 4, IN_LR, SAME, -1 },
	{ "pop r12 by mask", CODE(0x81, 0x00), 13, 4, IN_LR, SAME, SAME },
	{ "pop sp by mask", CODE(0x82, 0x00), -1 },
	{ "pop lr by mask", CODE(0x84, 0x00), 13, 4, -1, SAME, SAME },
	{ "pop pc by mask", CODE(0x88, 0x00), 13, 4, -1, SAME, SAME },
	{ "pc rather than lr", CODE(0x8c, 0x08), 13, 12, -1, -3, SAME },
	{ "r4 to r11 and lr by mask", CODE(0x84, 0xff), 13, 36, -1, -6, -2 },
	{ "half of a mask", CODE(0x84), -1 },
	{ "vsp = r7", CODE(0x97, 0x84, 0x08), 7, 8, -1, -2, SAME },
	{ "vsp = r11, and back", CODE(0x9b, 0x40, 0x84, 0x80), 11, 4, -1, SAME, -2 },
	{ "vsp = r4", CODE(0x94, 0x84, 0x00), 4, 4, -1, SAME, SAME },
	{ "vsp = sp is reserved", CODE(0x9d), -1 },
	{ "vsp = pc is reserved", CODE(0x9f), -1 },
	{ "vsp = a register that was popped", CODE(0x80, 0x08, 0x97), -1 },
	{ "pop r4", CODE(0xa0), 13, 4, IN_LR, SAME, SAME },
	{ "pop r4 to r7", CODE(0xa3), 13, 16, IN_LR, -1, SAME },
	{ "pop r4 to r11", CODE(0xa7), 13, 32, IN_LR, -5, -1 },
	{ "pop r4 and lr", CODE(0xa8), 13, 8, -1, SAME, SAME },
	{ "pop r4 to r7 and lr", CODE(0xab), 13, 20, -1, -2, SAME },
	{ "pop r4 to r11 and lr", CODE(0xaf), 13, 36, -1, -6, -2 },
	{ "pop r3", CODE(0xb1, 0x08), 13, 4, IN_LR, SAME, SAME },
	{ "pop r3, then lr", CODE(0xb1, 0x08, 0x84, 0x00), 13, 8, -1, SAME, SAME },
	{ "a vararg function's", CODE(0x84, 0x00, 0xb1, 0x0f), 13, 20, -5, SAME, SAME },
	{ "pop nothing of r0 to r3", CODE(0xb1, 0x00), -1 },
	{ "spare mask of r0 to r3", CODE(0xb1, 0x10), -1 },
	{ "no mask of r0 to r3", CODE(0xb1), -1 },
	{ "vsp += 0x204", CODE(0xb2, 0x00), 13, 516, IN_LR, SAME, SAME },
	{ "vsp += 0x204 + (0x81 << 2)", CODE(0xb2, 0x81, 0x01), 13, 1032, IN_LR, SAME, SAME },
	{ "a frame of 8 MiB", CODE(0xb2, 0xff, 0xff, 0x7f), 13, 8389120, IN_LR, SAME, SAME },
	{ "uleb128 without an end", CODE(0xb2, 0x80), -1 },
	{ "uleb128 that is too long", CODE(0xb2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01), -1 },
	{ "a sum too large", CODE(0xb2, 0xff, 0xff, 0xff, 0x07, 0xb2, 0xff, 0xff, 0xff, 0x07), -1 },
	{ "pop d0 and d1 by FSTMX", CODE(0xb3, 0x01), 13, 20, IN_LR, SAME, SAME },
	{ "pop the authentication code", CODE(0xb4), 13, 4, IN_LR, SAME, SAME },
	{ "vsp is the modifier", CODE(0xb5), 13, 0, IN_LR, SAME, SAME },
	{ "0xb6 is spare", CODE(0xb6), -1 },
	{ "0xb7 is spare", CODE(0xb7), -1 },
	{ "pop d8 by FSTMX", CODE(0xb8), 13, 12, IN_LR, SAME, SAME },
	{ "pop d8 to d15 by FSTMX", CODE(0xbf), 13, 68, IN_LR, SAME, SAME },
	{ "pop wR10", CODE(0xc0), 13, 8, IN_LR, SAME, SAME },
	{ "pop wR10 to wR15", CODE(0xc5), 13, 48, IN_LR, SAME, SAME },
	{ "pop wR3 and wR4", CODE(0xc6, 0x31), 13, 16, IN_LR, SAME, SAME },
	{ "pop wCGR0 and wCGR1", CODE(0xc7, 0x03), 13, 8, IN_LR, SAME, SAME },
	{ "pop no wCGR", CODE(0xc7, 0x00), -1 },
	{ "spare mask of wCGR", CODE(0xc7, 0x10), -1 },
	{ "pop d16 to d19", CODE(0xc8, 0x03), 13, 32, IN_LR, SAME, SAME },
	{ "pop d8 to d11", CODE(0xc9, 0x83), 13, 32, IN_LR, SAME, SAME },
	{ "0xca is spare", CODE(0xca), -1 },
	{ "pop d8", CODE(0xd0), 13, 8, IN_LR, SAME, SAME },
	{ "pop d8 to d15, r4 to r11, lr", CODE(0xd7, 0xaf), 13, 100, -1, -6, -2 },
	{ "0xd8 is spare", CODE(0xd8), -1 },
	{ "0xff is spare", CODE(0xff), -1 },
};

static void test_case(const struct ehabi_case *c)
{
	struct a32_table_rule rule, want = {
		.kind = A32_TABLE_FRAME, .source = A32_TABLE_EXIDX, .cfa_reg = c->reg,
		.cfa_off = c->off, .ra = c->ra, .r7 = c->r7, .r11 = c->r11,
	};
	bool ok = ehabi_rule(c->code, c->size, &rule);

	tap_result(c->reg < 0 ? !ok : ok && rule_equal(&rule, &want), "%s", c->name);
}

enum { CODE_AT = 0x1000, INDEX_AT = 0x8000, EXTAB_AT = 0x9000, AREA = 0x200 };

/* Code, an index and an extab, as an image has them */
static uint8_t code[AREA], index_bytes[AREA], extab[AREA];

static struct segment segments[] = {
	{ CODE_AT, AREA, 0, code, true },
	{ INDEX_AT, AREA, 0x7000, index_bytes, false },
	{ EXTAB_AT, AREA, 0x8000, extab, false },
};

static const struct image image = { 3, segments };
static uint32_t nr_entries;

static void put(uint8_t *area, uint32_t at, uint32_t word)
{
	area[at] = word;
	area[at + 1] = word >> 8;
	area[at + 2] = word >> 16;
	area[at + 3] = word >> 24;
}

static void entry(uint32_t addr, uint32_t word)
{
	uint32_t at = 8 * nr_entries++;

	put(index_bytes, at, (addr - (INDEX_AT + at)) & 0x7fffffff);
	put(index_bytes, at + 4, word);
}

static void entry_extab(uint32_t addr, uint32_t offset)
{
	entry(addr, (EXTAB_AT + offset - (INDEX_AT + 8 * nr_entries + 4)) & 0x7fffffff);
}

static void make_index(void)
{
	entry(0x1010, 0x80a8b0b0);	/* inline: pop {r4, lr} */
	entry(0x1020, 1);		/* CANTUNWIND */
	entry(0x1030, 0x80a8b0b0);	/* two of one address, as gold makes them */
	entry(0x1030, 0x80abb0b0);	/* pop {r4-r7, lr} */
	entry(0x1040, 0x81a8b0b0);	/* no routine but 0 can be inline */
	entry_extab(0x1050, 0x00);
	entry_extab(0x1060, 0x10);
	entry_extab(0x1070, 0x20);
	entry_extab(0x1080, 0x30);
	entry_extab(0x1090, AREA - 4);
	entry(0x10a0, 0x8080b0b0);	/* lr is not saved: no function with calls */
	entry(0x10b0, 0x8094a8b0);	/* from r4, which is not followed */
	put(extab, 0x00, 0x80a8b0b0);	/* Su16 */
	put(extab, 0x10, 0x8101b200);	/* Lu16, a word more: vsp += 0x204 */
	put(extab, 0x14, 0x8400b0b0);	/* pop {lr} */
	put(extab, 0x20, 0x8201b281);	/* Lu32: vsp += 0x204 + 4 * 0x81 */
	put(extab, 0x24, 0x018400b0);
	put(extab, 0x30, 0x00000100);	/* generic: a routine's address */
	put(extab, 0x34, 0x01b10884);	/* a word more: pop {r3}, {lr} */
	put(extab, 0x38, 0x00b0b0b0);
	put(extab, AREA - 4, 0x8101b0b0);	/* its second word is in no segment */
}

/* @off: of the CFA from sp; 0 when nothing is known */
static void test_lookup(const struct exidx *exidx, const char *name, uint32_t addr, int off)
{
	struct a32_table_rule rule;
	bool ok = exidx_rule(&image, exidx, addr, &rule);

	tap_result(off ? ok && rule.cfa_off == off && rule.ra == -1 : !ok, "index: %s", name);
}

static void test_index(void)
{
	struct exidx exidx;

	make_index();
	exidx_read(&image, INDEX_AT, 8 * nr_entries, &exidx);
	test_lookup(&exidx, "before the first entry", 0x100e, 0);
	test_lookup(&exidx, "inline", 0x1010, 8);
	test_lookup(&exidx, "up to the next one", 0x101e, 8);
	test_lookup(&exidx, "CANTUNWIND", 0x1020, 0);
	test_lookup(&exidx, "the last of two at an address", 0x1030, 20);
	test_lookup(&exidx, "a routine that can't be inline", 0x1040, 0);
	test_lookup(&exidx, "Su16", 0x1050, 8);
	test_lookup(&exidx, "Lu16", 0x1060, 520);
	test_lookup(&exidx, "Lu32", 0x1070, 1036);
	test_lookup(&exidx, "generic", 0x1080, 8);
	test_lookup(&exidx, "an extab that is cut off", 0x1090, 0);
	test_lookup(&exidx, "a function that does not save lr", 0x10a0, 0);
	test_lookup(&exidx, "a frame from a register that is not followed", 0x10b0, 0);
	exidx_free(&exidx);
}

int main(void)
{
	size_t i;

	tap_plan(sizeof(cases) / sizeof(cases[0]) + 13);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		test_case(&cases[i]);
	test_index();
	return tap_status();
}
