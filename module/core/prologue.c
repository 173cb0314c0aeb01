// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "prologue.h"

enum {
	PROLOGUE_INSNS	= 10,		/* from the save of lr to the frame register's setting */
	BODY_INSNS	= 200,		/* from there on to a pc */
	ENTRY_TO_PUSH	= 48,		/* bytes from a function's entry to the save of lr */
	FUNCTION_MAX	= 1 << 20,	/* bytes */
};

/*
 * Pushes of lr. Other stores of it are no sign: lr serves as any register once
 * it is saved.
 */
static bool saves_lr_arm(u32 w)
{
	return (w & 0xffff4000) == 0xe92d4000 || (w & 0xfffff000) == 0xe52de000;
}

/* Without optimization, blocks end in a branch to what follows. */
enum { B_NEXT_ARM = 0xeaffffff, B_NEXT_THUMB = 0xe7ff };

/* Nothing goes on behind these: b, bx, and whatever sets pc */
static bool leaves_arm(u32 w)
{
	if (w == B_NEXT_ARM)
		return false;
	return (w & 0xff000000) == 0xea000000 || (w & 0xfffffff0) == 0xe12fff10 ||
	       (w & 0xfe108000) == 0xe8108000 || (w & 0xfc10f000) == 0xe410f000 ||
	       (w & 0xfc00f000) == 0xe000f000;
}

static bool saves_lr_thumb(u32 h1, u32 h2)
{
	if ((h1 & 0xff00) == 0xb500)
		return true;
	if (h1 == 0xe92d)
		return h2 & 0x4000;
	if (h1 == 0xf84d)
		return (h2 & 0xff00) == 0xed00;
	return h1 == 0xe96d && (h2 >> 12 == LR || (h2 >> 8 & 15) == LR);
}

static bool leaves_thumb(u32 h1, u32 h2)
{
	if (h1 == B_NEXT_THUMB)
		return false;
	if ((h1 & 0xff87) == 0x4700 || (h1 & 0xff00) == 0xbd00 || (h1 & 0xf800) == 0xe000 ||
	    (h1 & 0xff87) == 0x4687 || (h1 & 0xfff0) == 0xe8d0)
		return true;
	if (h1 == 0xe8bd)
		return h2 & 0x8000;
	if ((h1 & 0xff70) == 0xf850)
		return h2 >> 12 == PC;
	return (h1 & 0xf800) == 0xf000 && (h2 & 0xd000) == 0x9000;
}

/*
 * Is the frame register set from sp, or in APCS from ip, by what follows?
 * Return the address behind that, or 0.
 */
static u32 sets_frame(u32 pc, bool thumb, u32 abi)
{
	u32 reg = a32_frame_reg_number(a32_abi_rule(abi)->cfa_reg), n;
	struct a32_insn i;

	for (n = 0; n < PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		if (i.op == OP_ADD && i.rd == reg && (i.rn == SP || i.rn == IP))
			return pc + i.len;
		if (i.op == OP_MOV && i.rd == reg && i.rm == SP)
			return pc + i.len;
		if (i.op == OP_BRANCH || i.op == OP_CALL)
			return 0;
		pc += i.len;
	}
	return 0;
}

/* May an instruction change a register? */
static bool writes(const struct a32_insn *i, u32 reg)
{
	switch (i->op) {
	case OP_NONE:
	case OP_STORE:
	case OP_STORE_PAIR:
	case OP_BRANCH:
	case OP_CALL:
	case OP_IT:
	case OP_SYSCALL:
		return i->clobber & 1 << reg || (i->wb && i->rn == reg);
	case OP_LOAD:
		return i->list & 1 << reg || (i->wb && i->rn == reg);
	default:
		return i->rd == reg || i->clobber & 1 << reg;
	}
}

bool a32_prologue_is_done(u32 at, u32 pc, bool thumb, u32 abi)
{
	u32 own = a32_frame_reg_number(a32_abi_rule(abi)->cfa_reg), n;
	struct a32_insn i;

	at = sets_frame(at, thumb, abi);
	for (n = 0; at && n < BODY_INSNS && at < pc && a32_insn_fetch(at, thumb, &i); n++) {
		if (writes(&i, own))
			return false;
		at += i.len;
	}
	return at == pc;
}

/**
 * struct search - a look back from an address
 * @pc: the word or halfword looked at
 * @n: how many have been
 * @max: how many may be
 * @err: the code can't be read any further
 * @straight: no end of the code in between
 */
struct search {
	u32 pc;
	u32 n;
	u32 max;
	u32 err;
	bool straight;
};

static bool search_arm(struct search *s)
{
	u32 w;

	while (s->n++ < s->max) {
		s->pc -= 4;
		a32_load32(s->pc, &w, &s->err);
		if (unlikely(s->err))
			return false;
		if (saves_lr_arm(w))
			return true;
		if (s->straight && leaves_arm(w))
			s->straight = false;
	}
	return false;
}

static bool search_thumb(struct search *s)
{
	u32 h, behind = 0;

	while (s->n++ < s->max) {
		s->pc -= 2;
		a32_load16(s->pc, &h, &s->err);
		if (unlikely(s->err))
			return false;
		/* All that is looked for begins with bits 15 and 13, or is a bx. */
		if ((h & 0xa000) == 0xa000 && saves_lr_thumb(h, behind))
			return true;
		if (s->straight && leaves_thumb(h, behind))
			s->straight = false;
		behind = h;
	}
	return false;
}

enum a32_prologue a32_prologue_before(u32 pc, bool thumb, u32 abi, u32 *left, u32 *at)
{
	struct search s = { .pc = pc, .max = A32_PROLOGUE_WINDOW, .straight = true };
	bool found;

	if (*left < A32_PROLOGUE_WINDOW / A32_PROLOGUE_COST)
		s.max = *left * A32_PROLOGUE_COST;
	found = thumb ? search_thumb(&s) : search_arm(&s);
	*left -= (s.n - 1) / A32_PROLOGUE_COST;
	*at = s.pc;
	if (!found)
		return PROLOGUE_NONE;
	if (!sets_frame(s.pc, thumb, abi))
		return PROLOGUE_OTHER;
	return s.straight ? PROLOGUE_RECORD : PROLOGUE_LIKELY;
}

bool a32_prologue_at(u32 pc, bool thumb, u32 abi)
{
	struct a32_insn i;
	u32 n;

	for (n = 0; n < PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		if (i.op == OP_STORE && i.list & 1 << LR)
			return sets_frame(pc, thumb, abi);
		if (i.op == OP_CALL || i.op == OP_DEAD)
			return false;
		if (i.op == OP_BRANCH && i.cond == COND_ALWAYS)
			return false;
		pc += i.len;
	}
	return false;
}

static u32 entry_of_caller(u32 at)
{
	u32 ra, err = 0;

	if (at & 3)
		return 0;
	a32_load32(at, &ra, &err);
	return err || !ra || (ra & 3) == 2 ? 0 : a32_call_target(ra);
}

enum a32_prologue a32_prologue_evidence(u32 pc, bool thumb, u32 abi, u32 ra, u32 *left, u32 *at)
{
	enum a32_prologue found = a32_prologue_before(pc, thumb, abi, left, at);
	u32 entry;

	if (found == PROLOGUE_RECORD || found == PROLOGUE_OTHER)
		return found;
	entry = entry_of_caller(ra);
	if (!entry || (entry & 1) != thumb)
		return found;
	entry &= ~1;
	if (found == PROLOGUE_LIKELY)
		return *at - entry < ENTRY_TO_PUSH ? PROLOGUE_RECORD : found;
	/* Larger than the window: then it begins before that. */
	if (pc - entry > FUNCTION_MAX || !a32_prologue_at(entry, thumb, abi))
		return found;
	*at = entry;
	return PROLOGUE_RECORD;
}

bool a32_prologue_has_arguments(u32 pc, bool thumb)
{
	struct a32_insn i;
	u32 n;

	for (n = 0; n < PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		if (i.op == OP_STORE && i.list & 1 << LR)
			return false;
		if (i.op == OP_STORE && i.rn == SP && i.list & 15 && i.wb)
			return true;
		if (i.op == OP_ADD && i.rd == SP && i.rn == SP)
			return true;
		pc += i.len;
	}
	return true;
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
	u32 below = i->list & ((1u << reg) - 1);

	if (i->rn != SP)
		return;
	if (i->list & 1 << reg && !sim->slot.is_saved) {
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

	for (n = 0; n < PROLOGUE_INSNS && a32_insn_fetch(pc, thumb, &i); n++) {
		if (!sim_step(&sim, &i, own, reg, pc))
			break;
		pc += i.len;
	}
	*slot = sim.slot;
	slot->off -= sim.frame;
	return sim.has_frame;
}
