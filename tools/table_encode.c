// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "table_format.h"

enum { RULES_MAX = 65536 };

/**
 * struct array - bytes that are added at the end
 * @size: bytes
 * @room: bytes that fit
 * @bytes: them
 */
struct array {
	size_t size;
	size_t room;
	uint8_t *bytes;
};

/**
 * struct table - a table in the making
 * @flat: what holds where, by file offsets
 * @rule: all distinct rules, sorted
 * @nr_rules: how many
 * @first: file offset of the first block
 * @end: file offset behind the last byte of code
 * @block: the index of the blocks
 * @row: the rows
 */
struct table {
	struct rows flat;
	struct a32_table_rule *rule;
	size_t nr_rules;
	uint64_t first;
	uint64_t end;
	struct array block;
	struct array row;
};

static const char too_large[] = "its table would be larger than 64 MiB";
static const struct a32_table_rule no_data = { .kind = A32_TABLE_NO_DATA };

static void add(struct array *array, const void *data, size_t size)
{
	if (array->size + size > array->room) {
		array->room = (array->room + size) * 2;
		array->bytes = realloc(array->bytes, array->room);
		if (!array->bytes)
			msg_no_memory();
	}
	memcpy(array->bytes + array->size, data, size);
	array->size += size;
}

static void add16(struct array *array, uint32_t value)
{
	uint16_t le = htole16((uint16_t)value);

	add(array, &le, sizeof(le));
}

static void add32(struct array *array, uint32_t value)
{
	uint32_t le = htole32(value);

	add(array, &le, sizeof(le));
}

static int compare_rules(const void *a, const void *b)
{
	const struct a32_table_rule *x = a, *y = b;
	const int field[][2] = {
		{ x->kind, y->kind }, { x->source, y->source }, { x->cfa_reg, y->cfa_reg },
		{ x->cfa_off, y->cfa_off }, { x->ra, y->ra }, { x->r7, y->r7 },
		{ x->r11, y->r11 }, { x->indirect, y->indirect },
		{ x->from_saved, y->from_saved },
	};
	size_t i;

	for (i = 0; i < sizeof(field) / sizeof(field[0]); i++)
		if (field[i][0] != field[i][1])
			return field[i][0] < field[i][1] ? -1 : 1;
	return 0;
}

static void sort_rules(struct table *table)
{
	const struct rows *rows = &table->flat;
	struct a32_table_rule *rule;
	size_t i, nr = 1;

	rule = calloc(rows->nr + 1, sizeof(*rule));
	if (!rule)
		msg_no_memory();
	rule[0] = no_data;
	for (i = 0; i < rows->nr; i++)
		rule[i + 1] = rows->row[i].rule;
	qsort(rule, rows->nr + 1, sizeof(*rule), compare_rules);
	for (i = 1; i <= rows->nr; i++)
		if (compare_rules(&rule[i], &rule[nr - 1]))
			rule[nr++] = rule[i];
	table->rule = rule;
	table->nr_rules = nr;
}

static uint32_t number_of(const struct table *table, const struct a32_table_rule *rule)
{
	const struct a32_table_rule *found;

	found = bsearch(rule, table->rule, table->nr_rules, sizeof(*rule), compare_rules);
	return (uint32_t)(found - table->rule);
}

/* The row list of a file by its offsets; there is none twice, and none in vain. */
static void flatten(const struct rows *rows, const struct segment *segment, struct rows *flat)
{
	const struct a32_table_rule *rule = rows_at(rows, segment->addr);
	size_t i = rows_find(rows, segment->addr);
	uint32_t offset = (uint32_t)segment->offset;

	rows_add(flat, offset, rule ? rule : &no_data);
	for (; i < rows->nr && rows->row[i].addr - segment->addr < segment->size; i++)
		rows_add(flat, offset + (rows->row[i].addr - segment->addr), &rows->row[i].rule);
	rows_add(flat, offset + segment->size, &no_data);
}

static void put_row(struct table *table, uint32_t offset, const struct a32_table_rule *rule)
{
	add32(&table->row, A32_TABLE_ROW(offset % A32_TABLE_BLOCK, number_of(table, rule)));
}

static uint32_t nr_rows(const struct table *table)
{
	return (uint32_t)(table->row.size / 4);
}

/* Each block begins with the rule that holds there. */
static void put_rows(struct table *table)
{
	const struct row *row = table->flat.row, *end = row + table->flat.nr;
	const struct a32_table_rule *rule = &no_data;
	uint64_t block;

	for (block = table->first; block < table->end; block += A32_TABLE_BLOCK) {
		add32(&table->block, nr_rows(table));
		if (row < end && row->addr == block)
			rule = &row++->rule;
		put_row(table, (uint32_t)block, rule);
		for (; row < end && row->addr < block + A32_TABLE_BLOCK; row++) {
			rule = &row->rule;
			put_row(table, row->addr, rule);
		}
	}
	add32(&table->block, nr_rows(table));
}

static int compare_segments(const void *a, const void *b)
{
	const struct segment *x = *(const struct segment *const *)a;
	const struct segment *y = *(const struct segment *const *)b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Returns how many there are, in the order in which they are in the file. */
static size_t list_code(const struct image *image, const struct segment ***list)
{
	const struct segment **code = calloc(image->nr + 1, sizeof(*code));
	size_t i, nr = 0;

	if (!code)
		msg_no_memory();
	for (i = 0; i < image->nr; i++)
		if (image->segment[i].executable)
			code[nr++] = &image->segment[i];
	qsort(code, nr, sizeof(*code), compare_segments);
	*list = code;
	return nr;
}

static const char *check_code(const struct segment *const *code, size_t nr)
{
	uint64_t first = code[0]->offset, end = code[nr - 1]->offset + code[nr - 1]->size;
	size_t i;

	for (i = 1; i < nr; i++)
		if (code[i - 1]->offset + code[i - 1]->size > code[i]->offset)
			return "its segments of code have bytes in common";
	if (end > UINT32_MAX - A32_TABLE_BLOCK)
		return "its code is behind the first 4 GiB";
	/* A row for each block, and its place in the index */
	if ((end - first) / A32_TABLE_BLOCK * 8 > A32_TABLE_SIZE_MAX)
		return too_large;
	return NULL;
}

static void add_header(struct table *table, const struct a32_table_header *about,
		       struct array *out)
{
	uint64_t file_size = htole64(about->file_size);
	uint32_t size, nr_blocks = (uint32_t)(table->block.size / 4) - 1;

	size = (uint32_t)(sizeof(*about) + table->block.size + table->row.size +
			  table->nr_rules * sizeof(*table->rule));
	add32(out, A32_TABLE_MAGIC);
	add32(out, A32_TABLE_VERSION);
	add32(out, size);
	add32(out, nr_blocks);
	add32(out, nr_rows(table));
	add32(out, (uint32_t)table->nr_rules);
	add32(out, (uint32_t)table->first);
	add32(out, about->build_id_size);
	add(out, about->build_id, sizeof(about->build_id));
	add32(out, about->code_crc);
	add(out, &file_size, sizeof(file_size));
}

static void add_rule(struct array *out, const struct a32_table_rule *rule)
{
	const uint8_t bytes[] = { rule->kind, rule->source, rule->cfa_reg,
				  rule->indirect };

	add(out, bytes, sizeof(bytes));
	add32(out, (uint32_t)rule->cfa_off);
	add16(out, (uint16_t)rule->ra);
	add16(out, (uint16_t)rule->r7);
	add16(out, (uint16_t)rule->r11);
	add16(out, (uint16_t)rule->from_saved);
}

static void put_together(struct table *table, const struct a32_table_header *about,
			 struct array *out)
{
	size_t i;

	add_header(table, about, out);
	add(out, table->block.bytes, table->block.size);
	add(out, table->row.bytes, table->row.size);
	for (i = 0; i < table->nr_rules; i++)
		add_rule(out, &table->rule[i]);
}

static const char *encode(struct table *table, const struct rows *rows,
			  const struct segment *const *code, size_t nr,
			  const struct a32_table_header *about, struct array *out)
{
	const char *why = check_code(code, nr);
	size_t i;

	if (why)
		return why;
	for (i = 0; i < nr; i++)
		flatten(rows, code[i], &table->flat);
	sort_rules(table);
	if (table->nr_rules > RULES_MAX)
		return "it needs more than 65536 distinct rules";
	table->first = code[0]->offset / A32_TABLE_BLOCK * A32_TABLE_BLOCK;
	table->end = code[nr - 1]->offset + code[nr - 1]->size;
	put_rows(table);
	put_together(table, about, out);
	return out->size > A32_TABLE_SIZE_MAX ? too_large : NULL;
}

const char *table_encode(const struct image *image, const struct rows *rows,
			 const struct a32_table_header *about, uint8_t **bytes, size_t *size)
{
	const struct segment **code;
	struct table table = { 0 };
	struct array out = { 0 };
	const char *why;
	size_t nr;

	nr = list_code(image, &code);
	why = encode(&table, rows, code, nr, about, &out);
	free(code);
	rows_free(&table.flat);
	free(table.rule);
	free(table.block.bytes);
	free(table.row.bytes);
	*bytes = out.bytes;
	*size = out.size;
	return why;
}
