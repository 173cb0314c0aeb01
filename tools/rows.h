/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of one function, on their way into a table. They are added in
 * ascending order of addresses; equal neighbours become one.
 */
#ifndef A32_ROWS_H
#define A32_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "a32table.h"

/**
 * struct row - a rule from an address on, up to the next row's
 * @addr: as in struct image, bit 0 clear
 * @rule: the rule
 */
struct row {
	uint32_t addr;
	struct a32_table_rule rule;
};

/**
 * struct rows - some rows
 * @nr: rows
 * @room: rows that fit
 * @row: them
 */
struct rows {
	size_t nr;
	size_t room;
	struct row *row;
};

/* Ends the program when there is no memory. */
void rows_add(struct rows *rows, uint32_t addr, const struct a32_table_rule *rule);
void rows_free(struct rows *rows);

#endif
