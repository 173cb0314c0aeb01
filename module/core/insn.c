// SPDX-License-Identifier: GPL-2.0
#include "insn.h"

u32 a32_insn_writes(const struct a32_insn *i)
{
	u32 regs = i->clobber;

	switch (i->op) {
	case OP_LOAD:
		return regs | i->list | (i->wb ? 1 << i->rn : 0);
	case OP_STORE:
	case OP_STORE_PAIR:
		return regs | (i->wb ? 1 << i->rn : 0);
	case OP_SYSCALL:
		return regs | 1;
	case OP_CALL:
		return regs | A32_CALL_CLOBBERS;
	case OP_MOV: case OP_SET: case OP_SET_TOP: case OP_LOAD_INDEXED:
	case OP_ADD: case OP_ADD_REG: case OP_SUB_REG:
		return regs | 1 << i->rd;
	default:
		return regs;
	}
}
