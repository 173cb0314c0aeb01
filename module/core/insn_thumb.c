// SPDX-License-Identifier: GPL-2.0
#include "insn.h"

#define BIT_OF(w, n)	(((w) >> (n)) & 1)
#define REG(w, n)	(((w) >> (n)) & 15)
#define LOW(w, n)	(((w) >> (n)) & 7)

static void write_reg(struct a32_insn *i, u32 rd)
{
	if (rd == PC)
		i->op = OP_JUMP_TABLE;
	else
		i->clobber |= 1 << rd;
}

/* A6.2.1: shift, add, subtract, move, compare */
static void shift_add_move(u32 h, struct a32_insn *i)
{
	u32 rd8 = LOW(h, 8), imm8 = h & 0xff;

	switch (h >> 11) {
	case 3:
		if (h & 0x400)
			a32_insn_add(i, LOW(h, 0), LOW(h, 3),
				     h & 0x200 ? -(s32)LOW(h, 6) : (s32)LOW(h, 6));
		else
			i->clobber = 1 << LOW(h, 0);
		return;
	case 4:
		a32_insn_set(i, rd8, imm8);
		return;
	case 5:
		a32_insn_compare(i, rd8, imm8);
		return;
	case 6:
		a32_insn_add(i, rd8, rd8, imm8);
		return;
	case 7:
		a32_insn_add(i, rd8, rd8, -(s32)imm8);
		return;
	}
	if (h < 0x40) {					/* MOVS */
		i->op = OP_MOV;
		i->rd = LOW(h, 0);
		i->rm = LOW(h, 3);
	} else {
		i->clobber = 1 << LOW(h, 0);
	}
}

/* A6.2.2 data processing, A6.2.3 special data and branch and exchange */
static void data_special(u32 pc, u32 h, struct a32_insn *i)
{
	u32 op = (h >> 6) & 15, rd = (h >> 4 & 8) | LOW(h, 0), rm = REG(h, 3);

	if (h < 0x4400) {
		if (op == 10)
			a32_insn_compare_reg(i, LOW(h, 0), rm);
		if (op != 8 && op != 10 && op != 11)
			i->clobber = 1 << LOW(h, 0);
		return;
	}
	i->rd = rd;
	i->rn = rd;
	i->rm = rm;
	switch ((h >> 8) & 3) {
	case 0:
		if (rd == PC)
			i->op = OP_JUMP_TABLE;
		else if (rm == PC)
			a32_insn_add(i, rd, rd, pc + 4);
		else
			i->op = OP_ADD_REG;
		return;
	case 1:
		a32_insn_compare_reg(i, rd, rm);
		return;
	case 2:
		if (rd != PC)
			i->op = OP_MOV;
		else if (rm == LR)
			i->op = OP_BRANCH_REG;
		else
			a32_insn_table(i, TABLE_NONE, 0);
		return;
	case 3:
		i->op = h & 0x80 ? OP_CALL : OP_BRANCH_REG;
	}
}

/* A6.2.4 */
static void load_store_narrow(u32 h, struct a32_insn *i)
{
	u32 rt = LOW(h, 0), rn = LOW(h, 3), imm5 = (h >> 6) & 31;

	switch (h >> 12) {
	case 5:
		if (((h >> 9) & 7) >= 3)
			i->clobber = 1 << rt;
		return;
	case 6:
		a32_insn_mem(i, h & 0x800, rn, 1 << rt, imm5 * 4, 0);
		return;
	case 9:
		a32_insn_mem(i, h & 0x800, SP, 1 << LOW(h, 8), (h & 0xff) * 4, 0);
		return;
	default:
		if (h & 0x800)
			i->clobber = 1 << rt;
	}
}

/* A6.2.5 */
static void miscellaneous(u32 pc, u32 h, struct a32_insn *i)
{
	u32 list;
	s32 size;

	switch ((h >> 8) & 15) {
	case 0:
		a32_insn_add(i, SP, SP, h & 0x80 ? -(s32)(h & 0x7f) * 4 : (s32)(h & 0x7f) * 4);
		return;
	case 1: case 3: case 9: case 11:
		i->op = OP_BRANCH;			/* CBZ, CBNZ */
		i->cond = COND_REGISTER;
		i->target = pc + 4 + ((h >> 3 & 0x40) | (h >> 2 & 0x3e));
		return;
	case 2: case 10:
		i->clobber = 1 << LOW(h, 0);
		return;
	case 4: case 5:
		list = (h & 0xff) | (h & 0x100) << 6;
		size = 4 * hweight16(list);
		a32_insn_mem(i, false, SP, list, -size, -size);
		return;
	case 12: case 13:
		list = (h & 0xff) | (h & 0x100) << 7;
		a32_insn_mem(i, true, SP, list, 0, 4 * (s32)hweight16(list));
		return;
	case 6:
		return;					/* SETEND, CPS */
	case 15:
		if (h & 15) {
			i->op = OP_IT;
			i->imm = h & 0xff;
		}
		return;
	case 14:
		i->op = OP_TRAP;			/* BKPT */
		return;
	default:
		i->op = OP_DEAD;
	}
}

static void narrow(u32 pc, u32 h, struct a32_insn *i)
{
	u32 rn = LOW(h, 8), list = h & 0xff;

	switch (h >> 12) {
	case 0: case 1: case 2: case 3:
		shift_add_move(h, i);
		return;
	case 4:
		if (h < 0x4800)
			data_special(pc, h, i);
		else
			a32_insn_mem(i, true, PC, 1 << rn, list * 4, 0);
		return;
	case 5: case 6: case 7: case 8: case 9:
		load_store_narrow(h, i);
		return;
	case 10:
		if (h & 0x800)
			a32_insn_add(i, rn, SP, list * 4);
		else
			a32_insn_set(i, rn, ((pc + 4) & ~3) + list * 4);	/* ADR */
		return;
	case 11:
		miscellaneous(pc, h, i);
		return;
	case 12:
		/* A8.8.58: only a load that has rn in its list doesn't write it back. */
		a32_insn_mem(i, h & 0x800, rn, list, 0,
			     h & 0x800 && list & 1 << rn ? 0 : 4 * (s32)hweight16(list));
		return;
	case 13:
		if ((h & 0xf00) == 0xe00) {
			/* UDF; GDB's breakpoint of arch/arm/kernel/ptrace.c */
			i->op = h == 0xde01 ? OP_DEAD : OP_TRAP;
		} else if ((h & 0xf00) == 0xf00) {
			i->op = OP_SYSCALL;
		} else {
			i->op = OP_BRANCH;
			i->cond = (h >> 8) & 15;
			i->target = pc + 4 + ((s32)(h << 24) >> 23);
		}
		return;
	case 14:
		i->op = OP_BRANCH;
		i->target = pc + 4 + ((s32)(h << 21) >> 20);
	}
}

/* A6.3.5 */
static void load_store_multiple(u32 h1, u32 h2, struct a32_insn *i)
{
	s32 size = 4 * (s32)hweight16(h2);
	u32 mode = (h1 >> 7) & 3;

	if (mode == 0 || mode == 3) {
		i->op = OP_DEAD;			/* SRS, RFE */
		return;
	}
	a32_insn_mem(i, BIT_OF(h1, 4), REG(h1, 0), h2, mode == 1 ? 0 : -size,
		     !BIT_OF(h1, 5) ? 0 : mode == 1 ? size : -size);
}

static void load_store_pair(u32 h1, u32 h2, struct a32_insn *i)
{
	bool pre = BIT_OF(h1, 8), back = BIT_OF(h1, 5), load = BIT_OF(h1, 4);
	u32 rn = REG(h1, 0), rt = REG(h2, 12), rt2 = REG(h2, 8);
	s32 imm = BIT_OF(h1, 7) ? (s32)(h2 & 0xff) * 4 : -(s32)(h2 & 0xff) * 4;

	a32_insn_mem(i, load, rn, 1 << rt | 1 << rt2, pre ? imm : 0, back ? imm : 0);
	if (rt < rt2)
		return;
	/* A list has its registers in the other order. */
	if (load) {
		i->op = OP_NONE;
		if (back)
			a32_insn_add(i, rn, rn, imm);
		i->clobber = 1 << rt | 1 << rt2;
	} else {
		i->op = OP_STORE_PAIR;
		i->rd = rt;
		i->rm = rt2;
	}
}

/* A6.3.6 */
static void load_store_dual(u32 pc, u32 h1, u32 h2, struct a32_insn *i)
{
	u32 rt = REG(h2, 12), rt2 = REG(h2, 8);

	if (BIT_OF(h1, 8) || BIT_OF(h1, 5)) {
		load_store_pair(h1, h2, i);
	} else if ((h1 & 0xfff0) == 0xe8d0 && (h2 & 0xe0) == 0) {
		i->rm = REG(h2, 0);
		if (REG(h1, 0) == PC)			/* TBB, TBH */
			a32_insn_table(i, h2 & 0x10 ? TABLE_HALVES : TABLE_BYTES, pc + 4);
		else
			i->op = OP_JUMP_TABLE;
		i->rn = REG(h1, 0);
		i->list = h2 & 0x10 ? 2 : 1;
	} else if ((h1 & 0xfff0) == 0xe840) {
		i->clobber = 1 << rt2;			/* STREX */
	} else if (BIT_OF(h1, 4)) {
		i->clobber = 1 << rt | 1 << rt2;	/* LDREX* */
	} else {
		i->clobber = 1 << REG(h2, 0);		/* STREXB, STREXH, STREXD */
	}
	i->clobber &= ~(1 << PC);
}

enum { DP_AND = 0, DP_BIC = 1, DP_ORR = 2, DP_ORN = 3, DP_ADD = 8, DP_SUB = 13 };

/* A6.3.11 */
static void data_shifted(u32 h1, u32 h2, struct a32_insn *i)
{
	u32 op = (h1 >> 5) & 15, rn = REG(h1, 0), rd = REG(h2, 8);
	bool plain = !(h2 & 0x70f0);

	if (rd == PC) {
		if (op == DP_SUB && plain)
			a32_insn_compare_reg(i, rn, REG(h2, 0));
		return;					/* compares */
	}
	i->rd = rd;
	i->rn = rn;
	i->rm = REG(h2, 0);
	if (op == DP_ORR && rn == PC && plain)
		i->op = OP_MOV;
	else if ((op == DP_ADD || op == DP_SUB) && plain && rn != PC)
		i->op = op == DP_ADD ? OP_ADD_REG : OP_SUB_REG;
	else
		i->clobber = 1 << rd;
	if (op == DP_ADD && !(h2 & 0x30) && i->clobber) {
		i->sum = SUM_INDEX;
		i->imm = (h2 >> 10 & 0x1c) | (h2 >> 6 & 3);
	}
}

/* A6.3.2, ThumbExpandImm() */
static u32 expand_imm(u32 h1, u32 h2)
{
	u32 imm12 = (h1 << 1 & 0x800) | (h2 >> 4 & 0x700) | (h2 & 0xff);
	u32 imm8 = imm12 & 0xff, rot = imm12 >> 7;

	switch (imm12 >> 8) {
	case 0:
		return imm8;
	case 1:
		return imm8 << 16 | imm8;
	case 2:
		return imm8 << 24 | imm8 << 8;
	case 3:
		return imm8 * 0x01010101;
	}
	imm8 = 0x80 | (imm8 & 0x7f);
	return imm8 >> rot | imm8 << (32 - rot);
}

static void logic_imm(struct a32_insn *i, u32 op, u32 rd, u32 rn, u32 imm)
{
	i->clobber = 1 << rd;
	if (op != DP_AND && op != DP_BIC && op != DP_ORR)
		return;
	a32_insn_sum(i, op == DP_ORR ? SUM_OR : SUM_AND, rd, rn);
	i->imm = op == DP_BIC ? ~imm : imm;
}

/* A6.3.1 */
static void data_modified_imm(u32 h1, u32 h2, struct a32_insn *i)
{
	u32 op = (h1 >> 5) & 15, rn = REG(h1, 0), rd = REG(h2, 8);
	u32 imm = expand_imm(h1, h2);

	if (rd == PC) {
		if (op == DP_SUB)
			a32_insn_compare(i, rn, imm);
		return;					/* compares */
	}
	if (rn == PC && (op == DP_ORR || op == DP_ORN))
		a32_insn_set(i, rd, op == DP_ORR ? imm : ~imm);
	else if ((op == DP_ADD || op == DP_SUB) && rn != PC)
		a32_insn_add(i, rd, rn, op == DP_ADD ? imm : -imm);
	else
		logic_imm(i, op, rd, rn, imm);
}

/* A6.3.3 */
static void data_plain_imm(u32 pc, u32 h1, u32 h2, struct a32_insn *i)
{
	u32 op = (h1 >> 4) & 31, rn = REG(h1, 0), rd = REG(h2, 8);
	u32 imm12 = (h1 << 1 & 0x800) | (h2 >> 4 & 0x700) | (h2 & 0xff);
	u32 imm16 = (h1 & 15) << 12 | imm12;

	if (op == 4) {
		a32_insn_set(i, rd, imm16);
	} else if (op == 12) {
		i->op = OP_SET_TOP;
		i->rd = rd;
		i->imm = imm16;
	} else if ((op == 0 || op == 10) && rn == PC) {
		a32_insn_set(i, rd, ((pc + 4) & ~3) + (op ? -(s32)imm12 : (s32)imm12));	/* ADR */
	} else if (op == 0 || op == 10) {
		a32_insn_add(i, rd, rn, op ? -(s32)imm12 : (s32)imm12);
	} else {
		write_reg(i, rd);
	}
}

/* A8.8.18, A8.8.25: the sign and the two inverted bits of a 25-bit offset */
static s32 long_offset(u32 h1, u32 h2)
{
	u32 s = BIT_OF(h1, 10);
	u32 i1 = !(BIT_OF(h2, 13) ^ s), i2 = !(BIT_OF(h2, 11) ^ s);
	u32 off = s << 24 | i1 << 23 | i2 << 22 | (h1 & 0x3ff) << 12 | (h2 & 0x7ff) << 1;

	return (s32)(off << 7) >> 7;
}

/* A6.3.4 */
static void branch_misc(u32 pc, u32 h1, u32 h2, struct a32_insn *i)
{
	u32 off;

	if (h2 & 0x4000) {
		i->op = OP_CALL;			/* BL, BLX */
		i->target = pc + 4 + long_offset(h1, h2);
		i->target = h2 & 0x1000 ? i->target | 1 : i->target & ~3;
	} else if (h2 & 0x1000) {
		i->op = OP_BRANCH;
		i->target = pc + 4 + long_offset(h1, h2);
	} else if ((h1 & 0x380) != 0x380) {
		off = BIT_OF(h1, 10) << 20 | BIT_OF(h2, 11) << 19 | BIT_OF(h2, 13) << 18 |
		      (h1 & 0x3f) << 12 | (h2 & 0x7ff) << 1;
		i->op = OP_BRANCH;
		i->cond = (h1 >> 6) & 15;
		i->target = pc + 4 + ((s32)(off << 11) >> 11);
	} else if ((h1 & 0xffe0) == 0xf3e0) {
		i->clobber = 1 << REG(h2, 8);		/* MRS */
	} else if ((h1 & 0xfff0) == 0xf7f0 && (h2 & 0xf000) == 0xa000) {
		i->op = h1 == 0xf7f0 && h2 == 0xa000 ? OP_DEAD : OP_TRAP;	/* UDF, GDB's */
	} else if ((h1 & 0xfff0) == 0xf3c0 && h2 == 0x8f00) {
		i->op = OP_BRANCH_REG;			/* BXJ, which is BX but with Jazelle */
		i->rm = REG(h1, 0);
	} else if (h1 < 0xf380 || h1 > 0xf3bf) {	/* not MSR, hints, barriers */
		i->op = OP_DEAD;
	}
}

/* Loads and stores whose data nobody follows still move their base. */
static void single_data(struct a32_insn *i, bool load, u32 rt)
{
	if (i->op != OP_LOAD && i->op != OP_STORE)
		return;
	if (i->wb)
		a32_insn_add(i, i->rn, i->rn, i->wb);
	else
		i->op = OP_NONE;
	if (load && rt != PC)
		i->clobber = 1 << rt;
}

/* A6.3.7 to A6.3.10 */
static void load_store_single(u32 h1, u32 h2, struct a32_insn *i)
{
	bool load = BIT_OF(h1, 4), word = (h1 & 0x0160) == 0x0040;
	u32 rn = REG(h1, 0), rt = REG(h2, 12);
	s32 imm = h2 & 0xff;

	if (rn == PC && load) {
		imm = BIT_OF(h1, 7) ? (s32)(h2 & 0xfff) : -(s32)(h2 & 0xfff);
		a32_insn_mem(i, true, PC, 1 << rt, imm, 0);
	} else if (BIT_OF(h1, 7)) {
		a32_insn_mem(i, load, rn, 1 << rt, h2 & 0xfff, 0);
	} else if (h2 & 0x800) {
		if (!BIT_OF(h2, 9))
			imm = -imm;
		a32_insn_mem(i, load, rn, 1 << rt, BIT_OF(h2, 10) ? imm : 0,
			     BIT_OF(h2, 8) ? imm : 0);
	} else if (load && word && rt == PC) {
		a32_insn_table(i, (h2 & 0x0ff0) == 0x20 ? TABLE_LOADED : TABLE_UNKNOWN, 0);
		i->rn = rn;
		i->rm = REG(h2, 0);
		return;
	} else if (load && word && (h2 & 0x0ff0) == 0x20) {
		a32_insn_indexed(i, rt, rn, REG(h2, 0));
		return;
	} else if (load && rt != PC) {
		i->clobber = 1 << rt;
		return;
	}
	if (!word)
		single_data(i, load, rt);
}

static void coprocessor(u32 h1, u32 h2, struct a32_insn *i)
{
	s32 size = (h2 & 0xff) * 4;
	u32 rn = REG(h1, 0);

	if ((h1 & 0xef00) == 0xef00)
		return;					/* Advanced SIMD */
	if ((h1 & 0xef00) == 0xee00) {			/* CDP, MCR, MRC */
		if (BIT_OF(h1, 4) && BIT_OF(h2, 4) && REG(h2, 12) != PC)
			i->clobber = 1 << REG(h2, 12);
	} else if ((h1 & 0xefe0) == 0xec40) {		/* MCRR, MRRC */
		if (BIT_OF(h1, 4))
			i->clobber = 1 << REG(h2, 12) | 1 << rn;
	} else if (BIT_OF(h1, 5)) {			/* VPUSH, VPOP, VLDM, ... */
		a32_insn_add(i, rn, rn, BIT_OF(h1, 7) ? size : -size);
	}
}

static void wide(u32 pc, u32 h1, u32 h2, struct a32_insn *i)
{
	switch ((h1 >> 9) & 15) {
	case 4:
		if (h1 & 0x40)
			load_store_dual(pc, h1, h2, i);
		else
			load_store_multiple(h1, h2, i);
		return;
	case 5:
		data_shifted(h1, h2, i);
		return;
	case 6: case 7: case 14: case 15:
		coprocessor(h1, h2, i);
		return;
	case 8: case 9: case 10: case 11:
		if (h2 & 0x8000)
			branch_misc(pc, h1, h2, i);
		else if (h1 & 0x200)
			data_plain_imm(pc, h1, h2, i);
		else
			data_modified_imm(h1, h2, i);
		return;
	case 12:
		if ((h1 & 0xff10) == 0xf900) {		/* VLDn, VSTn */
			if (REG(h2, 0) != PC)
				i->clobber = 1 << REG(h1, 0);
		} else {
			load_store_single(h1, h2, i);
		}
		return;
	case 13:
		i->clobber = 1 << REG(h2, 8);		/* register, multiply */
		if ((h1 & 0xff80) == 0xfb80)
			i->clobber |= 1 << REG(h2, 12);	/* long multiply */
		i->clobber &= ~(1 << PC);
	}
}

/* Outside of an IT block, all that computes among the low registers does. */
static bool sets_flags(u32 h1, u32 h2)
{
	if (!a32_thumb_is_wide(h1))
		return h1 < 0x4400 || (h1 & 0xff00) == 0x4500;
	if ((h1 & 0xfe00) == 0xea00 || ((h1 & 0xfa00) == 0xf000 && !(h2 & 0x8000)))
		return BIT_OF(h1, 4);
	if ((h1 & 0xff80) == 0xfa00)
		return BIT_OF(h1, 4);
	if ((h1 & 0xef10) == 0xee10)
		return REG(h2, 12) == PC;		/* MRC, MRC2, VMRS */
	return (h1 & 0xffe0) == 0xf380;			/* MSR */
}

void a32_insn_thumb(u32 pc, u32 h1, u32 h2, struct a32_insn *i)
{
	*i = (struct a32_insn){ .len = 2, .cond = COND_ALWAYS,
				.flags = sets_flags(h1, h2) ? FLAGS_SET : FLAGS_SAME };

	if (a32_thumb_is_wide(h1)) {
		i->len = 4;
		wide(pc, h1, h2, i);
	} else {
		narrow(pc, h1, i);
	}
}
