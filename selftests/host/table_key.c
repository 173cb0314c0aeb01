// SPDX-License-Identifier: GPL-2.0
/* What a file is known by in the cache of tables: all that is in it, and who may change that. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../tools/table_cache.h"
#include "small_elf.h"
#include "tap.h"

#define LARGE	(64LL << 30)	/* to read that takes longer than anyone waits */

static char folder[] = "/tmp/table_key.XXXXXX";

static struct table_key key_of(int fd)
{
	struct table_key key = { 0 };

	if (table_cache_key(fd, &key))
		abort();
	return key;
}

static void fill_with_zeros(int fd, off_t at, off_t end)
{
	static const char zeros[1 << 16];
	ssize_t done;

	for (; at < end; at += done) {
		done = end - at < (off_t)sizeof(zeros) ? end - at : (off_t)sizeof(zeros);
		if (pwrite(fd, zeros, (size_t)done, at) != done)
			abort();
	}
}

/* @size bytes with @last at @at. The rest are zeros; with @full, the file system has them. */
static struct table_key key_of_size(off_t size, off_t at, const char *last, bool full)
{
	int fd = small_elf_make("file", "\xab\xcd", "text");
	struct table_key key;
	struct stat st;

	if (fstat(fd, &st) || ftruncate(fd, size))
		abort();
	if (full)
		fill_with_zeros(fd, st.st_size, size);
	if (*last && pwrite(fd, last, strlen(last), at) < 0)
		abort();
	key = key_of(fd);
	close(fd);
	return key;
}

static bool is_same(const struct table_key *a, const struct table_key *b)
{
	return !strcmp(a->name, b->name);
}

/* As sha256sum(1) says it of the block's offset, the block, and the file's size, below 256 */
static void test_name(void)
{
	FILE *sum = popen("{ head -c 8 /dev/zero; cat file; "
			  "printf \"\\\\$(printf %03o $(stat -c %s file))\"; head -c 7 /dev/zero; } | "
			  "sha256sum", "r");
	int fd = small_elf_make("file", "\xab\xcd", "text");
	struct table_key key = key_of(fd), junk;
	char line[128] = "", want[64];

	close(fd);
	if (!sum || !fgets(line, sizeof(line), sum) || pclose(sum))
		abort();
	snprintf(want, sizeof(want), "abcd-%.32s", line);
	tap_result(!strcmp(key.name, want), "an entry is named by build-id and digest");
	fd = open("/dev/zero", O_RDONLY);
	tap_result(table_cache_key(fd, &junk), "what is no ELF file has no name");
	close(fd);
}

static void test_sparse(void)
{
	struct table_key sparse = key_of_size(1 << 20, 700000, "x", false), other;

	other = key_of_size(1 << 20, 700000, "x", true);
	tap_result(is_same(&sparse, &other),
		   "zeros are the same whether they are on the disk or not");
	other = key_of_size(1 << 20, 700000, "y", false);
	tap_result(!is_same(&sparse, &other), "a byte behind them counts");
	other = key_of_size(1 << 20, 700000 + (1 << 16), "x", false);
	tap_result(!is_same(&sparse, &other), "and so does where it is");
	other = key_of_size((1 << 20) + 1, 700000, "x", false);
	tap_result(!is_same(&sparse, &other), "a zero more at the end counts");
	other = key_of_size((1 << 20) - 1, 700000, "x", true);
	tap_result(!is_same(&sparse, &other), "and one less");
	alarm(20);
	other = key_of_size(LARGE, LARGE - 1, "x", false);
	alarm(0);
	tap_result(other.file_size == LARGE, "what a file doesn't have takes no time");
}

static unsigned int asked;

static bool is_over(void)
{
	return ++asked == 3;
}

static void test_end(void)
{
	int fd = small_elf_make("file", "\xab\xcd", "text");
	struct table_key key;

	fill_with_zeros(fd, 1000, 1 << 20);
	tap_result(table_cache_key_unless(fd, is_over, &key) && asked == 3,
		   "who has to do something else reads no further");
	close(fd);
}

static bool has_ending(int fd, const char *ending)
{
	return !strcmp(key_of(fd).name + strlen("abcd-") + 32, ending);
}

/* Who can change a file while its table is made can't have it made for others' files. */
static void test_writers(void)
{
	int fd = small_elf_make("file", "\xab\xcd", "text");

	fchmod(fd, 0775);
	tap_result(has_ending(fd, "-0"), "what a group may write to has an entry of its own");
	fchmod(fd, 0757);
	tap_result(has_ending(fd, "-0"), "and so has what all may write to");
	fchmod(fd, 0755);
	tap_result(geteuid() || (!fchown(fd, 1000, 0) && has_ending(fd, "-3e8")),
		   "what another user may write to has one of his%s",
		   geteuid() ? " # SKIP only root can make one" : "");
	close(fd);
}

int main(void)
{
	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	tap_plan(12);
	test_name();
	test_sparse();
	test_end();
	test_writers();
	return unlink("file") || chdir("/") || rmdir(folder) ? 1 : tap_status();
}
