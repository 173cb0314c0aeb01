/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A shadow for each stack that a program has, and what becomes of it when the
 * program changes stacks or jumps out of calls.
 */
#ifndef A32_ORACLE_STACKS_H
#define A32_ORACLE_STACKS_H

#include "oracle_shadow.h"

enum { ORACLE_HELD = 12 };

/**
 * struct oracle_stacks - the calls not returned from, on each stack
 * @p: the program
 * @shadow: by stack; the first is of the one that the program starts on
 * @now: of the one it is on
 * @nr_held: how many of @held
 * @held: samples in an oracle_program.switching area: what they are worth is
 *	known behind it
 */
struct oracle_stacks {
	const struct oracle_program *p;
	struct oracle_shadow shadow[1 + ORACLE_STACKS];
	struct oracle_shadow *now;
	u32 nr_held;
	struct oracle_held {
		struct oracle_sample sample;
		struct oracle_chain before;
		struct oracle_chain after;
		struct oracle_chain walked;
	} held[ORACLE_HELD];
};

void oracle_stacks_init(struct oracle_stacks *s, const struct oracle_program *p);

/* A new thread begins on the stack that sp is on. */
void oracle_stacks_begin(struct oracle_stacks *s, u32 sp);

/* Is pc where it is neither on one stack nor on the other? */
bool oracle_stacks_switching(const struct oracle_stacks *s, u32 pc);

/**
 * oracle_stacks_hold() - make room for one more sample there
 * @s: the stacks
 * @pc: its instruction, bit 0 clear
 * @thumb: the instruction set
 * @sp: the stack pointer
 *
 * Return: the room, with its before set
 */
struct oracle_held *oracle_stacks_hold(struct oracle_stacks *s, u32 pc, bool thumb, u32 sp);

/**
 * oracle_stacks_follow() - find the shadow for an instruction's stack pointer
 * @s: the stacks
 * @pc: the instruction
 * @sp: the stack pointer
 *
 * Behind a switch the calls below @sp are gone, and each held sample gets its
 * after: it is as if it had been called from @pc.
 */
void oracle_stacks_follow(struct oracle_stacks *s, u32 pc, u32 sp);

#endif
