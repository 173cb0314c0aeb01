// SPDX-License-Identifier: GPL-2.0
#include "expect_tables.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const expect_class_names[EXPECT_CLASS_NR] = {
	"body", "prologue", "epilogue", "frameless", "odd", "stub", "endless", "vfp",
	"foreign",
};

const char *const expect_verdict_names[EXPECT_VERDICT_NR] = {
	"exact", "short", "wrong",
};

int expect_complain(const char *fmt, ...)
{
	va_list ap;

	printf("# expect: ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	return -1;
}

static enum expect_class class_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < EXPECT_FOREIGN; i++) {
		if (!strcmp(name, expect_class_names[i]))
			break;
	}
	return i;
}

static int find_in_file(const struct expect *self, unsigned int file,
			const char *name)
{
	unsigned int i;

	for (i = 0; i < self->funcs; i++) {
		if (self->func[i].file == file && !strcmp(self->func[i].name, name))
			return i;
	}
	return -1;
}

int expect_find_name(const struct expect *self, unsigned int file,
		     const char *name)
{
	int found = find_in_file(self, file, name);

	for (file = 0; found < 0 && file < self->files; file++)
		found = find_in_file(self, file, name);
	return found;
}

static int add_func(struct expect *self, uint32_t start, uint32_t end,
		    const char *name)
{
	struct func *func = &self->func[self->funcs];

	if (self->funcs == MAX_FUNCS)
		return expect_complain("more than %d functions", MAX_FUNCS);

	func->start = start;
	func->end = end;
	func->file = self->files;
	func->class = self->classes;
	snprintf(func->name, NAME_SIZE, "%s", name);
	self->funcs++;
	return 0;
}

static int add_class(struct expect *self, uint32_t start, const char *name)
{
	if (self->classes == MAX_CLASSES)
		return expect_complain("more than %d classes", MAX_CLASSES);

	self->class[self->classes].start = start;
	self->class[self->classes++].class = class_of(name);
	return 0;
}

/* Tables give a function's calls right behind it. */
static int add_site(struct expect *self, uint32_t ra, bool tail,
		    const char *callee)
{
	struct site *site = &self->site[self->sites];

	if (self->sites == MAX_SITES)
		return expect_complain("more than %d calls", MAX_SITES);

	site->ra = ra;
	site->tail = tail;
	site->file = self->files;
	site->caller = self->funcs - 1;
	site->callee = -1;
	snprintf(site->callee_name, NAME_SIZE, "%s", callee);
	self->sites++;
	return 0;
}

static int read_line(struct expect *self, const char *line, uint32_t bias)
{
	char a[NAME_SIZE], b[NAME_SIZE];
	unsigned int x, y;

	if (sscanf(line, "func %x %x %63s", &x, &y, a) == 3)
		return add_func(self, x + bias, y + bias, a);
	if (sscanf(line, "class %x %63s", &x, a) == 2)
		return add_class(self, x + bias, a);
	if (sscanf(line, "call %x %63s %63s", &x, a, b) == 3)
		return add_site(self, x + bias, false, b);
	if (sscanf(line, "tail %63s %63s", a, b) == 2)
		return add_site(self, 0, true, b);
	return 0;
}

static int read_table(struct expect *self, FILE *file, const struct map *map,
		      uint32_t map_offset)
{
	unsigned int offset, addr, size, bias = 0;
	char line[512];
	int err = 0;

	while (!err && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "text %x %x %x", &offset, &addr, &size) != 3)
			err = read_line(self, line, bias);
		else if (offset - map_offset < map->end - map->start)
			bias = map->start + offset - map_offset - addr;
	}
	self->files++;
	return err;
}

/* A file may have several executable segments. */
static bool is_known(const struct expect *self, const char *name)
{
	unsigned int i;

	for (i = 0; i + 1 < self->maps; i++) {
		if (!strcmp(self->map[i].name, name))
			return true;
	}
	return false;
}

static int add_map(struct expect *self, const char *dir, const char *line)
{
	struct map *map = &self->map[self->maps];
	char perms[8], path[PATH_MAX] = "", name[PATH_MAX + 16];
	unsigned int offset;
	FILE *file;
	int err;

	if (sscanf(line, "%x-%x %7s %x %*s %*s %4095s", &map->start, &map->end,
		   perms, &offset, path) < 4 || perms[2] != 'x')
		return 0;
	if (self->maps == MAX_MAPS)
		return expect_complain("more than %d executable mappings", MAX_MAPS);
	snprintf(map->name, NAME_SIZE, "%s",
		 strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	self->maps++;

	if (is_known(self, map->name))
		return 0;
	snprintf(name, sizeof(name), "%s/%s.expect", dir, map->name);
	file = fopen(name, "r");
	if (!file)
		return 0;
	err = read_table(self, file, map, offset);
	fclose(file);
	return err;
}

struct expect *expect_load(const char *dir, pid_t pid)
{
	struct expect *self = calloc(1, sizeof(*self));
	char line[PATH_MAX + 128];
	int err = 0;
	FILE *maps;

	if (!self)
		return NULL;

	snprintf(line, sizeof(line), "/proc/%d/maps", pid);
	maps = fopen(line, "r");
	while (maps && !err && fgets(line, sizeof(line), maps))
		err = add_map(self, dir, line);
	if (maps)
		fclose(maps);
	if (err || !self->funcs) {
		expect_complain("no table in %s for what %d has mapped", dir, pid);
		free(self);
		return NULL;
	}
	return self;
}

void expect_free(struct expect *self)
{
	free(self);
}

int expect_indirect(struct expect *self, const char *caller, const char *callee)
{
	int from = expect_find_name(self, 0, caller), to = expect_find_name(self, 0, callee);
	unsigned int i, found = 0;

	for (i = 0; i < self->sites; i++) {
		if (self->site[i].caller != from ||
		    strcmp(self->site[i].callee_name, "*"))
			continue;
		self->site[i].callee = to;
		found++;
	}
	if (from < 0 || to < 0 || found != 1)
		return expect_complain("%u calls from %s to %s", found, caller, callee);
	return 0;
}

static int add_root(struct expect *self, const char *name, const char *func)
{
	struct root *root = &self->root[self->roots];

	if (self->roots == MAX_ROOTS)
		return expect_complain("more than %d roots", MAX_ROOTS);
	snprintf(root->name, NAME_SIZE, "%s", name);
	root->func = expect_find_name(self, 0, func);
	if (root->func < 0)
		return expect_complain("no function %s", func);
	self->roots++;
	return 0;
}

static int read_edge(struct expect *self, const char *line)
{
	char a[NAME_SIZE], b[NAME_SIZE];
	unsigned int depth;
	int func;

	if (sscanf(line, "root %63s %63s", a, b) == 2)
		return add_root(self, a, b);
	if (sscanf(line, "indirect %63s %63s", a, b) == 2)
		return expect_indirect(self, a, b);
	if (sscanf(line, "recursion %63s %u", a, &depth) != 2)
		return expect_complain("what is: %s", line);

	func = expect_find_name(self, 0, a);
	if (func < 0)
		return expect_complain("no function %s", a);
	self->func[func].depth = depth;
	return 0;
}

int expect_read_edges(struct expect *self, const char *dir, const char *name)
{
	char line[PATH_MAX];
	FILE *file;
	int err = 0;

	snprintf(line, sizeof(line), "%s/%s", dir, name);
	file = fopen(line, "r");
	if (!file)
		return expect_complain("no file %s", line);
	while (!err && fgets(line, sizeof(line), file))
		err = read_edge(self, line);
	fclose(file);
	return err;
}
