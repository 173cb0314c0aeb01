// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "chain.h"
#include "graph.h"

/* The topmost is an instruction's address, all others are return addresses. */
static void locate(const struct judge *j, struct entry *e, bool topmost)
{
	uint32_t addr = topmost || !j->decremented ? e->addr : e->addr + 1;
	size_t i;

	if (!e->dso)
		return;
	for (i = 0; i < j->nr_objs; i++)
		if (!strcmp(j->objs[i].guest_path, e->dso))
			e->obj = &j->objs[i];
	if (!e->obj)
		return;
	e->ra = object_address(e->obj, addr & ~1u);
	e->func = object_func(e->obj, topmost ? e->ra : e->ra - 1);
}

static bool is_start(const struct judge *j, const struct entry *e)
{
	return e->func && !strcmp(e->func->name, j->start);
}

/* What is wrong with @outer being the caller of @inner. */
static const char *misfit(const struct entry *inner, const struct entry *outer)
{
	const struct insn *call;
	size_t called;

	if (!outer->dso)
		return "in no mapping";
	if (!outer->obj) {
		if (inner->obj && !graph_reaches(NODE_POINTER, graph_node(inner->func)))
			return "can't be called from a library";
		return NULL;
	}
	call = object_insn_before(outer->obj, outer->ra);
	if (!call || (call->kind != INSN_CALL && call->kind != INSN_CALL_ANY))
		return "not behind a call";
	/*
	 * The C run-time's own code has no symbols, but nothing calls what is
	 * outside all functions.
	 */
	if (inner->obj && !inner->func)
		return "calls no function";
	called = NODE_POINTER;
	if (call->kind == INSN_CALL)
		called = graph_node(object_func(outer->obj, call->target));
	return graph_reaches(called, graph_node(inner->func)) ? NULL : "calls something else";
}

static enum place find_place(const struct chain *c)
{
	const struct entry *top = &c->e[0];
	const struct insn *in;

	if (c->kernel)
		return PLACE_KERNEL;
	if (!top->obj)
		return PLACE_LIBRARY;
	if (!top->func || top->func->plt || !top->func->record)
		return PLACE_LEAF;
	in = object_insn(top->obj, top->ra);
	return in && in->has_frame ? PLACE_BODY : PLACE_EDGE;
}

static void drop_padding(struct chain *c)
{
	const struct entry *last = &c->e[c->nr - 1];

	if (c->nr > 1 && !last->dso && (!last->addr || last->addr == UINT32_MAX)) {
		c->nr--;
		c->padded = true;
	}
}

/**
 * chain_judge() - find out whether a chain can be what happened
 * @j: programs and how addresses are given
 * @c: a chain with at least one entry; its verdict and place are set
 *
 * An entry is wrong if it isn't behind a call, or if what is called there
 * can't have become the next inner entry's function by tail calls. So both a
 * caller that wasn't there and one that is missing show. Library code is
 * not looked into: a call to it explains any entries there. The chain is exact
 * when it gets to a library's call of the start function.
 */
void chain_judge(const struct judge *j, struct chain *c)
{
	bool complete = false;
	size_t i;

	drop_padding(c);
	for (i = 0; i < c->nr; i++)
		locate(j, &c->e[i], i == 0);
	c->place = find_place(c);
	c->verdict = SHORT;
	for (i = 1; i < c->nr; i++) {
		c->e[i].wrong = misfit(&c->e[i - 1], &c->e[i]);
		if (c->e[i].wrong)
			c->verdict = WRONG;
		if (is_start(j, &c->e[i - 1]) && !c->e[i].obj)
			complete = true;
	}
	if (complete && c->verdict == SHORT)
		c->verdict = EXACT;
}
