// SPDX-License-Identifier: GPL-2.0
/* Runs the SQL in WORKLOAD on a database in memory. */
#include <stdio.h>
#include <sqlite3.h>
#include "embed.h"

static unsigned int rows;

static int on_row(void *data, int columns, char **values, char **names)
{
	int i;

	(void)data;
	(void)names;
	for (i = 0; i < columns; i++)
		printf("%s%c", values[i] ? values[i] : "NULL", i + 1 < columns ? '|' : '\n');
	rows++;
	return 0;
}

int main(void)
{
	char *message = NULL;
	sqlite3 *db;

	if (sqlite3_open(":memory:", &db) != SQLITE_OK)
		return 1;
	if (sqlite3_exec(db, workload, on_row, NULL, &message) != SQLITE_OK) {
		fprintf(stderr, "%s\n", message);
		return 2;
	}
	return sqlite3_close(db) != SQLITE_OK || !rows;
}
