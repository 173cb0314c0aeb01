// SPDX-License-Identifier: GPL-2.0
#include "analyse.h"
#include "analyse_flow.h"
#include "analyse_inflow.h"
#include "analyse_returns.h"

static bool returns(void *data, uint32_t addr, uint32_t behind)
{
	const struct functions *functions = data;

	return returns_to(functions->returns, addr, behind);
}

/* Where it leads to is known by now. */
static void leads(void *data, enum flow_way way, uint32_t addr, const struct state *s)
{
	(void)data;
	(void)way;
	(void)addr;
	(void)s;
}

/* The first one at an address or behind it */
static size_t find_inflow(const struct functions *functions, uint32_t addr)
{
	size_t low = 0, high = functions->nr_inflows;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (functions->inflow[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void enter(struct flow *flow, const struct functions *functions, const struct function *f)
{
	size_t i;

	if (f->called)
		flow_begin_call(flow);
	for (i = find_inflow(functions, f->start); i < functions->nr_inflows; i++) {
		const struct inflow *in = &functions->inflow[i];

		if (in->addr >= f->end)
			break;
		if ((in->addr & 1) == f->thumb)
			flow_enter(flow, in->addr & ~1, &in->state);
	}
}

void analyse_rule(const struct flow *flow, uint32_t addr, struct a32_table_rule *rule)
{
	const struct node *node = flow_first(flow, addr);
	struct state s;

	*rule = rule_of_kind(A32_TABLE_NO_DATA, A32_TABLE_CODE);
	if (!node)
		return;
	s = node->state;
	while ((node = flow_next(flow, node)))
		state_merge(&s, &node->state);
	state_rule(&s, rule);
}

static void add_rows(const struct flow *flow, struct rows *rows)
{
	struct a32_table_rule rule;
	uint32_t addr = flow->start;

	while (addr < flow->end) {
		analyse_rule(flow, addr, &rule);
		rows_add(rows, addr, &rule);
		addr += flow_size(flow, addr);
	}
}

/*
 * Who never returns and has no use for lr wasn't called, as _start and what a context
 * begins with, or may as well not have been.
 */
static bool gives_up_lr(const struct flow *flow)
{
	return flow->lr_killed && !flow->lr_stored && !flow->returned;
}

bool analyse_states(const struct image *image, const struct functions *functions,
		    const struct function *f, struct flow *flow)
{
	struct flow_code code = { .image = image, .pads = functions->pads,
				  .returns = returns, .leads = leads,
				  .data = (void *)functions };
	enum flow_entry entry = ENTRY_CALL;

	while (flow_begin(flow, &code, f)) {
		flow->entry = entry;
		enter(flow, functions, f);
		flow_run(flow);
		if (flow->doubt)
			returns_doubt(functions->returns, flow->doubt);
		else if (entry == ENTRY_CALL && gives_up_lr(flow))
			entry = flow->lr_cleared ? ENTRY_NOBODY : ENTRY_UNKNOWN;
		else
			return true;
		flow_end(flow);
	}
	return false;
}

void analyse_function(const struct image *image, const struct functions *functions,
		      const struct function *f, struct rows *rows)
{
	struct a32_table_rule none = { .kind = A32_TABLE_NO_DATA, .source = A32_TABLE_CODE };
	struct flow flow;

	if (!analyse_states(image, functions, f, &flow)) {
		rows_add(rows, f->start, &none);
		return;
	}
	add_rows(&flow, rows);
	flow_end(&flow);
}
