// SPDX-License-Identifier: GPL-2.0
#include "body_step.h"
#include "rule.h"

enum {
	MOV_LR_PC	= 0xe1a0e00f,
	SINCE_CLONE	= 3,		/* instructions: see a32_top_is_new_thread() */
};

/* File offsets stand for addresses: the distances are the same, and so are the lower bits. */
bool body_fetch(const struct a32_body_work *work, u32 at, struct a32_insn *i)
{
	u32 pc = work->start + at, h;

	if (!work->thumb) {
		if (!body_has(work, at, 4))
			return false;
		a32_insn_arm(pc, body_word(work, at), i);
		return true;
	}
	if (!body_has(work, at, 2))
		return false;
	h = body_half(work, at);
	if (!a32_thumb_is_wide(h)) {
		a32_insn_thumb(pc, h, 0, i);
		return true;
	}
	if (!body_has(work, at, 4))
		return false;
	a32_insn_thumb(pc, h, body_half(work, at + 2), i);
	return true;
}

void body_note_data(struct a32_body_work *work, u32 at, u32 len)
{
	for (; len && body_has(work, at, 2); at += 2, len -= len < 2 ? len : 2)
		work->data[at / 64] |= 1u << (at / 2 % 32);
}

/* VLDR of a literal (DDI 0406C, A8.8.333): returns its bytes, 0 for none */
static u32 vector_literal(const struct a32_body_work *work, u32 at, s32 *imm)
{
	u32 w = body_word(work, at);

	if (work->thumb)
		w = w << 16 | w >> 16;
	if ((w & 0x0f3f0e00) != 0x0d1f0a00)
		return 0;
	*imm = w & 1 << 23 ? (s32)(w & 0xff) * 4 : -(s32)(w & 0xff) * 4;
	return w & 0x100 ? 8 : 4;
}

static void note_literal(struct a32_body_work *work, u32 at, const struct a32_insn *i)
{
	u32 base = work->thumb ? (at & ~3) + 4 : at + 8, len = 0;
	s32 imm = i->imm;

	if (i->op == OP_LOAD && i->rn == PC)
		len = 4 * hweight16(i->list);
	else if (i->len == 4)
		len = vector_literal(work, at, &imm);
	if (len)
		body_note_data(work, base + imm, len);
}

/* Where is the slot of a register in a list, from where the frame register points? */
static s32 slot_of(const struct a32_insn *i, u32 reg, s32 base)
{
	return base + i->imm + 4 * (s32)hweight16(i->list & ((1u << reg) - 1));
}

/* The caller's frame register is loaded: from the record, or it is no body's. */
static u8 load_own(const struct a32_body_work *work, const struct a32_insn *i, s32 sp)
{
	s32 base = i->rn == SP ? -sp : 0;

	if (i->rn != SP && i->rn != work->own)
		return BODY_ODD;
	if (i->rn == SP && sp == BODY_SP_UNKNOWN)
		return BODY_LOST;
	if (slot_of(i, work->own, base) != work->own_at)
		return BODY_ODD;
	if (i->list & 1 << PC && slot_of(i, PC, base) != work->ra_at)
		return BODY_ODD;
	return BODY_OUT;
}

static bool is_old_call(const struct a32_body_work *work, u32 at)
{
	return !work->thumb && at >= 4 && body_word(work, at - 4) == MOV_LR_PC;
}

/* It may go anywhere, or call, or return: what then is what a body can't have. */
static void leave(struct a32_body_work *work, u32 at, struct body_step *step)
{
	const struct a32_insn *i = &step->insn;
	bool conditional = step->runs_on;

	step->runs_on = false;
	if (is_old_call(work, at)) {
		step->runs_on = true;
		step->calls = true;
		return;
	}
	if (i->op == OP_JUMP_TABLE) {
		step->end = body_table(work, at, step) ? BODY_ON : BODY_LOST;
	} else if (i->op == OP_BRANCH) {
		step->nr = 1;
		step->runs_on = conditional;
		return;
	} else if (i->op == OP_BRANCH_REG) {
		step->end = i->rm == LR ? BODY_ODD : BODY_LOST;
	} else {
		step->end = i->rn == SP ? BODY_ODD : BODY_LOST;
	}
	step->runs_on |= conditional;
}

/* Where sp is put by what "sub r4, r11, #n" has computed right before */
static s32 sp_from(const struct a32_body_work *work, u32 at, u32 rm)
{
	struct a32_insn i;

	if (rm == work->own)
		return 0;
	if (at < 4 || !body_fetch(work, at - 4, &i) || i.len != 4 || i.op != OP_ADD ||
	    i.rd != rm || i.rn != work->own)
		return BODY_SP_UNKNOWN;
	return -i.imm;
}

static s32 sp_behind(const struct a32_body_work *work, u32 at, const struct a32_insn *i, s32 sp)
{
	if (!(a32_insn_writes(i) & 1 << SP))
		return sp;
	if (i->op == OP_MOV)
		return sp_from(work, at, i->rm);
	if (i->op == OP_ADD && i->rn == work->own)
		return -i->imm;
	if (sp == BODY_SP_UNKNOWN)
		return sp;
	if (i->op == OP_ADD && i->rn == SP)
		return sp - i->imm;
	if ((i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_STORE_PAIR) && i->rn == SP &&
	    !(i->list & 1 << SP && i->op == OP_LOAD))
		return sp - i->wb;
	return BODY_SP_UNKNOWN;
}

/* Each of the next instructions is executed or not. */
static void note_it_block(struct a32_body_work *work, u32 at, u32 mask)
{
	struct a32_insn i;

	for (at += 2; mask & 15 && body_fetch(work, at, &i); mask <<= 1) {
		work->node[at / 2].flags |= BODY_COND;
		at += i.len;
	}
}

static void note_system_call(struct a32_body_work *work, u32 at, u32 len)
{
	u32 n;

	for (n = 1; n <= SINCE_CLONE && body_has(work, at + n * len, 2); n++)
		work->node[(at + n * len) / 2].flags |= BODY_HIDDEN;
}

static bool pushes_lr(const struct a32_insn *i)
{
	return a32_insn_stores_lr(i) && i->rn == SP && i->wb < 0;
}

void body_step(struct a32_body_work *work, u32 at, struct body_step *step)
{
	struct a32_body_node *node = &work->node[at / 2];
	struct a32_insn *i = &step->insn;
	s32 lowest = work->own_at < work->ra_at ? work->own_at : work->ra_at;

	*step = (struct body_step){ .end = BODY_LOST, .sp = node->sp };
	if (!body_fetch(work, at, i))
		return;
	step->len = i->len;
	/* The record may be overwritten any time. */
	if (step->sp != BODY_SP_UNKNOWN && -step->sp > lowest)
		return;
	if (i->op == OP_DEAD || i->op == OP_TRAP)
		return;
	step->end = BODY_ON;
	step->runs_on = node->flags & BODY_COND || i->cond != COND_ALWAYS;
	note_literal(work, at, i);
	if (a32_insn_writes(i) & 1 << work->own) {
		step->end = i->op == OP_LOAD ? load_own(work, i, step->sp) : BODY_ODD;
		/* Behind "popne {r11, lr}", there is a record or not. */
		step->runs_on &= i->op == OP_LOAD && i->list & 1 << PC;
		return;
	}
	if (pushes_lr(i)) {
		step->end = BODY_ODD;
		step->runs_on = false;
		return;
	}
	if (a32_insn_leaves(i)) {
		leave(work, at, step);
		return;
	}
	step->sp = step->runs_on && a32_insn_writes(i) & 1 << SP ?
		   BODY_SP_UNKNOWN : sp_behind(work, at, i, step->sp);
	if (step->sp > BODY_SP_MAX || step->sp < -BODY_SP_MAX)
		step->sp = BODY_SP_UNKNOWN;
	step->runs_on = true;
	step->calls = i->op == OP_CALL || i->op == OP_SYSCALL;
	if (i->op == OP_IT)
		note_it_block(work, at, i->imm);
	else if (i->op == OP_SYSCALL)
		note_system_call(work, at, i->len);
}
