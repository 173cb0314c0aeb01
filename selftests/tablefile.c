// SPDX-License-Identifier: GPL-2.0
#include "tablefile.h"

#include <stdlib.h>
#include <string.h>

static const struct a32_table_rule no_data = TABLEFILE_KIND(NO_DATA);

/**
 * struct writer - a table that is being written
 * @head: its header
 * @block: its blocks
 * @row: its rows
 * @rule: theirs
 */
struct writer {
	struct a32_table_header head;
	uint32_t *block;
	uint32_t *row;
	struct a32_table_rule *rule;
};

static uint16_t rule_index(struct writer *w, const struct a32_table_rule *rule)
{
	unsigned int i;

	for (i = 0; i < w->head.nr_rules; i++) {
		if (!memcmp(&w->rule[i], rule, sizeof(*rule)))
			return i;
	}
	w->rule[w->head.nr_rules++] = *rule;
	return i;
}

static void add_row(struct writer *w, uint16_t start, const struct a32_table_rule *rule)
{
	w->row[w->head.nr_rows++] = A32_TABLE_ROW(start, rule_index(w, rule));
}

static void add_rows(struct writer *w, const struct tablefile_row *row, unsigned int nr)
{
	const struct a32_table_rule *last = &no_data;
	uint32_t b, at, i = 0;

	for (b = 0; b < w->head.nr_blocks; b++) {
		at = w->head.first + b * A32_TABLE_BLOCK;
		w->block[b] = w->head.nr_rows;
		if (i == nr || row[i].offset != at)
			add_row(w, 0, last);
		for (; i < nr && row[i].offset - at < A32_TABLE_BLOCK; i++) {
			last = &row[i].rule;
			add_row(w, row[i].offset - at, last);
		}
	}
	w->block[b] = w->head.nr_rows;
}

static char *put(char *at, const void *from, size_t bytes)
{
	if (bytes)
		memcpy(at, from, bytes);
	return at + bytes;
}

static void *assemble(struct writer *w)
{
	struct a32_table_header *head = &w->head;
	char *table, *at;

	head->size = sizeof(*head) + 4 * (head->nr_blocks + 1) + 4 * head->nr_rows +
		     head->nr_rules * sizeof(*w->rule);
	table = calloc(1, head->size);
	if (!table)
		return NULL;
	at = put(table, head, sizeof(*head));
	at = put(at, w->block, 4 * (head->nr_blocks + 1));
	at = put(at, w->row, 4 * head->nr_rows);
	put(at, w->rule, head->nr_rules * sizeof(*w->rule));
	return table;
}

void *tablefile_write(const struct tablefile_row *row, unsigned int nr, uint32_t end,
		      uint64_t file_size, uint32_t *size)
{
	uint32_t first = row[0].offset & -A32_TABLE_BLOCK;
	uint32_t blocks = (end - first + A32_TABLE_BLOCK - 1) / A32_TABLE_BLOCK;
	struct writer w = { .head = {
		.magic = A32_TABLE_MAGIC, .version = A32_TABLE_VERSION, .nr_blocks = blocks,
		.first = first, .file_size = file_size,
	} };
	void *table = NULL;

	w.block = calloc(blocks + 1, sizeof(*w.block));
	w.row = calloc(nr + blocks, sizeof(*w.row));
	w.rule = calloc(nr + 1, sizeof(*w.rule));
	if (w.block && w.row && w.rule) {
		add_rows(&w, row, nr);
		table = assemble(&w);
	}
	*size = w.head.size;
	free(w.block);
	free(w.row);
	free(w.rule);
	return table;
}
