/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one instruction does to the registers and stack slots that unwinding
 * depends on. Everything else an instruction does is left out.
 */
#ifndef A32_CORE_INSN_H
#define A32_CORE_INSN_H

#include "port.h"

enum { R7 = 7, R11 = 11, IP = 12, SP = 13, LR = 14, PC = 15 };

/* DDI 0406C, A8.3; n ^ 1 is the opposite of n. CBZ and CBNZ look at a register. */
enum { COND_ALWAYS = 14, COND_REGISTER = 16 };

/**
 * enum a32_op - the effect of an instruction
 * @OP_NONE: none but on the registers in clobber
 * @OP_MOV: rd = rm
 * @OP_SET: rd = imm
 * @OP_SET_TOP: rd = (rd & 0xffff) | imm << 16
 * @OP_ADD: rd = rn + imm
 * @OP_ADD_REG: rd = rn + rm
 * @OP_SUB_REG: rd = rn - rm
 * @OP_LOAD: the registers in list, lowest first, from [rn + imm] upwards; then
 *	rn += wb unless list has it. PC in list is a jump
 * @OP_STORE: the same, to memory
 * @OP_STORE_PAIR: rd to [rn + imm], rm behind it; then rn += wb
 * @OP_BRANCH: to target; taken or not when cond is set
 * @OP_BRANCH_REG: to rm, out of the function: bx, or "mov pc, lr"
 * @OP_CALL: any call: returns behind itself with r4-r11 and sp as they were
 * @OP_LOAD_INDEXED: rd = [rn + rm * 4], from a table of words at rn
 * @OP_JUMP_TABLE: somewhere in the same function: tbb, "add pc, pc, rm", ...;
 *	imm says where the table is, if it can be known
 * @OP_IT: imm is the ITSTATE of the next instructions
 * @OP_SYSCALL: r0 is the result; r7 says whether it comes back
 * @OP_TRAP: undefined on purpose; does nothing to what is followed
 * @OP_DEAD: not known, or not what stood there: a debugger's or uprobe's
 *	breakpoint
 */
enum a32_op {
	OP_NONE,
	OP_MOV,
	OP_SET,
	OP_SET_TOP,
	OP_ADD,
	OP_ADD_REG,
	OP_SUB_REG,
	OP_LOAD,
	OP_LOAD_INDEXED,
	OP_STORE,
	OP_STORE_PAIR,
	OP_BRANCH,
	OP_BRANCH_REG,
	OP_CALL,
	OP_JUMP_TABLE,
	OP_IT,
	OP_SYSCALL,
	OP_TRAP,
	OP_DEAD,
};

/**
 * enum a32_table - what an OP_JUMP_TABLE jumps by
 * @TABLE_UNKNOWN: not seen from the instruction; with list set, by bytes or
 *	halfwords at rn, as list is 1 or 2, each half the distance from pc
 * @TABLE_BYTES: bytes at target, each half the distance from there
 * @TABLE_HALVES: halfwords at target, each half the distance from there
 * @TABLE_WORDS: addresses at target
 * @TABLE_CODE: branches at target
 * @TABLE_LOADED: addresses at rn
 * @TABLE_SUM: to rn + rm
 * @TABLE_NONE: to rm
 */
enum a32_table {
	TABLE_UNKNOWN,
	TABLE_BYTES,
	TABLE_HALVES,
	TABLE_WORDS,
	TABLE_CODE,
	TABLE_LOADED,
	TABLE_SUM,
	TABLE_NONE,
};

/**
 * enum a32_flags - what an instruction does to the condition flags
 * @FLAGS_SAME: nothing
 * @FLAGS_SET: it may set them
 * @FLAGS_COMPARE: it compares rn with imm, and does nothing else
 * @FLAGS_COMPARE_REG: it compares rn with rm, and does nothing else
 */
enum a32_flags {
	FLAGS_SAME,
	FLAGS_SET,
	FLAGS_COMPARE,
	FLAGS_COMPARE_REG,
};

/**
 * enum a32_sum - what OP_NONE computes, for who follows jump tables
 * @SUM_NONE: nothing of that kind
 * @SUM_INDEX: rd = rn + (rm << imm), the address of a table's word, or of one of
 *	many pieces of code
 * @SUM_AND: rd = rn & imm
 * @SUM_OR: rd = rn | imm
 */
enum a32_sum {
	SUM_NONE,
	SUM_INDEX,
	SUM_AND,
	SUM_OR,
};

/**
 * struct a32_insn - a decoded instruction
 * @op: enum a32_op
 * @len: bytes, 2 or 4
 * @cond: condition code, COND_ALWAYS for none, or COND_REGISTER; in Thumb only
 *	branches have one, the rest gets it from the IT before them
 * @flags: enum a32_flags
 * @rd: destination register
 * @rn: base or first operand
 * @rm: second operand, or index into a table
 * @sum: enum a32_sum; clobber has rd, too
 * @clobber: registers that get a value nobody follows
 * @list: registers of OP_LOAD, OP_STORE and OP_STORE_PAIR
 * @imm: immediate, or offset of the lowest slot from rn in bytes
 * @wb: added to rn afterwards, in bytes
 * @target: where OP_BRANCH goes, bit 0 clear, in the same instruction set; the
 *	table of OP_JUMP_TABLE; where OP_CALL goes, bit 0 set in Thumb, or 0
 */
struct a32_insn {
	u8 op;
	u8 len;
	u8 cond;
	u8 flags;
	u8 rd;
	u8 rn;
	u8 rm;
	u8 sum;
	u16 clobber;
	u16 list;
	s32 imm;
	s32 wb;
	u32 target;
};

/**
 * a32_insn_arm() - decode an A32 instruction
 * @pc: its address
 * @w: its word
 * @i: the result
 *
 * Source of every encoding: Arm Architecture Reference Manual ARMv7-A and
 * ARMv7-R, DDI 0406C, chapters A5 and A8.
 */
void a32_insn_arm(u32 pc, u32 w, struct a32_insn *i);

/**
 * a32_insn_thumb() - decode a T32 instruction
 * @pc: its address, bit 0 clear
 * @h1: its first halfword
 * @h2: its second halfword, used when a32_thumb_is_wide(h1)
 * @i: the result
 *
 * Source: DDI 0406C, chapters A6 and A8.
 */
void a32_insn_thumb(u32 pc, u32 h1, u32 h2, struct a32_insn *i);

/* DDI 0406C, A6.1: 0b11101, 0b11110 and 0b11111 begin a 32-bit encoding */
static inline bool a32_thumb_is_wide(u32 h1)
{
	return (h1 & 0xf800) > 0xe000;
}

/* The list of a single register, for OP_LOAD and OP_STORE */
static inline void a32_insn_mem(struct a32_insn *i, bool load, u32 rn,
				u32 list, s32 imm, s32 wb)
{
	i->op = load ? OP_LOAD : OP_STORE;
	i->rn = rn;
	i->list = list;
	i->imm = imm;
	i->wb = wb;
}

static inline void a32_insn_table(struct a32_insn *i, enum a32_table kind, u32 at)
{
	i->op = OP_JUMP_TABLE;
	i->imm = kind;
	i->target = at;
}

static inline void a32_insn_indexed(struct a32_insn *i, u32 rd, u32 rn, u32 rm)
{
	i->op = OP_LOAD_INDEXED;
	i->rd = rd;
	i->rn = rn;
	i->rm = rm;
}

static inline void a32_insn_sum(struct a32_insn *i, enum a32_sum sum, u32 rd, u32 rn)
{
	i->sum = sum;
	i->rd = rd;
	i->rn = rn;
}

static inline void a32_insn_compare(struct a32_insn *i, u32 rn, s32 imm)
{
	i->flags = FLAGS_COMPARE;
	i->rn = rn;
	i->imm = imm;
}

static inline void a32_insn_compare_reg(struct a32_insn *i, u32 rn, u32 rm)
{
	i->flags = FLAGS_COMPARE_REG;
	i->rn = rn;
	i->rm = rm;
}

static inline void a32_insn_set(struct a32_insn *i, u32 rd, u32 imm)
{
	i->op = OP_SET;
	i->rd = rd;
	i->imm = imm;
}

static inline void a32_insn_add(struct a32_insn *i, u32 rd, u32 rn, s32 imm)
{
	i->op = OP_ADD;
	i->rd = rd;
	i->rn = rn;
	i->imm = imm;
}

/* UPROBE_SWBP_ARM_INSN of arch/arm/include/asm/uprobes.h, but for the condition */
static inline bool a32_insn_is_uprobe(u32 w)
{
	return (w & 0x0fffffff) == 0x07f001f9;
}

/* Does a uprobe's breakpoint stand there? There are none in Thumb code. */
static inline bool a32_uprobe_at(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc, &w, &err);
	return a32_insn_is_uprobe(w);
}

/* May the code behind it be of another path? */
static inline bool a32_insn_leaves(const struct a32_insn *i)
{
	return i->op == OP_BRANCH || i->op == OP_BRANCH_REG || i->op == OP_JUMP_TABLE ||
	       (i->op == OP_LOAD && i->list & 1 << PC);
}

/* To another one, most likely: alloca() leaves sp in other registers. */
static inline bool a32_insn_changes_stack(const struct a32_insn *i)
{
	return (i->op == OP_MOV && i->rd == SP && i->rm <= 3) ||
	       (i->op == OP_LOAD && i->list & 1 << SP);
}

static inline bool a32_insn_stores_lr(const struct a32_insn *i)
{
	return (i->op == OP_STORE && i->list & 1 << LR) ||
	       (i->op == OP_STORE_PAIR && (i->rd == LR || i->rm == LR));
}

/* AAPCS32 section 6.1.1: a call keeps r4 to r11 and sp. */
#define A32_CALL_CLOBBERS	(1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << IP | 1 << LR)

/* The registers that an instruction writes, but for where it goes */
u32 a32_insn_writes(const struct a32_insn *i);

/* Where a table of TABLE_BYTES or TABLE_HALVES leads to. Return false when it can't be read. */
static inline bool a32_insn_table_entry(const struct a32_insn *i, u32 n, u32 *target)
{
	u32 at = i->target + n, w, err = 0;

	if (i->imm == TABLE_HALVES)
		at += n;
	a32_load16(at & ~1, &w, &err);
	if (i->imm == TABLE_BYTES)
		w = w >> 8 * (at & 1) & 0xff;
	*target = i->target + 2 * w;
	return !err;
}

/**
 * a32_insn_fetch() - read and decode an instruction of the current process
 * @pc: its address, bit 0 clear
 * @thumb: its instruction set
 * @i: the result
 *
 * Context: within a32_user_begin() and a32_user_end().
 * Return: false when it can't be read
 */
static inline bool a32_insn_fetch(u32 pc, bool thumb, struct a32_insn *i)
{
	u32 w, h2 = 0, err = 0;

	if (!thumb) {
		if (unlikely(pc >= A32_USER_END))
			a32_load_kuser(pc, &w, &err);
		else
			a32_load32(pc, &w, &err);
		a32_insn_arm(pc, w, i);
		if (unlikely(i->op == OP_DEAD) && a32_uprobe_insn(pc, &w))
			a32_insn_arm(pc, w, i);
		return !err;
	}
	a32_load16(pc, &w, &err);
	if (a32_thumb_is_wide(w))
		a32_load16(pc + 2, &h2, &err);
	a32_insn_thumb(pc, w, h2, i);
	return !err;
}

#endif
