/* SPDX-License-Identifier: GPL-2.0 */
/* Writes small unwind tables by hand, for tests in the guest and on the host. */
#ifndef SELFTESTS_TABLEFILE_H
#define SELFTESTS_TABLEFILE_H

#include <stdint.h>
#include "../uapi/a32table.h"

/**
 * struct tablefile_row - a rule from a file offset on, up to the next row's
 * @offset: the file offset
 * @rule: the rule
 */
struct tablefile_row {
	uint32_t offset;
	struct a32_table_rule rule;
};

/* A frame: CFA = reg + cfa; words from there to lr, r7 and r11, or A32_TABLE_* */
#define TABLEFILE_FRAME(reg, cfa, lr, in_r7, in_r11) {				\
	.kind = A32_TABLE_FRAME, .source = A32_TABLE_CODE, .cfa_reg = (reg),	\
	.cfa_off = (cfa), .ra = (lr), .r7 = (in_r7), .r11 = (in_r11),		\
}

/* Any other kind */
#define TABLEFILE_KIND(what) { .kind = A32_TABLE_##what, .source = A32_TABLE_CODE }

/**
 * tablefile_write() - make a table
 * @row: the rows, sorted
 * @nr: rows; the first one need not begin a block: what is before has no data
 * @end: file offset behind the code
 * @file_size: bytes of the file
 * @size: bytes of the table
 *
 * Return: the table, for free(); NULL when there is no memory
 */
void *tablefile_write(const struct tablefile_row *row, unsigned int nr, uint32_t end,
		      uint64_t file_size, uint32_t *size);

#endif
