// SPDX-License-Identifier: GPL-2.0
#include "body_step.h"

enum {
	TABLE_BACK	= 12,		/* instructions from a jump back to the compare */
	TABLE_MAX	= 1024,		/* entries */
	COND_CC		= 3,
	COND_LS		= 9,
};

/**
 * struct table - what is known of one, going back from the jump
 * @kind: enum a32_table
 * @bytes: of an entry
 * @index: the register that counts its entries
 * @base: the one with its address, or PC when that is known
 * @at: its offset
 * @cond: when the jump is executed
 */
struct table {
	u32 kind;
	u32 bytes;
	u32 index;
	u32 base;
	u32 at;
	u32 cond;
};

/* The instruction that has run on to here. Return false when that is not known. */
static bool fetch_before(const struct a32_body_work *work, u32 *at, struct a32_insn *i)
{
	u32 len;

	for (len = work->thumb ? 2 : 4; len <= 4 && len <= *at; len += 2) {
		u32 before = *at - len;

		if (!(work->node[before / 2].flags & BODY_SEEN) ||
		    !body_fetch(work, before, i) || i->len != len)
			continue;
		*at = before;
		return true;
	}
	return false;
}

/* ADR (DDI 0406C, A8.8.12): its address is in i->imm */
static bool is_adr(const struct a32_body_work *work, u32 at, const struct a32_insn *i)
{
	u32 h = body_half(work, at), w = i->len == 4 ? body_word(work, at) & 0x0fff0000 : 0;

	if (i->op != OP_SET)
		return false;
	if (!work->thumb)
		return w == 0x028f0000 || w == 0x024f0000;
	return i->len == 2 ? (h & 0xf800) == 0xa000 :
			     (h & 0xfbff) == 0xf20f || (h & 0xfbff) == 0xf2af;
}

static bool begin(const struct a32_body_work *work, const struct a32_insn *jump,
		  struct table *table)
{
	*table = (struct table){
		.kind = jump->imm, .bytes = 4, .index = jump->rm, .base = PC,
		.at = jump->target - work->start, .cond = jump->cond,
	};
	switch (jump->imm) {
	case TABLE_BYTES:
		table->bytes = 1;
		return true;
	case TABLE_HALVES:
		table->bytes = 2;
		return true;
	case TABLE_WORDS:
	case TABLE_CODE:
		return true;
	case TABLE_LOADED:
		table->base = jump->rn;
		return true;
	case TABLE_SUM:
		/* Not an index yet, but what was loaded by one */
		table->base = jump->rn;
		return jump->rn != PC && jump->rm != PC;
	default:
		return false;
	}
}

/* "ldr rm, [rn, index, lsl #2]" before "add pc, rn, rm" */
static bool is_load_of_sum(struct table *table, const struct a32_insn *jump,
			   const struct a32_insn *i)
{
	if (i->op != OP_LOAD_INDEXED || i->cond != COND_ALWAYS ||
	    !((i->rd == jump->rm && i->rn == jump->rn) ||
	      (i->rd == jump->rn && i->rn == jump->rm)))
		return false;
	table->base = i->rn;
	table->index = i->rm;
	return true;
}

/* How many values pass the compare; 0 for too many */
static u32 entries(const struct table *table, const struct a32_insn *compare)
{
	bool same = table->cond == COND_LS;

	if (compare->cond != COND_ALWAYS || compare->rn != table->index || table->base != PC ||
	    (!same && table->cond != COND_CC) ||
	    compare->imm < 0 || compare->imm >= TABLE_MAX)
		return 0;
	return compare->imm + same;
}

static u32 go_back(const struct a32_body_work *work, u32 at, const struct a32_insn *jump,
		   struct table *table)
{
	bool wants_load = table->kind == TABLE_SUM;
	struct a32_insn i;
	u32 n;

	for (n = 0; n < TABLE_BACK && fetch_before(work, &at, &i); n++) {
		if (wants_load) {
			wants_load = !is_load_of_sum(table, jump, &i);
			if (wants_load)
				return 0;
			continue;
		}
		if (i.flags == FLAGS_COMPARE && !(work->node[at / 2].flags & BODY_COND))
			return entries(table, &i);
		if (table->base != PC && is_adr(work, at, &i) && i.rd == table->base &&
		    i.cond == COND_ALWAYS) {
			table->at = i.imm - work->start;
			table->base = PC;
			continue;
		}
		if (i.flags || i.op == OP_CALL || i.op == OP_IT ||
		    a32_insn_writes(&i) & (1 << table->index | (1 << table->base & ~(1 << PC))))
			return 0;
		if (!a32_insn_leaves(&i))
			continue;
		if (i.op != OP_BRANCH || i.cond == COND_ALWAYS)
			return 0;
		if (table->cond == COND_ALWAYS)
			table->cond = i.cond ^ 1;
	}
	return 0;
}

bool body_table(struct a32_body_work *work, u32 at, struct body_step *step)
{
	const struct a32_insn *jump = &step->insn;
	struct table table;
	u32 n;

	if (work->node[at / 2].flags & BODY_COND || !begin(work, jump, &table))
		return false;
	n = go_back(work, at, jump, &table);
	if (!n || table.at & (table.bytes - 1) || !body_has(work, table.at, n * table.bytes))
		return false;
	if (table.kind != TABLE_CODE)
		body_note_data(work, table.at, n * table.bytes);
	step->table = table.at;
	step->nr = n;
	return true;
}

u32 body_target(const struct a32_body_work *work, const struct body_step *step, u32 n)
{
	const struct a32_insn *i = &step->insn;
	u32 at = step->table;

	if (i->op == OP_BRANCH)
		return i->target - work->start;
	switch (i->imm) {
	case TABLE_CODE:
		return at + 4 * n;
	case TABLE_BYTES:
		return i->target - work->start + 2 * work->code[at + n];
	case TABLE_HALVES:
		return i->target - work->start + 2 * body_half(work, at + 2 * n);
	case TABLE_SUM:
		return at + body_word(work, at + 4 * n);
	default:
		return (body_word(work, at + 4 * n) & ~(u32)work->thumb) - work->to_address -
		       work->start;
	}
}
