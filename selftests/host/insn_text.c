// SPDX-License-Identifier: GPL-2.0
#include "insn_operands.h"
#include "insn_text.h"

static bool is_kinds(const struct text *t, enum kind a, enum kind b, enum kind c)
{
	return t->op[0].kind == a && t->op[1].kind == b && t->op[2].kind == c &&
	       t->op[3].kind == NOTHING;
}

static void known(struct text_insn *t, enum a32_op op)
{
	t->known = true;
	t->insn.op = op;
}

static void read_move(const struct text *x, struct text_insn *t, bool invert)
{
	t->insn.rd = x->op[0].reg;
	if (is_kinds(x, REGISTER, NUMBER, NOTHING)) {
		known(t, OP_SET);
		t->insn.imm = invert ? ~x->op[1].imm : x->op[1].imm;
	} else if (is_kinds(x, REGISTER, REGISTER, NOTHING) && !invert) {
		known(t, OP_MOV);
		t->insn.rm = x->op[1].reg;
	}
}

/* In Thumb, "adds r0, #1" and "add r0, r1" name one register for two. */
static void read_sum(const struct text *x, struct text_insn *t, bool sub, u32 pc)
{
	const struct operand *last = &x->op[x->nr - 1];

	if (x->nr < 2 || x->nr > 3 || x->op[0].kind != REGISTER ||
	    x->op[x->nr - 2].kind != REGISTER)
		return;
	t->insn.rd = x->op[0].reg;
	t->insn.rn = x->op[x->nr - 2].reg;
	if (last->kind == NUMBER) {
		u32 imm = sub ? -(u32)last->imm : (u32)last->imm;

		known(t, t->insn.rn == PC ? OP_SET : OP_ADD);
		t->insn.imm = t->insn.rn == PC ? (pc & ~3) + imm : imm;
	} else if (last->kind == REGISTER && !sub && (last->reg == PC) != (t->insn.rn == PC)) {
		known(t, OP_ADD);
		t->insn.rm = last->reg;
		t->insn.imm = pc;
	} else if (last->kind == REGISTER) {
		known(t, sub ? OP_SUB_REG : OP_ADD_REG);
		t->insn.rm = last->reg;
	}
}

/* Rt, or Rt and Rt2, then memory */
static void read_transfer(const struct text *x, struct text_insn *t, bool load, u32 regs)
{
	const struct operand *m = &x->op[regs];
	bool pair = false;
	u32 i;

	if (m->kind != MEMORY)
		return;
	for (i = 0; i < regs; i++)
		t->insn.list |= 1 << x->op[i].reg;
	if (regs == 2 && x->op[0].reg >= x->op[1].reg) {
		if (load)
			return;
		pair = true;
		t->insn.rd = x->op[0].reg;
		t->insn.rm = x->op[1].reg;
	}
	if (m->index == -1) {
		known(t, load ? OP_LOAD : pair ? OP_STORE_PAIR : OP_STORE);
		t->insn.rn = m->reg;
		t->insn.imm = m->after ? 0 : m->imm;
		t->insn.wb = m->back ? m->imm : 0;
	} else if (m->index >= 0 && m->lsl2 && !m->minus && !m->back && load) {
		known(t, OP_LOAD_INDEXED);
		t->insn.rd = x->op[0].reg;
		t->insn.rn = m->reg;
	}
}

/* Loads and stores of other than words: only the base matters. */
static void read_base(const struct text *x, struct text_insn *t)
{
	u32 i;

	for (i = 0; i < x->nr; i++) {
		const struct operand *m = &x->op[i];

		if (m->kind != MEMORY || !m->back || m->index != -1)
			continue;
		known(t, OP_ADD);
		t->insn.rd = m->reg;
		t->insn.rn = m->reg;
		t->insn.imm = m->imm;
	}
}

static void read_multiple(const struct text *x, struct text_insn *t, bool load, bool up,
			  bool before)
{
	const struct operand *base = &x->op[0], *list = &x->op[x->nr - 1];
	bool stack = x->nr == 1;
	s32 size = 4 * list->words;

	if (list->kind != LIST)
		return;
	known(t, load ? OP_LOAD : OP_STORE);
	t->insn.rn = stack ? SP : base->reg;
	t->insn.list = list->list;
	t->insn.imm = (up ? 0 : -size) + (before == up ? 4 : 0);
	t->insn.wb = stack || base->back ? (up ? size : -size) : 0;
}

static void read_vector_multiple(const struct text *x, struct text_insn *t, bool up, u32 pad)
{
	const struct operand *base = &x->op[0], *list = &x->op[x->nr - 1];
	bool stack = x->nr == 1;
	s32 size = 4 * (list->words + pad);

	if (list->kind != LIST || (!stack && !base->back))
		return;
	known(t, OP_ADD);
	t->insn.rd = stack ? SP : base->reg;
	t->insn.rn = t->insn.rd;
	t->insn.imm = up ? size : -size;
}

/*
 * What GDB and uprobes put over an instruction: arch/arm/kernel/ptrace.c,
 * arm_break_hook, thumb_break_hook and thumb2_break_hook; arch/arm/include/asm/
 * uprobes.h, UPROBE_SWBP_ARM_INSN
 */
static bool is_debugger(const cs_insn *cs, bool thumb)
{
	u32 w = cs->bytes[0] | cs->bytes[1] << 8;

	if (cs->size == 2)
		return w == 0xde01;
	w |= cs->bytes[2] << 16 | (u32)cs->bytes[3] << 24;
	if (thumb)
		return w == 0xa000f7f0;
	w &= 0x0fffffff;
	return w == 0x07f001f0 || w == 0x07f001f9;
}

static void read_effect(const cs_insn *cs, const struct text *x, bool thumb, struct text_insn *t)
{
	switch (cs->id) {
	case ARM_INS_MOV: case ARM_INS_MOVW:
		return read_move(x, t, false);
	case ARM_INS_MVN:
		return read_move(x, t, true);
	case ARM_INS_MOVT:
		known(t, OP_SET_TOP);
		t->insn.rd = x->op[0].reg;
		t->insn.imm = x->op[1].imm;
		return;
	case ARM_INS_ADD: case ARM_INS_ADDW:
		return read_sum(x, t, false, cs->address + (thumb ? 4 : 8));
	case ARM_INS_SUB: case ARM_INS_SUBW:
		return read_sum(x, t, true, cs->address + (thumb ? 4 : 8));
	case ARM_INS_ADR:
		known(t, OP_SET);
		t->insn.rd = x->op[0].reg;
		t->insn.imm = ((cs->address + (thumb ? 4 : 8)) & ~3) + x->op[1].imm;
		return;
	case ARM_INS_LDR: case ARM_INS_LDRT:
		return read_transfer(x, t, true, 1);
	case ARM_INS_STR: case ARM_INS_STRT:
		return read_transfer(x, t, false, 1);
	case ARM_INS_LDRD:
		return read_transfer(x, t, true, 2);
	case ARM_INS_STRD:
		return read_transfer(x, t, false, 2);
	case ARM_INS_LDM: case ARM_INS_POP:
		return read_multiple(x, t, true, true, false);
	case ARM_INS_LDMIB:
		return read_multiple(x, t, true, true, true);
	case ARM_INS_LDMDA:
		return read_multiple(x, t, true, false, false);
	case ARM_INS_LDMDB:
		return read_multiple(x, t, true, false, true);
	case ARM_INS_STM:
		return read_multiple(x, t, false, true, false);
	case ARM_INS_STMIB:
		return read_multiple(x, t, false, true, true);
	case ARM_INS_STMDA:
		return read_multiple(x, t, false, false, false);
	case ARM_INS_STMDB: case ARM_INS_PUSH:
		return read_multiple(x, t, false, false, true);
	case ARM_INS_VLDMIA: case ARM_INS_VSTMIA: case ARM_INS_VPOP:
		return read_vector_multiple(x, t, true, 0);
	case ARM_INS_VLDMDB: case ARM_INS_VSTMDB: case ARM_INS_VPUSH:
		return read_vector_multiple(x, t, false, 0);
	case ARM_INS_FLDMIAX: case ARM_INS_FSTMIAX:
		return read_vector_multiple(x, t, true, 1);
	case ARM_INS_FLDMDBX: case ARM_INS_FSTMDBX:
		return read_vector_multiple(x, t, false, 1);
	case ARM_INS_B:
		known(t, OP_BRANCH);
		t->insn.target = x->op[0].imm;
		return;
	case ARM_INS_CBZ: case ARM_INS_CBNZ:
		known(t, OP_BRANCH);
		t->insn.cond = COND_REGISTER;
		t->insn.target = x->op[1].imm;
		return;
	case ARM_INS_BX: case ARM_INS_BXJ:
		known(t, OP_BRANCH_REG);
		t->insn.rm = x->op[0].reg;
		return;
	case ARM_INS_BL: case ARM_INS_BLX:
		known(t, OP_CALL);
		if (x->op[0].kind == NUMBER)
			t->insn.target = x->op[0].imm | (thumb == (cs->id == ARM_INS_BL));
		return;
	case ARM_INS_SVC:
		known(t, OP_SYSCALL);
		return;
	case ARM_INS_UDF: case ARM_INS_TRAP: case ARM_INS_BKPT:
		known(t, is_debugger(cs, thumb) ? OP_DEAD : OP_TRAP);
		return;
	case ARM_INS_IT:
		known(t, OP_IT);
		t->insn.imm = cs->bytes[0];
		return;
	default:
		return read_base(x, t);
	}
}

static u16 read_writes(const cs_insn *cs, const struct text *x, u16 *same)
{
	u32 left = text_destinations(cs->id), i;
	u16 writes = 0;

	for (i = 0; i < x->nr; i++) {
		const struct operand *op = &x->op[i];

		if (op->back && op->kind == MEMORY && op->index == -1 && !op->imm)
			*same |= 1 << op->reg;
		else if (op->back)
			writes |= 1 << op->reg;
		if (op->kind != REGISTER || !left)
			continue;
		writes |= 1 << op->reg;
		left--;
		/* "vmov d0, r0, r1" and the like only read general registers. */
		if (i == 0 && cs->id == ARM_INS_VMOV && x->nr < 3)
			left = 0;
	}
	if (x->nr && x->op[0].kind != REGISTER && cs->id == ARM_INS_VMOV)
		return 0;
	switch (cs->id) {
	case ARM_INS_LDM: case ARM_INS_LDMIB: case ARM_INS_LDMDA: case ARM_INS_LDMDB:
		return writes | x->op[x->nr - 1].list;
	case ARM_INS_POP:
		return writes | x->op[0].list | 1 << SP;
	case ARM_INS_PUSH: case ARM_INS_VPUSH: case ARM_INS_VPOP:
		return writes | 1 << SP;
	case ARM_INS_BL: case ARM_INS_BLX:
		return writes | 1 << LR | 1 << PC;
	case ARM_INS_B: case ARM_INS_BX: case ARM_INS_BXJ: case ARM_INS_CBZ: case ARM_INS_CBNZ:
	case ARM_INS_TBB: case ARM_INS_TBH: case ARM_INS_RFEDA: case ARM_INS_RFEDB:
	case ARM_INS_RFEIA: case ARM_INS_RFEIB:
		return writes | 1 << PC;
	default:
		return writes;
	}
}

/* Capstone takes these; DDI 0406C, chapter A8, calls them UNPREDICTABLE. */
static bool is_unpredictable(const cs_insn *cs, const struct text *x, bool thumb, u16 writes)
{
	const struct operand *last = &x->op[x->nr - 1];
	u32 i;

	if (writes & 1 << PC && !text_may_jump(cs->id, thumb && cs->size == 4))
		return true;
	for (i = 0; i < x->nr; i++) {
		if (x->op[i].back && x->op[i].reg == PC)
			return true;
	}
	switch (cs->id) {
	case ARM_INS_LDRD: case ARM_INS_STRD:
		return x->op[1].reg == PC;
	case ARM_INS_ADD:
		return thumb && cs->size == 4 && last->kind == REGISTER && last->reg == PC;
	case ARM_INS_LDREXD:
		return !thumb && cs->bytes[1] & 0x10;	/* an odd first register */
	case ARM_INS_VLDMIA: case ARM_INS_VLDMDB: case ARM_INS_VSTMIA: case ARM_INS_VSTMDB:
	case ARM_INS_VPUSH: case ARM_INS_VPOP:
		/* More registers than there are, or none */
		return last->words != cs->bytes[thumb ? 2 : 0];
	case ARM_INS_FLDMIAX: case ARM_INS_FLDMDBX: case ARM_INS_FSTMIAX: case ARM_INS_FSTMDBX:
		return last->words + 1 != cs->bytes[thumb ? 2 : 0];
	default:
		return false;
	}
}

/* DDI 0406C, A8.3 numbers them from 0, Capstone from 1. */
static u32 read_condition(const cs_insn *cs, bool thumb)
{
	if (thumb && cs->id != ARM_INS_B)
		return COND_ALWAYS;
	return cs->detail->arm.cc - ARM_CC_EQ;
}

static bool read_flags(const cs_insn *cs)
{
	switch (cs->id) {
	case ARM_INS_CMP: case ARM_INS_CMN: case ARM_INS_TST: case ARM_INS_TEQ:
		return true;
	case ARM_INS_VMRS: case ARM_INS_MRC: case ARM_INS_MRC2:
		return strstr(cs->op_str, "apsr_nzcv");
	case ARM_INS_MSR:
		return !strncmp(cs->op_str, "apsr_nzcvq", 10) || !strncmp(cs->op_str, "cpsr_f", 6);
	case ARM_INS_ADC: case ARM_INS_SBC: case ARM_INS_RSC:
		/* Capstone takes their reading the flags for setting them. */
		return cs->mnemonic[3] == 's';
	case ARM_INS_UADD8:
		return false;		/* only GE, which no condition reads */
	default:
		return cs->detail->arm.update_flags;
	}
}

void text_insn(const cs_insn *cs, bool thumb, struct text_insn *t)
{
	struct text x;

	memset(t, 0, sizeof(*t));
	text_read(cs->op_str, &x);
	t->insn.cond = read_condition(cs, thumb);
	t->insn.flags = read_flags(cs);
	read_effect(cs, &x, thumb, t);
	t->writes = read_writes(cs, &x, &t->same);
	t->unpredictable = is_unpredictable(cs, &x, thumb, t->writes);
}
