/* SPDX-License-Identifier: GPL-2.0 */
/* Unwind tables as files: uapi/a32table.h. */
#ifndef A32_TABLE_FORMAT_H
#define A32_TABLE_FORMAT_H

#include "image.h"
#include "rows.h"

/**
 * table_encode() - make a table
 * @image: the file that it is for; it has an executable segment
 * @rows: what holds where, in addresses of @image
 * @about: the file: the build-id, the CRC and the size of it are taken
 * @bytes: the result, to be freed
 * @size: bytes of it
 *
 * Return: NULL, or why there can't be a table
 */
const char *table_encode(const struct image *image, const struct rows *rows,
			 const struct a32_table_header *about, uint8_t **bytes, size_t *size);

/**
 * table_decode() - read a table, and check all of it
 * @bytes: the table, aligned to 8 bytes
 * @size: bytes
 * @header: its header
 * @rows: what holds where, in file offsets; the rows that only begin a block
 *	are left out
 *
 * Return: NULL, or what is wrong with it
 */
const char *table_decode(const uint8_t *bytes, size_t size, struct a32_table_header *header,
			 struct rows *rows);

#endif
