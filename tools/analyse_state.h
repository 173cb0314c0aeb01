/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known at one instruction: the registers, the stack slots and the
 * condition flags on all ways that lead there.
 */
#ifndef A32_ANALYSE_STATE_H
#define A32_ANALYSE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "a32table.h"
#include "image.h"
#include "../module/core/insn.h"

/**
 * enum value_kind - what a register or a slot holds
 * @VALUE_UNKNOWN: anything
 * @VALUE_CFA: the CFA + n
 * @VALUE_ENTRY: what register n held at the function's entry
 * @VALUE_CONST: n, an address of the image included
 * @VALUE_INDEX: the address of a word of the jump table at table
 * @VALUE_WORD: a word of the jump table at table
 * @VALUE_DEST: n plus a word of the jump table at table
 * @VALUE_PIECE: the address of one of many pieces of code, each n bytes, from table on
 * @VALUE_ALIGNED: n more than sp after it was aligned to so many bytes that how many
 *	that took isn't known; table is where
 * @VALUE_SIZE: n more than a size that isn't known: what a register had at table, where
 *	it was taken from sp
 * @VALUE_BELOW: the CFA + n, less the size of table
 * @VALUE_CHILD: 0 on the way of a clone's child, on a stack of its own
 */
enum value_kind {
	VALUE_UNKNOWN,
	VALUE_CFA,
	VALUE_ENTRY,
	VALUE_CONST,
	VALUE_INDEX,
	VALUE_WORD,
	VALUE_DEST,
	VALUE_PIECE,
	VALUE_ALIGNED,
	VALUE_SIZE,
	VALUE_BELOW,
	VALUE_CHILD,
};

/**
 * struct value - what a register or a slot holds
 * @kind: enum value_kind
 * @below: VALUE_UNKNOWN, VALUE_CONST: it is less than this; of a jump table: so many words
 *	has it. 0 when that isn't known
 * @n: depends on @kind
 * @table: likewise
 */
struct value {
	uint16_t kind;
	uint16_t below;
	int32_t n;
	uint32_t table;
};

/**
 * struct slot - a word on the stack
 * @off: it is at CFA + @off
 * @value: it holds this
 */
struct slot {
	int32_t off;
	struct value value;
};

/**
 * struct saved_sp - a word on the stack, by which the CFA is known once sp is aligned
 * @at: its address, VALUE_ALIGNED; or unknown when there is none
 * @n: it holds the CFA + n
 */
struct saved_sp {
	struct value at;
	int32_t n;
};

/* In place of a call's address: it is another function's */
enum { CALL_ELSEWHERE = 1 };

enum { NR_SLOTS = 16, NO_COMPARE = 255, FLAGS_ANY = 0xffff };

/**
 * struct state - what is known before an instruction
 * @reg: r0 to lr
 * @flags: bit f is set if the condition flags may be f, which is NZCV
 * @outermost: there is no caller: lr was cleared, and nothing holds the return address,
 *	or a thread has just begun
 * @nr_slots: slots in use
 * @compare: the flags are those of "cmp compare, #with", or NO_COMPARE
 * @is_reg: of "cmp compare, rm", and rm is @with
 * @switched: sp may be another stack's
 * @with: see there
 * @call: the address behind the last call, if all ways have the same: if what
 *	follows makes no sense, the call doesn't come back. Or 0
 * @saved: where sp was saved
 * @slot: in ascending order of @off; the unused ones are all 0
 */
struct state {
	struct value reg[15];
	uint16_t flags;
	uint8_t outermost;
	uint8_t nr_slots;
	uint8_t compare;
	uint8_t is_reg;
	uint8_t switched;
	uint8_t unused;
	int32_t with;
	uint32_t call;
	struct saved_sp saved;
	struct slot slot[NR_SLOTS];
};

/* At a function's entry: AAPCS32, section 6.1.1 */
void state_enter(struct state *s);
bool state_is_entry(const struct state *s);

/* At the entry, lr was pushed already, and is lost. */
void state_push_lr(struct state *s);

/* The same of what a function has to keep: sp, r7 and r11, but not lr */
bool state_is_kept(const struct state *s);

/* Nothing is known. */
void state_forget(struct state *s);

/* Keep what holds on both ways. Return: whether @s has changed */
bool state_merge(struct state *s, const struct state *other);

/* Do two states say the same of a frame? */
bool state_agrees(const struct state *a, const struct state *b);

/* Is it what a register held at the function's entry? */
static inline bool value_is_entry(const struct value *v, uint32_t reg)
{
	return v->kind == VALUE_ENTRY && v->n == (int32_t)reg;
}

/* The row of a state */
void state_rule(const struct state *s, struct a32_table_rule *rule);

/* Keep of the flags those that meet a condition, and note what it tells. False: none do. */
bool state_assume(struct state *s, uint8_t cond);

/**
 * state_step() - what an instruction does to a state, jumps left out
 * @s: the state
 * @i: the instruction
 * @pc: what it reads as pc: its address + 8, in Thumb + 4
 * @image: for the values of literals
 */
void state_step(struct state *s, const struct a32_insn *i, uint32_t pc,
		const struct image *image);

/* What a call does to a state: AAPCS32, section 6.1.1; @behind: the address behind it */
void state_call(struct state *s, uint32_t behind);

/* The word at CFA + @off; NULL when nothing is known of it */
const struct slot *state_slot(const struct state *s, int32_t off);

struct value state_reg(const struct state *s, uint32_t reg, uint32_t pc);

#endif
