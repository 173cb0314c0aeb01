/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls that a Linux program has made and not returned from. As
 * oracle_shadow.h, but for code that was not written for it: calls by "mov lr,
 * pc", deep ones, and longjmp() by whatever code. Cheap, as most instructions
 * are not sampled.
 */
#ifndef A32_ORACLE_CALLS_H
#define A32_ORACLE_CALLS_H

#include <unicorn/unicorn.h>
#include "oracle.h"

enum { CALLS_DEPTH = 1 << 16 };

/* What is known of an instruction */
enum {
	INSN_SEEN	= 1 << 0,
	INSN_THUMB	= 1 << 1,
	INSN_WIDE	= 1 << 2,	/* 4 bytes */
	INSN_CALL	= 1 << 3,
	INSN_LINK	= 1 << 4,	/* mov lr, pc */
	INSN_IT		= 1 << 5,
	INSN_RETURNED	= 1 << 6,	/* a call has returned here */
	INSN_NEXT	= 1 << 7,	/* a call of the function behind it */
};

/**
 * struct oracle_calls - the calls not returned from
 * @nr: how many
 * @call: where they return to, bit 0 clear, and what sp is then
 * @insn: INSN_*, for each halfword of the address space
 * @behind: the instruction behind the last one
 * @maybe: the last one was a call, if it has not gone on at @behind
 * @surely: it was one even so
 * @pending: what it would push
 * @linked: the one behind "mov lr, pc", which is a call if it jumps
 */
struct oracle_calls {
	u32 nr;
	struct {
		u32 ret;
		u32 sp;
	} call[CALLS_DEPTH], pending;
	u8 *insn;
	u32 behind;
	u32 linked;
	bool maybe;
	bool surely;
};

void oracle_calls_init(struct oracle_calls *c);
void oracle_calls_free(struct oracle_calls *c);

/**
 * oracle_calls_step() - take note of an instruction that is about to execute
 * @c: the calls
 * @uc: the machine, which is there
 * @pc: its address, bit 0 clear
 *
 * Return: INSN_*
 */
u32 oracle_calls_step(struct oracle_calls *c, uc_engine *uc, u32 pc);

/* The true chain, as far as there is room */
void oracle_calls_chain(const struct oracle_calls *c, u32 pc, u32 room,
			struct oracle_chain *chain);

#endif
