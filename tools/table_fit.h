/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_TABLE_FIT_H
#define A32_TABLE_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf_id.h"

/* Are these bytes a whole table, and one of that file? */
bool table_fits(const uint8_t *bytes, size_t size, const struct elf_id *id);

/*
 * Was the file with a table written since this a32uwctl was installed? One of
 * before then may make another table.
 */
bool table_is_newer_than_tool(const char *path);

#endif
