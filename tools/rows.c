// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "rows.h"

bool rule_equal(const struct a32_table_rule *a, const struct a32_table_rule *b)
{
	return !memcmp(a, b, sizeof(*a));
}

struct a32_table_rule rule_of_kind(enum a32_table_kind kind, enum a32_table_source source)
{
	return (struct a32_table_rule){ .kind = kind, .source = source };
}

static void grow(struct rows *rows)
{
	if (rows->nr < rows->room)
		return;
	rows->room = rows->room * 2 + 64;
	rows->row = realloc(rows->row, rows->room * sizeof(*rows->row));
	if (!rows->row)
		msg_no_memory();
}

void rows_add(struct rows *rows, uint32_t addr, const struct a32_table_rule *rule)
{
	addr &= ~1u;
	if (rows->nr && rows->row[rows->nr - 1].addr == addr)
		rows->nr--;
	if (rows->nr && rule_equal(&rows->row[rows->nr - 1].rule, rule))
		return;
	grow(rows);
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

static bool says_nothing(const struct row *row)
{
	return !row || row->rule.kind == A32_TABLE_NO_DATA;
}

void rows_overlay(const struct rows *upper, const struct rows *lower, struct rows *both)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0);
	const struct row *u = NULL, *l = NULL;
	size_t i = 0, j = 0;
	uint32_t addr;

	while (i < upper->nr || j < lower->nr) {
		if (j == lower->nr || (i < upper->nr && upper->row[i].addr <= lower->row[j].addr))
			addr = upper->row[i].addr;
		else
			addr = lower->row[j].addr;
		if (i < upper->nr && upper->row[i].addr == addr)
			u = &upper->row[i++];
		if (j < lower->nr && lower->row[j].addr == addr)
			l = &lower->row[j++];
		if (!says_nothing(u))
			rows_add(both, addr, &u->rule);
		else
			rows_add(both, addr, l ? &l->rule : &none);
	}
}
