/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an instruction goes to, ARM or Thumb (Arm ARM, ARMv7-A, DDI 0406).
 * Places are offsets in the file, with bit 0 set in Thumb code.
 */
#ifndef STOCK_INSN_H
#define STOCK_INSN_H

#include "file.h"

enum insn_kind {
	INSN_OTHER,
	INSN_CALL,	/* to anywhere; what is behind it comes next */
	INSN_JUMP,	/* to @target */
	INSN_JUMP_ANY,	/* through a register or memory, but no return */
	INSN_TABLE,	/* tbb, tbh */
	INSN_RETURN,
	INSN_NONE,	/* never runs */
};

/**
 * struct insn - one instruction
 * @kind: enum insn_kind
 * @conditional: it may do nothing
 * @next: what is behind it
 * @target: of INSN_JUMP, and of INSN_CALL where it is known; else 0
 * @table: bytes of an entry of INSN_TABLE
 * @it: how many instructions behind it are conditional
 */
struct insn {
	enum insn_kind kind;
	bool conditional;
	uint32_t next;
	uint32_t target;
	unsigned int table;
	unsigned int it;
};

void insn_decode(const struct file *file, uint32_t at, struct insn *insn);

/* Where the direct call goes to that ends at @ret; false: there is none, or in either set. */
bool insn_call_target(const struct file *file, uint32_t ret, uint32_t *target);

#endif /* STOCK_INSN_H */
