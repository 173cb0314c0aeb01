// SPDX-License-Identifier: GPL-2.0
#include "body_step.h"
#include "rule.h"

enum {
	PROLOGUE_INSNS	= 24,	/* from the push of lr to where the record is complete */
	BEFORE		= 8,	/* instructions from "mov ip, sp" to the push */
};

/**
 * struct sim - a prologue as it goes on
 * @sp: bytes from where sp was at the start
 * @ip: the same of ip, while it is a copy
 * @has_ip: it is
 * @frame: the same of the frame register, at the end
 * @done: it is set
 * @slot: where lr, and the caller's frame register, were stored first
 * @stored: they were
 */
struct sim {
	s32 sp;
	s32 ip;
	bool has_ip;
	s32 frame;
	bool done;
	s32 slot[2];
	bool stored[2];
};

enum { SLOT_LR, SLOT_OWN };

static void note_slot(struct sim *sim, u32 which, u32 list, u32 reg, s32 lowest)
{
	if (!(list & 1 << reg) || sim->stored[which])
		return;
	sim->slot[which] = lowest + 4 * (s32)hweight16(list & ((1u << reg) - 1));
	sim->stored[which] = true;
}

static bool store(struct sim *sim, const struct a32_insn *i, u32 own)
{
	if (i->rn != SP)
		return !(a32_insn_writes(i) & (1 << own | 1 << LR));
	/* Of a pair, the registers are in order in all that has lr in it. */
	note_slot(sim, SLOT_LR, i->list, LR, sim->sp + i->imm);
	note_slot(sim, SLOT_OWN, i->list, own, sim->sp + i->imm);
	sim->sp += i->wb;
	return true;
}

/* Return false at what no prologue has before the record is complete. */
static bool simulate(struct sim *sim, const struct a32_insn *i, u32 own)
{
	u32 writes = a32_insn_writes(i), followed = 1 << own | 1 << SP | 1 << LR;

	if (a32_insn_leaves(i) || i->op == OP_CALL || i->op == OP_SYSCALL || i->op == OP_DEAD ||
	    i->op == OP_TRAP || i->op == OP_IT)
		return false;
	if (i->cond != COND_ALWAYS && (writes & followed || i->op == OP_STORE))
		return false;
	if (i->op == OP_STORE)
		return store(sim, i, own);
	if (i->op == OP_STORE_PAIR && i->rn == SP)
		return false;
	if (i->op == OP_MOV && i->rm == SP && i->rd == IP) {
		sim->ip = sim->sp;
		sim->has_ip = true;
		return true;
	}
	if (i->rd == own && ((i->op == OP_MOV && i->rm == SP) ||
			     (i->op == OP_ADD && (i->rn == SP || (i->rn == IP && sim->has_ip))))) {
		sim->frame = (i->op == OP_ADD && i->rn == IP ? sim->ip : sim->sp) + i->imm;
		sim->done = true;
		return true;
	}
	if (i->op == OP_ADD && i->rd == SP && i->rn == SP) {
		sim->sp += i->imm;
		return true;
	}
	if (writes & 1 << IP)
		sim->has_ip = false;
	return !(writes & followed);
}

/* In an APCS prologue the frame register is set from a copy of sp as it was before the pushes. */
static u32 start_of(const struct a32_body_work *work, u32 at)
{
	struct a32_insn i;
	u32 n;

	if (work->abi != A32_ABI_APCS || work->thumb)
		return at;
	for (n = 1; n <= BEFORE && at >= 4 * n && body_fetch(work, at - 4 * n, &i); n++) {
		if (i.op == OP_MOV && i.rd == IP && i.rm == SP && i.cond == COND_ALWAYS)
			return at - 4 * n;
		if (a32_insn_leaves(&i) || i.op == OP_CALL)
			break;
	}
	return at;
}

/* A push of several registers (DDI 0406C, A8.8.133); the rest is not worth decoding */
static bool is_push(const struct a32_body_work *work, u32 at)
{
	u32 h;

	if (!work->thumb)
		return body_has(work, at, 4) && (body_half(work, at + 2) & 0x0fff) == 0x092d;
	h = body_has(work, at, 2) ? body_half(work, at) : 0;
	return h == 0xe92d || (h & 0xff00) == 0xb500;
}

static bool pushes_lr(const struct a32_body_work *work, u32 at)
{
	struct a32_insn i;

	return is_push(work, at) && body_fetch(work, at, &i) && i.op == OP_STORE && i.rn == SP &&
	       i.wb < 0 && i.list & 1 << LR && i.cond == COND_ALWAYS;
}

u32 body_prologue(const struct a32_body_work *work, u32 at, s32 *sp)
{
	struct sim sim = {};
	struct a32_insn i;
	u32 n;

	if (!pushes_lr(work, at))
		return 0;
	at = start_of(work, at);
	for (n = 0; n < PROLOGUE_INSNS && !sim.done; n++) {
		if (!body_fetch(work, at, &i) || !simulate(&sim, &i, work->own))
			return 0;
		at += i.len;
	}
	if (!sim.done || !sim.stored[SLOT_LR] || !sim.stored[SLOT_OWN] ||
	    sim.slot[SLOT_LR] != sim.frame + work->ra_at ||
	    sim.slot[SLOT_OWN] != sim.frame + work->own_at)
		return 0;
	*sp = sim.frame - sim.sp;
	return *sp >= 0 && *sp <= BODY_SP_MAX ? at : 0;
}
