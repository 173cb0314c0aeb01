// SPDX-License-Identifier: GPL-2.0
#include "prologue.h"

/* Is it set from sp, or in APCS from ip? */
static bool sets_frame(const struct a32_insn *i, u32 reg)
{
	if (i->op == OP_ADD)
		return i->rd == reg && (i->rn == SP || i->rn == IP);
	return i->op == OP_MOV && i->rd == reg && i->rm == SP;
}

u32 a32_prologue_end(u32 pc, bool thumb, u32 abi)
{
	u32 reg = a32_frame_reg_number(a32_abi_rule(abi)->cfa_reg), n;
	bool has_lr = false, has_frame = false;
	struct a32_insn i;

	for (n = 0; n < A32_PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		has_lr |= a32_insn_stores_lr(&i);
		has_frame |= sets_frame(&i, reg);
		if (a32_insn_leaves(&i) || i.op == OP_CALL)
			return 0;
		pc += i.len;
		if (has_lr && has_frame)
			return pc;
	}
	return 0;
}

bool a32_prologue_is_done(u32 at, u32 pc, bool thumb, u32 abi, struct a32_look *look)
{
	u32 own = a32_frame_reg_number(a32_abi_rule(abi)->cfa_reg);
	struct a32_insn i;

	at = a32_prologue_end(at, thumb, abi);
	for (; at && look->left && at < pc && a32_insn_fetch(at, thumb, &i); look->left--) {
		if (a32_insn_writes(&i) & 1 << own)
			return false;
		at += i.len;
	}
	return at == pc;
}

bool a32_prologue_has_arguments(u32 pc, bool thumb)
{
	struct a32_insn i;
	u32 n;

	for (n = 0; n < A32_PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		/* A uprobe's breakpoint may stand in the place of the push. */
		if (i.op == OP_DEAD)
			return true;
		if (a32_insn_stores_lr(&i))
			return false;
		if (i.op == OP_STORE && i.rn == SP && i.list & 15 && i.wb)
			return true;
		if (i.op == OP_ADD && i.rd == SP && i.rn == SP)
			return true;
		pc += i.len;
	}
	return true;
}

static bool moves_sp(const struct a32_insn *i)
{
	/* A uprobe's breakpoint may stand in the place of the push. */
	return a32_insn_writes(i) & 1 << SP || i->op == OP_DEAD;
}

/*
 * The instruction that ends at @pc. In Thumb, what does not look like the first
 * half of a wide one ends an instruction, and from there on they pair up.
 */
static bool fetch_before(u32 pc, bool thumb, struct a32_insn *i)
{
	u32 n = 0, h, err = 0;

	if (!thumb)
		return a32_insn_fetch(pc - 4, thumb, i);
	do {
		a32_load16(pc - 2 * n - 4, &h, &err);
	} while (a32_thumb_is_wide(h) && ++n < A32_PROLOGUE_INSNS);
	return !err && n < A32_PROLOGUE_INSNS && a32_insn_fetch(pc - (n & 1 ? 4 : 2), thumb, i);
}

/*
 * Going back from the push, what ends a function comes before what pushes, or
 * the other way round: nothing between two pushes of a prologue leaves. Data
 * that ends the function before may look like the first half of a push.
 */
bool a32_prologue_is_first(u32 at, bool thumb)
{
	struct a32_insn i, narrow;
	u32 n;

	for (n = 0; n < A32_PROLOGUE_INSNS; n++) {
		if (!fetch_before(at, thumb, &i))
			return false;
		if (thumb && i.len == 4 &&
		    (!a32_insn_fetch(at - 2, thumb, &narrow) || moves_sp(&narrow)))
			return false;
		if (i.cond == COND_ALWAYS && a32_insn_leaves(&i))
			return true;
		if (moves_sp(&i))
			return false;
		at -= i.len;
	}
	return false;
}

/**
 * struct sim - a prologue as it goes on
 * @sp: sp, from where it was at the start
 * @ip: a copy of it
 * @frame: the frame register, from the same
 * @has_frame: it is set
 * @slot: where the register is, from the same
 */
struct sim {
	s32 sp;
	s32 ip;
	s32 frame;
	bool has_frame;
	struct a32_saved slot;
};

static void sim_store(struct sim *sim, const struct a32_insn *i, u32 reg, u32 pc)
{
	u32 list = i->op == OP_STORE ? i->list : 1u << i->rd | 1u << i->rm;
	u32 below = list & ((1u << reg) - 1);

	if (i->rn != SP)
		return;
	if (list & 1 << reg && !sim->slot.is_saved) {
		sim->slot.is_saved = true;
		sim->slot.off = sim->sp + i->imm + 4 * (s32)hweight16(below);
		sim->slot.pc = pc;
	}
	sim->sp += i->wb;
}

/* Return false at the end of the prologue. */
static bool sim_step(struct sim *sim, const struct a32_insn *i, u32 own, u32 reg, u32 pc)
{
	bool from_sp = i->rn == SP, from_ip = i->rn == IP && i->op == OP_ADD;

	switch (i->op) {
	case OP_STORE:
	case OP_STORE_PAIR:
		sim_store(sim, i, reg, pc);
		return true;
	case OP_MOV:
		if (i->rd == SP)
			return false;
		if (i->rd == own && i->rm != SP)
			return false;
		if (i->rd == own) {
			sim->frame = sim->sp;
			sim->has_frame = true;
		}
		return true;
	case OP_ADD:
		if (i->rd == SP && !from_sp)
			return false;
		if (i->rd == SP)
			sim->sp += i->imm;
		if (i->rd == own && (from_sp || from_ip)) {
			sim->frame = (from_sp ? sim->sp : sim->ip) + i->imm;
			sim->has_frame = true;
		}
		return true;
	case OP_BRANCH:
	case OP_BRANCH_REG:
	case OP_CALL:
	case OP_JUMP_TABLE:
	case OP_LOAD_INDEXED:
	case OP_TRAP:
	case OP_DEAD:
		return false;
	default:
		return !(i->clobber & (1 << SP | 1 << own));
	}
}

/* ip is sp as it was before a push that it is part of: "mov ip, sp". */
bool a32_prologue_slot(u32 pc, bool thumb, u32 abi, u32 reg, struct a32_saved *slot)
{
	u32 own = a32_frame_reg_number(a32_abi_rule(abi)->cfa_reg), n;
	struct sim sim = {};
	struct a32_insn i;

	for (n = 0; n < A32_PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		if (!sim_step(&sim, &i, own, reg, pc))
			break;
		pc += i.len;
	}
	*slot = sim.slot;
	slot->off -= sim.frame;
	return sim.has_frame;
}
