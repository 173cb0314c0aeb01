// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "../module/core/table.h"
#include "table_format.h"

static const struct a32_table_header *header_of(const uint8_t *bytes)
{
	return (const void *)bytes;
}

/* What people can do something about is told apart; the module's own check does the rest. */
static const char *check(const uint8_t *bytes, size_t size)
{
	const struct a32_table_header *header = header_of(bytes);

	if (size < sizeof(*header) || header->magic != A32_TABLE_MAGIC)
		return "not an unwind table";
	if (header->version != A32_TABLE_VERSION)
		return "of a version that this a32uwctl doesn't know";
	if (header->size != size || size > A32_TABLE_SIZE_MAX)
		return "its size is not what its header says";
	return a32_table_check(bytes, (uint32_t)size) ? NULL : "damaged";
}

static void get_rows(const struct a32_table_header *header, struct rows *rows)
{
	const uint32_t *block = (const void *)(header + 1);
	const uint32_t *row = block + header->nr_blocks + 1;
	const struct a32_table_rule *rules = (const void *)(row + header->nr_rows);
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0);
	uint32_t b, i;

	for (b = 0; b < header->nr_blocks; b++)
		for (i = block[b]; i < block[b + 1]; i++)
			rows_add(rows, header->first + b * A32_TABLE_BLOCK +
				 A32_TABLE_ROW_START(row[i]), &rules[A32_TABLE_ROW_RULE(row[i])]);
	rows_add(rows, header->first + b * A32_TABLE_BLOCK, &none);
}

const char *table_decode(const uint8_t *bytes, size_t size, struct a32_table_header *header,
			 struct rows *rows)
{
	const char *why = check(bytes, size);

	if (why)
		return why;
	*header = *header_of(bytes);
	get_rows(header_of(bytes), rows);
	return NULL;
}
