// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "array.h"
#include "table_cache_room.h"

#define DAY	(24 * 60 * 60)
#define BLOCK	4096	/* what a file takes is a multiple of that */
#define SHARE	10	/* of the file system: the tenth part */

/**
 * struct kept - an entry
 * @name: its file's
 * @used: when it was
 * @size: bytes that it takes
 */
struct kept {
	char name[128];
	time_t used;
	uint64_t size;
};

/**
 * struct all - all of them
 * @fd: the folder
 * @nr: of @kept
 * @room: for how many there is memory
 * @kept: them
 * @size: bytes that they take together
 */
struct all {
	int fd;
	size_t nr;
	size_t room;
	struct kept *kept;
	uint64_t size;
};

static uint64_t blocks(uint64_t size)
{
	return (size + BLOCK - 1) / BLOCK * BLOCK;
}

/* As table_cache_key() makes names; what isn't written to the end has .XXXXXX behind that. */
static bool is_entry(const char *name)
{
	size_t hex = strspn(name, "0123456789abcdef-"), rest = strlen(name + hex);

	return hex >= 32 && hex + rest < sizeof(((struct kept *)0)->name) &&
	       (!rest || (rest == 7 && name[hex] == '.'));
}

static void add(struct all *all, const char *name)
{
	struct kept *kept;
	struct stat st;

	if (!is_entry(name) || fstatat(all->fd, name, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(st.st_mode))
		return;
	all->kept = array_grow(all->kept, all->nr, &all->room, sizeof(*all->kept));
	kept = &all->kept[all->nr++];
	strcpy(kept->name, name);
	kept->used = st.st_mtime;
	kept->size = blocks((uint64_t)st.st_size);
	all->size += kept->size;
}

static int by_use(const void *a, const void *b)
{
	const struct kept *one = a, *other = b;

	return (one->used > other->used) - (one->used < other->used);
}

static void remove_until(struct all *all, uint64_t most)
{
	size_t i;

	if (all->nr)
		qsort(all->kept, all->nr, sizeof(*all->kept), by_use);
	for (i = 0; i < all->nr && all->size > most; i++) {
		unlinkat(all->fd, all->kept[i].name, 0);
		all->size -= all->kept[i].size;
	}
}

static const char *limit(const char *folder, uint64_t *most)
{
	const char *text = getenv(CACHE_MAX_VARIABLE);
	struct statvfs fs;
	uint64_t share;
	size_t digits;

	*most = CACHE_MAX_MIB;
	if (text && *text) {
		digits = strspn(text, "0123456789");
		if (text[digits] || digits > 6)
			return CACHE_MAX_VARIABLE " is no number of MiB";
		*most = strtoul(text, NULL, 10);
	}
	*most <<= 20;
	/* A ramfs, and a tmpfs without a limit, have no size. */
	if (statvfs(folder, &fs) || !fs.f_blocks)
		return NULL;
	share = (uint64_t)fs.f_blocks * fs.f_frsize / SHARE;
	if (share < *most)
		*most = share;
	return NULL;
}

const char *table_cache_make_room(const char *folder, size_t size)
{
	struct all all = { 0 };
	const char *why;
	uint64_t most;
	DIR *dir;

	why = limit(folder, &most);
	if (why)
		return why;
	if (blocks(size) > most)
		return "it is larger than the cache may be, see " CACHE_MAX_VARIABLE;
	dir = opendir(folder);
	if (!dir)
		return strerror(errno);
	all.fd = dirfd(dir);
	for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
		add(&all, entry->d_name);
	remove_until(&all, most - blocks(size));
	closedir(dir);
	free(all.kept);
	return NULL;
}

/* Once a day will do: it may be flash. */
void table_cache_mark_used(int fd)
{
	struct stat st;

	if (!fstat(fd, &st) && st.st_mtime < time(NULL) - DAY)
		futimens(fd, NULL);
}
