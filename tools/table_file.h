/* SPDX-License-Identifier: GPL-2.0 */
/* Unwind tables that are kept in files. */
#ifndef A32_TABLE_FILE_H
#define A32_TABLE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "a32table.h"

/**
 * struct table_file - one
 * @path: its name, as given to table_file_open()
 * @size: its bytes
 * @bytes: them
 */
struct table_file {
	const char *path;
	size_t size;
	uint8_t *bytes;
};

/**
 * table_file_open - read one
 *
 * Returns DONE, or REFUSED once the reason is printed; the module looks at more
 * of it. table_file_close() after either.
 */
int table_file_open(const char *path, struct table_file *table);

const struct a32_table_header *table_file_header(const struct table_file *table);

void table_file_close(struct table_file *table);

#endif
