// SPDX-License-Identifier: GPL-2.0
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "library_dirs.h"
#include "msg.h"
#include "read_file.h"
#include "sysroot.h"
#include "text.h"

#define CACHE_NAME "/etc/ld.so.cache"
#define CONF_NAME "/etc/ld.so.conf"

enum {
	FILE_MAX_SIZE	= 64 << 20,
	CONF_DEPTH	= 8,	/* of include lines */
};

/* Debian's and everybody else's: glibc's SYSTEM_DIRS, and what multiarch puts before them */
static const char *const own_dirs[] = {
	"/lib/arm-linux-gnueabihf", "/usr/lib/arm-linux-gnueabihf", "/lib", "/usr/lib",
};

/* glibc's sysdeps/generic/dl-cache.h */
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_header {
	char magic[sizeof(CACHE_MAGIC) - 1];
	uint32_t nr;
	uint32_t strings_size;
	uint8_t flags;
	uint8_t padding[3];
	uint32_t extension;
	uint32_t unused[3];
};

struct cache_entry {
	int32_t flags;
	uint32_t key;
	uint32_t value;
	uint32_t os_version;
	uint64_t hwcap;
};

static char *read_text(const char *root, const char *name)
{
	char *found = sysroot_find(root, name), *path, *text;
	size_t size;

	if (!found)
		return NULL;
	path = sysroot_path(root, found);
	text = (char *)read_file(path, FILE_MAX_SIZE, &size);
	free(path);
	free(found);
	return text;
}

static void read_conf(const char *root, const char *name, int depth, struct text_list *dirs);

/* Of a pattern, the last part may have wildcards: what leads there is followed in @root. */
static void include(const char *root, const char *conf, char *pattern, int depth,
		    struct text_list *dirs)
{
	char *all = *pattern == '/' ? text_format("%s", pattern) :
		    text_format("%.*s%s", (int)(strrchr(conf, '/') - conf + 1), conf, pattern);
	char *last = strrchr(all, '/'), *dir, *path;
	size_t i, skip = strlen(root);
	glob_t found;

	*last++ = '\0';
	dir = sysroot_find(root, *all ? all : "/");
	path = dir ? text_format("%s%s/%s", root, dir, last) : NULL;
	if (path && !glob(path, 0, NULL, &found)) {
		for (i = 0; i < found.gl_pathc; i++)
			read_conf(root, found.gl_pathv[i] + skip, depth + 1, dirs);
		globfree(&found);
	}
	free(path);
	free(dir);
	free(all);
}

/* As ldconfig has it: comments, "include PATTERN...", or folders; "hwcap" is of the past. */
static void read_line(const char *root, const char *conf, char *line, int depth,
		      struct text_list *dirs)
{
	bool is_include, first = true;
	char *word;

	line[strcspn(line, "#")] = '\0';
	line += strspn(line, " \t");
	is_include = !strncmp(line, "include", 7) && strspn(line + 7, " \t");
	while ((word = strsep(&line, is_include ? " \t\r" : " \t\r:,"))) {
		if (is_include && !first && *word)
			include(root, conf, word, depth, dirs);
		else if (!is_include && *word == '/')
			text_list_add(dirs, text_format("%.*s", (int)strcspn(word, "="), word));
		first = false;
	}
}

static void read_conf(const char *root, const char *name, int depth, struct text_list *dirs)
{
	char *text = depth < CONF_DEPTH ? read_text(root, name) : NULL, *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		read_line(root, name, line, depth, dirs);
	free(text);
}

/* Behind one of the format before, in which nothing is looked up. */
static bool find_cache(struct library_dirs *dirs)
{
	uint8_t *at = dirs->cache;
	size_t skip;

	at = at ? memmem(at, dirs->cache_size, CACHE_MAGIC, sizeof(CACHE_MAGIC) - 1) : NULL;
	if (!at)
		return false;
	skip = (size_t)(at - dirs->cache);
	dirs->cache_size -= skip;
	memmove(dirs->cache, at, dirs->cache_size);
	return true;
}

static void read_cache(const char *root, struct library_dirs *dirs)
{
	char *found = sysroot_find(root, CACHE_NAME), *path;

	if (!found)
		return;
	path = sysroot_path(root, found);
	dirs->cache = read_file(path, FILE_MAX_SIZE, &dirs->cache_size);
	if (!find_cache(dirs)) {
		free(dirs->cache);
		dirs->cache = NULL;
	}
	free(path);
	free(found);
}

void library_dirs_read(const char *root, struct library_dirs *dirs)
{
	size_t i;

	*dirs = (struct library_dirs){ 0 };
	read_cache(root, dirs);
	if (!dirs->cache)
		read_conf(root, CONF_NAME, 0, &dirs->dirs);
	for (i = 0; i < ARRAY_SIZE(own_dirs); i++)
		text_list_add(&dirs->dirs, text_format("%s", own_dirs[i]));
}

/* NULL where the cache has no whole string */
static const char *string_at(const struct library_dirs *dirs, uint32_t offset)
{
	const char *text = (const char *)dirs->cache + offset;

	if (offset >= dirs->cache_size || !memchr(text, '\0', dirs->cache_size - offset))
		return NULL;
	return text;
}

void library_dirs_cached(const struct library_dirs *dirs, const char *name,
			 struct text_list *paths)
{
	struct cache_header header;
	struct cache_entry entry;
	const char *key, *value;
	size_t i, most;

	if (!dirs->cache || dirs->cache_size < sizeof(header))
		return;
	memcpy(&header, dirs->cache, sizeof(header));
	most = (dirs->cache_size - sizeof(header)) / sizeof(entry);
	for (i = 0; i < header.nr && i < most; i++) {
		memcpy(&entry, dirs->cache + sizeof(header) + i * sizeof(entry), sizeof(entry));
		key = string_at(dirs, entry.key);
		value = string_at(dirs, entry.value);
		if (key && value && !strcmp(key, name))
			text_list_add(paths, text_format("%s", value));
	}
}

void library_dirs_free(struct library_dirs *dirs)
{
	free(dirs->cache);
	text_list_free(&dirs->dirs);
}
