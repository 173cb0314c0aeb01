/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwind tables that were made on this machine, to be made once: by the file's
 * build-id and digest, so that no other file gets its table, and by who may write to
 * it. What another version of the tool made, or what is damaged, is as if it weren't
 * there.
 *
 * They are in $CACHE_DIRECTORY, which systemd sets; else root's are in
 * /var/cache/a32uwind, other users' in $XDG_CACHE_HOME/a32uwind/tables or
 * ~/.cache/a32uwind/tables.
 */
#ifndef A32_TABLE_CACHE_H
#define A32_TABLE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct table_key - what a file is known by
 * @file_size: its bytes
 * @name: of its entry: build-id, digest, and who but root and the caller may write to it
 */
struct table_key {
	uint64_t file_size;
	char name[96];
};

/**
 * table_cache_key() - find out what a file is known by
 * @fd: the file, open for reading; all that is in it is read
 * @key: the result
 *
 * Return: NULL, or why it has none: it is no ELF file of 32-bit ARM, say
 */
const char *table_cache_key(int fd, struct table_key *key);

/**
 * table_cache_key_unless() - the same, for who may have to do something else
 * @fd: the file
 * @is_over: asked often; once it says so, the file is not read any further; or NULL
 * @key: the result
 */
const char *table_cache_key_unless(int fd, bool (*is_over)(void), struct table_key *key);

/**
 * enum table_cached - what the cache knows of a file
 * @CACHED_NOTHING: nothing: make its table
 * @CACHED_TABLE: its table
 * @CACHED_REASON: why it can't have one
 */
enum table_cached { CACHED_NOTHING, CACHED_TABLE, CACHED_REASON };

/**
 * table_cache_find() - look for a file's entry
 * @key: the file
 * @bytes: the table, or the reason, which ends in NUL; to be freed, or NULL
 * @size: bytes of it
 */
enum table_cached table_cache_find(const struct table_key *key, uint8_t **bytes, size_t *size);

/**
 * table_cache_store() - keep a table that was made with all sources
 * @key: the file that it was made of
 * @bytes: the table
 * @size: bytes of it
 *
 * Return: NULL, or what failed
 */
const char *table_cache_store(const struct table_key *key, const uint8_t *bytes, size_t size);

/**
 * table_cache_refuse() - keep in mind that a file can't have a table
 * @key: the file
 * @why: the reason, a line
 *
 * Return: NULL, or what failed
 */
const char *table_cache_refuse(const struct table_key *key, const char *why);

#endif
