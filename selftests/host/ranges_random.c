// SPDX-License-Identifier: GPL-2.0
/*
 * ranges_random [CHANGES [SEED]]
 *
 * module/ranges.c as it is, over shim/: random changes of a map against a
 * plain list of pages, with the references that files must have, with memory
 * that runs out, and with what is freed too early or never.
 */
#include <stdio.h>
#include <stdlib.h>
#include "../../module/file.h"
#include "../../module/ranges.h"
#include "random.h"
#include "tap.h"

enum { FILES = 5, PAGES = 4096, MAX_NEW = 90, PAGE = 4096 };

/* Pages of the addresses from BASE on, up to the highest that can be mapped */
#define BASE	(0xfffff000u - PAGES * PAGE)

static struct a32_file file[FILES];

/* What is mapped: which file, with which page of it; file -1 for nothing */
static struct page {
	s32 file;
	u32 pgoff;
	bool first;	/* of a mapping */
} page[PAGES];

static struct a32_space space;

void a32_file_put(struct a32_file *f)
{
	f->ref.refs--;
}

/* New mappings within [from, to), sorted; each takes a reference. */
static u32 make_new(u32 from, u32 to, struct a32_range *new)
{
	u32 nr = 0, at = from, max = random_below(6) ? 3 : MAX_NEW;

	while (at < to && nr < max) {
		u32 size = 1 + random_below(max == MAX_NEW ? 3 : to - at), f = random_below(FILES);

		at += random_below(3) ? 0 : random_below(to - at);
		if (at + size > to)
			size = to - at;
		if (!size)
			break;
		new[nr++] = (struct a32_range){
			BASE + at * PAGE, BASE + (at + size) * PAGE,
			random_below(100), .code = &file[f].code,
		};
		file[f].ref.refs++;
		at += size;
	}
	return nr;
}

static void apply(u32 from, u32 to, const struct a32_range *new, u32 nr)
{
	u32 i, p;

	if (to < PAGES && page[to].file >= 0)
		page[to].first = true;
	for (p = from; p < to; p++)
		page[p].file = -1;
	for (i = 0; i < nr; i++) {
		u32 start = (new[i].start - BASE) / PAGE, end = (new[i].end - BASE) / PAGE;

		for (p = start; p < end; p++)
			page[p] = (struct page){ a32_code_file(new[i].code) - file,
						 new[i].pgoff + p - start, p == start };
	}
}

static bool is_page(const struct a32_range *range, u32 p)
{
	u32 addr = BASE + p * PAGE;

	return range && range->start <= addr && range->code == &file[page[p].file].code &&
	       range->pgoff + (addr - range->start) / PAGE == page[p].pgoff &&
	       page[p].first == (range->start == addr);
}

static bool check_pages(void)
{
	u32 p;

	for (p = 0; p < PAGES; p++) {
		const struct a32_range *range = a32_map_next(space.map, BASE + p * PAGE);
		bool mapped = range && range->start <= BASE + p * PAGE;

		if (page[p].file < 0 ? mapped : !is_page(range, p)) {
			tap_note("page %u is not what was mapped there", p);
			return false;
		}
	}
	return true;
}

static bool check_references(void)
{
	u32 f, p, want[FILES] = { 0 };

	for (p = 0; p < PAGES; p++) {
		if (page[p].file >= 0 && page[p].first)
			want[page[p].file]++;
	}
	for (f = 0; f < FILES; f++) {
		if (file[f].ref.refs != (s32)want[f]) {
			tap_note("file %u has %d references, %u mappings", f,
				 file[f].ref.refs, want[f]);
			return false;
		}
	}
	return true;
}

/* The promises of struct a32_map to those who search it */
static bool check_order(void)
{
	u32 s, i, end = 0;

	if (!space.map->nr || space.map->slot[0].start)
		return false;
	for (s = 0; s < space.map->nr; s++) {
		const struct a32_chunk *chunk = space.map->slot[s].chunk;

		if (s && space.map->slot[s].start < end)
			return false;
		for (i = 0; i < chunk->nr; i++) {
			const struct a32_range *range = &chunk->range[i];

			if (range->start < end || range->start < space.map->slot[s].start ||
			    range->start >= range->end)
				return false;
			end = range->end;
		}
	}
	return true;
}

static void drop(struct a32_range *new, u32 nr)
{
	while (nr--)
		a32_file_put(a32_code_file(new[nr].code));
}

/* One change; memory may run out in it. */
static bool change(bool scarce)
{
	u32 from = random_below(PAGES), size = random_below(64) ? 1 + random_below(64) : PAGES;
	u32 to = from + size > PAGES ? PAGES : from + size, nr;
	struct a32_range new[MAX_NEW];
	const struct a32_map *before = space.map;
	int err;

	nr = make_new(from, to, new);
	if (scarce)
		shim_fail_allocation(random_below(6));
	err = a32_ranges_splice(&space, BASE + from * PAGE, BASE + to * PAGE, new, nr);
	shim_fail_allocation(~0u);
	if (err) {
		if (!scarce || err != -ENOMEM || space.map != before)
			return false;
		drop(new, nr);		/* they were not taken over */
	} else {
		apply(from, to, new, nr);
	}
	/* The same once more is no change, and takes the references over too. */
	if (!err && !random_below(4)) {
		u32 i;

		for (i = 0; i < nr; i++)
			a32_code_file(new[i].code)->ref.refs++;
		if (a32_ranges_splice(&space, BASE + from * PAGE, BASE + to * PAGE, new, nr))
			return false;
	}
	shim_grace_period();
	return true;
}

static void run(const char *name, u32 changes, u64 seed, bool scarce)
{
	u32 i, p, f, most = 0;
	bool ok = true;

	random_seed(seed);
	memset(file, 0, sizeof(file));
	for (p = 0; p < PAGES; p++)
		page[p].file = -1;
	space.map = a32_ranges_new();
	for (i = 0; i < changes && ok; i++) {
		ok = change(scarce) && check_order() && check_references() &&
		     (i % 16 || check_pages());
		most = space.map->nr > most ? space.map->nr : most;
	}
	ok = ok && check_pages();
	a32_ranges_free(space.map);
	shim_grace_period();
	for (f = 0; f < FILES; f++)
		ok = ok && !file[f].ref.refs;
	if (shim_allocated()) {
		tap_note("%u pieces of memory are never freed", shim_allocated());
		ok = false;
	}
	tap_note("%u changes, up to %u slots", i, most);
	tap_result(ok && most > 2, "%s", name);
}

int main(int argc, char **argv)
{
	u32 changes = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 20240229;

	tap_plan(2);
	tap_note("seed %llu", (unsigned long long)seed);
	run("a32_ranges_splice(): mappings and references", changes, seed, false);
	run("a32_ranges_splice() when memory runs out", changes, seed, true);
	return tap_status();
}
