// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "graph.h"
#include "util.h"

struct node {
	const struct func *func;
	size_t *tails;
	size_t nr_tails;
	unsigned int seen;
};

static struct object *objects;
static size_t nr_objects;
static struct node *nodes;
static size_t nr_nodes;

size_t graph_node(const struct func *f)
{
	size_t base = NODE_POINTER + 1;
	struct object *obj;

	if (!f)
		return NODE_EXTERNAL;
	for (obj = objects; obj != f->obj; obj++)
		base += obj->nr_funcs;
	return base + (f - obj->funcs);
}

static void add_tail(size_t from, size_t to)
{
	struct node *n = &nodes[from];

	if (from == to || (n->nr_tails && n->tails[n->nr_tails - 1] == to))
		return;
	n->tails = grow(n->tails, n->nr_tails, sizeof(*n->tails));
	n->tails[n->nr_tails++] = to;
}

/* A jump out of a function; into the middle of one as well, which is how split parts come back. */
static void add_jumps(struct object *obj)
{
	size_t i;

	for (i = 0; i < obj->nr_insns; i++) {
		const struct insn *in = &obj->insns[i];
		const struct func *from;

		if (in->kind != INSN_JUMP && in->kind != INSN_JUMP_ANY)
			continue;
		from = object_func(obj, in->addr);
		if (!from || from->plt)
			continue;
		if (in->kind == INSN_JUMP_ANY)
			add_tail(graph_node(from), NODE_POINTER);
		else
			add_tail(graph_node(from), graph_node(object_func(obj, in->target)));
	}
}

/* The loader comes first when a PLT entry is used for the first time. */
static void add_plt(const struct func *plt)
{
	size_t i;

	add_tail(graph_node(plt), NODE_EXTERNAL);
	for (i = 0; i < nr_objects; i++) {
		const struct func *f = object_func_named(&objects[i], plt->name);

		if (f)
			add_tail(graph_node(plt), graph_node(f));
	}
}

void graph_build(struct object *objs, size_t nr)
{
	size_t i, j;

	objects = objs;
	nr_objects = nr;
	nr_nodes = NODE_POINTER + 1;
	for (i = 0; i < nr; i++)
		nr_nodes += objs[i].nr_funcs;
	nodes = calloc(nr_nodes, sizeof(*nodes));
	if (!nodes)
		die("out of memory");

	add_tail(NODE_POINTER, NODE_EXTERNAL);
	for (i = 0; i < nr; i++) {
		for (j = 0; j < objs[i].nr_funcs; j++) {
			const struct func *f = &objs[i].funcs[j];

			if (f->plt)
				add_plt(f);
			if (f->taken)
				add_tail(NODE_POINTER, graph_node(f));
		}
		add_jumps(&objs[i]);
	}
}

static bool search(size_t from, size_t to, unsigned int stamp)
{
	struct node *n = &nodes[from];
	size_t i;

	if (from == to)
		return true;
	if (n->seen == stamp)
		return false;
	n->seen = stamp;
	for (i = 0; i < n->nr_tails; i++)
		if (search(n->tails[i], to, stamp))
			return true;
	return false;
}

bool graph_reaches(size_t from, size_t to)
{
	static unsigned int stamp;

	return search(from, to, ++stamp);
}
