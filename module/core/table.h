/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file's unwind table, as uapi/a32table.h has it: checked once, when it is
 * loaded, and never changed from then on.
 */
#ifndef A32_CORE_TABLE_H
#define A32_CORE_TABLE_H

#include "known.h"
#include "../../uapi/a32table.h"

/* In a32_rule.stop: it takes more registers than a frame has; see a32_table_at_top() */
#define A32_TABLE_REGISTERS	(A32_STOP_NR + 1)

enum {
	A32_TABLE_LINE	= 64,		/* bytes of code for an entry of a32_unwind_table.line */
	A32_TABLE_LINES	= A32_TABLE_BLOCK / A32_TABLE_LINE,	/* in a block */
};

/**
 * struct a32_unwind_table - a table, ready to be looked up
 * @first: file offset of the first block
 * @size: bytes of code in all blocks
 * @nr_rows: rows
 * @line: for each A32_TABLE_LINE of that, how many rows begin behind its start, and
 *	in bit 8 and up the row before them, which holds there
 * @row: the rows, as they are in the table
 * @raw: the rules, as they are in the table
 * @rule: the same, to be followed
 */
struct a32_unwind_table {
	u32 first;
	u32 size;
	u32 nr_rows;
	const u32 *line;
	const u32 *row;
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
 * @table: the result, which points into all of these
 * @data: what a32_table_check() has found to be one
 * @rule: room for its header's nr_rules
 * @line: room for A32_TABLE_LINES in each of its header's nr_blocks
 */
void a32_table_open(struct a32_unwind_table *table, const void *data, struct a32_rule *rule,
		    u32 *line);

/**
 * a32_table_row() - the row of an instruction
 * @table: the table
 * @line: one of its lines
 * @offset: an address in that, or a file offset
 *
 * Its steps are of a fixed number for each line, without a branch but for that.
 */
static __always_inline const u32 *a32_table_row(const struct a32_unwind_table *table, u32 line,
						u32 offset)
{
	const u32 behind = A32_TABLE_ROW(offset % A32_TABLE_BLOCK + 1, 0);
	const u32 *row = table->row + (line >> 8);
	u32 more;

	for (more = line & 0xff; more; more /= 2) {
		const u32 *half = row + (more - more / 2);

		if (*half < behind)
			row = half;
	}
	return row;
}

/**
 * a32_table_find() - look up a rule
 * @table: the table
 * @offset: file offset of the instruction
 *
 * Context: any, under RCU. Takes O(log(rows of a line)).
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

/**
 * a32_table_keep() - keep a sampled frame's rule for more of the row
 * @span: what holds there; it has a table
 * @pc: where the rule is for, bit 0 clear
 * @thumb: its instruction set
 * @found: where to keep it
 * @it: the rule, tag and code
 *
 * It is kept for @pc, and for the row as far as that is in the table's line,
 * unless something else may hold there another time.
 */
void a32_table_keep(const struct a32_span *span, u32 pc, bool thumb, struct a32_found *found,
		    const struct a32_found *it);

struct a32_walk;

/**
 * a32_table_run() - follow callers in one file as far as its table goes on
 * @w: the walk; its rule is a table's, of a frame that has called, and is
 *	followed next
 *
 * Most of a chain through code without frame pointers. The first frame that is
 * anything else, or fails a check, is left to walk.c.
 */
void a32_table_run(struct a32_walk *w);

#endif
