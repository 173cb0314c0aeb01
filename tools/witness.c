// SPDX-License-Identifier: GPL-2.0
#include "analyse_flow.h"
#include "witness.h"

static bool bears_out_cfa(const struct state *s, const struct a32_table_rule *rule)
{
	const struct value *v = &s->reg[rule->cfa_reg];

	return v->kind == VALUE_CFA && v->n == -rule->cfa_off;
}

/* Is the caller's value of a register where a rule says? */
static bool bears_out_place(const struct state *s, int16_t words, uint32_t reg)
{
	const struct slot *slot;

	if (words == A32_TABLE_LOST)
		return true;
	if (words == A32_TABLE_SAME)
		return value_is_entry(&s->reg[reg], reg);
	if (words >= A32_TABLE_IN_REG(0))
		return value_is_entry(&s->reg[words - A32_TABLE_IN_REG(0)], reg);
	slot = state_slot(s, words * 4);
	return slot && value_is_entry(&slot->value, reg);
}

static bool bears_out(const struct state *s, const struct a32_table_rule *rule)
{
	return bears_out_cfa(s, rule) && bears_out_place(s, rule->ra, LR) &&
	       bears_out_place(s, rule->r7, R7) && bears_out_place(s, rule->r11, R11);
}

/* On each way that leads to an instruction */
static bool all_bear_out(const struct flow *flow, uint32_t addr, const struct a32_table_rule *rule)
{
	const struct node *node = flow_first(flow, addr);

	if (!node || rule->kind != A32_TABLE_FRAME)
		return false;
	for (; node; node = flow_next(flow, node)) {
		if (!bears_out(&node->state, rule))
			return false;
	}
	return true;
}

/*
 * Of a function in which all ways are known, there is no doubt of what its code says
 * once both say the same of where it begins: what is jumped to with another frame
 * than a call's, or is no function at all, looks different to the two there.
 */
static bool is_certain(const struct flow *flow, const struct rows *cfi)
{
	const struct a32_table_rule *rule = rows_at(cfi, flow->start);

	return !flow->lost && !flow->wrong && rule && all_bear_out(flow, flow->start, rule);
}

static bool says_frame(const struct a32_table_rule *code)
{
	return code->kind == A32_TABLE_FRAME || code->kind == A32_TABLE_OUTERMOST;
}

/* What is to be there instead, if anything. An outermost frame is marked on purpose. */
static struct a32_table_rule instead(const struct flow *flow, uint32_t addr,
				     const struct a32_table_rule *cfi, bool certain)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0), code;

	analyse_rule(flow, addr, &code);
	if (cfi->kind == A32_TABLE_OUTERMOST || cfi->kind == A32_TABLE_NO_DATA ||
	    code.kind == A32_TABLE_NO_DATA)
		return none;
	if (says_frame(&code) && all_bear_out(flow, addr, cfi))
		return none;
	if (says_frame(&code) && certain)
		return code;
	return cfi->kind == A32_TABLE_FRAME ? rule_of_kind(A32_TABLE_STOP, cfi->source) : none;
}

static void count(struct witness *w, const struct a32_table_rule *rule, uint32_t bytes)
{
	if (says_frame(rule))
		w->corrected += bytes;
	else if (rule->kind == A32_TABLE_STOP)
		w->doubted += bytes;
}

void witness_hear(struct witness *w, const struct function *f, const struct rows *cfi,
		  struct rows *rows)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0), rule;
	const struct a32_table_rule *by_cfi;
	uint32_t addr, size;
	struct flow flow;
	bool certain;

	rows_add(rows, f->start, &none);
	if (!analyse_states(w->image, w->functions, f, &flow))
		return;
	certain = w->use_code && is_certain(&flow, cfi);
	for (addr = flow.start; addr < flow.end; addr += size) {
		size = flow_size(&flow, addr);
		by_cfi = rows_at(cfi, addr);
		rule = by_cfi ? instead(&flow, addr, by_cfi, certain) : none;
		count(w, &rule, size);
		rows_add(rows, addr, &rule);
	}
	rows_add(rows, f->end, &none);
	flow_end(&flow);
}
