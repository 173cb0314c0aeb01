// SPDX-License-Identifier: GPL-2.0
/*
 * Unwind tables. The first byte says what the rest is: a table as it is; the same with
 * a header that fits its size; or rows, to make a table of. In what is accepted,
 * each row is found.
 */
#include <stdlib.h>
#include "../../module/core/table.h"
#include "../../tools/table_format.h"
#include "../tablefile.h"
#include "fuzz.h"

enum {
	AS_IS, WITH_HEADER, OF_ROWS, KINDS,
	MAX_ROWS	= 256,
};

static u64 accepted, lookups;

static void check_rule(const struct a32_rule *rule)
{
	LAW(rule->stop <= A32_TABLE_REGISTERS);
	LAW(rule->cfa_reg <= FRAME_SP);
}

static void check_top(const struct a32_unwind_table *table, u32 offset, const u32 *r)
{
	struct a32_span span = { .table = table };
	struct a32_rule rule;
	u32 own[16];

	a32_table_at_top(&span, offset, r, own, &rule);
	check_rule(&rule);
	LAW(rule.stop != A32_TABLE_REGISTERS);
	rule = *a32_table_of_caller(&span, offset);
	check_rule(&rule);
	LAW(rule.stop != A32_TABLE_REGISTERS && !rule.held);
}

/* All from @at up to @end have the row's rule: the first, the last, and one in between. */
static void check_row(const struct a32_unwind_table *table, u32 row, u32 at, u32 end)
{
	const struct a32_rule *rule = &table->rule[A32_TABLE_ROW_RULE(table->row[row])];
	static const u32 r[16] = { 4, 8, 12, 16 };

	LAW(at < end);
	LAW(a32_table_find(table, at) == rule && a32_table_find(table, end - 1) == rule &&
	    a32_table_find(table, at + (end - at) / 2) == rule);
	check_rule(rule);
	check_top(table, at, r);
	lookups += 5;
}

static void look_up(const struct a32_table_header *header)
{
	struct a32_rule *rule = malloc(header->nr_rules * sizeof(*rule));
	u32 *line = malloc(header->nr_blocks * A32_TABLE_LINES * sizeof(*line));
	const u32 *block = (const u32 *)(header + 1);
	struct a32_unwind_table table;
	u32 b, row, at, start, end;

	a32_table_open(&table, header, rule, line);
	for (b = 0; b < header->nr_blocks; b++) {
		at = table.first + b * A32_TABLE_BLOCK;
		for (row = block[b]; row < block[b + 1]; row++) {
			start = A32_TABLE_ROW_START(table.row[row]);
			end = row + 1 < block[b + 1] ? A32_TABLE_ROW_START(table.row[row + 1]) :
			      A32_TABLE_BLOCK;
			check_row(&table, row, at + start, at + end);
		}
	}
	LAW(!table.first || a32_table_find(&table, table.first - 1)->stop == A32_STOP_NO_DATA);
	free(line);
	free(rule);
}

/* The tool takes what the module takes. */
static void check_tool(const void *data, u32 size, bool ok)
{
	struct a32_table_header header;
	struct rows rows = { 0 };

	LAW(!table_decode(data, size, &header, &rows) == ok);
	rows_free(&rows);
}

/* In a buffer that is just as long: the sanitizers see reads behind it. */
static void check(const void *data, u32 size)
{
	void *copy = malloc(size + !size);
	bool ok;

	memcpy(copy, data, size);
	ok = a32_table_check(copy, size);
	check_tool(copy, size, ok);
	if (ok) {
		accepted++;
		look_up(copy);
	}
	free(copy);
}

static void put_header(u8 *data, u32 size)
{
	struct a32_table_header header;

	if (size < sizeof(header))
		return;
	memcpy(&header, data, sizeof(header));
	header.magic = A32_TABLE_MAGIC;
	header.version = A32_TABLE_VERSION;
	header.size = size;
	header.first &= -A32_TABLE_BLOCK;
	header.file_size |= 1ull << 32;
	memcpy(data, &header, sizeof(header));
}

static struct a32_table_rule take_rule(struct fuzz_input *in)
{
	struct a32_table_rule rule;

	fuzz_take(in, &rule, sizeof(rule));
	return rule;
}

/* Rows that ascend make a table that is accepted, unless their rules aren't any. */
static void make(struct fuzz_input *in)
{
	static struct tablefile_row row[MAX_ROWS];
	struct a32_table_rule rule[4];
	u32 i, at = fuzz_u8(in) * 2, nr, size;
	void *data;

	for (i = 0; i < 4; i++)
		rule[i] = take_rule(in);
	for (nr = 0; nr < MAX_ROWS && in->size; nr++) {
		u16 what = fuzz_u16(in);

		row[nr] = (struct tablefile_row){ at, rule[what & 3] };
		at += 2 + (what >> 2 & (what & 4 ? ~1 : 0x3e));
	}
	if (!nr)
		return;
	data = tablefile_write(row, nr, at, at, &size);
	check(data, size);
	free(data);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	u8 kind = fuzz_u8(&in) % KINDS, *copy;

	switch (kind) {
	case AS_IS:
		check(in.data, in.size);
		break;
	case WITH_HEADER:
		copy = malloc(in.size + !in.size);
		memcpy(copy, in.data, in.size);
		put_header(copy, in.size);
		check(copy, in.size);
		free(copy);
		break;
	case OF_ROWS:
		make(&in);
	}
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("tables accepted", &accepted);
	fuzz_figure("lookups", &lookups);
	return 0;
}
