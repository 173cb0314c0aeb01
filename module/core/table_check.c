// SPDX-License-Identifier: GPL-2.0
#include "table.h"

enum {
	ROW_ALIGN	= 2,		/* of a row's start, in bytes */
	OFFSET_MAX	= 4095,		/* words */
};

static const u32 *blocks_of(const struct a32_table_header *header)
{
	return (const void *)(header + 1);
}

static const u32 *rows_of(const struct a32_table_header *header)
{
	return blocks_of(header) + header->nr_blocks + 1;
}

static const struct a32_table_rule *rules_of(const struct a32_table_header *header)
{
	return (const void *)(rows_of(header) + header->nr_rows);
}

static bool is_zero(const u8 *byte, u32 nr)
{
	while (nr--) {
		if (byte[nr])
			return false;
	}
	return true;
}

/* The numbers are small enough not to overflow, once each is looked at. */
static bool check_counts(const struct a32_table_header *h)
{
	return h->nr_blocks >= 1 && h->nr_blocks <= U32_MAX / A32_TABLE_BLOCK &&
	       h->nr_rows >= h->nr_blocks && h->nr_rows <= A32_TABLE_SIZE_MAX / 4 &&
	       h->nr_rules >= 1 && h->nr_rules <= 65536;
}

static bool check_size(const struct a32_table_header *h, u32 size)
{
	u64 need = sizeof(*h) + (h->nr_blocks + 1) * 4ull + h->nr_rows * 4ull +
		   h->nr_rules * (u64)sizeof(struct a32_table_rule);

	return h->size == size && need == size && size <= A32_TABLE_SIZE_MAX;
}

static bool check_header(const struct a32_table_header *h, u32 size)
{
	return h->magic == A32_TABLE_MAGIC && h->version == A32_TABLE_VERSION &&
	       check_counts(h) && check_size(h, size) && !(h->first % A32_TABLE_BLOCK) &&
	       h->first + (h->nr_blocks - 1) * (u64)A32_TABLE_BLOCK < h->file_size &&
	       h->first + h->nr_blocks * (u64)A32_TABLE_BLOCK <= 1ull << 32 &&
	       h->build_id_size <= A32_TABLE_BUILD_ID &&
	       is_zero(h->build_id + h->build_id_size, A32_TABLE_BUILD_ID - h->build_id_size);
}

/* Each block has its rows, and the first of them begins with it. */
static bool check_blocks(const struct a32_table_header *h)
{
	const u32 *block = blocks_of(h);
	const u32 *row = rows_of(h);
	u32 b;

	if (block[0])
		return false;
	for (b = 0; b < h->nr_blocks; b++) {
		if (block[b + 1] <= block[b] || block[b + 1] > h->nr_rows ||
		    A32_TABLE_ROW_START(row[block[b]]))
			return false;
	}
	return block[b] == h->nr_rows;
}

static bool check_rows(const struct a32_table_header *h)
{
	const u32 *row = rows_of(h);
	u32 i, start;

	for (i = 0; i < h->nr_rows; i++) {
		start = A32_TABLE_ROW_START(row[i]);
		if (start >= A32_TABLE_BLOCK || start % ROW_ALIGN ||
		    A32_TABLE_ROW_RULE(row[i]) >= h->nr_rules)
			return false;
	}
	return true;
}

static bool check_order(const struct a32_table_header *h)
{
	const u32 *block = blocks_of(h);
	const u32 *row = rows_of(h);
	u32 b, i;

	for (b = 0; b < h->nr_blocks; b++) {
		for (i = block[b] + 1; i < block[b + 1]; i++) {
			if (A32_TABLE_ROW_START(row[i]) <= A32_TABLE_ROW_START(row[i - 1]))
				return false;
		}
	}
	return true;
}

static bool is_offset(s16 at)
{
	return at >= -OFFSET_MAX - 1 && at <= OFFSET_MAX;
}

static bool is_place(s16 at)
{
	return is_offset(at) || (at >= A32_TABLE_IN_REG(0) && at <= A32_TABLE_IN_REG(14));
}

static bool is_register_place(s16 at)
{
	return is_place(at) || at == A32_TABLE_SAME || at == A32_TABLE_LOST;
}

static bool check_rule(const struct a32_table_rule *rule)
{
	if (rule->source >= A32_TABLE_SOURCE_NR || rule->indirect > 1 ||
	    (rule->indirect ? !is_offset(rule->from_saved) : rule->from_saved))
		return false;
	if (rule->kind != A32_TABLE_FRAME)
		return rule->kind <= A32_TABLE_NO_DATA && !rule->cfa_reg && !rule->cfa_off &&
		       !rule->ra && !rule->r7 && !rule->r11 && !rule->indirect;
	return rule->cfa_reg <= LR && !(rule->cfa_off & 3) && is_place(rule->ra) &&
	       is_register_place(rule->r7) && is_register_place(rule->r11);
}

static bool check_rules(const struct a32_table_header *h)
{
	const struct a32_table_rule *rule = rules_of(h);
	u32 i;

	for (i = 0; i < h->nr_rules; i++) {
		if (!check_rule(&rule[i]))
			return false;
	}
	return true;
}

bool a32_table_check(const void *data, u32 size)
{
	const struct a32_table_header *header = data;

	return size >= sizeof(*header) && check_header(header, size) && check_rows(header) &&
	       check_blocks(header) && check_order(header) && check_rules(header);
}

static u32 stop_of(u32 kind)
{
	switch (kind) {
	case A32_TABLE_OUTERMOST:
		return A32_STOP_OUTERMOST;
	case A32_TABLE_STOP:
		return A32_STOP_TABLE;
	default:
		return A32_STOP_NO_DATA;
	}
}

/* A slot at CFA + 4 * @at */
static s16 note_slot(struct a32_rule *rule, s16 at)
{
	s16 off = at * 4;

	if (-off > rule->low)
		rule->low = -off;
	return off;
}

static void convert_register(struct a32_rule *rule, enum a32_frame_reg reg, s16 at)
{
	if (at == A32_TABLE_SAME)
		return;
	if (at == A32_TABLE_LOST) {
		rule->lost |= 1 << reg;
	} else if (is_offset(at)) {
		rule->saved |= 1 << reg;
		rule->off[reg] = note_slot(rule, at);
	} else {
		rule->stop = A32_TABLE_REGISTERS;
	}
}

static void hold_ra_in_lr(struct a32_rule *rule)
{
	rule->held = FRAME_RA;
	rule->ra_off = LR;
}

static struct a32_rule convert_frame(const struct a32_table_rule *raw)
{
	struct a32_rule rule = {
		.stop = A32_STOP_NR, .saved = 1 << FRAME_SP, .cfa_off = raw->cfa_off,
		.cfa_reg = raw->cfa_reg == SP ? FRAME_SP :
			   raw->cfa_reg == R11 ? FRAME_R11 : FRAME_R7,
	};

	if (raw->indirect || (raw->cfa_reg != SP && raw->cfa_reg != R11 && raw->cfa_reg != R7))
		rule.stop = A32_TABLE_REGISTERS;
	if (is_offset(raw->ra))
		rule.ra_off = note_slot(&rule, raw->ra);
	else if (raw->ra == A32_TABLE_IN_REG(LR))
		hold_ra_in_lr(&rule);
	else
		rule.stop = A32_TABLE_REGISTERS;
	convert_register(&rule, FRAME_R7, raw->r7);
	convert_register(&rule, FRAME_R11, raw->r11);
	rule.runs = rule.stop == A32_STOP_NR && !rule.held;
	return rule;
}

/* The last row that starts at or before an offset in its block, from @i on */
static u32 last_row(const u32 *row, u32 i, u32 end, u32 offset)
{
	while (i + 1 < end && A32_TABLE_ROW_START(row[i + 1]) <= offset)
		i++;
	return i;
}

/* No more rows begin in a line than it has halfwords. */
static void open_lines(const struct a32_table_header *header, u32 *line)
{
	const u32 *block = blocks_of(header);
	const u32 *row = rows_of(header);
	u32 b, at, first, last;

	for (b = 0; b < header->nr_blocks; b++) {
		last = block[b];
		for (at = 0; at < A32_TABLE_BLOCK; at += A32_TABLE_LINE) {
			first = last_row(row, last, block[b + 1], at);
			last = last_row(row, first, block[b + 1], at + A32_TABLE_LINE - 1);
			*line++ = first << 8 | (last - first);
		}
	}
}

void a32_table_open(struct a32_unwind_table *table, const void *data, struct a32_rule *rule,
		    u32 *line)
{
	const struct a32_table_header *header = data;
	const struct a32_table_rule *raw = rules_of(header);
	u32 i;

	*table = (struct a32_unwind_table){
		.first = header->first, .size = header->nr_blocks * A32_TABLE_BLOCK,
		.nr_rows = header->nr_rows, .line = line, .row = rows_of(header),
		.raw = raw, .rule = rule,
	};
	open_lines(header, line);
	for (i = 0; i < header->nr_rules; i++) {
		rule[i] = raw[i].kind == A32_TABLE_FRAME ? convert_frame(&raw[i]) :
			  (struct a32_rule){ .stop = stop_of(raw[i].kind) };
	}
}
