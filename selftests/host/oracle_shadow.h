/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls that were made and have not returned: watched as they happen, and
 * decoded here anew, so that nothing is taken from core/.
 */
#ifndef A32_ORACLE_SHADOW_H
#define A32_ORACLE_SHADOW_H

#include "oracle.h"

/**
 * struct oracle_shadow - the calls not returned from
 * @nr: how many
 * @call: where they return to, and what sp is then. With a uretprobe the trampoline
 *	stands where the return address was.
 * @maybe: a call has been seen that the next instruction shows to be taken
 * @behind: the instruction behind it
 * @pending: what it would push
 */
struct oracle_shadow {
	u32 nr;
	struct oracle_call {
		u32 ret;		/* bit 0 clear */
		u32 sp;
		bool interrupted;	/* by a signal, not a call */
		bool probed;
	} call[ORACLE_DEPTH];
	bool maybe;
	u32 behind;
	struct oracle_call pending;
};

/**
 * oracle_shadow_step() - take note of an instruction that is about to execute
 * @s: the calls
 * @pc: its address, bit 0 clear
 * @thumb: its instruction set
 * @sp: the stack pointer
 */
void oracle_shadow_step(struct oracle_shadow *s, u32 pc, bool thumb, u32 sp);

void oracle_shadow_push(struct oracle_shadow *s, struct oracle_call call);

/* Take away the calls below sp, as longjmp() does. */
void oracle_shadow_unwind(struct oracle_shadow *s, u32 sp);

/* Take the calls away down to and with the last interruption. */
void oracle_shadow_resume(struct oracle_shadow *s);

/* What the kernel knows of the calls with a uretprobe: they are made in ARM code. */
void oracle_shadow_list_probed(const struct oracle_shadow *s, struct a32_host_returns *list);

void oracle_shadow_chain(const struct oracle_shadow *s, u32 pc, struct oracle_chain *chain);

#endif
