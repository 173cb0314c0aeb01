// SPDX-License-Identifier: GPL-2.0
/*
 * table_random [ROUNDS [SEED]]
 *
 * Random unwind tables: what core/table.c finds in them by bisection, against a
 * walk through their rows as they were before they became a table; and tables
 * with one thing wrong, which are refused.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../module/core/table.h"
#include "../tablefile.h"
#include "random.h"
#include "tap.h"

enum {
	MAX_ROWS	= 600,
	MAX_RULES	= 24,
	PROBES		= 200,
	MAX_NOTES	= 4,
};

/**
 * struct world - a table, and what it was made of
 * @nr: rows
 * @row: they
 * @end: behind the code
 * @size: bytes of @data
 * @data: the table
 * @rule: room for its rules
 * @line: room for its lines
 * @table: it, ready
 */
static struct world {
	u32 nr;
	struct tablefile_row row[MAX_ROWS];
	u32 end;
	u32 size;
	void *data;
	struct a32_rule rule[MAX_RULES + 1];
	u32 *line;
	struct a32_unwind_table table;
} world;

static s16 random_words(void)
{
	static const s16 extreme[] = { -4096, 4095, 0, -1 };

	return random_below(8) ? (s16)-random_below(40) : extreme[random_below(4)];
}

static s16 random_place(void)
{
	switch (random_below(6)) {
	case 0:
		return A32_TABLE_SAME;
	case 1:
		return A32_TABLE_LOST;
	case 2:
		return A32_TABLE_IN_REG(random_below(15));
	default:
		return random_words();
	}
}

static struct a32_table_rule random_rule(void)
{
	static const u8 regs[] = { SP, R7, R11 };
	struct a32_table_rule rule = {
		.kind = random_below(6) ? A32_TABLE_FRAME : random_below(4),
		.source = random_below(A32_TABLE_SOURCE_NR),
	};

	if (rule.kind != A32_TABLE_FRAME)
		return rule;
	rule.cfa_reg = random_below(6) ? regs[random_below(3)] : random_below(15);
	rule.cfa_off = random_below(8) ? random_below(64) * 4 : (s32)random32() & ~3;
	rule.indirect = !random_below(8);
	if (rule.indirect)
		rule.from_saved = random_words();
	rule.ra = random_below(4) ? random_words() : A32_TABLE_IN_REG(random_below(15));
	rule.r7 = random_place();
	rule.r11 = random_place();
	return rule;
}

static void make_world(struct world *w)
{
	struct a32_table_rule rule[MAX_RULES];
	u32 nr_rules = 1 + random_below(MAX_RULES), i, at, step;

	for (i = 0; i < nr_rules; i++)
		rule[i] = random_rule();
	at = random_below(4) ? random_below(64) * 2 : random32() & 0x7ffffffe;
	step = random_below(3) ? 1 + random_below(64) : 1 + random_below(8000);
	w->nr = 1 + random_below(MAX_ROWS);
	for (i = 0; i < w->nr; i++) {
		w->row[i] = (struct tablefile_row){ at, rule[random_below(nr_rules)] };
		at += 2 + 2 * random_below(step);
	}
	w->end = at;
	free(w->data);
	w->data = tablefile_write(w->row, w->nr, w->end, at, &w->size);
}

/* The row that has an offset, by going through all of them; NULL for none */
static const struct a32_table_rule *plain_find(const struct world *w, u32 offset)
{
	const struct a32_table_rule *rule = NULL;
	u32 i;

	for (i = 0; i < w->nr && w->row[i].offset <= offset; i++)
		rule = &w->row[i].rule;
	return offset >= ((w->end + A32_TABLE_BLOCK - 1) & -A32_TABLE_BLOCK) ? NULL : rule;
}

static bool needs_registers(const struct a32_table_rule *t)
{
	return t->indirect || (t->cfa_reg != SP && t->cfa_reg != R7 && t->cfa_reg != R11) ||
	       (t->ra > 4095 && t->ra != A32_TABLE_IN_REG(LR)) ||
	       (t->r7 > 4095 && t->r7 < A32_TABLE_LOST) ||
	       (t->r11 > 4095 && t->r11 < A32_TABLE_LOST);
}

static u32 expected_stop(const struct a32_table_rule *t)
{
	if (!t || t->kind == A32_TABLE_NO_DATA)
		return A32_STOP_NO_DATA;
	if (t->kind == A32_TABLE_FRAME)
		return needs_registers(t) ? A32_TABLE_REGISTERS : A32_STOP_NR;
	return t->kind == A32_TABLE_STOP ? A32_STOP_TABLE : A32_STOP_OUTERMOST;
}

static bool same_place(const struct a32_rule *rule, enum a32_frame_reg reg, s16 at)
{
	bool saved = rule->saved & 1 << reg, lost = rule->lost & 1 << reg;

	if (at == A32_TABLE_SAME)
		return !saved && !lost;
	if (at == A32_TABLE_LOST)
		return !saved && lost;
	return saved && !lost && rule->off[reg] == 4 * at && rule->low >= -4 * at;
}

static bool is_same(const struct a32_rule *rule, const struct a32_table_rule *t)
{
	if (rule->stop != expected_stop(t))
		return false;
	if (rule->stop != A32_STOP_NR)
		return true;
	return a32_frame_reg_number(rule->cfa_reg) == t->cfa_reg && rule->cfa_off == t->cfa_off &&
	       a32_rule_has_ra_in_lr(rule) == (t->ra == A32_TABLE_IN_REG(LR)) &&
	       (rule->held || (rule->ra_off == 4 * t->ra && rule->low >= -4 * t->ra)) &&
	       rule->saved & 1 << FRAME_SP && !(rule->saved & FRAME_NEAR_SP) &&
	       same_place(rule, FRAME_R7, t->r7) && same_place(rule, FRAME_R11, t->r11);
}

static u32 *new_lines(const struct a32_table_header *header)
{
	return calloc(header->nr_blocks * A32_TABLE_LINES, sizeof(u32));
}

static bool lookups(struct world *w)
{
	u32 i, offset;

	if (!w->data || !a32_table_check(w->data, w->size))
		return false;
	free(w->line);
	w->line = new_lines(w->data);
	a32_table_open(&w->table, w->data, w->rule, w->line);
	for (i = 0; i < PROBES; i++) {
		offset = w->row[random_below(w->nr)].offset + random_below(6) - 3;
		if (!random_below(3))
			offset = random_below(8) ? w->row[0].offset + random_below(w->end + 9000) :
				 random32();
		if (!is_same(a32_table_find(&w->table, offset), plain_find(w, offset))) {
			tap_note("offset %#x of %u rows up to %#x", offset, w->nr, w->end);
			return false;
		}
	}
	return true;
}

/* Where the CFA is, if the word is there that it is counted from */
static u32 put_cfa(const struct a32_table_rule *t, const u32 *r, bool there, u32 *word)
{
	u32 at = r[t->cfa_reg] + t->cfa_off;

	a32_memory.nr = 0;
	if (!t->indirect)
		return at;
	*word = random32();
	if (there)
		a32_host_region_add(at & ~3, 4, word);
	return *word + 4 * t->from_saved;
}

/* All registers of a sampled frame are known: where its caller's values are */
static bool at_top(const struct world *w, u32 offset)
{
	const struct a32_table_rule *t = plain_find(w, offset);
	struct a32_span span = { .table = &w->table, .to_offset = 0 };
	u32 r[16], own[16], i, cfa, word;
	bool there = random_below(8);
	struct a32_rule rule;

	for (i = 0; i < 16; i++)
		r[i] = 0xbe000000 + 0x1000 * i + 4 * random_below(64);
	cfa = t && t->kind == A32_TABLE_FRAME ? put_cfa(t, r, there, &word) : 0;
	if (a32_table_at_top(&span, offset, r, own, &rule))
		return is_same(&rule, t) && rule.stop != A32_TABLE_REGISTERS;
	if (t->indirect && !there)
		return rule.stop == A32_STOP_FAULT;
	if (!needs_registers(t) || rule.stop != A32_STOP_NR || rule.cfa_reg != FRAME_SP)
		return false;
	return r[SP] + rule.cfa_off == cfa &&
	       (t->ra <= 4095 ? !rule.held && rule.ra_off == 4 * t->ra :
		a32_rule_has_ra_in_lr(&rule) && own[LR] == r[t->ra & 15]) &&
	       (t->r7 <= 4095 ? rule.off[FRAME_R7] == 4 * t->r7 :
		own[R7] == r[t->r7 >= A32_TABLE_LOST ? R7 : t->r7 & 15]) &&
	       (t->r11 <= 4095 ? rule.off[FRAME_R11] == 4 * t->r11 :
		own[R11] == r[t->r11 >= A32_TABLE_LOST ? R11 : t->r11 & 15]);
}

static bool tops(const struct world *w)
{
	u32 i;

	for (i = 0; i < 20; i++) {
		if (!at_top(w, w->row[random_below(w->nr)].offset))
			return false;
	}
	return true;
}

/* Whatever passes the check can be looked up anywhere: sanitizers see to that. */
static void survives(const void *data, u32 size)
{
	const struct a32_table_header *header = data;
	struct a32_unwind_table table;
	struct a32_rule *rule;
	u32 *line, i;

	if (!a32_table_check(data, size))
		return;
	rule = calloc(header->nr_rules, sizeof(*rule));
	line = new_lines(header);
	a32_table_open(&table, data, rule, line);
	for (i = 0; i < 40; i++)
		a32_table_find(&table, random_below(2) ? random32() :
			       header->first + random_below(header->nr_blocks * A32_TABLE_BLOCK));
	free(rule);
	free(line);
}

static void damage(const struct world *w)
{
	u32 size = random_below(8) ? w->size : random_below(w->size + 1), n = 1 + random_below(4);
	u8 *data = malloc(size ? size : 1);

	memcpy(data, w->data, size);
	while (size && n--) {
		u32 at = random_below(random_below(2) ? size : size < 64 ? size : 64);

		data[at] ^= random_below(2) ? 1 << random_below(8) : random32();
	}
	survives(data, size);
	free(data);
}

/* A table of two blocks and five rows, to be spoilt */
static const struct tablefile_row rows[] = {
	{ 0x1000, TABLEFILE_FRAME(SP, 0, A32_TABLE_IN_REG(14), A32_TABLE_SAME, A32_TABLE_SAME) },
	{ 0x1002, TABLEFILE_FRAME(SP, 8, -1, -2, A32_TABLE_SAME) },
	{ 0x1010, TABLEFILE_FRAME(7, 8, -1, -2, A32_TABLE_LOST) },
	{ 0x2010, TABLEFILE_KIND(OUTERMOST) },
};

static struct a32_table_header *head;
static u32 good_size;

#define BLOCKS	((u32 *)(head + 1))
#define ROWS	(BLOCKS + 3)
#define RULES	((struct a32_table_rule *)(ROWS + 5))

static void spoilt(const char *what)
{
	tap_result(!a32_table_check(head, good_size), "%s: is refused", what);
	free(head);
	head = tablefile_write(rows, 4, 0x2020, 0x2020, &good_size);
}

#define REFUSED(statement) do { statement; spoilt(#statement); } while (0)

static void refusals(void)
{
	u32 size;

	head = tablefile_write(rows, 4, 0x2020, 0x2020, &good_size);
	tap_result(a32_table_check(head, good_size) && head->nr_rows == 5 && head->nr_rules == 4,
		   "the table that is spoilt in what follows");
	for (size = 0; size < good_size && !a32_table_check(head, size); size++)
		;
	tap_result(size == good_size, "every shorter one: is refused");
	REFUSED(head->magic++);
	REFUSED(head->version = 0);
	REFUSED(head->version = 2);
	REFUSED(head->size += 4);
	REFUSED(head->size -= 4);
	REFUSED(head->size = 0);
	REFUSED(head->nr_blocks = 0);
	REFUSED(head->nr_blocks = 3);
	REFUSED(head->nr_blocks = 0xffffffff);
	REFUSED(head->nr_rows = 1);
	REFUSED(head->nr_rows = 4);
	REFUSED(head->nr_rows = 6);		/* all sizes are the same then */
	REFUSED(head->nr_rows = 0xffffffff);
	REFUSED(head->nr_rules = 0);
	REFUSED(head->nr_rules = 3);
	REFUSED(head->nr_rules = 65537);
	REFUSED(head->nr_rules = 0x10000004);
	REFUSED(head->first = 0x1004);
	REFUSED(head->first = 0x3000);		/* behind the end of the file */
	REFUSED(head->first = 0xfffff000; head->file_size = ~0ull);
	REFUSED(head->file_size = 0);
	REFUSED(head->file_size = 0x2000);
	REFUSED(head->build_id_size = 21);
	REFUSED(head->build_id[0] = 1);
	REFUSED(head->build_id_size = 4; head->build_id[4] = 1);
	REFUSED(BLOCKS[0] = 1);
	REFUSED(BLOCKS[1] = 0);
	REFUSED(BLOCKS[1] = 2);
	REFUSED(BLOCKS[1] = 5);
	REFUSED(BLOCKS[1] = 0xffffffff);
	REFUSED(BLOCKS[2] = 4);
	REFUSED(BLOCKS[2] = 6);
	REFUSED(ROWS[0] = A32_TABLE_ROW(2, 0));
	REFUSED(ROWS[1] = A32_TABLE_ROW(0, 1));
	REFUSED(ROWS[1] = A32_TABLE_ROW(3, 1));
	REFUSED(ROWS[1] = A32_TABLE_ROW(0x10, 0));
	REFUSED(ROWS[1] = A32_TABLE_ROW(0x10, 2));
	REFUSED(ROWS[1] = A32_TABLE_ROW(0x12, 1));
	REFUSED(ROWS[3] = A32_TABLE_ROW(2, 2));
	REFUSED(ROWS[4] = A32_TABLE_ROW(A32_TABLE_BLOCK, 3));
	REFUSED(ROWS[0] = A32_TABLE_ROW(0, 4));
	REFUSED(ROWS[4] = A32_TABLE_ROW(0x10, 0xffff));
	REFUSED(RULES[0].kind = 4);
	REFUSED(RULES[0].source = A32_TABLE_SOURCE_NR);
	REFUSED(RULES[0].indirect = 2);
	REFUSED(RULES[0].from_saved = 1);
	REFUSED(RULES[0].indirect = 1; RULES[0].from_saved = 4096);
	REFUSED(RULES[3].indirect = 1);
	REFUSED(RULES[0].cfa_reg = PC);
	REFUSED(RULES[0].cfa_reg = 16);
	REFUSED(RULES[0].cfa_off = 2);
	REFUSED(RULES[0].cfa_off = -1);
	REFUSED(RULES[0].ra = A32_TABLE_SAME);
	REFUSED(RULES[0].ra = A32_TABLE_LOST);
	REFUSED(RULES[0].ra = A32_TABLE_IN_REG(15));
	REFUSED(RULES[0].ra = 4096);
	REFUSED(RULES[0].ra = -4097);
	REFUSED(RULES[0].r7 = 4096);
	REFUSED(RULES[0].r7 = -4097);
	REFUSED(RULES[0].r7 = A32_TABLE_IN_REG(15));
	REFUSED(RULES[0].r7 = 0x7fdf);
	REFUSED(RULES[0].r11 = 4096);
	REFUSED(RULES[0].r11 = -32768);
	REFUSED(RULES[3].kind = A32_TABLE_STOP; RULES[3].cfa_reg = SP);
	REFUSED(RULES[3].cfa_off = 4);
	REFUSED(RULES[3].ra = -1);
	REFUSED(RULES[3].r7 = A32_TABLE_SAME);
	REFUSED(RULES[3].r11 = A32_TABLE_SAME);
	free(head);
}

int main(int argc, char **argv)
{
	u32 rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 4000, i;
	bool found = true, top = true;

	random_seed(argc > 2 ? strtoul(argv[2], NULL, 0) : 1);
	tap_plan(5 + 68);
	for (i = 0; i < rounds && found && top; i++) {
		make_world(&world);
		found = lookups(&world);
		top = found && tops(&world);
		damage(&world);
	}
	tap_result(found, "the rows of random tables are found");
	tap_result(top, "what they say of a sampled frame");
	tap_result(true, "damaged tables are refused, or harmless");
	refusals();
	free(world.data);
	free(world.line);
	return tap_status();
}
