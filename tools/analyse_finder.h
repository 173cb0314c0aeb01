/* SPDX-License-Identifier: GPL-2.0 */
/* What is known so far of a file's functions, while they are looked for */
#ifndef A32_ANALYSE_FINDER_H
#define A32_ANALYSE_FINDER_H

#include "analyse_flow.h"
#include "analyse_inflow.h"
#include "analyse_pointers.h"
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
 * struct trial - what is to be known before a function is taken for one
 * @start: where it would begin
 * @end: where it would end
 * @returned: it returns, or goes on in another function as if that were called
 * @ended: it ends in a call that never returns
 * @lost: it jumps where isn't known
 * @odd: no compiler made it, or it leads into the midst of what is known
 */
struct trial {
	uint32_t start;
	uint32_t end;
	bool returned;
	bool ended;
	bool lost;
	bool odd;
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
 * @trial: the function that is tried now
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
	struct trial trial;
};

/* The notes of an address; NULL when it isn't code */
uint16_t *finder_note(const struct finder *f, uint32_t addr);

/* Is it where the file has code? @addr: of what finder_note() knows */
bool finder_in_range(const struct finder *f, uint32_t addr);

/* @addr: bit 0 set in Thumb; @how: NOTE_CALLED or 0 */
void finder_add(struct finder *f, uint32_t addr, uint16_t how);

/* Follow all functions that there are so far, and what they lead to. */
void finder_follow(struct finder *f);

/* An address that may be a function's, with bit 0 */
void finder_point(struct finder *f, uint32_t addr);

/* Take those for functions that stand the trial. */
void finder_follow_pointers(struct finder *f);

/* Begin a flow from an address, with bit 0, up to the next function. */
bool finder_begin(struct finder *f, const struct flow_code *code, uint32_t addr);

/* Does the latest flow lead to an address only in theory? */
bool finder_is_unreachable(const struct finder *f, uint32_t addr, const struct state *s);

/*
 * Would a function be right there? It must return, on ways that are all known; where
 * something points to it, or all of them end in calls that never return, it may begin
 * with a prologue instead.
 */
bool finder_try(struct finder *f, uint32_t addr, bool pointed);

/* Does an instruction begin what only a function can be? @addr: bit 0 set in Thumb */
bool finder_is_prologue(const struct image *image, uint32_t addr);

/* The same of what is executed from there on, before any call or jump */
bool finder_has_prologue(const struct image *image, uint32_t addr);

/* Look for functions where none has led to. */
void finder_fill(struct finder *f);

#endif
