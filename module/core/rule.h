/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A frame is data: where the CFA is, and where the caller's registers are
 * from there. Frame ABIs and instruction analysis both end in such a rule;
 * step() in walk.c is the only one to follow it.
 */
#ifndef A32_CORE_RULE_H
#define A32_CORE_RULE_H

#include "insn.h"
#include "../../uapi/a32uwind.h"

/* The registers that are followed from frame to frame */
enum a32_frame_reg { FRAME_R7, FRAME_R11, FRAME_SP, FRAME_REGS };

#define FRAME_NEAR_SP	(1 << FRAME_REGS)
#define FRAME_RA	(1 << (FRAME_REGS + 1))

/**
 * struct a32_frame - what is known of a function that has not returned yet
 * @r: its r7, r11 and sp, by enum a32_frame_reg
 * @pc: where it goes on; bit 0 set in Thumb
 * @proven: those of @r that are right, as 1 << enum a32_frame_reg, and
 *	FRAME_NEAR_SP
 * @unused: makes the size a power of 2
 */
struct a32_frame {
	u32 r[FRAME_REGS];
	u32 pc;
	u32 proven;
	u32 unused[3];
};

/**
 * struct a32_rule - how to get from a frame to its caller's
 * @cfa_reg: enum a32_frame_reg that the CFA counts from
 * @stop: A32_STOP_NR, or why there is no rule; the rest is 0 then
 * @runs: a table's, of any frame that has called: a32_table_run() follows it
 * @saved: of 1 << FRAME_R7 and 1 << FRAME_R11, those that are in memory; and
 *	1 << FRAME_SP where the CFA is the caller's sp, or FRAME_NEAR_SP where
 *	it is that unless the function has pushed arguments
 * @lost: of 1 << FRAME_R7 and 1 << FRAME_R11, those whose caller's value this
 *	rule doesn't know
 * @held: of FRAME_RA, 1 << FRAME_R7 and 1 << FRAME_R11, those that are in another
 *	register, or in lr; of a sampled or interrupted frame only
 * @cfa_off: bytes; CFA = cfa_reg + cfa_off
 * @low: bytes from the CFA down to the lowest slot of the rule
 * @ra_off: bytes; the return address is at CFA + ra_off. The number of its
 *	register with FRAME_RA in @held
 * @off: bytes; a register in @saved is at CFA + off, and one in @held in the
 *	register of that number
 *
 * A register in none of @saved, @held and @lost is what it was in the callee.
 * Slots are near the CFA, or the rule can't be written down.
 */
struct a32_rule {
	u8 cfa_reg : 2;
	u8 stop : 5;
	u8 runs : 1;
	u8 saved;
	u8 lost;
	u8 held;
	s32 cfa_off;
	s16 low;
	s16 ra_off;
	s16 off[2];
};

/**
 * a32_abi_rule() - the rule of a function whose frame record is complete
 * @abi: enum a32_abi but A32_ABI_NONE
 *
 * Vararg functions have pushed up to 16 bytes above the record (and 4 of
 * padding), so the true CFA may be up to 20 bytes above the one here.
 */
const struct a32_rule *a32_abi_rule(u32 abi);

/* Has the function not done anything with its return address yet? */
static inline bool a32_rule_has_ra_in_lr(const struct a32_rule *rule)
{
	return rule->held & FRAME_RA && rule->ra_off == LR;
}

/* The register number of a frame register */
static inline u32 a32_frame_reg_number(enum a32_frame_reg reg)
{
	return reg == FRAME_R7 ? R7 : reg == FRAME_R11 ? R11 : SP;
}

#endif
