// SPDX-License-Identifier: GPL-2.0
/* One function's rows, from what the code says (here: the test) and an index. */
#include <string.h>
#include "../../tools/combine.h"
#include "tap.h"

enum { CODE_AT = 0x1000, INDEX_AT = 0x2000 };

/*
 *	1000:	b510		push	{r4, lr}
 *	1002:	f7ff fffd	bl	1000
 *	1006:	4798		blx	r3
 *	1008:	bd10		pop	{r4, pc}
 *	100a:	f100 f800	a literal, like a "bl" to where no code is
 */
static const uint8_t code[] = {
	0x10, 0xb5, 0xff, 0xf7, 0xfd, 0xff, 0x98, 0x47, 0x10, 0xbd, 0x00, 0xf1, 0x00, 0xf8,
};

/* An entry for 0x1000: pop {r4, lr}; place-relative, and inline */
static const uint8_t index_bytes[] = { 0x00, 0xf0, 0xff, 0x7f, 0xb0, 0xb0, 0xa8, 0x80 };

static struct segment segments[] = {
	{ CODE_AT, sizeof(code), 0, code, true },
	{ INDEX_AT, sizeof(index_bytes), 0x1000, index_bytes, false },
};

static const struct image image = { 2, segments };
static const struct function function = { .start = CODE_AT, .end = CODE_AT + sizeof(code),
					.thumb = true };

#define FRAME(off, at, from)	{ .cfa_reg = 13, .cfa_off = (off), .ra = (at),		\
				  .r7 = A32_TABLE_SAME, .r11 = A32_TABLE_SAME, .source = (from) }
#define IN_LR			A32_TABLE_IN_REG(14)
#define STOP(from)		{ .kind = A32_TABLE_STOP, .source = (from) }
#define NO_DATA			{ .kind = A32_TABLE_NO_DATA }

enum { EXIDX = A32_TABLE_EXIDX, CODE = A32_TABLE_CODE };

/* Ends with an address of 0. */
struct list {
	struct row row[8];
};

/* What the code says next */
static const struct list *says;

void analyse_function(const struct image *the_image, const struct functions *functions,
		      const struct function *f, struct rows *rows)
{
	const struct row *row;

	for (row = says->row; row->addr; row++)
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

static void test(const char *name, bool use_index, const struct list *said,
		 const struct list *want)
{
	struct combination c = { .image = &image, .use_code = said };
	struct exidx exidx, none = { 0 };
	struct rows rows = { 0 };

	exidx_read(&image, INDEX_AT, sizeof(index_bytes), &exidx);
	c.exidx = use_index ? &exidx : &none;
	says = said;
	combine(&c, &function, &rows);
	tap_result(same(&rows, want), "%s", name);
	rows_free(&rows);
	exidx_free(&exidx);
}

static const struct list right = { {
	{ 0x1000, FRAME(0, IN_LR, CODE) }, { 0x1002, FRAME(8, -1, CODE) },
} };

static void test_code_alone(void)
{
	static const struct list lost = { {
		{ 0x1000, FRAME(0, IN_LR, CODE) }, { 0x1006, STOP(CODE) },
	} };
	static const struct list stop = { { { 0x1000, STOP(CODE) } } };

	test("the code alone", false, &right, &right);
	test("a call with lr unsaved: no function begins there", false, &lost, &stop);
}

static void test_both(void)
{
	static const struct list agreed = { {
		{ 0x1000, FRAME(0, IN_LR, EXIDX) }, { 0x1002, FRAME(8, -1, EXIDX) },
	} };
	static const struct list wrong = { {
		{ 0x1000, FRAME(0, IN_LR, CODE) }, { 0x1002, FRAME(16, -1, CODE) },
	} };
	static const struct list partly = { {
		{ 0x1000, FRAME(0, IN_LR, CODE) }, { 0x1002, STOP(CODE) },
		{ 0x1008, FRAME(8, -1, CODE) },
	} };
	static const struct list partly_want = { {
		{ 0x1000, FRAME(0, IN_LR, CODE) }, { 0x1002, FRAME(8, -1, EXIDX) },
		{ 0x1008, FRAME(8, -1, CODE) },
	} };
	static const struct list at_calls = { {
		{ 0x1000, STOP(CODE) }, { 0x1002, FRAME(8, -1, EXIDX) }, { 0x1008, STOP(CODE) },
	} };
	static const struct list index_alone = { {
		{ 0x1000, NO_DATA }, { 0x1002, FRAME(8, -1, EXIDX) }, { 0x1008, NO_DATA },
	} };

	test("the index says the same", true, &right, &agreed);
	test("the index says something else", true, &wrong, &at_calls);
	test("the index where the code does not tell", true, &partly, &partly_want);
	test("the index alone is right at calls only", true, NULL, &index_alone);
}

int main(void)
{
	tap_plan(6);
	test_code_alone();
	test_both();
	return tap_status();
}
