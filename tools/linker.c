// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "linker.h"
#include "msg.h"
#include "sysroot.h"
#include "text.h"

#define NOBODY ((size_t)-1)

/**
 * struct object - a file that a program has loaded
 * @member: it
 * @loader: the object that needed it first, or NOBODY
 * @name: what it was found as; only the program's own has no links in it
 */
struct object {
	size_t member;
	size_t loader;
	char *name;
};

/**
 * struct program - a program that is being loaded
 * @closure: where the files go
 * @sure: what isn't found is missing
 * @nr: number of @objects
 * @objects: in the order they are loaded in, itself the first
 */
struct program {
	struct closure *closure;
	bool sure;
	size_t nr;
	struct object *objects;
};

/* It may move when a file is added to the closure. */
static const struct member *member_of(const struct program *p, size_t object)
{
	return &p->closure->items[p->objects[object].member];
}

static void add_object(struct program *p, size_t member, size_t loader, const char *name)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (p->objects[i].member == member)
			return;
	p->objects = realloc(p->objects, (p->nr + 1) * sizeof(*p->objects));
	if (!p->objects)
		msg_no_memory();
	p->objects[p->nr++] = (struct object){ member, loader, text_format("%s", name) };
}

static bool add_file(struct program *p, const char *given, const char *how, size_t loader)
{
	char *name = sysroot_find(p->closure->root, given), *path, *origin;
	const char *why;
	size_t member;

	if (!name)
		return false;
	path = sysroot_path(p->closure->root, name);
	origin = text_format("%s %s", how, member_of(p, loader)->name);
	why = closure_add_file(p->closure, name, path, origin, &member);
	if (!why)
		add_object(p, member, loader, given);
	free(origin);
	free(path);
	free(name);
	return !why;
}

static char *folder_of(const char *name)
{
	return text_format("%.*s", (int)(strrchr(name, '/') - name), name);
}

/* The token at @text, "ORIGIN" or "{ORIGIN}", is @name: returns what is behind it, or NULL. */
static const char *behind_token(const char *text, const char *name)
{
	size_t len = strlen(name);

	if (*text == '{')
		return !strncmp(text + 1, name, len) && text[len + 1] == '}' ?
		       text + len + 2 : NULL;
	return strncmp(text, name, len) ? NULL : text + len;
}

/* ld.so(8): Dynamic string tokens */
static const char *token(const char *text, const char *origin, const char **value)
{
	const struct {
		const char *name;
		const char *value;
	} tokens[] = {
		{ "ORIGIN", origin }, { "LIB", "lib/arm-linux-gnueabihf" }, { "PLATFORM", "v7l" },
	};
	const char *behind;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tokens); i++) {
		behind = behind_token(text, tokens[i].name);
		*value = tokens[i].value;
		if (behind)
			return behind;
	}
	return NULL;
}

/* @text with the tokens of the file @name in it, to be freed */
static char *expand(const char *text, const char *name)
{
	char *origin = folder_of(name), *all = text_format("%s", ""), *next;
	const char *behind, *value;

	while (*text) {
		behind = *text == '$' ? token(text + 1, origin, &value) : NULL;
		next = behind ? text_format("%s%s", all, value) : text_format("%s%c", all, *text);
		free(all);
		all = next;
		text = behind ? behind : text + 1;
	}
	free(origin);
	return all;
}

static bool try_folder(struct program *p, const char *dir, const char *name, size_t loader)
{
	char *path = text_format("%s/%s", dir, name);
	bool found = add_file(p, path, "needed by", loader);

	free(path);
	return found;
}

/* An empty part is the current folder, which is nobody's to know. */
static bool try_path(struct program *p, const char *list, size_t of, const char *name,
		     size_t loader)
{
	char *all = expand(list, p->objects[of].name), *rest = all, *dir;
	bool found = false;

	while (!found && (dir = strsep(&rest, ":;")))
		found = *dir && try_folder(p, dir, name, loader);
	free(all);
	return found;
}

static bool try_rpaths(struct program *p, const char *name, size_t loader)
{
	const struct elf_needs *needs;
	size_t of;

	if (member_of(p, loader)->needs.runpath)
		return false;
	for (of = loader; of != NOBODY; of = p->objects[of].loader) {
		needs = &member_of(p, of)->needs;
		if (needs->rpath && !needs->runpath && try_path(p, needs->rpath, of, name, loader))
			return true;
	}
	return false;
}

/* There may be several for different processors: all of them, as the board's isn't known. */
static bool try_cache(struct program *p, const char *name, size_t loader)
{
	struct text_list paths = { 0 };
	bool found = false;
	size_t i;

	library_dirs_cached(&p->closure->dirs, name, &paths);
	for (i = 0; i < paths.nr; i++)
		found |= add_file(p, paths.items[i], "needed by", loader);
	text_list_free(&paths);
	return found;
}

static bool try_dirs(struct program *p, const char *name, size_t loader)
{
	const struct text_list *dirs = &p->closure->dirs.dirs;
	size_t i;

	for (i = 0; i < dirs->nr; i++)
		if (try_folder(p, dirs->items[i], name, loader))
			return true;
	return false;
}

static bool try_environment(struct program *p, const char *name, size_t loader)
{
	const char *list = *p->closure->root ? NULL : getenv("LD_LIBRARY_PATH");

	return list && try_path(p, list, 0, name, loader);
}

static bool try_runpath(struct program *p, const char *name, size_t loader)
{
	const char *list = member_of(p, loader)->needs.runpath;

	return list && try_path(p, list, loader, name, loader);
}

static bool find(struct program *p, const char *name, size_t loader)
{
	char *path;
	bool found;

	if (strchr(name, '/')) {
		path = expand(name, p->objects[loader].name);
		found = add_file(p, path, "needed by", loader);
		free(path);
		return found;
	}
	return try_rpaths(p, name, loader) || try_environment(p, name, loader) ||
	       try_runpath(p, name, loader) || try_cache(p, name, loader) ||
	       try_dirs(p, name, loader);
}

static bool is_loaded(const struct program *p, const char *name)
{
	const char *soname;
	size_t i;

	for (i = 0; i < p->nr; i++) {
		soname = member_of(p, i)->needs.soname;
		if ((soname && !strcmp(soname, name)) ||
		    !strcmp(strrchr(p->objects[i].name, '/') + 1, name))
			return true;
	}
	return false;
}

/* A library that is missing is so for all that need it. */
static void miss(struct closure *closure, const char *name, const char *by)
{
	size_t i;

	for (i = 0; i < closure->missing.nr; i++)
		if (!strcmp(closure->missing.items[i], name))
			return;
	text_list_add(&closure->missing, text_format("%s", name));
	msg_fail("%s, which %s needs, is not found; %s", name, by,
		 *closure->root ? "copy it into the sysroot, or give its name" :
		 "install it, or give its name; if it is of another system, give its --sysroot");
	closure->failed++;
}

static void load_needed(struct program *p, size_t object)
{
	const char *name;
	size_t i;

	for (i = 0; i < member_of(p, object)->needs.nr; i++) {
		name = member_of(p, object)->needs.needed[i];
		if (!is_loaded(p, name) && !find(p, name, object) && p->sure)
			miss(p->closure, name, member_of(p, object)->name);
	}
}

void linker_load(struct closure *closure, size_t program, bool sure)
{
	const char *interpreter = closure->items[program].needs.interpreter;
	struct program p = { .closure = closure, .sure = sure || interpreter };
	size_t i;

	add_object(&p, program, NOBODY, closure->items[program].name);
	if (interpreter && !add_file(&p, interpreter, "interpreter of", 0))
		miss(closure, interpreter, member_of(&p, 0)->name);
	for (i = 0; i < p.nr; i++)
		load_needed(&p, i);
	while (p.nr)
		free(p.objects[--p.nr].name);
	free(p.objects);
}
