// SPDX-License-Identifier: GPL-2.0
/*
 * Where the frame register holds the function's own frame: a dataflow over
 * each function, so that code behind an early return isn't mistaken for an
 * epilogue.
 */
#include <string.h>

#include "object.h"
#include "util.h"

enum { UNSEEN, WITHOUT, WITH };

struct walk {
	struct object *obj;
	struct insn *first;
	size_t nr;
	uint8_t *state;		/* before each instruction */
	size_t *todo;
	size_t nr_todo;
};

static void arrive(struct walk *w, size_t i, uint8_t state)
{
	if (i >= w->nr || w->state[i] != UNSEEN)
		return;
	w->state[i] = state;
	w->todo[w->nr_todo++] = i;
}

static void step(struct walk *w)
{
	size_t i = w->todo[--w->nr_todo];
	struct insn *in = &w->first[i], *to;
	uint8_t after = in->sets_frame ? WITH : in->drops_frame ? WITHOUT : w->state[i];
	bool falls = in->conditional || in->kind == INSN_OTHER ||
		     in->kind == INSN_CALL || in->kind == INSN_CALL_ANY;

	if (in->kind == INSN_JUMP) {
		to = object_insn(w->obj, in->target);
		if (to && to >= w->first)
			arrive(w, to - w->first, after);
	}
	if (falls)
		arrive(w, i + 1, after);
}

static void mark(struct object *obj, struct func *f)
{
	struct walk w = { .obj = obj };
	struct insn *end = obj->insns + obj->nr_insns;
	size_t i;

	w.first = object_insn(obj, f->start);
	if (!w.first)
		return;
	while (w.first + w.nr < end && w.first[w.nr].addr < f->end) {
		f->record |= w.first[w.nr].sets_frame;
		w.nr++;
	}
	w.state = calloc(w.nr, 1);
	w.todo = calloc(w.nr, sizeof(*w.todo));
	if (!w.state || !w.todo)
		die("out of memory");

	/* A part that was split off starts with its function's frame, wherever it is jumped to. */
	arrive(&w, 0, strstr(f->name, ".cold") ? WITH : WITHOUT);
	for (i = 0; i < w.nr; i++) {
		while (w.nr_todo)
			step(&w);
		/* Only a switch, or another function, jumps here. */
		if (w.state[i] == UNSEEN)
			arrive(&w, i, f->record || strstr(f->name, ".cold") ? WITH : WITHOUT);
		while (w.nr_todo)
			step(&w);
	}
	for (i = 0; i < w.nr; i++)
		w.first[i].has_frame = w.state[i] == WITH;
	free(w.state);
	free(w.todo);
}

void object_mark_frames(struct object *obj)
{
	size_t i;

	for (i = 0; i < obj->nr_funcs; i++)
		if (!obj->funcs[i].plt)
			mark(obj, &obj->funcs[i]);
}
