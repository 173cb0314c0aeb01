// SPDX-License-Identifier: GPL-2.0
#include "insn.h"

#define BIT_OF(w, n)	(((w) >> (n)) & 1)
#define REG(w, n)	(((w) >> (n)) & 15)

static s32 sign(u32 w, u32 imm)
{
	return BIT_OF(w, 23) ? imm : -imm;
}

/* DDI 0406C, A5.2.4: an 8-bit value rotated right by twice a 4-bit count */
static u32 expand_imm(u32 w)
{
	u32 rot = (w >> 7) & 30, imm = w & 0xff;

	return rot ? imm >> rot | imm << (32 - rot) : imm;
}

static void write_reg(struct a32_insn *i, u32 rd)
{
	if (rd == PC)
		i->op = OP_JUMP_TABLE;
	else
		i->clobber |= 1 << rd;
}

enum {
	DP_AND = 0, DP_SUB = 2, DP_ADD = 4, DP_TST = 8, DP_CMP = 10, DP_CMN = 11, DP_ORR = 12,
	DP_MOV = 13, DP_MVN = 15,
};

static void logic_imm(struct a32_insn *i, u32 op, u32 rd, u32 rn, u32 imm)
{
	write_reg(i, rd);
	if (op != DP_AND && op != DP_ORR)
		return;
	a32_insn_sum(i, op == DP_AND ? SUM_AND : SUM_OR, rd, rn);
	i->imm = imm;
}

static void data_imm(u32 pc, u32 w, struct a32_insn *i)
{
	u32 op = (w >> 21) & 15, rd = REG(w, 12), rn = REG(w, 16);
	u32 imm = expand_imm(w);

	if (op >= DP_TST && op <= DP_CMN) {
		if (op == DP_CMP && BIT_OF(w, 20))
			a32_insn_compare(i, rn, imm);
		if (BIT_OF(w, 20))
			return;
		if (op == 8 || op == 10) {		/* MOVW, MOVT */
			i->op = op == 8 ? OP_SET : OP_SET_TOP;
			i->rd = rd;
			i->imm = (w >> 4 & 0xf000) | (w & 0xfff);
		}
		return;					/* MSR, hints */
	}
	if (rd == PC)
		i->op = OP_JUMP_TABLE;
	else if (op == DP_MOV || op == DP_MVN)
		a32_insn_set(i, rd, op == DP_MOV ? imm : ~imm);
	else if ((op == DP_ADD || op == DP_SUB) && rn == PC)
		a32_insn_set(i, rd, pc + 8 + (op == DP_ADD ? imm : -imm));	/* ADR */
	else if (op == DP_ADD || op == DP_SUB)
		a32_insn_add(i, rd, rn, op == DP_ADD ? imm : -imm);
	else
		logic_imm(i, op, rd, rn, imm);
}

static void mov_reg(struct a32_insn *i)
{
	if (i->rd != PC)
		i->op = OP_MOV;
	else if (i->rm == LR)
		i->op = OP_BRANCH_REG;
	else
		a32_insn_table(i, TABLE_NONE, 0);
}

static void data_reg(u32 pc, u32 w, struct a32_insn *i)
{
	u32 op = (w >> 21) & 15, rd = REG(w, 12);
	bool plain = !(w & 0xff0);

	if (op >= DP_TST && op <= DP_CMN && BIT_OF(w, 20)) {
		if (op == DP_CMP && plain)
			a32_insn_compare_reg(i, REG(w, 16), REG(w, 0));
		return;
	}
	i->rd = rd;
	i->rn = REG(w, 16);
	i->rm = REG(w, 0);
	if (op == DP_MOV && plain) {
		mov_reg(i);
	} else if (rd != PC && plain && i->rn != PC && i->rm != PC &&
		   (op == DP_ADD || op == DP_SUB)) {
		i->op = op == DP_ADD ? OP_ADD_REG : OP_SUB_REG;
	} else if (rd != PC && op == DP_ADD && plain && (i->rn == PC) != (i->rm == PC)) {
		a32_insn_add(i, rd, i->rn == PC ? i->rm : i->rn, pc + 8);
	} else if (rd == PC && op == DP_ADD && i->rn == PC && (w & 0xff0) == 0x100) {
		a32_insn_table(i, TABLE_CODE, pc + 8);	/* add pc, pc, rm, lsl #2 */
	} else if (rd == PC && op == DP_ADD && plain) {
		a32_insn_table(i, TABLE_SUM, 0);
	} else {
		write_reg(i, rd);
		if (op == DP_ADD && (w & 0xff0) == 0x100)
			i->sum = SUM_INDEX;
	}
}

/* A5.2.12: between the compares without S: MRS, MSR, BX, BLX, CLZ, SMULxy, ... */
static void miscellaneous(u32 w, struct a32_insn *i)
{
	switch (w & 0x0ff000f0) {
	case 0x01200010:
	case 0x01200020:
		i->op = OP_BRANCH_REG;
		i->rm = REG(w, 0);
		return;
	case 0x01200030:
		i->op = OP_CALL;
		return;
	case 0x01200070:
		i->op = OP_TRAP;			/* BKPT */
		return;
	case 0x01400070:
	case 0x01600070:
		i->op = OP_DEAD;			/* HVC, SMC */
		return;
	case 0x01200000:
	case 0x01600000:
		return;					/* MSR */
	case 0x01600010:
	case 0x01000000:
	case 0x01400000:
		write_reg(i, REG(w, 12));		/* CLZ, MRS */
		return;
	case 0x01000050:
	case 0x01200050:
	case 0x01400050:
	case 0x01600050:
		write_reg(i, REG(w, 12));		/* QADD, ... */
		return;
	}
	i->clobber = 1 << REG(w, 16) | 1 << REG(w, 12);	/* SMLAxy, SMLALxy */
}

static void multiply_or_sync(u32 w, struct a32_insn *i)
{
	i->clobber = 1 << REG(w, 12);
	if (!BIT_OF(w, 24))
		i->clobber |= 1 << REG(w, 16);		/* MUL ... UMLAL */
	else if (!BIT_OF(w, 20))
		return;					/* STREX: status in 15:12 */
	else if ((w & 0x0ff00000) == 0x01b00000)
		i->clobber |= 1 << (REG(w, 12) | 1);	/* LDREXD */
}

static void index_mode(u32 w, struct a32_insn *i, bool load, u32 list, s32 imm)
{
	bool pre = BIT_OF(w, 24), back = !pre || BIT_OF(w, 21);

	a32_insn_mem(i, load, REG(w, 16), list, pre ? imm : 0, back ? imm : 0);
}

/* Loads and stores whose data nobody follows still move their base. */
static void narrow(u32 w, struct a32_insn *i, bool load, u32 regs, bool has_imm, s32 imm)
{
	bool back = !BIT_OF(w, 24) || BIT_OF(w, 21);
	u32 rn = REG(w, 16);

	if (load)
		i->clobber |= regs;
	if (!back)
		return;
	if (has_imm)
		a32_insn_add(i, rn, rn, imm);
	else
		i->clobber |= 1 << rn;
}

static void extra_load_store(u32 w, struct a32_insn *i)
{
	u32 rt = REG(w, 12), kind = (w >> 5) & 3;
	bool load = BIT_OF(w, 20), dual = !load && kind >= 2;
	bool has_imm = BIT_OF(w, 22);
	s32 imm = sign(w, (w >> 4 & 0xf0) | (w & 15));

	if (dual && has_imm && rt < 14)
		index_mode(w, i, kind == 2, 3 << rt, imm);
	else
		narrow(w, i, load || kind == 2, dual ? 3 << rt : 1 << rt, has_imm, imm);
}

/* ldr rt, [rn, rm, lsl #2]: from a table of words */
static bool is_indexed(u32 w)
{
	return (w & 0x07700ff0) == 0x07100100 && BIT_OF(w, 23);
}

static void load_store(u32 pc, u32 w, struct a32_insn *i)
{
	u32 rt = REG(w, 12);
	bool load = BIT_OF(w, 20), byte = BIT_OF(w, 22), has_imm = !BIT_OF(w, 25);
	s32 imm = sign(w, w & 0xfff);

	i->rn = REG(w, 16);
	i->rm = has_imm ? 0 : REG(w, 0);
	if (!byte && has_imm)
		index_mode(w, i, load, 1 << rt, imm);
	else if (load && rt == PC && is_indexed(w) && REG(w, 16) == PC)
		a32_insn_table(i, TABLE_WORDS, pc + 8);
	else if (load && rt == PC && is_indexed(w))
		a32_insn_table(i, TABLE_LOADED, 0);
	else if (load && rt == PC)
		i->op = OP_JUMP_TABLE;
	else if (is_indexed(w))
		a32_insn_indexed(i, rt, REG(w, 16), REG(w, 0));
	else
		narrow(w, i, load, 1 << rt, has_imm, imm);
}

/*
 * Stands in for another instruction: that of uprobes, and GDB's of
 * arch/arm/kernel/ptrace.c
 */
static bool is_breakpoint(u32 w)
{
	return a32_insn_is_uprobe(w) || (w & 0x0fffffff) == 0x07f001f0;
}

/* A5.4: Rd is in 15:12, but for the multiplies and divisions it is in 19:16 */
static void media(u32 w, struct a32_insn *i)
{
	u32 op = (w >> 20) & 0xff;

	if ((w & 0x0ff000f0) == 0x07f000f0) {
		i->op = is_breakpoint(w) ? OP_DEAD : OP_TRAP;	/* UDF */
		return;
	}
	if (op == 0x74 || op == 0x75)
		i->clobber = 1 << REG(w, 12) | 1 << REG(w, 16);
	else if (op >= 0x70 && op <= 0x78)
		i->clobber = 1 << REG(w, 16);
	else
		i->clobber = 1 << REG(w, 12);
}

static void load_store_multiple(u32 w, struct a32_insn *i)
{
	u32 list = w & 0xffff;
	s32 size = 4 * (s32)hweight16(list), low;
	bool up = BIT_OF(w, 23), before = BIT_OF(w, 24);

	if (BIT_OF(w, 22)) {				/* user registers, exception return */
		i->op = OP_DEAD;
		return;
	}
	low = up ? 0 : -size;
	if (before == up)
		low += 4;
	a32_insn_mem(i, BIT_OF(w, 20), REG(w, 16), list, low,
		     !BIT_OF(w, 21) ? 0 : up ? size : -size);
}

static void coprocessor_transfer(u32 w, struct a32_insn *i)
{
	s32 size = sign(w, (w & 0xff) * 4);
	u32 rn = REG(w, 16);

	if ((w & 0x0fe00000) == 0x0c400000) {		/* MCRR, MRRC */
		if (BIT_OF(w, 20))
			i->clobber = 1 << REG(w, 12) | 1 << rn;
	} else if (BIT_OF(w, 21)) {			/* VPUSH, VPOP, VLDM, ... */
		a32_insn_add(i, rn, rn, size);
	}
}

static void unconditional(u32 pc, u32 w, struct a32_insn *i)
{
	if ((w & 0xfe000000) == 0xfa000000) {
		i->op = OP_CALL;			/* BLX */
		i->target = (pc + 8 + ((s32)(w << 8) >> 6) + (w >> 23 & 2)) | 1;
	} else if ((w & 0xff100000) == 0xf4000000) {
		if (REG(w, 0) != PC)			/* VLDn, VSTn */
			i->clobber = 1 << REG(w, 16);
	} else if ((w & 0xfe000000) == 0xf2000000 || (w & 0xfc100000) == 0xf4100000) {
		return;					/* Advanced SIMD; PLD, PLI, barriers */
	} else if ((w & 0xfe000000) == 0xfc000000) {
		coprocessor_transfer(w, i);
	} else if ((w & 0xff000000) == 0xfe000000) {
		if (BIT_OF(w, 4) && BIT_OF(w, 20) && REG(w, 12) != PC)
			i->clobber = 1 << REG(w, 12);
	} else {
		i->op = OP_DEAD;
	}
}

/* The S bit of data processing and multiplies; MSR; MRC and VMRS to the flags */
static bool sets_flags(u32 w)
{
	u32 class = (w >> 25) & 7;

	if (class == 7)
		return (w & 0x0110f010) == 0x0010f010;
	if (class > 1)
		return false;
	return BIT_OF(w, 20) || (w & 0x01b00000) == 0x01200000;
}

void a32_insn_arm(u32 pc, u32 w, struct a32_insn *i)
{
	*i = (struct a32_insn){ .len = 4, .cond = w >> 28,
				.flags = sets_flags(w) ? FLAGS_SET : FLAGS_SAME };

	if (w >> 28 == 15) {
		i->cond = COND_ALWAYS;
		unconditional(pc, w, i);
		return;
	}
	switch ((w >> 25) & 7) {
	case 0:
		if ((w & 0x90) == 0x90) {
			if (w & 0x60)
				extra_load_store(w, i);
			else
				multiply_or_sync(w, i);
		} else if ((w & 0x01900000) == 0x01000000) {
			miscellaneous(w, i);
		} else {
			data_reg(pc, w, i);
		}
		return;
	case 1:
		data_imm(pc, w, i);
		return;
	case 3:
		if (w & 0x10) {
			media(w, i);
			return;
		}
		fallthrough;
	case 2:
		load_store(pc, w, i);
		return;
	case 4:
		load_store_multiple(w, i);
		return;
	case 5:
		i->op = BIT_OF(w, 24) ? OP_CALL : OP_BRANCH;
		i->target = pc + 8 + ((s32)(w << 8) >> 6);
		return;
	case 6:
		coprocessor_transfer(w, i);
		return;
	case 7:
		if (BIT_OF(w, 24))
			i->op = OP_SYSCALL;
		else if (BIT_OF(w, 4) && BIT_OF(w, 20) && REG(w, 12) != PC)
			i->clobber = 1 << REG(w, 12);	/* MRC, VMOV */
	}
}
