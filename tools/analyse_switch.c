// SPDX-License-Identifier: GPL-2.0
/*
 * Jump tables. How long one is, its bound check says. Where that isn't seen, the
 * table ends where the code begins that it leads to, or at what is no address
 * of the function.
 */
#include "analyse_flow.h"

enum { MAX_ENTRIES = 4096 };

/**
 * struct table - a jump table
 * @kind: enum a32_table; TABLE_SUM for offsets from @base
 * @at: its address
 * @base: what its entries count from
 * @entries: how many, or 0
 */
struct table {
	uint32_t kind;
	uint32_t at;
	uint32_t base;
	uint32_t entries;
};

static uint32_t entry_size(const struct table *t)
{
	return t->kind == TABLE_BYTES ? 1 : t->kind == TABLE_HALVES ? 2 : 4;
}

static bool read_entry(const struct flow *flow, const struct table *t, uint32_t nr,
		       uint32_t *target)
{
	const struct image *image = flow->code.image;
	uint32_t at = t->at + nr * entry_size(t), word;
	const struct segment *segment;

	switch (t->kind) {
	case TABLE_BYTES:
		segment = image_at(image, at, 1);
		if (!segment)
			return false;
		*target = t->base + 2 * segment->bytes[at - segment->addr];
		return true;
	case TABLE_HALVES:
		if (!image_u16(image, at, &word))
			return false;
		*target = t->base + 2 * word;
		return true;
	case TABLE_CODE:
		*target = at;
		return true;
	default:
		if (!image_u32(image, at, &word))
			return false;
		*target = (t->base + word) & ~1;
		return true;
	}
}

/* Of a table whose length isn't known: the lowest address behind it that it leads to */
static bool is_end(const struct table *t, uint32_t nr, uint32_t lowest)
{
	return t->at + nr * entry_size(t) >= lowest;
}

static uint32_t count(const struct flow *flow, const struct table *t)
{
	uint32_t lowest = UINT32_MAX, nr, target;

	if (t->entries)
		return t->entries;
	for (nr = 0; nr < MAX_ENTRIES && !is_end(t, nr, lowest); nr++) {
		if (!read_entry(flow, t, nr, &target) || !flow_has(flow, target))
			break;
		if (target > t->at && target < lowest)
			lowest = target;
	}
	return nr;
}

static bool follow(struct flow *flow, const struct table *t, const struct state *s)
{
	uint32_t nr = count(flow, t), i, target;
	bool all = nr;

	for (i = 0; i < nr; i++) {
		if (read_entry(flow, t, i, &target) && flow_has(flow, target))
			flow_enter(flow, target, s);
		else
			all = false;
	}
	if (t->kind != TABLE_CODE)
		flow_data(flow, t->at, (nr * entry_size(t) + 1) & ~1);
	return all;
}

static bool follow_sum(struct flow *flow, struct value a, struct value b, const struct state *s)
{
	struct table t = { .kind = TABLE_SUM };

	if (a.kind == VALUE_WORD && b.kind == VALUE_CONST)
		return follow_sum(flow, b, a, s);
	if (a.kind != VALUE_CONST || b.kind != VALUE_WORD)
		return false;
	t.base = a.n;
	t.at = b.table;
	t.entries = b.below;
	return follow(flow, &t, s);
}

/* DDI 0406C, A8.8.7: "add pc, pc, rm, lsl #n" */
static bool is_run(const struct flow *flow, uint32_t addr)
{
	uint32_t w;

	return !flow->thumb && image_u32(flow->code.image, addr, &w) &&
	       (w & 0x0ffff070) == 0x008ff000;
}

/*
 * Into one of many pieces of code of the same size, each of which does the same: it may
 * be any of them, up to the first that does something else for sure.
 */
static bool follow_pieces(struct flow *flow, uint32_t start, uint32_t size,
			  const struct state *s)
{
	struct a32_insn i;
	uint32_t addr;

	for (addr = start; flow_fetch(flow, addr, &i); addr += i.len) {
		if (!((addr - start) & (size - 1)))
			flow_enter(flow, addr, s);
		if (a32_insn_leaves(&i) || i.op == OP_CALL || a32_insn_writes(&i) & 1 << SP)
			return true;
	}
	return false;
}

bool flow_switch(struct flow *flow, const struct a32_insn *i, uint32_t addr,
		 const struct state *s)
{
	uint32_t pc = addr + (flow->thumb ? 4 : 8);
	struct value base = state_reg(s, i->rn, pc), index = state_reg(s, i->rm, pc);
	struct table t = { .kind = i->imm, .at = i->target, .entries = index.below };

	switch (i->imm) {
	case TABLE_BYTES: case TABLE_HALVES:
		t.base = i->target;
		return follow(flow, &t, s);
	case TABLE_CODE:
		return t.entries ? follow(flow, &t, s) : follow_pieces(flow, addr + 4, 4, s);
	case TABLE_WORDS:
		return follow(flow, &t, s);
	case TABLE_LOADED:
		if (base.kind != VALUE_CONST)
			return false;
		t.at = base.n;
		return follow(flow, &t, s);
	case TABLE_SUM:
		return follow_sum(flow, base, index, s) ||
		       (is_run(flow, addr) && follow_pieces(flow, addr + 4, 4, s));
	default:
		if (i->list && base.kind == VALUE_CONST) {
			t.kind = i->list == 2 ? TABLE_HALVES : TABLE_BYTES;
			t.at = base.n;
			t.base = pc;
			return follow(flow, &t, s);
		}
		return is_run(flow, addr) && follow_pieces(flow, addr + 4, 4, s);
	}
}

bool flow_switch_value(struct flow *flow, const struct value *v, const struct state *s)
{
	struct table t = { .kind = TABLE_WORDS, .at = v->table, .entries = v->below };

	if (v->kind == VALUE_PIECE)
		return follow_pieces(flow, v->table, v->n, s);
	if (v->kind != VALUE_WORD && v->kind != VALUE_DEST && v->kind != VALUE_INDEX)
		return false;
	if (v->kind == VALUE_INDEX) {
		/* A table of "b.w", which only its bound tells the length of */
		t.kind = TABLE_CODE;
		return t.entries && follow(flow, &t, s);
	}
	if (v->kind == VALUE_DEST) {
		t.kind = TABLE_SUM;
		t.base = v->n;
	}
	return follow(flow, &t, s);
}
