/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who can be running after a call: the function that was called, and those it
 * leaves to by a tail call.
 */
#ifndef TRUTH_GRAPH_H
#define TRUTH_GRAPH_H

#include "object.h"

/* Code without symbols here (libc, ld.so), and whatever a pointer may point at. */
#define NODE_EXTERNAL	0
#define NODE_POINTER	1

void graph_build(struct object *objs, size_t nr);

/* The node of a function; NODE_EXTERNAL for NULL. */
size_t graph_node(const struct func *f);

/* Whether @to may run as what was called as @from, with no frame of its own in between. */
bool graph_reaches(size_t from, size_t to);

#endif /* TRUTH_GRAPH_H */
