/* SPDX-License-Identifier: GPL-2.0 */
/* What is known so far of a file's functions, while they are looked for */
#ifndef A32_ANALYSE_FINDER_H
#define A32_ANALYSE_FINDER_H

#include "analyse_flow.h"
#include "analyse_inflow.h"
#include "analyse_returns.h"

/* What is known of a halfword of code */
enum {
	NOTE_START	= 1,	/* a function begins */
	NOTE_THUMB	= 2,	/* and this is its instruction set */
	NOTE_CALLED	= 4,	/* something calls it */
	NOTE_REACHED	= 8,	/* an instruction that a function leads to */
	NOTE_QUEUED	= 16,	/* the function is to be followed */
	NOTE_PART	= 32,	/* jumped to from within a function */
	NOTE_MAYBE	= 64,	/* something points to it */
	NOTE_INFLOW	= 128,	/* struct inflow has it */
	NOTE_LOST	= 256,	/* the function that begins here jumps where isn't known */
};

/**
 * struct lead - what a flow has found
 * @way: enum flow_way
 * @addr: an address, with bit 0
 * @state: FLOW_JUMP: of the jump
 */
struct lead {
	uint32_t way;
	uint32_t addr;
	struct state state;
};

/**
 * struct range - the code of a segment
 * @first: where its first function begins
 * @last: behind what is known of the last one
 */
struct range {
	uint32_t first;
	uint32_t last;
};

/**
 * struct finder - a file's functions, while they are looked for
 * @image: the file
 * @code: for the flows
 * @note: for each segment, the notes of each halfword; NULL for data
 * @range: for each segment
 * @todo: functions to follow
 * @maybe: addresses, with bit 0, that something points to
 * @inflows: jumps into functions
 * @returns: which functions return
 * @pads: where exceptions lead
 * @flow: the one that is followed now
 * @lead: what it has found so far: until it is at its end, it may prove wrong
 * @settled: the functions are known, only @inflows are not
 * @odd: of the flow that is followed on trial: it jumps into another
 *	function, with a frame
 * @sibling: likewise: it ends in a call of another function
 */
struct finder {
	const struct image *image;
	struct flow_code code;
	uint16_t **note;
	struct range *range;
	uint32_t nr_todo;
	uint32_t todo_room;
	uint32_t *todo;
	uint32_t nr_maybe;
	uint32_t maybe_room;
	uint32_t *maybe;
	struct inflows inflows;
	struct returns *returns;
	struct pads *pads;
	struct flow flow;
	uint32_t nr_leads;
	uint32_t lead_room;
	struct lead *lead;
	bool settled;
	bool odd;
	bool sibling;
};

/* The notes of an address; NULL when it isn't code */
uint16_t *finder_note(const struct finder *f, uint32_t addr);

/* @addr: bit 0 set in Thumb; @how: NOTE_CALLED or 0 */
void finder_add(struct finder *f, uint32_t addr, uint16_t how);

/* Follow all functions that there are so far, and what they lead to. */
void finder_follow(struct finder *f);

/*
 * Would a function be right there? It must return, on ways that are all known; where
 * something points to it, or all of them end in calls that never return, it may begin
 * with a prologue instead.
 */
bool finder_try(struct finder *f, uint32_t addr, bool pointed);

/* Does an instruction begin what only a function can be? @addr: bit 0 set in Thumb */
bool finder_is_prologue(const struct image *image, uint32_t addr);

/* Or does one come soon behind it, with nothing between that leads elsewhere? */
bool finder_has_prologue(const struct image *image, uint32_t addr);

/* Look for functions where none has led to. */
void finder_fill(struct finder *f);

#endif
