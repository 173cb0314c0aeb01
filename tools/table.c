// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "msg.h"
#include "table.h"
#include "text.h"

struct table {
	const struct column *columns;
	size_t nr_columns;
	size_t nr_cells;
	size_t room;
	char **cells;
};

struct table *table_new(const struct column *columns)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		msg_no_memory();
	table->columns = columns;
	while (columns[table->nr_columns].title)
		table->nr_columns++;
	return table;
}

void table_cell(struct table *table, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		msg_no_memory();

	table->cells = array_grow(table->cells, table->nr_cells, &table->room, sizeof(char *));
	table->cells[table->nr_cells++] = text_escape(text);
	free(text);
}

static int column_width(const struct table *table, size_t column)
{
	size_t width = strlen(table->columns[column].title);
	size_t i, len;

	for (i = column; i < table->nr_cells; i += table->nr_columns) {
		len = strlen(table->cells[i]);
		if (len > width)
			width = len;
	}
	return (int)width;
}

static void print_cell(const struct table *table, size_t column, int width,
		       const char *text)
{
	int last = column + 1 == table->nr_columns;

	if (table->columns[column].side == TO_RIGHT)
		printf("%*s", width, text);
	else
		printf("%-*s", last ? 0 : width, text);
	fputs(last ? "\n" : "  ", stdout);
}

void table_print(const struct table *table)
{
	int *widths = calloc(table->nr_columns, sizeof(*widths));
	size_t i;

	if (!widths)
		msg_no_memory();
	for (i = 0; i < table->nr_columns; i++) {
		widths[i] = column_width(table, i);
		print_cell(table, i, widths[i], table->columns[i].title);
	}
	for (i = 0; i < table->nr_cells; i++)
		print_cell(table, i % table->nr_columns,
			   widths[i % table->nr_columns], table->cells[i]);
	free(widths);
}

void table_free(struct table *table)
{
	while (table->nr_cells)
		free(table->cells[--table->nr_cells]);
	free(table->cells);
	free(table);
}
