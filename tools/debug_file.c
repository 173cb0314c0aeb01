// SPDX-License-Identifier: GPL-2.0
#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crc32.h"
#include "debug_file.h"
#include "msg.h"

enum { HEX_MAX = 2 * 64 + 1 };

/* Of another build, it would say what is wrong. */
static bool is_same_build(const struct elf_file *file, const struct elf_file *debug)
{
	return file->build_id_size == debug->build_id_size &&
	       !memcmp(file->build_id, debug->build_id, file->build_id_size);
}

static bool try_open(const char *path, struct elf_file *debug)
{
	return !access(path, R_OK) && !elf_file_open_debug(path, debug);
}

static bool try_build_id(const struct elf_file *file, const char *path, struct elf_file *debug)
{
	if (!try_open(path, debug))
		return false;
	if (is_same_build(file, debug))
		return true;
	elf_file_close(debug);
	return false;
}

static bool try_link(uint32_t crc, const char *path, struct elf_file *debug)
{
	if (!try_open(path, debug))
		return false;
	if (crc32_add(0, debug->bytes, debug->size) == crc)
		return true;
	elf_file_close(debug);
	return false;
}

/* Cuts off the last part of a path. Returns false at the root. */
static bool to_parent(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash)
		return false;
	*slash = '\0';
	return true;
}

static bool build_id_name(const struct elf_file *file, char name[HEX_MAX + 1])
{
	const void *id;
	ssize_t i, size = dwelf_elf_gnu_build_id(file->elf, &id);
	const uint8_t *byte = id;
	char *p = name;

	if (size < 2 || size > 64)
		return false;
	for (i = 0; i < size; i++) {
		p += sprintf(p, "%02x", byte[i]);
		if (!i)
			*p++ = '/';
	}
	return true;
}

static bool find_by_build_id(const struct elf_file *file, const char *real,
			     struct elf_file *debug)
{
	char dir[PATH_MAX], path[2 * PATH_MAX], name[HEX_MAX + 1];

	if (!build_id_name(file, name))
		return false;
	strcpy(dir, real);
	while (to_parent(dir)) {
		snprintf(path, sizeof(path), "%s/usr/lib/debug/.build-id/%s.debug", dir, name);
		if (try_build_id(file, path, debug))
			return true;
	}
	return false;
}

/* Beside the file, in .debug there, and below usr/lib/debug: as gdb does. */
static bool find_by_link(const struct elf_file *file, const char *real, struct elf_file *debug)
{
	char dir[PATH_MAX], root[PATH_MAX], path[3 * PATH_MAX];
	const char *name;
	GElf_Word crc;

	name = dwelf_elf_gnu_debuglink(file->elf, &crc);
	if (!name || strchr(name, '/') || strlen(name) > NAME_MAX)
		return false;
	strcpy(dir, real);
	to_parent(dir);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (try_link(crc, path, debug))
		return true;
	snprintf(path, sizeof(path), "%s/.debug/%s", dir, name);
	if (try_link(crc, path, debug))
		return true;
	strcpy(root, dir);
	do {
		snprintf(path, sizeof(path), "%s/usr/lib/debug%s/%s", root, dir + strlen(root),
			 name);
		if (try_link(crc, path, debug))
			return true;
	} while (to_parent(root));
	return false;
}

static int open_given(const struct elf_file *file, const char *name, struct elf_file *debug)
{
	int err = elf_file_open_debug(name, debug);

	if (err || is_same_build(file, debug))
		return err;
	elf_file_close(debug);
	return msg_fail("%s: has another build-id than %s; give the one that was made with it",
			name, file->path);
}

int debug_file_open(const struct elf_file *file, const char *name, struct elf_file *debug)
{
	char real[PATH_MAX];

	*debug = (struct elf_file){ .fd = -1 };
	if (name)
		return open_given(file, name, debug);
	if (realpath(file->path, real) && !find_by_build_id(file, real, debug))
		find_by_link(file, real, debug);
	return DONE;
}
