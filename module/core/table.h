/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file's unwind table, as uapi/a32table.h has it: checked once, when it is
 * loaded, and never changed from then on.
 */
#ifndef A32_CORE_TABLE_H
#define A32_CORE_TABLE_H

#include "map.h"
#include "rule.h"
#include "../../uapi/a32table.h"

/* In a32_rule.stop: it takes more registers than a frame has; see a32_table_at_top() */
#define A32_TABLE_REGISTERS	(A32_STOP_NR + 1)

/**
 * struct a32_unwind_table - a table, ready to be looked up
 * @first: file offset of the first block
 * @nr_blocks: blocks
 * @block: first row of each, and behind the last
 * @start: where each row starts, in bytes from its block
 * @index: which rule it has
 * @raw: the rules, as they are in the table
 * @rule: the same, to be followed
 */
struct a32_unwind_table {
	u32 first;
	u32 nr_blocks;
	const u32 *block;
	const u16 *start;
	const u16 *index;
	const struct a32_table_rule *raw;
	const struct a32_rule *rule;
};

/**
 * a32_table_check() - is it a table?
 * @data: what may be one, aligned to 8 bytes
 * @size: its bytes
 *
 * All of it is looked at: a lookup checks nothing any more.
 */
bool a32_table_check(const void *data, u32 size);

/**
 * a32_table_open() - make a table ready
 * @table: the result, which points into @data and @rule
 * @data: what a32_table_check() has found to be one
 * @rule: room for its header's nr_rules
 */
void a32_table_open(struct a32_unwind_table *table, const void *data, struct a32_rule *rule);

/**
 * a32_table_find() - look up a rule
 * @table: the table
 * @offset: file offset of the instruction
 *
 * Context: any, under RCU. Takes O(log(rows of a block)).
 * Return: the rule; its stop says whether it can be followed
 */
const struct a32_rule *a32_table_find(const struct a32_unwind_table *table, u32 offset);

/**
 * a32_table_of_caller() - the rule of a frame that has called
 * @span: what holds there; it has a table
 * @ra: its return address, bit 0 clear
 *
 * What was in a register but sp, r7 and r11 is not known of such a frame.
 */
const struct a32_rule *a32_table_of_caller(const struct a32_span *span, u32 ra);

/**
 * a32_table_at_top() - the rule of a sampled or interrupted frame
 * @span: what holds there; it has a table
 * @pc: its pc, bit 0 clear
 * @r: its registers, r0 to r15
 * @own: room for 16 registers, or @r
 * @rule: the result
 *
 * Return: false when @rule is for @own: it holds for these registers only, and
 *	what the caller has in r7, r11 and pc is in @own's r7, r11 and lr
 */
bool a32_table_at_top(const struct a32_span *span, u32 pc, const u32 *r, u32 *own,
		      struct a32_rule *rule);

#endif
