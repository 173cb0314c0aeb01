// SPDX-License-Identifier: GPL-2.0
/*
 * map_random [ROUNDS [SEED]]
 *
 * Random maps, rules and parts: what core/map.c finds in them by bisection,
 * against a walk through plain lists.
 */
#include <stdio.h>
#include <stdlib.h>
#include "../../module/core/body.h"
#include "../../module/core/table.h"
#include "random.h"
#include "tap.h"

enum {
	MAX_RANGES	= 40,
	MAX_RULES	= 12,
	MAX_CODES	= 6,
	MAX_SLOTS	= 12,
	PROBES		= 120,
	PAGE		= 4096,
};

/* Where the kernel's user space ends at most; no mapping ends above */
#define TOP	0xfffff000u

struct rules {
	u32 nr;
	struct a32_abi_rule rule[MAX_RULES];
};

struct chunk {
	u32 nr;
	struct a32_range range[MAX_RANGES];
};

/* A process, as core sees it and as plain lists */
static struct world {
	struct {
		u32 nr;
		struct a32_slot slot[MAX_SLOTS];
	} map;
	struct chunk chunk[MAX_SLOTS];
	u32 nr_ranges;
	struct a32_range range[MAX_RANGES];
	struct a32_code code[MAX_CODES];
	struct a32_unwind_table table;
	struct a32_bodies bodies[MAX_CODES];
	struct rules parts[MAX_CODES];
	struct rules ranges;
	u32 default_abi;
	struct a32_space space;
} world;

/* Those of the table, which nobody reads */
static const u32 *const lines = (const u32 *)0x10000000;

static int by_value(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Bounds of nr pieces, sorted; some touch, the first and last may be extreme. */
static void make_bounds(u32 *bound, u32 nr, u32 unit, u32 top)
{
	u32 span = random_below(4) ? top : random_below(8) ? 64 * PAGE : 2 * nr * unit, i;
	u32 base = random_below(2) ? 0 : top - span;

	for (i = 0; i < 2 * nr; i++)
		bound[i] = base + random_below(span / unit + 1) * unit;
	qsort(bound, 2 * nr, sizeof(*bound), by_value);
	for (i = 1; i + 1 < 2 * nr; i += 2) {
		if (!random_below(4))
			bound[i] = bound[i + 1];
	}
}

static void make_rules(struct rules *rules, u32 unit)
{
	u32 bound[2 * MAX_RULES], nr = random_below(MAX_RULES + 1), i;

	make_bounds(bound, nr, unit, 0xfffffffe);
	rules->nr = 0;
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] < bound[2 * i + 1])
			rules->rule[rules->nr++] = (struct a32_abi_rule){
				bound[2 * i], bound[2 * i + 1], random_below(A32_ABI_NR),
			};
	}
}

static u32 random_pgoff(void)
{
	switch (random_below(4)) {
	case 0:
		return random_below(64);
	case 1:
		return (1u << 20) - random_below(64);	/* file offsets of 4 GiB */
	case 2:
		return 0u - random_below(64) - 1;
	default:
		return random32();
	}
}

static void make_ranges(struct world *w)
{
	u32 bound[2 * MAX_RANGES], nr = random_below(MAX_RANGES + 1), i;

	make_bounds(bound, nr, PAGE, TOP);
	w->nr_ranges = 0;
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] < bound[2 * i + 1])
			w->range[w->nr_ranges++] = (struct a32_range){
				bound[2 * i], bound[2 * i + 1], random_pgoff(),
				.changes = random_below(2), .is_copied = !random_below(4),
				.code = &w->code[random_below(MAX_CODES)],
			};
	}
}

/* Any slots do whose starts lie between the mappings of their chunks. */
static void make_slots(struct world *w)
{
	u32 at = 0, end = 0;

	w->map.nr = 0;
	do {
		struct chunk *chunk = &w->chunk[w->map.nr];
		u32 left = w->nr_ranges - at, gap;
		bool last = w->map.nr == MAX_SLOTS - 1;

		chunk->nr = last ? left : random_below(left + 1);
		memcpy(chunk->range, &w->range[at], chunk->nr * sizeof(*chunk->range));
		gap = (at < w->nr_ranges ? w->range[at].start : TOP) - end;
		w->map.slot[w->map.nr] = (struct a32_slot){
			w->map.nr ? end + random_below(gap / PAGE + 1) * PAGE : 0,
			(const struct a32_chunk *)chunk,
		};
		w->map.nr++;
		at += chunk->nr;
		end = at ? w->range[at - 1].end : w->map.slot[w->map.nr - 1].start;
	} while (at < w->nr_ranges);
}

static void make_world(struct world *w)
{
	u32 i;

	for (i = 0; i < MAX_CODES; i++) {
		make_rules(&w->parts[i], random_below(2) ? 2 : PAGE);
		w->bodies[i].abi = A32_ABI_APCS + random_below(A32_ABI_AUTO - A32_ABI_APCS);
		w->code[i] = (struct a32_code){
			.abi = random_below(3) ? random_below(A32_ABI_NR) : A32_ABI_DEFAULT,
			.special = !random_below(6),
			.auto_abi = random_below(A32_ABI_AUTO),
			.parts = random_below(3) ? (const void *)&w->parts[i] : NULL,
			.table = random_below(4) ? NULL : &w->table,
			.bodies = random_below(2) ? NULL : &w->bodies[i],
		};
	}
	make_rules(&w->ranges, random_below(2) ? 2 : PAGE);
	make_ranges(w);
	make_slots(w);
	w->default_abi = random_below(A32_ABI_NR);
	w->space = (struct a32_space){
		.map = (const void *)&w->map,
		.ranges = random_below(3) ? (const void *)&w->ranges : NULL,
		.default_abi = &w->default_abi,
		.tag = random_below(8) ? 1 : A32_TAG_NONE,
	};
	w->table.first = random_below(4) ? random_below(1 << 20) * PAGE : 0;
	w->table.size = random_below(2) ? -w->table.first : random_below(1 << 20) * PAGE;
	if (w->table.size > -w->table.first || !w->table.size)
		w->table.size = PAGE;
	w->table.line = lines;
}

static const struct a32_abi_rule *plain_rule(const struct a32_rules *rules, u64 at)
{
	u32 i;

	for (i = 0; rules && i < rules->nr; i++) {
		if (at >= rules->rule[i].start && at < rules->rule[i].end)
			return &rules->rule[i];
	}
	return NULL;
}

static const struct a32_range *plain_range(const struct world *w, u32 addr)
{
	u32 i;

	for (i = 0; i < w->nr_ranges; i++) {
		if (addr >= w->range[i].start && addr < w->range[i].end)
			return &w->range[i];
	}
	return NULL;
}

/* What holds at an address, by the words of Documentation: most specific first */
static bool plain_lookup(const struct world *w, u32 addr, struct a32_span *span)
{
	const struct a32_range *range = plain_range(w, addr);
	const struct a32_abi_rule *rule;
	bool has_offsets;

	if (!range)
		return false;
	/* A mapping whose end has no 32-bit offset in its file has no parts, nor a table. */
	has_offsets = range->pgoff + (u64)(range->end - range->start) / PAGE < 1u << 20;
	span->code = range->code;
	span->table = has_offsets ? range->code->table : NULL;
	span->bodies = NULL;
	if (span->table) {
		span->kind = A32_RULE_TABLE;
		span->abi = A32_ABI_NONE;
		span->to_offset = ((u64)range->pgoff << 12) + (addr - range->start) - addr;
		return true;
	}
	rule = plain_rule(w->space.ranges, addr);
	span->kind = A32_RULE_RANGE;
	if (!rule && has_offsets) {
		rule = plain_rule(range->code->parts,
				  ((u64)range->pgoff << 12) + (addr - range->start));
		span->kind = A32_RULE_PART;
	}
	if (rule) {
		span->abi = rule->abi;
	} else if (range->code->special) {
		span->kind = A32_RULE_SPECIAL;
		span->abi = A32_ABI_NONE;
	} else if (range->code->abi != A32_ABI_DEFAULT) {
		span->kind = A32_RULE_FILE;
		span->abi = range->code->abi;
	} else {
		span->kind = A32_RULE_DEFAULT;
		span->abi = w->default_abi;
	}
	if (span->abi == A32_ABI_AUTO) {
		span->kind |= A32_KIND_AUTO;
		span->abi = range->code->auto_abi;
	}
	if (has_offsets && range->code->bodies && range->code->bodies->abi == span->abi &&
	    !range->changes && !range->is_copied) {
		span->bodies = range->code->bodies;
		span->to_offset = ((u64)range->pgoff << 12) - range->start;
	}
	return true;
}

static bool same(const struct a32_span *a, const struct a32_span *b)
{
	return a->abi == b->abi && a->kind == b->kind && a->code == b->code &&
	       a->table == b->table && a->bodies == b->bodies &&
	       ((!a->table && !a->bodies) || a->to_offset == b->to_offset);
}

/* May an address be looked up without more ado, and in which line? */
static bool same_lookup(const struct world *w, const struct a32_span *span, u32 addr)
{
	const struct a32_unwind_table *t = span->table;
	u32 at = addr - span->lookup_start;
	u64 offset;

	if (!t || plain_range(w, addr)->changes || w->space.tag == A32_TAG_NONE)
		return !span->lookup_size;
	offset = ((u64)plain_range(w, addr)->pgoff << 12) + addr - plain_range(w, addr)->start;
	if (offset < t->first || offset >= t->first + (u64)t->size)
		return at >= span->lookup_size;
	return at < span->lookup_size && !(span->lookup_start % PAGE) &&
	       span->line + at / A32_TABLE_LINE == lines + (offset - t->first) / A32_TABLE_LINE;
}

static u32 near_something(const struct world *w)
{
	const struct a32_range *range = w->nr_ranges ? &w->range[random_below(w->nr_ranges)] : NULL;
	const struct a32_abi_rule *rule;
	u32 addr = random32();

	switch (random_below(5)) {
	case 0:
		addr = random_below(2) ? 0 : 0xfffffffe;
		break;
	case 1:
		addr = range ? range->start : 0;
		break;
	case 2:
		addr = range ? range->end : 0;
		break;
	case 3:
		rule = w->ranges.nr ? &w->ranges.rule[random_below(w->ranges.nr)] : NULL;
		addr = !rule ? 0 : random_below(2) ? rule->start : rule->end;
		break;
	}
	return (addr + 2 * (random_below(3) - 1)) & ~1;
}

static bool complain(const char *what, u32 addr, const struct a32_span *got,
		     const struct a32_span *want)
{
	tap_note("%s at %#x: got abi %u kind %u [%#x, +%#x), want abi %u kind %u", what, addr,
		 got->abi, got->kind, got->start, got->size, want->abi, want->kind);
	return false;
}

static bool check_span(const struct world *w, u32 addr)
{
	struct a32_span got = { 0 }, want = { 0 }, other;
	bool found = a32_space_span(&w->space, addr, &got), is = plain_lookup(w, addr, &want);
	u32 i, at;

	if (found != is || (!found && got.size))
		return complain("found or not", addr, &got, &want);
	if (!found)
		return true;
	if (!same(&got, &want))
		return complain("another rule", addr, &got, &want);
	if (!a32_span_has(&got, addr))
		return complain("span without its address", addr, &got, &want);
	for (i = 0; i < 6; i++) {
		at = i == 0 ? got.start : i == 1 ? got.start + got.size - 1 :
		     got.start + random_below(got.size);
		if (!plain_lookup(w, at, &other) || !same(&got, &other))
			return complain("span too large", at, &got, &other);
		if (!same_lookup(w, &got, at))
			return complain("looked up or not", at, &got, &other);
	}
	return true;
}

static bool check_next(const struct world *w, u32 addr)
{
	const struct a32_range *got = a32_map_next((const void *)&w->map, addr), *want = NULL;
	u32 i;

	for (i = 0; i < w->nr_ranges && !want; i++) {
		if (w->range[i].end > addr)
			want = &w->range[i];
	}
	if (!got == !want && (!got || !memcmp(got, want, sizeof(*got))))
		return true;
	tap_note("next at %#x: got %#x, want %#x", addr, got ? got->start : 0,
		 want ? want->start : 0);
	return false;
}

static bool check_rules(const struct world *w, u32 addr)
{
	u32 got = a32_rules_find((const void *)&w->ranges, addr), want = 0;

	while (want < w->ranges.nr && w->ranges.rule[want].end <= addr)
		want++;
	return got == want;
}

typedef bool check_fn(const struct world *w, u32 addr);

static void run(check_fn *check, const char *name, u32 rounds, u64 seed)
{
	u32 i, j, bad = 0;

	random_seed(seed);
	for (i = 0; i < rounds; i++) {
		make_world(&world);
		for (j = 0; j < PROBES; j++) {
			if (!check(&world, near_something(&world)) && ++bad == 10)
				goto out;
		}
	}
out:
	tap_result(!bad, "%s", name);
}

int main(int argc, char **argv)
{
	u32 rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 20240229;

	tap_plan(3);
	tap_note("%u maps, seed %llu", rounds, (unsigned long long)seed);
	run(check_span, "a32_space_span() on random maps, rules and parts", rounds, seed);
	run(check_next, "a32_map_next() on random maps", rounds, seed);
	run(check_rules, "a32_rules_find() on random rules", rounds, seed);
	return tap_status();
}
