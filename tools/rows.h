/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of one function, on their way into a table. They are added in
 * ascending order of addresses; equal neighbours become one.
 */
#ifndef A32_ROWS_H
#define A32_ROWS_H

#include <stdbool.h>
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

/* All of a rule's other fields are 0. */
struct a32_table_rule rule_of_kind(enum a32_table_kind kind, enum a32_table_source source);
bool rule_equal(const struct a32_table_rule *a, const struct a32_table_rule *b);

/*
 * Can't both be true? CFAs that count from different registers may be the
 * same, and a register may be saved and unchanged.
 */
bool rule_contradicts(const struct a32_table_rule *a, const struct a32_table_rule *b);

/*
 * A row at the address of the last one replaces it. Ends the program when
 * there is no memory.
 */
void rows_add(struct rows *rows, uint32_t addr, const struct a32_table_rule *rule);
void rows_free(struct rows *rows);

/* How many rows begin at @addr or before it */
size_t rows_find(const struct rows *rows, uint32_t addr);

/* The rule that holds at @addr; NULL before the first row */
const struct a32_table_rule *rows_at(const struct rows *rows, uint32_t addr);

/**
 * rows_overlay() - lay what is more reliable over what is less so
 * @upper: holds wherever it has data
 * @lower: holds elsewhere
 * @both: the result; empty at first
 */
void rows_overlay(const struct rows *upper, const struct rows *lower, struct rows *both);

/* Lays @lower under @rows, and frees it. */
void rows_put_under(struct rows *rows, struct rows *lower);

#endif
