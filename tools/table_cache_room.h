/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How large the cache of tables may become: CACHE_MAX_MIB MiB, or what the
 * variable CACHE_MAX_VARIABLE says, and in either case no more than a tenth of
 * the file system that it is on. What was used longest ago goes first.
 */
#ifndef A32_TABLE_CACHE_ROOM_H
#define A32_TABLE_CACHE_ROOM_H

#include <stddef.h>

#define CACHE_MAX_MIB		32	/* some thousand tables */
#define CACHE_MAX_VARIABLE	"A32UWIND_CACHE_MAX"

/**
 * table_cache_make_room() - remove as many of the oldest entries as are in the way of a new one
 * @folder: the cache
 * @size: bytes of the new entry
 *
 * What others have in that folder stays.
 *
 * Return: NULL, or why there is no room for it
 */
const char *table_cache_make_room(const char *folder, size_t size);

/* Says that the open entry is of use: it is the last one to go now. */
void table_cache_mark_used(int fd);

#endif
