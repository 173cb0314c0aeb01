/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where is lr? A record says it once it is made; before, after, and in leaves
 * that make none, the instructions from pc on say it: what they will pop is
 * what has been pushed.
 */
#ifndef A32_CORE_SCAN_H
#define A32_CORE_SCAN_H

#include "rule.h"

enum {
	A32_WALK_INSNS		= 2048,	/* instructions looked at in one walk */
	A32_SCAN_INSNS		= 128,	/* of them in one scan, over all its paths */
	A32_SCAN_PATHS		= 6,	/* untaken branches kept for later */
	A32_SCAN_STORES		= 40,	/* registers stored on a path */
};

/**
 * struct a32_val - what a register holds, in terms of the start of the scan
 * @kind: one of VAL_*
 * @reg: VAL_REG and VAL_MEM: the register it counts from
 * @off: VAL_REG: added to it; VAL_MEM: the offset of the slot; VAL_CONST: the
 *	value
 */
struct a32_val {
	u8 kind;
	u8 reg;
	s32 off;
};

enum { VAL_UNKNOWN, VAL_REG, VAL_MEM, VAL_CONST };

/**
 * struct a32_path - a way through the code that may be taken from the start
 * @pc: next instruction, bit 0 clear
 * @thumb: its instruction set
 * @it: instructions left that are conditional (Thumb)
 * @stores: how many of the scan's stores are on it
 * @back: targets of backward branches taken, the last ones
 * @val: the registers there
 */
struct a32_path {
	u32 pc;
	bool thumb;
	u8 it;
	u8 stores;
	u32 back[4];
	struct a32_val val[16];
};

/**
 * struct a32_scan - a scan: what to look for, and its working memory
 * @abi: the frame ABI the code follows
 * @through_calls: go on behind calls, to the function's end; lr is not live
 * @known: registers whose value at the start is known, a bit each
 * @r: their values; r[SP], r[LR], r[R7] and r[R11]
 * @left: instructions that may be looked at in this and later scans
 * @rule: the result
 */
struct a32_scan {
	bool through_calls;
	u8 abi;
	u16 known;
	const u32 *r;
	u32 left;
	struct a32_rule rule;
	/* private */
	u32 budget;
	u32 nr_later;
	struct a32_path now;
	struct a32_path later[A32_SCAN_PATHS];
	struct a32_store {
		struct a32_val slot;
		struct a32_val val;
	} store[A32_SCAN_STORES];
};

/**
 * a32_scan() - find the rule for a pc from the code that follows it
 * @s: the scan; @abi, @through_calls, @known and @r are set
 * @pc: its first instruction, bit 0 clear
 * @thumb: its instruction set
 * @it: instructions from @pc on that are conditional (cpsr's ITSTATE)
 *
 * Follows the code until it calls, or returns. A call needs the record, so at
 * the first one the record is where the frame register then points, and what
 * was stored on the way there has not been stored yet. A return gives away
 * where everything is. Never goes behind a call that may not return, unless
 * @through_calls says so.
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 * Return: A32_STOP_NR when s->rule is the rule, else why there is none:
 *	A32_STOP_UNDECIDED or A32_STOP_CODE_FAULT
 */
enum a32_stop a32_scan(struct a32_scan *s, u32 pc, bool thumb, u32 it);

#endif
