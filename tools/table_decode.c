// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "table_format.h"

/**
 * struct parts - the arrays of a table
 * @header: in front of them
 * @block: index of the blocks
 * @start: rows' offsets in their blocks
 * @number: their rules' numbers
 * @rule: rules
 */
struct parts {
	const struct a32_table_header *header;
	const uint8_t *block;
	const uint8_t *start;
	const uint8_t *number;
	const uint8_t *rule;
};

static uint32_t get16(const uint8_t *bytes, size_t i)
{
	return bytes[2 * i] | (uint32_t)bytes[2 * i + 1] << 8;
}

static uint32_t get32(const uint8_t *bytes, size_t i)
{
	return get16(bytes, 2 * i) | get16(bytes, 2 * i + 1) << 16;
}

static void get_header(const uint8_t *bytes, struct a32_table_header *header)
{
	memcpy(header, bytes, sizeof(*header));
	header->magic = le32toh(header->magic);
	header->version = le32toh(header->version);
	header->size = le32toh(header->size);
	header->nr_blocks = le32toh(header->nr_blocks);
	header->nr_rows = le32toh(header->nr_rows);
	header->nr_rules = le32toh(header->nr_rules);
	header->first = le32toh(header->first);
	header->build_id_size = le32toh(header->build_id_size);
	header->code_crc = le32toh(header->code_crc);
	header->file_size = le64toh(header->file_size);
}

static size_t padded16(uint64_t nr)
{
	return (size_t)((nr * 2 + 3) / 4 * 4);
}

static bool is_zero(const uint8_t *byte, size_t nr)
{
	while (nr--)
		if (byte[nr])
			return false;
	return true;
}

static bool is_build_id(const struct a32_table_header *header)
{
	return header->build_id_size <= A32_TABLE_BUILD_ID &&
	       is_zero(header->build_id + header->build_id_size,
		       A32_TABLE_BUILD_ID - header->build_id_size);
}

static const char *check_header(const struct a32_table_header *header, size_t size)
{
	uint64_t blocks = header->nr_blocks, rows = header->nr_rows, rules = header->nr_rules;

	if (header->magic != A32_TABLE_MAGIC)
		return "not an unwind table";
	if (header->version != A32_TABLE_VERSION)
		return "of a version that this a32uwctl doesn't know";
	if (header->size != size || size > A32_TABLE_SIZE_MAX)
		return "its size is not what its header says";
	if (!blocks || rows < blocks || !rules || rules > 65536 ||
	    header->first % A32_TABLE_BLOCK ||
	    header->first + blocks * A32_TABLE_BLOCK > (1ull << 32) ||
	    header->first + (blocks - 1) * A32_TABLE_BLOCK >= header->file_size ||
	    !is_build_id(header))
		return "its header is damaged";
	if (sizeof(*header) + (blocks + 1) * 4 + 2 * padded16(rows) +
	    rules * sizeof(struct a32_table_rule) != size)
		return "its parts don't add up to its size";
	return NULL;
}

static void find_parts(const uint8_t *bytes, const struct a32_table_header *header,
		       struct parts *parts)
{
	parts->header = header;
	parts->block = bytes + sizeof(*header);
	parts->start = parts->block + ((size_t)header->nr_blocks + 1) * 4;
	parts->number = parts->start + padded16(header->nr_rows);
	parts->rule = parts->number + padded16(header->nr_rows);
}

static void get_rule(const struct parts *parts, size_t i, struct a32_table_rule *rule)
{
	const uint8_t *bytes = parts->rule + i * sizeof(*rule);

	*rule = (struct a32_table_rule){
		.kind = bytes[0],
		.source = bytes[1],
		.cfa_reg = bytes[2],
		.indirect = bytes[3],
		.cfa_off = (int32_t)get32(bytes, 1),
		.ra = (int16_t)get16(bytes, 4),
		.r7 = (int16_t)get16(bytes, 5),
		.r11 = (int16_t)get16(bytes, 6),
		.from_saved = (int16_t)get16(bytes, 7),
	};
}

static bool is_offset(int16_t words)
{
	return words >= -4096 && words <= 4095;
}

static bool is_place(int16_t words)
{
	return is_offset(words) ||
	       (words >= A32_TABLE_IN_REG(0) && words <= A32_TABLE_IN_REG(14));
}

static bool is_saved(int16_t words)
{
	return is_place(words) || words == A32_TABLE_SAME || words == A32_TABLE_LOST;
}

static bool is_rule(const struct a32_table_rule *rule)
{
	struct a32_table_rule bare = rule_of_kind(rule->kind, rule->source);

	if (rule->kind > A32_TABLE_NO_DATA || rule->source >= A32_TABLE_SOURCE_NR)
		return false;
	if (rule->kind != A32_TABLE_FRAME)
		return rule_equal(rule, &bare);
	if (rule->indirect > 1 || !is_offset(rule->from_saved) ||
	    (!rule->indirect && rule->from_saved))
		return false;
	return rule->cfa_reg <= 13 && !(rule->cfa_off & 3) && is_place(rule->ra) &&
	       is_saved(rule->r7) && is_saved(rule->r11);
}

static const char *check_rules(const struct parts *parts)
{
	struct a32_table_rule rule;
	size_t i;

	for (i = 0; i < parts->header->nr_rules; i++) {
		get_rule(parts, i, &rule);
		if (!is_rule(&rule))
			return "one of its rules says what none can";
	}
	return NULL;
}

/* Each block begins with a row at 0, and ascends from there. */
static bool is_block(const struct parts *parts, size_t block)
{
	uint32_t from = get32(parts->block, block), to = get32(parts->block, block + 1), i;

	if (from >= to || to > parts->header->nr_rows || get16(parts->start, from))
		return false;
	for (i = from; i < to; i++) {
		if (get16(parts->start, i) >= A32_TABLE_BLOCK || get16(parts->start, i) & 1)
			return false;
		if (i > from && get16(parts->start, i) <= get16(parts->start, i - 1))
			return false;
		if (get16(parts->number, i) >= parts->header->nr_rules)
			return false;
	}
	return true;
}

static const char *check_rows(const struct parts *parts)
{
	uint32_t nr_rows = parts->header->nr_rows;
	size_t block;

	for (block = 0; block < parts->header->nr_blocks; block++)
		if (!is_block(parts, block))
			return "its rows are out of order";
	if (get32(parts->block, 0) || get32(parts->block, block) != nr_rows)
		return "its index doesn't have all of its rows";
	if (nr_rows & 1 && (get16(parts->start, nr_rows) || get16(parts->number, nr_rows)))
		return "it has more than its header says";
	return NULL;
}

static void get_rows(const struct parts *parts, struct rows *rows)
{
	const struct a32_table_header *header = parts->header;
	struct a32_table_rule rule;
	uint32_t block, i;

	for (block = 0; block < header->nr_blocks; block++)
		for (i = get32(parts->block, block); i < get32(parts->block, block + 1); i++) {
			get_rule(parts, get16(parts->number, i), &rule);
			rows_add(rows, header->first + block * A32_TABLE_BLOCK +
				 get16(parts->start, i), &rule);
		}
	rule = rule_of_kind(A32_TABLE_NO_DATA, 0);
	rows_add(rows, header->first + block * A32_TABLE_BLOCK, &rule);
}

const char *table_decode(const uint8_t *bytes, size_t size, struct a32_table_header *header,
			 struct rows *rows)
{
	struct parts parts;
	const char *why;

	if (size < sizeof(*header))
		return "not an unwind table";
	get_header(bytes, header);
	why = check_header(header, size);
	if (why)
		return why;
	find_parts(bytes, header, &parts);
	why = check_rules(&parts);
	if (!why)
		why = check_rows(&parts);
	if (!why)
		get_rows(&parts, rows);
	return why;
}
