/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an instruction does, by its disassembly. Capstone's own lists of
 * written registers have gaps; its text is LLVM's, and has none known.
 */
#ifndef A32_INSN_TEXT_H
#define A32_INSN_TEXT_H

#include <capstone/capstone.h>
#include "../../module/core/insn.h"

/**
 * struct text_insn - the effect of an instruction
 * @known: @insn says all of it
 * @writes: registers that it writes, a bit each
 * @insn: the effect, but for len and clobber
 * @same: registers that it writes back with nothing added: "[r0], #0"
 * @unpredictable: UNPREDICTABLE, though Capstone takes it
 */
struct text_insn {
	bool known;
	bool unpredictable;
	u16 writes;
	u16 same;
	struct a32_insn insn;
};

/**
 * text_insn() - read a disassembled instruction
 * @cs: it, with detail
 * @thumb: its instruction set
 * @t: the result
 */
void text_insn(const cs_insn *cs, bool thumb, struct text_insn *t);

/* May an instruction write pc? By enum arm_insn; DDI 0406C, chapter A8 */
bool text_may_jump(u32 id, bool thumb);

/* How many of an instruction's first operands are written, by enum arm_insn */
u32 text_destinations(u32 id);

/* What core says: the registers that may change */
u16 insn_writes(const struct a32_insn *i);

#endif
