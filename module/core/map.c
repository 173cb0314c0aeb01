// SPDX-License-Identifier: GPL-2.0
#include "body.h"
#include "table.h"

u32 a32_map_slot(const struct a32_map *map, u32 addr)
{
	u32 low = 0, high = map->nr - 1;

	while (low < high) {
		u32 mid = (low + high + 1) / 2;

		if (map->slot[mid].start <= addr)
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

static const struct a32_range *chunk_next(const struct a32_chunk *chunk, u32 addr)
{
	u32 low = 0, high = chunk->nr;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (chunk->range[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < chunk->nr ? &chunk->range[low] : NULL;
}

const struct a32_range *a32_map_next(const struct a32_map *map, u32 addr)
{
	const struct a32_range *range = NULL;
	u32 slot;

	for (slot = a32_map_slot(map, addr); slot < map->nr && !range; slot++)
		range = chunk_next(READ_ONCE(map->slot[slot].chunk), addr);
	return range;
}

u32 a32_rules_find(const struct a32_rules *rules, u32 addr)
{
	u32 low = 0, high = rules->nr;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (rules->rule[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Parts and tables have 32-bit offsets; a mapping that goes beyond them has
 * neither.
 */
#define OFFSET_PAGES	(1u << 20)

static bool has_offsets(const struct a32_range *range)
{
	return range->pgoff < OFFSET_PAGES &&
	       range->pgoff + ((range->end - range->start) >> 12) < OFFSET_PAGES;
}

/*
 * Cut [*start, *end) around addr to where one rule, or none, holds. All three
 * count from the same origin as the rules. Return the rule, or NULL.
 */
static const struct a32_abi_rule *narrow(const struct a32_rules *rules, u32 addr,
					 u32 *start, u32 *end)
{
	u32 at = a32_rules_find(rules, addr);
	const struct a32_abi_rule *rule = &rules->rule[at];
	bool inside = at < rules->nr && rule->start <= addr;

	if (inside) {
		if (*start < rule->start)
			*start = rule->start;
		if (*end > rule->end)
			*end = rule->end;
		return rule;
	}
	if (at < rules->nr && *end > rule->start)
		*end = rule->start;
	if (at > 0 && *start < rule[-1].end)
		*start = rule[-1].end;
	return NULL;
}

/*
 * The vdso is compiled like any other code (arch/arm/vdso/Makefile). It makes
 * no records, and whichever ABI it is given, its code shows that it does not.
 */
static u32 special_abi(u32 special)
{
	return special == SPECIAL_VDSO ? A32_ABI_AAPCS : A32_ABI_NONE;
}

static void resolve(const struct a32_space *space, const struct a32_range *range,
		    u32 addr, struct a32_span *span)
{
	const struct a32_rules *parts = READ_ONCE(range->code->parts);
	const struct a32_rules *ranges = READ_ONCE(space->ranges);
	const struct a32_abi_rule *rule = NULL;
	u32 start = range->start, end = range->end, abi = READ_ONCE(range->code->abi);

	if (ranges) {
		rule = narrow(ranges, addr, &start, &end);
		span->kind = A32_RULE_RANGE;
	}
	if (!rule && parts && has_offsets(range)) {
		u32 delta = (range->pgoff << 12) - range->start;

		start += delta;
		end += delta;
		rule = narrow(parts, addr + delta, &start, &end);
		start -= delta;
		end -= delta;
		span->kind = A32_RULE_PART;
	}
	span->start = start;
	span->size = end - start;
	if (rule) {
		span->abi = rule->abi;
	} else if (range->code->special) {
		span->abi = special_abi(range->code->special);
		span->kind = A32_RULE_SPECIAL;
	} else if (abi != A32_ABI_DEFAULT) {
		span->abi = abi;
		span->kind = A32_RULE_FILE;
	} else {
		span->abi = READ_ONCE(*space->default_abi);
		span->kind = A32_RULE_DEFAULT;
	}
	if (span->abi == A32_ABI_AUTO) {
		span->abi = READ_ONCE(range->code->auto_abi);
		span->kind |= A32_KIND_AUTO;
	}
}

/* What of the span is in the table, unless nothing of it may be kept */
static void resolve_lookup(const struct a32_space *space, const struct a32_unwind_table *table,
			   struct a32_span *span)
{
	u32 start = span->start + span->to_offset, end = start + span->size, at;

	if (start < table->first)
		start = table->first;
	at = start - table->first;
	if (span->changes || READ_ONCE(space->tag) == A32_TAG_NONE || start >= end ||
	    at >= table->size)
		return;
	span->lookup_start = start - span->to_offset;
	span->lookup_size = end - start < table->size - at ? end - start : table->size - at;
	span->line = table->line + at / A32_TABLE_LINE;
}

static void resolve_table(const struct a32_space *space, const struct a32_range *range,
			  const struct a32_unwind_table *table, struct a32_span *span)
{
	span->start = range->start;
	span->size = range->end - range->start;
	span->abi = A32_ABI_NONE;
	span->kind = A32_RULE_TABLE;
	span->table = table;
	span->to_offset = (range->pgoff << 12) - range->start;
	resolve_lookup(space, table, span);
}

static void resolve_bodies(const struct a32_range *range, struct a32_span *span)
{
	const struct a32_bodies *bodies = READ_ONCE(range->code->bodies);

	if (!bodies || bodies->abi != span->abi || range->changes || range->is_copied ||
	    !has_offsets(range))
		return;
	span->bodies = bodies;
	span->to_offset = (range->pgoff << 12) - range->start;
}

bool a32_space_span(const struct a32_space *space, u32 addr, struct a32_span *span)
{
	const struct a32_map *map = READ_ONCE(space->map);
	const struct a32_unwind_table *table;
	const struct a32_chunk *chunk;
	const struct a32_range *range;

	span->table = NULL;
	span->bodies = NULL;
	span->lookup_size = 0;
	chunk = READ_ONCE(map->slot[a32_map_slot(map, addr)].chunk);
	range = chunk_next(chunk, addr);
	if (!range || range->start > addr) {
		span->size = 0;
		return false;
	}
	span->code = range->code;
	span->changes = range->changes;
	table = READ_ONCE(range->code->table);
	if (table && has_offsets(range)) {
		resolve_table(space, range, table, span);
	} else {
		resolve(space, range, addr, span);
		resolve_bodies(range, span);
	}
	return true;
}
