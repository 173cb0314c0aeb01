/* SPDX-License-Identifier: GPL-2.0 */
/* Unwind tables of the files that the oracle runs */
#ifndef A32_ORACLE_TABLES_H
#define A32_ORACLE_TABLES_H

#include "../../module/core/table.h"
#include "oracle.h"

/**
 * oracle_table_read() - read the table of an ELF file
 * @folder: where it is, with ".a32t" behind the file's name
 * @path: the file
 * @elf: all of it
 * @size: bytes
 *
 * Ends the program when it isn't there, or isn't one of this file's code.
 * Return: the table, for oracle_table_free()
 */
const struct a32_unwind_table *oracle_table_read(const char *folder, const char *path,
						 const void *elf, u32 size);

/* May be NULL */
void oracle_table_free(const struct a32_unwind_table *table);

/* All of a file */
void *oracle_file_read(const char *path, size_t *size);

#endif
