// SPDX-License-Identifier: GPL-2.0
/* How rows of several sources are put together. */
#include "../../tools/rows.h"
#include "tap.h"

enum { DEBUG = A32_TABLE_DEBUG_FRAME, EXIDX = A32_TABLE_EXIDX };

#define SP_PLUS(off, from)	{ .cfa_reg = 13, .cfa_off = (off), .ra = -1, .source = (from) }
#define NO_DATA			{ .kind = A32_TABLE_NO_DATA }
#define STOP(from)		{ .kind = A32_TABLE_STOP, .source = (from) }

/* Ends with an address of 0. */
struct list {
	struct row row[8];
};

static void put(const struct list *list, struct rows *rows)
{
	const struct row *row;

	rows_free(rows);
	for (row = list->row; row->addr; row++)
		rows_add(rows, row->addr, &row->rule);
}

static bool same(const struct rows *rows, const struct list *want)
{
	size_t i;

	for (i = 0; i < rows->nr; i++)
		if (rows->row[i].addr != want->row[i].addr ||
		    !rule_equal(&rows->row[i].rule, &want->row[i].rule))
			return false;
	return !want->row[i].addr;
}

typedef void (*putting)(const struct rows *a, const struct rows *b, struct rows *both);

static void test(const char *name, putting together, const struct list *first,
		 const struct list *second, const struct list *want)
{
	struct rows a = { 0 }, b = { 0 }, both = { 0 };

	put(first, &a);
	put(second, &b);
	together(&a, &b, &both);
	tap_result(same(&both, want), "%s", name);
	rows_free(&a);
	rows_free(&b);
	rows_free(&both);
}

static void test_adding(void)
{
	static const struct list twice = { { { 8, SP_PLUS(0, 0) }, { 16, SP_PLUS(8, 0) },
					     { 16, SP_PLUS(4, 0) } } };
	static const struct list twice_want = { { { 8, SP_PLUS(0, 0) }, { 16, SP_PLUS(4, 0) } } };
	static const struct list equal = { { { 8, SP_PLUS(0, 0) }, { 16, SP_PLUS(8, 0) },
					     { 16, SP_PLUS(0, 0) }, { 24, SP_PLUS(0, 0) } } };
	static const struct list equal_want = { { { 8, SP_PLUS(0, 0) } } };
	struct rows rows = { 0 };

	put(&twice, &rows);
	tap_result(same(&rows, &twice_want), "a row at the last one's address replaces it");
	put(&equal, &rows);
	tap_result(same(&rows, &equal_want), "equal neighbours become one");
	rows_free(&rows);
}

static void test_overlay(void)
{
	static const struct list nothing;
	static const struct list upper = { { { 8, NO_DATA }, { 16, STOP(DEBUG) },
					     { 24, NO_DATA } } };
	static const struct list lower = { { { 4, SP_PLUS(0, EXIDX) }, { 20, SP_PLUS(8, EXIDX) },
					     { 32, NO_DATA } } };
	static const struct list want = { { { 4, SP_PLUS(0, EXIDX) }, { 16, STOP(DEBUG) },
					    { 24, SP_PLUS(8, EXIDX) }, { 32, NO_DATA } } };

	test("what is better says holds, be it stop", rows_overlay, &upper, &lower, &want);
	test("over nothing", rows_overlay, &nothing, &lower, &lower);
	test("nothing below", rows_overlay, &upper, &nothing, &upper);
}

int main(void)
{
	tap_plan(5);
	test_adding();
	test_overlay();
	return tap_status();
}
