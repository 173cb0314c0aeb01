// SPDX-License-Identifier: GPL-2.0
#include "insn_text.h"

/* r0 to r3, ip and lr: AAPCS32 section 6.1.1 */
#define CALL_WRITES	0x500f

u16 insn_writes(const struct a32_insn *i)
{
	u16 writes = i->clobber;

	switch (i->op) {
	case OP_MOV: case OP_SET: case OP_SET_TOP: case OP_ADD: case OP_ADD_REG: case OP_SUB_REG:
	case OP_LOAD_INDEXED:
		return writes | 1 << i->rd;
	case OP_LOAD:
		return writes | i->list | (i->wb ? 1 << i->rn : 0);
	case OP_STORE: case OP_STORE_PAIR:
		return writes | (i->wb ? 1 << i->rn : 0);
	case OP_CALL:
		return writes | CALL_WRITES | 1 << PC;
	case OP_SYSCALL:
		return writes | 1;
	case OP_BRANCH: case OP_BRANCH_REG:
		return writes | 1 << PC;
	case OP_JUMP_TABLE:
		return i->imm == TABLE_UNKNOWN ? 0xffff : writes | 1 << PC;
	case OP_DEAD:
		return 0xffff;		/* nothing is said of what follows */
	default:
		return writes;
	}
}

/* Whose first operand is read only, or is no general register */
static bool writes_nothing(u32 id)
{
	switch (id) {
	case ARM_INS_STR: case ARM_INS_STRB: case ARM_INS_STRH: case ARM_INS_STRT:
	case ARM_INS_STRBT: case ARM_INS_STRHT: case ARM_INS_STRD:
	case ARM_INS_STM: case ARM_INS_STMDA: case ARM_INS_STMDB: case ARM_INS_STMIB:
	case ARM_INS_LDM: case ARM_INS_LDMDA: case ARM_INS_LDMDB: case ARM_INS_LDMIB:
	case ARM_INS_VLDMIA: case ARM_INS_VLDMDB: case ARM_INS_VSTMIA: case ARM_INS_VSTMDB:
	case ARM_INS_FLDMIAX: case ARM_INS_FLDMDBX: case ARM_INS_FSTMIAX: case ARM_INS_FSTMDBX:
	case ARM_INS_CMP: case ARM_INS_CMN: case ARM_INS_TST: case ARM_INS_TEQ:
	case ARM_INS_CBZ: case ARM_INS_CBNZ: case ARM_INS_BX: case ARM_INS_BXJ: case ARM_INS_BLX:
	case ARM_INS_MCR: case ARM_INS_MCR2: case ARM_INS_MCRR: case ARM_INS_MCRR2:
	case ARM_INS_CDP: case ARM_INS_CDP2: case ARM_INS_LDC: case ARM_INS_LDCL:
	case ARM_INS_LDC2: case ARM_INS_LDC2L: case ARM_INS_STC: case ARM_INS_STCL:
	case ARM_INS_STC2: case ARM_INS_STC2L: case ARM_INS_MSR: case ARM_INS_VMSR:
	case ARM_INS_RFEDA: case ARM_INS_RFEDB: case ARM_INS_RFEIA: case ARM_INS_RFEIB:
	case ARM_INS_VDUP:
	case ARM_INS_SRSDA: case ARM_INS_SRSDB: case ARM_INS_SRSIA: case ARM_INS_SRSIB:
		return true;
	default:
		return false;
	}
}

static bool writes_two(u32 id)
{
	switch (id) {
	case ARM_INS_LDRD: case ARM_INS_LDREXD:
	case ARM_INS_SMULL: case ARM_INS_UMULL: case ARM_INS_SMLAL: case ARM_INS_UMLAL:
	case ARM_INS_UMAAL: case ARM_INS_SMLALBB: case ARM_INS_SMLALBT: case ARM_INS_SMLALTB:
	case ARM_INS_SMLALTT: case ARM_INS_SMLALD: case ARM_INS_SMLALDX: case ARM_INS_SMLSLD:
	case ARM_INS_SMLSLDX: case ARM_INS_MRRC: case ARM_INS_MRRC2: case ARM_INS_VMOV:
		return true;
	default:
		return false;
	}
}

bool text_may_jump(u32 id, bool thumb)
{
	switch (id) {
	case ARM_INS_LDR: case ARM_INS_LDM: case ARM_INS_LDMDA: case ARM_INS_LDMDB:
	case ARM_INS_LDMIB: case ARM_INS_POP:
	case ARM_INS_B: case ARM_INS_BL: case ARM_INS_BLX: case ARM_INS_BX: case ARM_INS_BXJ:
	case ARM_INS_CBZ: case ARM_INS_CBNZ: case ARM_INS_TBB: case ARM_INS_TBH:
	case ARM_INS_RFEDA: case ARM_INS_RFEDB: case ARM_INS_RFEIA: case ARM_INS_RFEIB:
		return true;
	case ARM_INS_AND: case ARM_INS_EOR: case ARM_INS_SUB: case ARM_INS_RSB: case ARM_INS_ADD:
	case ARM_INS_ADC: case ARM_INS_SBC: case ARM_INS_RSC: case ARM_INS_ORR: case ARM_INS_MOV:
	case ARM_INS_BIC: case ARM_INS_MVN: case ARM_INS_LSL: case ARM_INS_LSR: case ARM_INS_ASR:
	case ARM_INS_ROR: case ARM_INS_RRX: case ARM_INS_ADR:
		return !thumb;
	default:
		return false;
	}
}

u32 text_destinations(u32 id)
{
	return writes_nothing(id) ? 0 : writes_two(id) ? 2 : 1;
}
