// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "rows.h"

bool rule_equal(const struct a32_table_rule *a, const struct a32_table_rule *b)
{
	return !memcmp(a, b, sizeof(*a));
}

struct a32_table_rule rule_of_kind(enum a32_table_kind kind, enum a32_table_source source)
{
	return (struct a32_table_rule){ .kind = kind, .source = source };
}

void rows_add(struct rows *rows, uint32_t addr, const struct a32_table_rule *rule)
{
	addr &= ~1u;
	if (rows->nr && rows->row[rows->nr - 1].addr == addr)
		rows->nr--;
	if (rows->nr && rule_equal(&rows->row[rows->nr - 1].rule, rule))
		return;
	rows->row = array_grow(rows->row, rows->nr, &rows->room, sizeof(*rows->row));
	rows->row[rows->nr++] = (struct row){ .addr = addr, .rule = *rule };
}

void rows_free(struct rows *rows)
{
	free(rows->row);
	*rows = (struct rows){ 0 };
}

size_t rows_find(const struct rows *rows, uint32_t addr)
{
	size_t low = 0, high = rows->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (rows->row[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct a32_table_rule *rows_at(const struct rows *rows, uint32_t addr)
{
	size_t i = rows_find(rows, addr);

	return i ? &rows->row[i - 1].rule : NULL;
}

typedef struct a32_table_rule (*choice)(const struct a32_table_rule *a,
					const struct a32_table_rule *b);

static const struct a32_table_rule no_data = { .kind = A32_TABLE_NO_DATA };

/* Goes through the addresses where either has a row. */
static void merge(const struct rows *a, const struct rows *b, choice choose, struct rows *both)
{
	const struct a32_table_rule *of_a = &no_data, *of_b = &no_data;
	struct a32_table_rule rule;
	size_t i = 0, j = 0;
	uint32_t addr;

	while (i < a->nr || j < b->nr) {
		if (j == b->nr || (i < a->nr && a->row[i].addr <= b->row[j].addr))
			addr = a->row[i].addr;
		else
			addr = b->row[j].addr;
		if (i < a->nr && a->row[i].addr == addr)
			of_a = &a->row[i++].rule;
		if (j < b->nr && b->row[j].addr == addr)
			of_b = &b->row[j++].rule;
		rule = choose(of_a, of_b);
		rows_add(both, addr, &rule);
	}
}

static struct a32_table_rule choose_upper(const struct a32_table_rule *upper,
					  const struct a32_table_rule *lower)
{
	return upper->kind == A32_TABLE_NO_DATA ? *lower : *upper;
}

void rows_overlay(const struct rows *upper, const struct rows *lower, struct rows *both)
{
	merge(upper, lower, choose_upper, both);
}

void rows_put_under(struct rows *rows, struct rows *lower)
{
	struct rows both = { 0 };

	rows_overlay(rows, lower, &both);
	rows_free(rows);
	rows_free(lower);
	*rows = both;
}

static bool is_slot(int16_t words)
{
	return words >= -4096 && words <= 4095;
}

/* A register may be saved and unchanged at the same time, but it is in one slot. */
static bool differ(int16_t a, int16_t b)
{
	return is_slot(a) && is_slot(b) && a != b;
}

/* One counts from a register that has the caller's value, the other says. */
static bool counts_from_callers(const struct a32_table_rule *a, const struct a32_table_rule *b)
{
	return (a->cfa_reg == 7 && b->r7 == A32_TABLE_SAME) ||
	       (a->cfa_reg == 11 && b->r11 == A32_TABLE_SAME);
}

bool rule_contradicts(const struct a32_table_rule *a, const struct a32_table_rule *b)
{
	if (a->kind != A32_TABLE_FRAME || b->kind != A32_TABLE_FRAME)
		return false;
	return (!a->indirect && !b->indirect && a->cfa_reg == b->cfa_reg &&
		a->cfa_off != b->cfa_off) ||
	       counts_from_callers(a, b) || counts_from_callers(b, a) ||
	       differ(a->ra, b->ra) || differ(a->r7, b->r7) || differ(a->r11, b->r11);
}
