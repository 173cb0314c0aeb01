/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_TABLE_H
#define A32_TABLE_H

#include "compiler.h"

struct table;

struct column {
	const char *title;
	enum { TO_LEFT, TO_RIGHT } side;
};

/* @columns ends with a NULL title and must outlive the table. */
struct table *table_new(const struct column *columns);

/* Fills the next cell, row by row. */
__printf(2, 3) void table_cell(struct table *table, const char *fmt, ...);

/* Aligned; control characters in a cell come out as \ooo. */
void table_print(const struct table *table);

void table_free(struct table *table);

#endif
