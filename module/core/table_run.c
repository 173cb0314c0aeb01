// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "callee.h"
#include "step.h"
#include "table.h"

#define IS_EXACT	(1 << FRAME_SP)		/* in a32_rule.saved: a table's, to be followed */

/* A return address in the table that is not known: as in walk.c's enter_caller() */
static noinline const struct a32_rule *look_up(struct a32_walk *w, u32 ra)
{
	enum a32_trampoline kind = TRAMPOLINE_NONE;
	const struct a32_rule *rule;
	u32 pc = ra & ~1;

	if (!a32_span_has(&w->span, pc - 1) || w->span.code != w->where || (ra & 3) == 2)
		return NULL;
	if (a32_check_call(pc, ra & 1, &kind) != A32_STOP_NR || kind != TRAMPOLINE_NONE)
		return NULL;
	rule = a32_table_of_caller(&w->span, pc);
	if (!w->span.changes && w->tag != A32_TAG_NONE)
		w->known[a32_known_index(ra)] =
			(struct a32_known){ ra, w->tag, rule, w->span.code };
	return rule;
}

static __always_inline const struct a32_rule *rule_of(struct a32_walk *w, u32 ra)
{
	const struct a32_known *known = &w->known[a32_known_index(ra)];

	if (unlikely(known->ra != ra || known->tag != w->tag))
		return w->span.table ? look_up(w, ra) : NULL;
	return likely(known->code == w->where) ? known->rule : NULL;
}

void a32_table_run(struct a32_walk *w)
{
	const u32 behind = w->depth - w->nr;
	const struct a32_rule *rule = w->rule, *next_rule;
	struct a32_frame *frame = a32_frame_at(w, w->depth), *next;
	u32 n = w->nr;

	while (n != w->room) {
		next = a32_frame_at(w, n + 1 + behind);
		if (unlikely(a32_step_read(frame, rule, NULL, next) != A32_STOP_NR))
			break;
		next_rule = rule_of(w, next->pc);
		if (unlikely(!next_rule || !(next_rule->saved & IS_EXACT)))
			break;
		if (unlikely(!(next->proven & 1 << next_rule->cfa_reg) ||
			     !next->r[next_rule->cfa_reg]))
			break;
		w->entry[n++] = next->pc & ~1;
		rule = next_rule;
		frame = next;
	}
	w->rule = rule;
	w->nr = n;
	w->depth = n + behind;
}
