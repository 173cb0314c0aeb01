// SPDX-License-Identifier: GPL-2.0
/* Tables that are kept: whose they are, and what becomes of damaged ones. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "../../tools/table_cache.h"
#include "../../tools/table_cache_room.h"
#include "../tablefile.h"
#include "small_elf.h"
#include "tap.h"

static char folder[] = "/tmp/table_cache.XXXXXX";

static struct table_key key_of(const char *build_id, const char *rest)
{
	struct table_key key = { 0 };
	int fd = small_elf_make("file", build_id, rest);

	if (table_cache_key(fd, &key))
		abort();
	close(fd);
	return key;
}

static uint8_t *make_table(uint64_t file_size, size_t *size)
{
	static const struct tablefile_row row = { 0, TABLEFILE_KIND(OUTERMOST) };
	uint32_t bytes;
	uint8_t *table = tablefile_write(&row, 1, 8, file_size, &bytes);

	*size = bytes;
	return table;
}

static enum table_cached look(const struct table_key *key)
{
	uint8_t *bytes;
	size_t size;
	enum table_cached kind = table_cache_find(key, &bytes, &size);

	free(bytes);
	return kind;
}

static void test_keeping(void)
{
	struct table_key key = key_of("id", "text"), other = key_of("id", "TEXT");
	uint8_t *table, *bytes;
	size_t size, got;

	table = make_table(key.file_size, &size);
	tap_result(look(&key) == CACHED_NOTHING, "there is nothing at first");
	tap_result(!table_cache_store(&key, table, size),
		   "a table is kept, in a folder that is made for it");
	tap_result(table_cache_find(&key, &bytes, &got) == CACHED_TABLE && got == size &&
		   !memcmp(bytes, table, size), "and found as it was");
	free(bytes);
	tap_result(look(&other) == CACHED_NOTHING,
		   "a file with the same build-id and other code has none");
	tap_result(!table_cache_refuse(&other, "why") &&
		   table_cache_find(&other, &bytes, &got) == CACHED_REASON &&
		   !strcmp((char *)bytes, "why"),
		   "but may have a reason why it can't have one");
	free(bytes);
	tap_result(look(&key) == CACHED_TABLE, "which is no matter of other files");
	tap_result(!table_cache_store(&other, table, size) && look(&other) == CACHED_TABLE,
		   "a table takes a reason's place");
	free(table);
}

/* Change the byte at @at of an entry, or cut it off there. */
static void damage(const struct table_key *key, off_t at, bool cut)
{
	char name[256], byte;
	int fd;

	snprintf(name, sizeof(name), "cache/deep/%s", key->name);
	fd = open(name, O_RDWR);
	if (fd < 0 || pread(fd, &byte, 1, at) != 1)
		abort();
	byte ^= 1;
	if (cut ? ftruncate(fd, at) : pwrite(fd, &byte, 1, at) != 1)
		abort();
	close(fd);
}

static bool survives(const struct table_key *key, size_t size, bool cut)
{
	size_t table_size, at;
	uint8_t *table = make_table(key->file_size, &table_size);
	bool found = false;

	for (at = 0; at < size && !found; at++) {
		if (table_cache_store(key, table, table_size))
			abort();
		damage(key, (off_t)at, cut);
		found = look(key) != CACHED_NOTHING;
	}
	free(table);
	return found;
}

static void test_damage(void)
{
	struct table_key key = key_of("id", "text");
	size_t size, entry;
	uint8_t *table = make_table(key.file_size, &size);
	struct stat st;
	char name[256];

	if (table_cache_store(&key, table, size))
		abort();
	snprintf(name, sizeof(name), "cache/deep/%s", key.name);
	if (stat(name, &st))
		abort();
	entry = (size_t)st.st_size;
	tap_result(!survives(&key, entry, false), "one that is changed anywhere is none");
	tap_result(!survives(&key, entry, true), "nor one that is cut off anywhere");
	tap_result(!table_cache_store(&key, table, size) && look(&key) == CACHED_TABLE,
		   "it is made anew");
	table[0] ^= 1;
	tap_result(!table_cache_store(&key, table, size) && look(&key) == CACHED_NOTHING,
		   "what is no table is not handed out");
	free(table);
	table = make_table(key.file_size + 1, &size);
	tap_result(!table_cache_store(&key, table, size) && look(&key) == CACHED_NOTHING,
		   "nor that of a file of another size");
	free(table);
}

/* How large the file system is that the cache is on; in place of the C library's */
static fsblkcnt_t disk_mib = 1 << 20;

int statvfs(const char *path, struct statvfs *fs)
{
	*fs = (struct statvfs){ .f_blocks = disk_mib << 8, .f_frsize = 4096 };
	return access(path, F_OK);
}

#define DAY	(24 * 60 * 60)
#define LARGE	(300 << 10)	/* three of them have room in 1 MiB, four have not */

/* One of them is of a file that others may write to: it counts like the rest. */
static struct table_key large_key(char which)
{
	char rest[4] = { which };
	struct table_key key;
	int fd = small_elf_make("file", "id", rest);

	fchmod(fd, which == 'b' ? 0664 : 0644);
	if (table_cache_key(fd, &key))
		abort();
	close(fd);
	return key;
}

static void make_old(const char *name, int days)
{
	const struct timespec then[2] = {
		{ .tv_nsec = UTIME_OMIT }, { .tv_sec = time(NULL) - days * DAY },
	};
	char path[256];

	snprintf(path, sizeof(path), "cache/deep/%s", name);
	if (utimensat(AT_FDCWD, path, then, AT_SYMLINK_NOFOLLOW))
		abort();
}

static const char *put_large(char which, int days)
{
	struct table_key key = large_key(which);
	char *text = malloc(LARGE);
	const char *why;

	memset(text, 'x', LARGE);
	text[LARGE - 1] = '\0';
	why = table_cache_refuse(&key, text);
	free(text);
	if (!why)
		make_old(key.name, days);
	return why;
}

/* Which of "abcde" are there? To ask the cache for them would be to use them. */
static const char *there(void)
{
	static char found[8];
	char path[256], which;
	char *end = found;

	for (which = 'a'; which <= 'e'; which++) {
		snprintf(path, sizeof(path), "cache/deep/%s", large_key(which).name);
		if (!access(path, F_OK))
			*end++ = which;
	}
	*end = '\0';
	return found;
}

static void empty_cache(void)
{
	if (system("rm -rf cache"))
		abort();
}

static void test_room(void)
{
	struct table_key used = large_key('a');

	setenv(CACHE_MAX_VARIABLE, "1", 1);
	empty_cache();
	put_large('a', 5);
	put_large('b', 3);
	put_large('c', 4);
	tap_result(!strcmp(there(), "abc"), "what has room stays");
	put_large('d', 0);
	tap_result(!strcmp(there(), "bcd"), "what is the oldest goes for what is new");
	put_large('a', 6);
	tap_result(!strcmp(there(), "abd"), "and the next one");
	look(&used);
	put_large('e', 0);
	tap_result(!strcmp(there(), "ade"), "what was used meanwhile stays");
	unsetenv(CACHE_MAX_VARIABLE);
	put_large('b', 0);
	tap_result(!strcmp(there(), "abde"), "there is more room than that if nobody says so");
	disk_mib = 10;
	make_old(used.name, 7);
	put_large('c', 0);
	disk_mib = 1 << 20;
	tap_result(strlen(there()) == 3 && !strchr(there(), 'a'),
		   "but no more than a tenth of the disk");
	disk_mib = 0;
	tap_result(!put_large('d', 0), "a file system that has no size is no small one");
	disk_mib = 1 << 20;
}

/* None of these is one that the cache has written to the end. */
#define HEX		"0123456789abcdef0123456789abcd"
#define NOT_FINISHED	HEX "ef.Ab3dEf"

static void make_others(void)
{
	static const char *const others[] = { "notes.txt", HEX "ef", HEX "ee" };
	size_t i;

	if (system("cd cache/deep && mkdir " HEX "ef && ln -s notes.txt " HEX "ee && "
		   "head -c 900000 /dev/zero >notes.txt && "
		   "head -c 300000 /dev/zero >" NOT_FINISHED))
		abort();
	for (i = 0; i < 3; i++)
		make_old(others[i], 9);
	make_old(NOT_FINISHED, 8);
}

static void test_others_stay(void)
{
	empty_cache();
	setenv(CACHE_MAX_VARIABLE, "1", 1);
	put_large('a', 5);
	make_others();
	put_large('b', 0);
	tap_result(!access("cache/deep/" NOT_FINISHED, F_OK),
		   "what nobody has written to the end may be there");
	put_large('c', 0);
	tap_result(access("cache/deep/" NOT_FINISHED, F_OK) && !strcmp(there(), "abc"),
		   "and goes, as an entry does");
	put_large('d', 0);
	tap_result(!system("cd cache/deep && test -s notes.txt -a -d " HEX "ef -a -L " HEX "ee") &&
		   !strcmp(there(), "bcd"), "what is no entry is neither counted nor removed");
}

static void test_no_room(void)
{
	const char *why;

	empty_cache();
	unsetenv(CACHE_MAX_VARIABLE);
	put_large('a', 1);
	setenv(CACHE_MAX_VARIABLE, "0", 1);
	why = put_large('b', 0);
	tap_result(why && strstr(why, CACHE_MAX_VARIABLE) && !strcmp(there(), "a"),
		   "what can't ever have room is not kept, and nothing goes for it");
	setenv(CACHE_MAX_VARIABLE, "1 GB", 1);
	why = put_large('b', 0);
	tap_result(why && strstr(why, "no number of MiB"), "a limit that is no number is said");
	setenv(CACHE_MAX_VARIABLE, "-1", 1);
	tap_result(put_large('b', 0), "nor is a negative one");
	setenv(CACHE_MAX_VARIABLE, "", 1);
	tap_result(!put_large('b', 0) && !strcmp(there(), "ab"), "an empty one says nothing");
	unsetenv(CACHE_MAX_VARIABLE);
}

static void test_places(void)
{
	struct table_key key = key_of("id", "text");
	bool failed;

	setenv("CACHE_DIRECTORY", "/dev/null/cache", 1);
	failed = table_cache_refuse(&key, "why");
	tap_result(failed && look(&key) == CACHED_NOTHING, "a place that can't be is said");
}

int main(void)
{
	char place[64];

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	snprintf(place, sizeof(place), "%s/cache/deep", folder);
	setenv("CACHE_DIRECTORY", place, 1);
	tap_plan(27);
	test_keeping();
	test_damage();
	test_room();
	test_others_stay();
	test_no_room();
	test_places();
	snprintf(place, sizeof(place), "rm -r %s", folder);
	return system(place) ? 1 : tap_status();
}
