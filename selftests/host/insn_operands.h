/* SPDX-License-Identifier: GPL-2.0 */
/* The operands of a disassembled ARM instruction, as Capstone prints them */
#ifndef A32_INSN_OPERANDS_H
#define A32_INSN_OPERANDS_H

#include "port.h"

enum kind { NOTHING, REGISTER, NUMBER, MEMORY, LIST, SHIFT, OTHER };

/**
 * struct operand - one of them
 * @kind: what it is
 * @reg: register, or base
 * @imm: number, or offset
 * @list: registers in braces that are general ones
 * @words: size of what is in braces
 * @index: MEMORY: register offset, -1 for none
 * @lsl2: MEMORY: it is shifted left by 2
 * @minus: MEMORY: it is subtracted
 * @back: the base is written back
 * @after: MEMORY: the offset comes afterwards
 */
struct operand {
	enum kind kind;
	u32 reg;
	s32 imm;
	u32 list;
	u32 words;
	s32 index;
	bool lsl2;
	bool minus;
	bool back;
	bool after;
};

/**
 * struct text - all operands of an instruction
 * @nr: how many
 * @op: they; those behind have the kind NOTHING
 */
struct text {
	u32 nr;
	struct operand op[8];
};

/* Read them from the text, such as "r0, [sp, #4]!". */
void text_read(const char *s, struct text *t);

#endif
