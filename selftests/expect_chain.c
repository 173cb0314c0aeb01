// SPDX-License-Identifier: GPL-2.0
#include "expect_tables.h"

#include <stdio.h>
#include <string.h>

static int find_func(const struct expect *self, uint32_t pc)
{
	unsigned int i;

	for (i = 0; i < self->funcs; i++) {
		if (pc >= self->func[i].start && pc < self->func[i].end)
			return i;
	}
	return -1;
}

static int find_root(const struct expect *self, const char *name)
{
	unsigned int i;

	for (i = 0; i < self->roots; i++) {
		if (!strcmp(self->root[i].name, name))
			return i;
	}
	return -1;
}

bool expect_has_root(const struct expect *self, const char *name)
{
	return find_root(self, name) >= 0;
}

int expect_root(struct expect *self, const char *name, uint32_t ra)
{
	int root = find_root(self, name);

	if (root < 0)
		return expect_complain("no root %s", name);
	self->root[root].ra = ra;
	return 0;
}

static bool is_below(const struct expect *self, int func, unsigned int root)
{
	return func == self->root[root].func ||
	       self->func[func].caller[root] >= 0;
}

/* One step of the fixed point: finds what the functions that are below @root call. */
static int spread(struct expect *self, unsigned int root)
{
	int changed = 0;
	unsigned int i;

	for (i = 0; i < self->sites; i++) {
		struct site *site = &self->site[i];
		struct func *callee;

		if (site->callee < 0 || site->callee == site->caller ||
		    !is_below(self, site->caller, root))
			continue;
		callee = &self->func[site->callee];
		if (callee->caller[root] == (int)i || callee->caller[root] == MANY_SITES)
			continue;
		if (callee->caller[root] >= 0 && strstr(callee->name, "@plt")) {
			callee->caller[root] = MANY_SITES;
			continue;
		}
		if (callee->caller[root] >= 0)
			return expect_complain("two calls of %s below %s: %#x and %#x",
					callee->name, self->root[root].name,
					self->site[callee->caller[root]].ra, site->ra);
		callee->caller[root] = i;
		changed = 1;
	}
	return changed;
}

int expect_resolve(struct expect *self)
{
	unsigned int i, root;
	int err;

	for (i = 0; i < self->sites; i++) {
		if (self->site[i].callee < 0)
			self->site[i].callee = expect_find_name(self, self->site[i].file,
								self->site[i].callee_name);
	}
	for (i = 0; i < self->funcs; i++)
		memset(self->func[i].caller, -1, sizeof(self->func[i].caller));

	for (root = 0; root < self->roots; root++) {
		do {
			err = spread(self, root);
		} while (err > 0);
		if (err)
			return err;
	}
	return 0;
}

static uint32_t self_call(const struct expect *self, int func)
{
	unsigned int i;

	for (i = 0; i < self->sites; i++) {
		if (self->site[i].caller == func && self->site[i].callee == func)
			return self->site[i].ra;
	}
	return 0;
}

/* How often @func has called itself: known from below, else what was seen. */
static unsigned int self_calls(const struct expect *self, int func, bool top,
			       const uint64_t *seen, unsigned int seen_nr)
{
	unsigned int depth = self->func[func].depth, n;
	uint32_t ra;

	if (!top || !depth)
		return depth;
	ra = self_call(self, func);
	for (n = 0; n < depth && n + 1 < seen_nr && seen[n + 1] == ra; n++)
		;
	return n;
}

unsigned int expect_chain(const struct expect *self, uint32_t pc,
			  const char *root_name, const uint64_t *seen,
			  unsigned int seen_nr, uint32_t *out)
{
	int root = find_root(self, root_name), func = find_func(self, pc);
	unsigned int nr = 0, n;

	if (root < 0 || func < 0 || !is_below(self, func, root))
		return 0;

	out[nr++] = pc;
	while (nr < EXPECT_MAX / 2) {
		const struct site *site;

		n = self_calls(self, func, nr == 1, seen, seen_nr);
		while (n--)
			out[nr++] = self_call(self, func);
		if (func == self->root[root].func)
			break;
		site = &self->site[self->func[func].caller[root]];
		if (!site->tail)
			out[nr++] = site->ra;
		func = site->caller;
	}
	out[nr++] = self->root[root].ra;
	return nr;
}

enum expect_class expect_class(const struct expect *self, uint32_t pc)
{
	enum expect_class class = EXPECT_FOREIGN;
	int func = find_func(self, pc);
	unsigned int i;

	if (func < 0)
		return class;
	for (i = self->func[func].class; i < self->classes; i++) {
		if (self->class[i].start < self->func[func].start ||
		    self->class[i].start > pc)
			break;
		class = self->class[i].class;
	}
	return class;
}

bool expect_is_vdso(const struct expect *self, uint32_t pc)
{
	unsigned int i;

	for (i = 0; i < self->maps; i++) {
		if (pc >= self->map[i].start && pc < self->map[i].end)
			return !strcmp(self->map[i].name, "[vdso]");
	}
	return false;
}

bool expect_is_foreign(const struct expect *self, const uint64_t *got, unsigned int got_nr)
{
	unsigned int nr = 0;

	while (nr < got_nr && expect_is_vdso(self, got[nr]))
		nr++;
	if (nr < got_nr && expect_class(self, got[nr]) == EXPECT_FOREIGN)
		nr++;
	return nr && nr == got_nr;
}

enum expect_verdict expect_compare(const uint32_t *want, unsigned int want_nr,
				   const uint64_t *got, unsigned int got_nr)
{
	unsigned int i;

	if (!got_nr || got_nr > want_nr)
		return EXPECT_WRONG;
	for (i = 0; i < got_nr; i++) {
		if (got[i] != want[i])
			return EXPECT_WRONG;
	}
	return got_nr == want_nr ? EXPECT_EXACT : EXPECT_SHORT;
}

uint32_t expect_address(const struct expect *self, const char *name)
{
	int func = expect_find_name(self, 0, name);

	return func < 0 ? 0 : self->func[func].start;
}

/* A return address behind a function's last instruction belongs to its call. */
const char *expect_symbol(const struct expect *self, uint32_t addr, char *buf,
			  size_t size)
{
	int func = find_func(self, addr);
	unsigned int i;

	if (func >= 0) {
		snprintf(buf, size, "%#x %s+%#x", addr, self->func[func].name,
			 addr - self->func[func].start);
		return buf;
	}
	for (i = 0; i < self->maps; i++) {
		if (addr >= self->map[i].start && addr < self->map[i].end) {
			snprintf(buf, size, "%#x %s+%#x", addr, self->map[i].name,
				 addr - self->map[i].start);
			return buf;
		}
	}
	snprintf(buf, size, "%#x", addr);
	return buf;
}

void expect_print(const struct expect *self, const uint32_t *want,
		  unsigned int want_nr, const uint64_t *got,
		  unsigned int got_nr)
{
	char a[96], b[96];
	unsigned int i;

	for (i = 0; i < want_nr || i < got_nr; i++) {
		expect_symbol(self, i < want_nr ? want[i] : 0, a, sizeof(a));
		expect_symbol(self, i < got_nr ? got[i] : 0, b, sizeof(b));
		printf("#   %-44s %s %s\n", i < want_nr ? a : "-",
		       i < want_nr && i < got_nr && want[i] == got[i] ? "=" : "!",
		       i < got_nr ? b : "-");
	}
}
