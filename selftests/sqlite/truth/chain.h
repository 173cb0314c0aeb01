/* SPDX-License-Identifier: GPL-2.0 */
/* One sample's user chain, and the verdict on it. */
#ifndef TRUTH_CHAIN_H
#define TRUTH_CHAIN_H

#include "object.h"

#define CHAIN_MAX	256

enum verdict { EXACT, SHORT, WRONG, NR_VERDICTS };

#define VERDICT_NAMES { "exact", "short", "wrong" }

/*
 * Where the topmost user pc is. Edges and leaves are where the frame register
 * says nothing about the topmost function.
 */
enum place {
	PLACE_BODY,
	PLACE_EDGE,		/* a prologue or epilogue */
	PLACE_LEAF,		/* a function that never makes a frame record */
	PLACE_LIBRARY,		/* code without symbols: libc, ld.so */
	PLACE_KERNEL,		/* sampled in the kernel */
	NR_PLACES,
};

#define PLACE_NAMES { "body", "edge", "leaf", "library", "kernel" }

struct entry {
	uint32_t addr;		/* offset in the file of dso; an address when there is none */
	char *dso;		/* NULL: in no mapping */
	struct object *obj;	/* NULL: code without symbols */
	uint32_t ra;		/* in obj's addresses, of all but the topmost */
	struct func *func;
	const char *wrong;	/* why it can't be in this chain */
};

struct chain {
	struct entry e[CHAIN_MAX];
	size_t nr;
	bool kernel;
	enum verdict verdict;
	enum place place;
	bool padded;		/* ended with a 0 or ffffffff that stands for "no more" */
};

struct judge {
	struct object *objs;
	size_t nr_objs;
	const char *start;	/* the outermost function of a thread */
	/* callers' addresses are the return address less 1, as with --call-graph dwarf */
	bool decremented;
};

void chain_judge(const struct judge *j, struct chain *c);

#endif /* TRUTH_CHAIN_H */
