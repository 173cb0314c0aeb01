/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_AUTO_TABLE_H
#define A32_AUTO_TABLE_H

#include "args.h"
#include "report.h"
#include "table_cache.h"

/**
 * struct auto_table - a file that is to have a table
 * @args: --output: the folder to write it to
 * @ctl: the module, or -1
 * @name: the file's name in its system
 * @path: what it is opened by here
 * @fd: it, open for reading
 */
struct auto_table {
	const struct args *args;
	int ctl;
	const char *name;
	const char *path;
	int fd;
};

/**
 * auto_table_give - have a table loaded, or written, and built first if need be
 * @how: what had to be done for it
 *
 * Returns DONE, or REFUSED once the reason is printed.
 */
int auto_table_give(const struct auto_table *table, enum action *how);

/* Puts a table into the cache; says so once when that can't be done. */
void auto_table_keep(const struct table_key *key, const uint8_t *bytes, size_t size);

/* Where a file's table is in a folder of tables, to be freed */
char *auto_table_path(const char *folder, const char *name);

#endif
