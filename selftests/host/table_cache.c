// SPDX-License-Identifier: GPL-2.0
/* Tables that are kept: whose they are, and what becomes of damaged ones. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/table_cache.h"
#include "../tablefile.h"
#include "tap.h"

/* What its note says, and what is in it beside the headers, makes the difference. */
struct elf {
	Elf32_Ehdr header;
	Elf32_Phdr note;
	Elf32_Nhdr head;
	char name[4];
	uint8_t build_id[2];
	uint8_t padding[2];
	char rest[4];
};

static char folder[] = "/tmp/table_cache.XXXXXX";

static int make_file(const char *name, const char *build_id, const char *rest)
{
	struct elf elf = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB },
			.e_machine = EM_ARM, .e_phoff = offsetof(struct elf, note), .e_phnum = 1,
			.e_phentsize = sizeof(Elf32_Phdr),
		},
		.note = {
			.p_type = PT_NOTE, .p_offset = offsetof(struct elf, head), .p_filesz = 20,
		},
		.head = { .n_namesz = 4, .n_descsz = 2, .n_type = NT_GNU_BUILD_ID },
		.name = "GNU",
	};
	int fd;

	memcpy(elf.build_id, build_id, 2);
	memcpy(elf.rest, rest, 4);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, &elf, sizeof(elf)) != sizeof(elf))
		abort();
	return fd;
}

static struct table_key key_of(const char *build_id, const char *rest)
{
	struct table_key key = { 0 };
	int fd = make_file("file", build_id, rest);

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

/* As sha256sum(1) says it */
static void test_name(void)
{
	struct table_key key = key_of("\xab\xcd", "text"), junk;
	char line[128] = "", want[64];
	FILE *sum = popen("sha256sum file", "r");
	int fd;

	if (!sum || !fgets(line, sizeof(line), sum) || pclose(sum))
		abort();
	snprintf(want, sizeof(want), "abcd-%.32s", line);
	tap_result(!strcmp(key.name, want), "an entry is named by build-id and digest");
	fd = open("/dev/zero", O_RDONLY);
	tap_result(table_cache_key(fd, &junk), "what is no ELF file has no name");
	close(fd);
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
	tap_plan(15);
	test_name();
	test_keeping();
	test_damage();
	test_places();
	snprintf(place, sizeof(place), "rm -r %s", folder);
	return system(place) ? 1 : tap_status();
}
