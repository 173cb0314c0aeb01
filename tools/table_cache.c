// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../module/core/table.h"
#include "elf_id.h"
#include "msg.h"
#include "sparse.h"
#include "table_cache.h"
#include "table_cache_room.h"
#include "write_file.h"

#define ENTRY_MAGIC 0x43323341	/* "A32C" */
#define BLOCK	65536	/* bytes that are read at once; the digest depends on it */

/**
 * struct entry - what is before the bytes in a file of the cache
 * @magic: ENTRY_MAGIC
 * @kind: enum table_cached
 * @builder: CRC of the sources that make tables, as cksum(1) prints it
 * @reserved: 0; keeps what follows aligned to 8 bytes
 * @digest: of all above, and of what follows
 */
struct entry {
	uint32_t magic;
	uint32_t kind;
	uint32_t builder;
	uint32_t reserved;
	uint8_t digest[SHA256_DIGEST_LENGTH];
};

static void seal(const struct entry *entry, const uint8_t *bytes, size_t size,
		 uint8_t digest[SHA256_DIGEST_LENGTH])
{
	SHA2_CTX sha;

	SHA256Init(&sha);
	SHA256Update(&sha, (const uint8_t *)entry, offsetof(struct entry, digest));
	SHA256Update(&sha, bytes, size);
	SHA256Final(digest, &sha);
}

/* Returns how many bytes there were of a whole block, or -1. */
static ssize_t read_block(int fd, uint8_t block[BLOCK], off_t at)
{
	size_t done = 0;
	ssize_t got;

	do {
		got = pread(fd, block + done, BLOCK - done, at + (off_t)done);
		if (got < 0)
			return -1;
		done += (size_t)got;
	} while (got && done < BLOCK);
	return (ssize_t)done;
}

/* A block of zeros is the same whether the file system has it or not: it is left out. */
static void add_block(SHA2_CTX *sha, const uint8_t block[BLOCK], size_t size, off_t at)
{
	const uint64_t where = (uint64_t)at;

	if (!*block && !memcmp(block, block + 1, size - 1))
		return;
	SHA256Update(sha, (const uint8_t *)&where, sizeof(where));
	SHA256Update(sha, block, size);
}

static const char *digest_file(int fd, uint64_t file_size, bool (*is_over)(void),
			       uint8_t digest[SHA256_DIGEST_LENGTH])
{
	static uint8_t block[BLOCK];
	SHA2_CTX sha;
	ssize_t got;
	off_t at;

	SHA256Init(&sha);
	for (at = sparse_next(fd, 0); at >= 0; at = sparse_next(fd, at + BLOCK)) {
		if (is_over && is_over())
			return "it was not read to its end";
		at -= at % BLOCK;
		got = read_block(fd, block, at);
		if (got < 0)
			return strerror(errno);
		if (got)
			add_block(&sha, block, (size_t)got, at);
	}
	SHA256Update(&sha, (const uint8_t *)&file_size, sizeof(file_size));
	SHA256Final(digest, &sha);
	return NULL;
}

static char *put_hex(char *to, const uint8_t *bytes, size_t size)
{
	while (size--)
		to += sprintf(to, "%02x", *bytes++);
	return to;
}

/*
 * Who may write to a file may change it while its table is made, and back again. So what
 * is made of it is for none but those that he may write to as well.
 */
static void put_writer(char *to, const struct stat *st)
{
	if (st->st_mode & 0022)
		strcpy(to, "-0");
	else if (st->st_uid && st->st_uid != geteuid())
		sprintf(to, "-%x", (unsigned int)st->st_uid);
}

const char *table_cache_key(int fd, struct table_key *key)
{
	return table_cache_key_unless(fd, NULL, key);
}

const char *table_cache_key_unless(int fd, bool (*is_over)(void), struct table_key *key)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];
	struct elf_id id;
	const char *why;
	struct stat st;
	char *end;

	why = elf_id_read_build_id(fd, &id);
	if (!why)
		why = digest_file(fd, id.file_size, is_over, digest);
	if (!why && fstat(fd, &st))
		why = strerror(errno);
	if (why)
		return why;
	key->file_size = id.file_size;
	end = put_hex(key->name, id.build_id, id.build_id_size);
	if (end != key->name)
		*end++ = '-';
	/* Who can't make SHA-256 collide can't make half of it collide either. */
	put_writer(put_hex(end, digest, SHA256_DIGEST_LENGTH / 2), &st);
	return NULL;
}

static char *format(const char *fmt, const char *a, const char *b)
{
	char *text;

	if (asprintf(&text, fmt, a, b) < 0)
		msg_no_memory();
	return text;
}

/* NULL for a user who has no place for it */
static char *folder_name(void)
{
	const char *dir = getenv("CACHE_DIRECTORY");

	if (dir && dir[0] == '/')
		return format("%s%s", dir, "");
	if (!geteuid())
		return format("%s%s", "/var/cache", "/a32uwind");
	dir = getenv("XDG_CACHE_HOME");
	if (dir && dir[0] == '/')
		return format("%s%s", dir, "/a32uwind/tables");
	dir = getenv("HOME");
	return dir && dir[0] == '/' ? format("%s%s", dir, "/.cache/a32uwind/tables") : NULL;
}

static int open_entry(const struct table_key *key)
{
	char *folder = folder_name(), *name;
	int fd;

	if (!folder)
		return -1;
	name = format("%s/%s", folder, key->name);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(name);
	free(folder);
	return fd;
}

static bool read_all(int fd, void *to, size_t size)
{
	uint8_t *byte = to;
	ssize_t got;

	for (; size; byte += got, size -= (size_t)got) {
		got = read(fd, byte, size);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got <= 0)
			return false;
	}
	return true;
}

static bool is_whole(const struct entry *entry, const uint8_t *bytes, size_t size)
{
	uint8_t digest[SHA256_DIGEST_LENGTH];

	if (entry->magic != ENTRY_MAGIC || entry->builder != A32_BUILDER)
		return false;
	seal(entry, bytes, size, digest);
	return !memcmp(digest, entry->digest, sizeof(digest));
}

static bool is_table_of(const struct table_key *key, const uint8_t *bytes, size_t size)
{
	const struct a32_table_header *header = (const void *)bytes;

	return a32_table_check(bytes, (uint32_t)size) && header->file_size == key->file_size;
}

static enum table_cached read_entry(int fd, const struct table_key *key, uint8_t **bytes,
				    size_t *size)
{
	struct entry entry;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= (off_t)sizeof(entry) ||
	    st.st_size > (off_t)(sizeof(entry) + A32_TABLE_SIZE_MAX))
		return CACHED_NOTHING;
	*size = (size_t)st.st_size - sizeof(entry);
	*bytes = malloc(*size);
	if (!*bytes)
		msg_no_memory();
	if (!read_all(fd, &entry, sizeof(entry)) || !read_all(fd, *bytes, *size) ||
	    !is_whole(&entry, *bytes, *size))
		return CACHED_NOTHING;
	if (entry.kind == CACHED_TABLE && is_table_of(key, *bytes, *size))
		return CACHED_TABLE;
	if (entry.kind == CACHED_REASON && !(*bytes)[*size - 1])
		return CACHED_REASON;
	return CACHED_NOTHING;
}

enum table_cached table_cache_find(const struct table_key *key, uint8_t **bytes, size_t *size)
{
	enum table_cached kind = CACHED_NOTHING;
	int fd = open_entry(key);

	*bytes = NULL;
	*size = 0;
	if (fd < 0)
		return kind;
	kind = read_entry(fd, key, bytes, size);
	if (kind != CACHED_NOTHING) {
		table_cache_mark_used(fd);
	} else {
		free(*bytes);
		*bytes = NULL;
	}
	close(fd);
	return kind;
}

static const char *write_entry(const char *folder, const struct table_key *key,
			       const struct entry *entry, size_t size)
{
	char *name = format("%s/%s", folder, key->name);
	const char *why = write_file_folders(name) ? table_cache_make_room(folder, size) :
						     strerror(errno);

	if (!why && !write_file(name, entry, size))
		why = strerror(errno);
	free(name);
	return why;
}

static const char *store(const struct table_key *key, uint32_t kind, const void *bytes,
			 size_t size)
{
	struct entry *entry = malloc(sizeof(*entry) + size);
	char *folder = folder_name();
	const char *why = "there is no home folder";

	if (!entry)
		msg_no_memory();
	*entry = (struct entry){ .magic = ENTRY_MAGIC, .kind = kind, .builder = A32_BUILDER };
	seal(entry, bytes, size, entry->digest);
	memcpy(entry + 1, bytes, size);
	if (folder)
		why = write_entry(folder, key, entry, sizeof(*entry) + size);
	free(folder);
	free(entry);
	return why;
}

const char *table_cache_store(const struct table_key *key, const uint8_t *bytes, size_t size)
{
	return store(key, CACHED_TABLE, bytes, size);
}

const char *table_cache_refuse(const struct table_key *key, const char *why)
{
	return store(key, CACHED_REASON, why, strlen(why) + 1);
}
