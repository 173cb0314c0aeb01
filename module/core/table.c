// SPDX-License-Identifier: GPL-2.0
#include "table.h"

#define NEAR_SVC	12	/* bytes behind it where a new thread may be */

static const struct a32_rule not_known = { .stop = A32_STOP_TABLE };
static const struct a32_rule no_data = { .stop = A32_STOP_NO_DATA };

const struct a32_rule *a32_table_find(const struct a32_unwind_table *table, u32 offset)
{
	u32 at = offset - table->first, line;

	if (unlikely(at >= table->size))
		return &no_data;
	line = table->line[a32_index_nospec(at, table->size) / A32_TABLE_LINE];
	return &table->rule[A32_TABLE_ROW_RULE(*a32_table_row(table, line, offset))];
}

static __always_inline bool has_svc(u32 w, const bool thumb)
{
	if (thumb)
		return (w & 0xff00) == 0xdf00 || (w & 0xff000000) == 0xdf000000;
	return (w & 0x0f000000) == 0x0f000000 || a32_insn_is_uprobe(w);
}

/*
 * Is there no system call, nor a uprobe, behind which the row may not be right?
 * A word more, or half of a wide instruction that looks like one, doesn't matter.
 */
static __always_inline bool is_plain(u32 start, u32 end, const bool thumb)
{
	u32 at, w, err = 0;

	for (at = (start - NEAR_SVC) & ~3; at < end; at += 4) {
		a32_load32(at, &w, &err);
		if (err || has_svc(w, thumb))
			return false;
	}
	return true;
}

/*
 * The first instruction of a row is left out: behind a VFP instruction that has
 * trapped, the row before may be the right one.
 */
void a32_table_keep(const struct a32_span *span, u32 pc, bool thumb, struct a32_found *found,
		    const struct a32_found *it)
{
	const struct a32_unwind_table *table = span->table;
	u32 at = pc + span->to_offset - table->first, in_block = at % A32_TABLE_BLOCK;
	u32 line = table->line[at / A32_TABLE_LINE];
	const u32 *row = a32_table_row(table, line, at);
	u32 before = in_block - A32_TABLE_ROW_START(*row);
	u32 behind = A32_TABLE_LINE - at % A32_TABLE_LINE;

	before = before < 4 ? 0 : before - 4;
	if (before > at % A32_TABLE_LINE)
		before = at % A32_TABLE_LINE;
	if (row != table->row + (line >> 8) + (line & 0xff))
		behind = A32_TABLE_ROW_START(row[1]) - in_block;
	if (!(thumb ? is_plain(pc - before, pc + behind, true) :
		      is_plain(pc - before, pc + behind, false))) {
		before = 0;
		behind = 2;
	}
	a32_found_add(found, it, pc - before, pc + behind, thumb);
}

const struct a32_rule *a32_table_of_caller(const struct a32_span *span, u32 ra)
{
	const struct a32_rule *rule = a32_table_find(span->table, ra - 1 + span->to_offset);

	return rule->held || rule->stop == A32_TABLE_REGISTERS ? &not_known : rule;
}

static bool is_in_register(s16 at)
{
	return at >= A32_TABLE_IN_REG(0) && at <= A32_TABLE_IN_REG(14);
}

/* The caller's value, if a register has it */
static void take(const u32 *r, s16 at, u32 *val)
{
	if (is_in_register(at))
		*val = r[at - A32_TABLE_IN_REG(0)];
}

static bool find_cfa(const struct a32_table_rule *raw, const u32 *r, u32 *cfa)
{
	u32 err = 0;

	*cfa = r[raw->cfa_reg] + raw->cfa_off;
	if (raw->indirect) {
		a32_load32(*cfa & ~3, cfa, &err);
		*cfa += 4 * raw->from_saved;
	}
	return !err;
}

/* As all registers are known, sp serves to count from. */
static void resolve(const struct a32_table_rule *raw, const u32 *r, u32 *own,
		    struct a32_rule *rule)
{
	u32 ra = r[LR], r7 = r[R7], r11 = r[R11], cfa;

	rule->stop = find_cfa(raw, r, &cfa) ? A32_STOP_NR : A32_STOP_FAULT;
	rule->cfa_reg = FRAME_SP;
	rule->cfa_off = cfa - r[SP];
	if (is_in_register(raw->ra)) {
		rule->held = FRAME_RA;
		rule->ra_off = LR;
	}
	take(r, raw->ra, &ra);
	take(r, raw->r7, &r7);
	take(r, raw->r11, &r11);
	memmove(own, r, 16 * sizeof(*own));
	own[LR] = ra;
	own[R7] = r7;
	own[R11] = r11;
}

bool a32_table_at_top(const struct a32_span *span, u32 pc, const u32 *r, u32 *own,
		      struct a32_rule *rule)
{
	const struct a32_unwind_table *table = span->table;
	const struct a32_rule *found = a32_table_find(table, pc + span->to_offset);

	*rule = *found;
	if (found->stop != A32_TABLE_REGISTERS)
		return true;
	resolve(&table->raw[found - table->rule], r, own, rule);
	return false;
}
