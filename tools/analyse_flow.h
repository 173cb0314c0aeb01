/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of one function's instructions: forward data flow from its entry,
 * and from the places where other functions jump into it.
 */
#ifndef A32_ANALYSE_FLOW_H
#define A32_ANALYSE_FLOW_H

#include "analyse.h"
#include "analyse_pads.h"
#include "analyse_state.h"

/* How glibc's _dl_runtime_resolve() begins: sysdeps/arm/dl-trampoline.S */
#define RESOLVER_PUSH	0xe92d001f	/* push {r0-r4} */
#define RESOLVER_LOAD	0xe51e0004	/* ldr r0, [lr, #-4] */

/* How code was found to lead out of a function */
enum flow_way {
	FLOW_CALL,	/* a call */
	FLOW_JUMP,	/* a jump, or it goes on at the next function's start */
	FLOW_POINTER,	/* an address in a register */
};

struct flow;

/**
 * struct flow_code - what a flow is followed in, and for whom
 * @image: the file
 * @pads: its landing pads
 * @returns: does a call of @addr (bit 0: Thumb; 0: not known) ever return to
 *	@behind?
 * @leads: is told of what a flow finds; @s for FLOW_JUMP only
 * @data: for them
 */
struct flow_code {
	const struct image *image;
	const struct pads *pads;
	bool (*returns)(void *data, uint32_t addr, uint32_t behind);
	void (*leads)(void *data, enum flow_way way, uint32_t addr, const struct state *s);
	void *data;
};

/**
 * struct node - a state of an instruction
 * @state: it
 * @next: another one, for other condition flags; index + 1, or 0
 */
struct node {
	struct state state;
	uint32_t next;
};

/**
 * enum flow_entry - what is known where a function is entered
 * @ENTRY_CALL: that it was called, as far as is known
 * @ENTRY_NOBODY: it has no caller
 * @ENTRY_UNKNOWN: nothing
 */
enum flow_entry { ENTRY_CALL, ENTRY_NOBODY, ENTRY_UNKNOWN };

/* Of struct flow's mark */
enum {
	MARK_QUEUED	= 1,
	MARK_DATA	= 2,	/* a literal, or a table */
	MARK_WIDE	= 4,	/* an instruction of 4 bytes */
};

/**
 * struct flow - one function's data flow
 * @code: what it is followed in
 * @start: first address
 * @end: behind the last
 * @thumb: the instruction set
 * @bytes: the code
 * @mark: of each halfword
 * @cond: of each halfword: the condition that IT gives it + 1, or 0
 * @head: of each halfword: its first node's index + 1, or 0
 * @node: nodes
 * @nr_nodes: nodes in use
 * @room: nodes that fit
 * @todo: addresses whose states have changed
 * @nr_todo: how many
 * @todo_room: how many fit
 * @entry: enum flow_entry; it is set behind flow_begin()
 * @lr_stored: it has put lr elsewhere
 * @lr_killed: it has put something else into lr, other than by a call
 * @lr_cleared: that was 0
 * @returned: it returns, with sp and lr as they have to be
 * @ended: it calls a function that is known never to return
 * @lost: it jumps where is not known
 * @low: the lowest address that it has led to
 * @high: behind the highest
 * @doubt: the address behind a call that can't have come back, or 0
 * @wrong: no compiler made this: a return with another sp, or undefined code
 */
struct flow {
	struct flow_code code;
	uint32_t start;
	uint32_t end;
	bool thumb;
	const uint8_t *bytes;
	uint8_t *mark;
	uint8_t *cond;
	uint32_t *head;
	struct node *node;
	uint32_t nr_nodes;
	uint32_t room;
	uint32_t *todo;
	uint32_t nr_todo;
	uint32_t todo_room;
	uint32_t low;
	uint32_t high;
	uint32_t doubt;
	uint32_t entry;
	bool lr_stored;
	bool lr_killed;
	bool lr_cleared;
	bool returned;
	bool ended;
	bool lost;
	bool wrong;
};

/* False when @f isn't all in one segment. */
bool flow_begin(struct flow *flow, const struct flow_code *code, const struct function *f);

/* The function is called. */
void flow_begin_call(struct flow *flow);

/* A way leads to an address of the function, with a state. */
void flow_enter(struct flow *flow, uint32_t addr, const struct state *s);

/* The call before an address can't have come back; CALL_ELSEWHERE is no such address. */
void flow_doubt(struct flow *flow, uint32_t call);

/* Follow all ways to their end, or to what makes a call doubtful. */
void flow_run(struct flow *flow);

void flow_end(struct flow *flow);

/* The halfword at an address of the function */
uint32_t flow_half(const struct flow *flow, uint32_t addr);

/* Decode the instruction at an address of the function. False at its end. */
bool flow_fetch(const struct flow *flow, uint32_t addr, struct a32_insn *i);

/* The first of an instruction's nodes, the next one; NULL for none */
const struct node *flow_first(const struct flow *flow, uint32_t addr);
const struct node *flow_next(const struct flow *flow, const struct node *node);

/**
 * flow_switch() - where a jump table leads
 * @flow: the flow
 * @i: the jump
 * @addr: its address
 * @s: its state
 *
 * Return: false when that isn't known
 */
bool flow_switch(struct flow *flow, const struct a32_insn *i, uint32_t addr,
		 const struct state *s);

/* The same, for a jump to a value that was loaded from a table */
bool flow_switch_value(struct flow *flow, const struct value *v, const struct state *s);

void flow_data(struct flow *flow, uint32_t addr, uint32_t size);

/* All of a function that analyse_find() found. False when it isn't all in one segment. */
bool analyse_states(const struct image *image, const struct functions *functions,
		    const struct function *f, struct flow *flow);

/* The row of an instruction: what holds on all ways that lead there */
void analyse_rule(const struct flow *flow, uint32_t addr, struct a32_table_rule *rule);

static inline bool flow_has(const struct flow *flow, uint32_t addr)
{
	return addr - flow->start < flow->end - flow->start;
}

/* Of an address's halfword, in mark, cond and head */
static inline uint32_t flow_index(const struct flow *flow, uint32_t addr)
{
	return (addr - flow->start) / 2;
}

/* Bytes up to the next instruction; of what no way leads to, 2 */
static inline uint32_t flow_size(const struct flow *flow, uint32_t addr)
{
	return flow->mark[flow_index(flow, addr)] & MARK_WIDE ? 4 : 2;
}

#endif
