// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "closure.h"
#include "compiler.h"
#include "elf_map.h"
#include "linker.h"
#include "msg.h"
#include "sysroot.h"
#include "text.h"

void closure_start(struct closure *closure, const char *root)
{
	*closure = (struct closure){ .root = root };
	library_dirs_read(root, &closure->dirs);
}

void closure_end(struct closure *closure)
{
	struct member *member;

	while (closure->nr) {
		member = &closure->items[--closure->nr];
		elf_needs_free(&member->needs);
		free(member->name);
		free(member->path);
		free(member->origin);
	}
	free(closure->items);
	text_list_free(&closure->missing);
	library_dirs_free(&closure->dirs);
}

static bool find_member(const struct closure *closure, const struct stat *st, size_t *index)
{
	size_t i;

	for (i = 0; i < closure->nr; i++) {
		if (closure->items[i].device != st->st_dev || closure->items[i].inode != st->st_ino)
			continue;
		*index = i;
		return true;
	}
	return false;
}

static struct member *new_member(struct closure *closure)
{
	closure->items = realloc(closure->items, (closure->nr + 1) * sizeof(*closure->items));
	if (!closure->items)
		msg_no_memory();
	return &closure->items[closure->nr++];
}

static const char *add_open(struct closure *closure, int fd, const struct member *as, size_t *index)
{
	struct elf_needs needs;
	struct member *member;
	struct stat st;
	const char *why;

	if (fstat(fd, &st))
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "it is not a regular file";
	if (find_member(closure, &st, index))
		return NULL;
	why = elf_needs_read(fd, &needs);
	if (why) {
		elf_needs_free(&needs);
		return why;
	}
	member = new_member(closure);
	*member = (struct member){
		.name = text_format("%s", as->name),
		.path = text_format("%s", as->path),
		.origin = text_format("%s", as->origin),
		.device = st.st_dev,
		.inode = st.st_ino,
		.needs = needs,
	};
	*index = closure->nr - 1;
	return NULL;
}

const char *closure_add_file(struct closure *closure, const char *name, const char *path,
			     const char *origin, size_t *member)
{
	struct member as = { .name = (char *)name, .path = (char *)path, .origin = (char *)origin };
	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	const char *why;

	if (fd < 0)
		return strerror(errno);
	why = add_open(closure, fd, &as, member);
	close(fd);
	return why;
}

static const char give_another[] = "give a program, a library or a folder";

/* @sure: it is meant to be one; else it may be of another kind */
static void add_program(struct closure *closure, const char *name, const char *path,
			const char *origin, bool sure)
{
	const char *why;
	size_t member;

	why = closure_add_file(closure, name, path, origin, &member);
	if (!why) {
		closure->met++;
		linker_load(closure, member, sure);
	} else if (sure || elf_needs_is_damage(why)) {
		msg_fail("%s: %s; %s", name, why,
			 msg_todo(access(path, R_OK) ? errno : 0, give_another));
		closure->failed++;
	}
}

/* Of a running system, "/" has folders that are no files' home. */
static bool is_made_up(const char *name)
{
	static const char *const dirs[] = { "/proc", "/sys", "/dev" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		if (!strcmp(name, dirs[i]))
			return true;
	return false;
}

static void add_folder(struct closure *closure, const char *name);

static void add_entry(struct closure *closure, const char *dir, const char *entry)
{
	char *name = text_format("%s/%s", strcmp(dir, "/") ? dir : "", entry);
	char *path = sysroot_path(closure->root, name);
	char *origin = text_format("in %s", dir);
	struct stat st;

	/* Links lead to what is met elsewhere, or to where nobody asked for. */
	if (!lstat(path, &st) && S_ISREG(st.st_mode) && elf_map_begins(path))
		add_program(closure, name, path, origin, false);
	else if (!lstat(path, &st) && S_ISDIR(st.st_mode) && !is_made_up(name))
		add_folder(closure, name);
	free(origin);
	free(path);
	free(name);
}

static void add_folder(struct closure *closure, const char *name)
{
	char *path = sysroot_path(closure->root, name);
	struct dirent **entries;
	int i, nr;

	nr = scandir(path, &entries, NULL, alphasort);
	if (nr < 0) {
		msg_fail("%s: %s; %s", path, strerror(errno), msg_todo(errno, "check the folder"));
		closure->failed++;
	}
	for (i = 0; i < nr; i++) {
		if (strcmp(entries[i]->d_name, ".") && strcmp(entries[i]->d_name, ".."))
			add_entry(closure, name, entries[i]->d_name);
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
	free(path);
}

/* One that nothing is in was hardly meant. */
static void add_given_folder(struct closure *closure, const char *name, const char *path)
{
	size_t before = closure->met + closure->failed;

	add_folder(closure, name);
	if (closure->met + closure->failed != before)
		return;
	msg_fail("%s: there is no program or library for 32-bit ARM in it; name another folder",
		 path);
	closure->failed++;
}

void closure_add(struct closure *closure, const char *given)
{
	char *name = sysroot_find(closure->root, given), *path;
	struct stat st;

	if (!name) {
		msg_fail("%s: %s; %s", given, strerror(errno), msg_todo(errno, *closure->root ?
			 "give names as they are inside of the sysroot" : "check the name"));
		closure->failed++;
		return;
	}
	path = sysroot_path(closure->root, name);
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		add_given_folder(closure, name, path);
	else
		add_program(closure, name, path, "given", true);
	free(path);
	free(name);
}
