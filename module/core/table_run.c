// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "callee.h"
#include "step.h"
#include "table.h"

static const struct a32_rule none;	/* to go on by */

/*
 * A return address that is not known, in the code that the walk is in: what
 * walk.c's enter_caller() does with one that a plain call precedes.
 */
static noinline const struct a32_rule *look_up(struct a32_walk *w, u32 ra, struct a32_known *known)
{
	const struct a32_span *span = &w->span;
	const struct a32_unwind_table *table;
	const struct a32_rule *rule;
	u32 at, line;

	/* Its call, which has bit 0 or not: rows begin at even addresses. */
	at = ra - 2 - span->lookup_start;
	if (unlikely(at >= span->lookup_size || span->code != w->where))
		return &none;
	if (unlikely(!a32_call_is_plain(ra)))
		return &none;
	table = span->table;
	line = span->line[a32_index_nospec(at, span->lookup_size) / A32_TABLE_LINE];
	rule = &table->rule[A32_TABLE_ROW_RULE(*a32_table_row(table, line, at))];
	if (unlikely(!rule->runs))
		return &none;
	*known = (struct a32_known){ ra, w->tag, rule, span->code };
	return rule;
}

/*
 * Is the run to go on with a frame's rule, and what does that count from? It is
 * checked as in walk.c's follow() and step().
 */
static __always_inline bool can_run(const struct a32_rule *rule, const struct a32_frame *frame,
				    u32 *base)
{
	if (likely(rule->runs && rule->cfa_reg == FRAME_SP))
		return true;
	if (!rule->runs || !(frame->proven & 1 << rule->cfa_reg))
		return false;
	*base = frame->r[rule->cfa_reg];
	return *base && !(*base & 3);
}

/*
 * The checks are those of step() and enter_known(), of a rule that takes
 * nothing from registers. sp is aligned, as the CFA of the frame before, and
 * in user memory, as the return address was read near it.
 */
void a32_table_run(struct a32_walk *w)
{
	const u32 tag = w->tag;
	const struct a32_code *code = w->where;
	const struct a32_rule *rule = w->rule, *next_rule;
	struct a32_frame *frame = a32_frame_at(w, w->depth), *next;
	u64 *entry = w->entry + w->nr, *const end = w->entry + w->room;
	u32 r7 = frame->r[FRAME_R7], r11 = frame->r[FRAME_R11], sp = frame->r[FRAME_SP];
	u32 proven = frame->proven & A32_FRAME_PROVEN, err = 0, ra, cfa;
	u32 base = sp;
	struct a32_known *known;

	if (unlikely((sp & 3) || sp >= A32_USER_END || !can_run(rule, frame, &base)))
		return;
	while (entry != end) {
		cfa = base + rule->cfa_off;
		if (unlikely(cfa < sp + rule->low))
			break;
		/* On a fault ra is 0, which is never known, nor looked up. */
		a32_load32(cfa + rule->ra_off, &ra, &err);
		if (rule->saved & A32_FRAME_PROVEN) {
			if (rule->saved & 1 << FRAME_R7)
				a32_load32(cfa + rule->off[FRAME_R7], &r7, &err);
			if (rule->saved & 1 << FRAME_R11)
				a32_load32(cfa + rule->off[FRAME_R11], &r11, &err);
			if (unlikely(err))
				break;
		}
		proven = (proven & ~rule->lost) | rule->saved;
		next = frame + 1 == w->frame + A32_TRAIL ? w->frame : frame + 1;
		next->r[FRAME_R7] = r7;
		next->r[FRAME_R11] = r11;
		next->r[FRAME_SP] = cfa;
		next->pc = ra;
		next->proven = proven;
		known = &w->known[a32_known_index(ra)];
		if (unlikely(known->ra != ra || known->tag != tag))
			next_rule = look_up(w, ra, known);
		else
			next_rule = likely(known->code == code) ? known->rule : &none;
		base = cfa;
		if (unlikely(!can_run(next_rule, next, &base)))
			break;
		*entry++ = ra & ~1;
		rule = next_rule;
		frame = next;
		sp = cfa;
	}
	w->rule = rule;
	w->depth += entry - w->entry - w->nr;
	w->nr = entry - w->entry;
}
