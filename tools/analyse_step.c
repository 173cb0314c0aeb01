// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "analyse_state.h"

static const struct value unknown;

static struct value constant(uint32_t n)
{
	return (struct value){ .kind = VALUE_CONST, .n = n };
}

struct value state_reg(const struct state *s, uint32_t reg, uint32_t pc)
{
	return reg == PC ? constant(pc) : s->reg[reg];
}

static void no_compare(struct state *s)
{
	s->compare = NO_COMPARE;
	s->is_reg = 0;
	s->with = 0;
}

static void remove_slots(struct state *s, int32_t from, int32_t to)
{
	uint32_t i, kept = 0;

	for (i = 0; i < s->nr_slots; i++) {
		if (s->slot[i].off < from || s->slot[i].off >= to)
			s->slot[kept++] = s->slot[i];
	}
	memset(&s->slot[kept], 0, (s->nr_slots - kept) * sizeof(s->slot[0]));
	s->nr_slots = kept;
}

/* What is below sp is anyone's: a signal handler's frame overwrites it. */
static void set(struct state *s, uint32_t reg, struct value v)
{
	if (reg == PC)
		return;
	if (s->compare == reg || (s->is_reg && s->with == (int32_t)reg))
		no_compare(s);
	s->reg[reg] = v;
	if (reg == SP && v.kind == VALUE_CFA)
		remove_slots(s, INT32_MIN, v.n);
	if (reg == SP && (v.kind != VALUE_ALIGNED || v.table != s->saved.at.table ||
			  v.n > s->saved.at.n))
		s->saved = (struct saved_sp){ 0 };
}

static bool holds(const struct state *s, uint32_t reg)
{
	uint32_t i;

	for (i = 0; i < s->nr_slots; i++) {
		if (s->slot[i].value.kind == VALUE_ENTRY && s->slot[i].value.n == (int32_t)reg)
			return true;
	}
	return false;
}

/* Does another register hold it? */
static bool is_copied(const struct state *s, uint32_t reg)
{
	uint32_t i;

	for (i = 0; i <= LR; i++) {
		if (i != reg && s->reg[i].kind == VALUE_ENTRY && s->reg[i].n == (int32_t)reg)
			return true;
	}
	return false;
}

/* "mov lr, #0" ends the chain of frames: so do _start and a thread's first function. */
static void set_constant(struct state *s, uint32_t reg, uint32_t n)
{
	const struct value *lr = &s->reg[LR];

	if (reg == LR && !n && lr->kind == VALUE_ENTRY && lr->n == LR && !holds(s, LR) &&
	    !is_copied(s, LR))
		s->outermost = 1;
	set(s, reg, constant(n));
}

/* What is there for jump tables only makes room for the rest. */
static bool is_needed(const struct value *v)
{
	return v->kind == VALUE_CFA || v->kind == VALUE_ENTRY;
}

static bool make_room(struct state *s)
{
	uint32_t i;

	for (i = 0; i < s->nr_slots && s->nr_slots == NR_SLOTS; i++) {
		if (!is_needed(&s->slot[i].value))
			remove_slots(s, s->slot[i].off, s->slot[i].off + 1);
	}
	return s->nr_slots < NR_SLOTS;
}

static bool is_kept(const struct state *s, const struct value *v, const struct image *image)
{
	if (v->kind == VALUE_UNKNOWN || v->kind == VALUE_CHILD)
		return false;
	if (v->kind == VALUE_CONST && !image_at(image, v->n & ~1, 2))
		return false;
	return is_needed(v) || s->nr_slots < NR_SLOTS;
}

static void push_slot(struct state *s, int32_t off, struct value v, const struct image *image)
{
	uint32_t at = 0;

	remove_slots(s, off - 3, off + 4);
	if (off & 3 || !is_kept(s, &v, image) || !make_room(s))
		return;
	while (at < s->nr_slots && s->slot[at].off < off)
		at++;
	memmove(&s->slot[at + 1], &s->slot[at], (s->nr_slots - at) * sizeof(s->slot[0]));
	s->slot[at] = (struct slot){ off, v };
	s->nr_slots++;
}

/* Into a frame of which the distance from the CFA isn't known: the first one is sp. */
static void push_aligned(struct state *s, struct value at, struct value v)
{
	const struct value *saved = &s->saved.at;

	if (saved->kind && saved->table == at.table && saved->n - at.n < 4 &&
	    at.n - saved->n < 4)
		s->saved = (struct saved_sp){ 0 };
	if (!saved->kind && v.kind == VALUE_CFA)
		s->saved = (struct saved_sp){ at, v.n };
}

static struct value pop_aligned(const struct state *s, struct value at)
{
	const struct value *saved = &s->saved.at;

	if (!saved->kind || saved->table != at.table || saved->n != at.n)
		return unknown;
	return (struct value){ .kind = VALUE_CFA, .n = s->saved.n };
}

static struct value pop_slot(const struct state *s, int32_t off)
{
	uint32_t i;

	for (i = 0; i < s->nr_slots; i++) {
		if (s->slot[i].off == off)
			return s->slot[i].value;
	}
	return unknown;
}

static struct value plus(struct value v, int32_t n)
{
	if (v.kind != VALUE_CFA && v.kind != VALUE_ALIGNED && v.kind != VALUE_CONST &&
	    v.kind != VALUE_SIZE && v.kind != VALUE_BELOW)
		return unknown;
	v.n = (uint32_t)v.n + n;
	v.below = 0;
	return v;
}

static void move_base(struct state *s, const struct a32_insn *i)
{
	if (i->wb && i->rn != PC)
		set(s, i->rn, plus(s->reg[i->rn], i->wb));
}

static void store(struct state *s, const struct a32_insn *i, const struct image *image)
{
	struct value at = plus(state_reg(s, i->rn, 0), i->imm), v;
	uint32_t reg;

	for (reg = 0; reg < 16; reg++) {
		if (!(i->list & 1 << reg))
			continue;
		v = reg == PC ? unknown : s->reg[reg];
		if (at.kind == VALUE_CFA)
			push_slot(s, at.n, v, image);
		else if (at.kind == VALUE_ALIGNED)
			push_aligned(s, at, v);
		at.n += 4;
	}
	move_base(s, i);
}

static void store_pair(struct state *s, const struct a32_insn *i, const struct image *image)
{
	struct value base = state_reg(s, i->rn, 0);

	if (base.kind == VALUE_CFA) {
		push_slot(s, base.n + i->imm, state_reg(s, i->rd, 0), image);
		push_slot(s, base.n + i->imm + 4, state_reg(s, i->rm, 0), image);
	}
	move_base(s, i);
}

static struct value loaded(const struct state *s, uint32_t rn, int32_t imm, uint32_t pc,
			   const struct image *image)
{
	uint32_t word;

	if (rn == PC && image_u32(image, (pc & ~3) + imm, &word))
		return constant(word);
	if (rn != PC && s->reg[rn].kind == VALUE_INDEX)
		return (struct value){ .kind = VALUE_WORD, .below = s->reg[rn].below,
				       .table = s->reg[rn].table + imm };
	if (rn != PC && s->reg[rn].kind == VALUE_ALIGNED)
		return pop_aligned(s, plus(s->reg[rn], imm));
	if (rn == PC || s->reg[rn].kind != VALUE_CFA)
		return unknown;
	return pop_slot(s, s->reg[rn].n + imm);
}

static void load(struct state *s, const struct a32_insn *i, uint32_t pc,
		 const struct image *image)
{
	struct value v[15];
	int32_t imm = i->imm;
	uint32_t reg;

	for (reg = 0; reg <= LR; reg++) {
		if (!(i->list & 1 << reg))
			continue;
		v[reg] = loaded(s, i->rn, imm, pc, image);
		imm += 4;
	}
	if (!(i->list & 1 << i->rn))
		move_base(s, i);
	for (reg = 0; reg <= LR; reg++) {
		if (i->list & 1 << reg)
			set(s, reg, v[reg]);
	}
}

/* What was taken from sp is added to it again. */
static bool cancel_out(const struct value *a, const struct value *b)
{
	return a->table == b->table && ((a->kind == VALUE_SIZE && b->kind == VALUE_BELOW) ||
					(a->kind == VALUE_BELOW && b->kind == VALUE_SIZE));
}

static struct value sum(struct value a, struct value b)
{
	if (cancel_out(&a, &b))
		return (struct value){ .kind = VALUE_CFA, .n = (uint32_t)a.n + b.n };
	if (b.kind != VALUE_CONST)
		return a.kind == VALUE_CONST && b.kind != VALUE_UNKNOWN ? sum(b, a) : unknown;
	if (a.kind == VALUE_WORD)
		a = (struct value){ .kind = VALUE_DEST, .below = a.below, .n = b.n,
				    .table = a.table };
	else if (a.kind == VALUE_INDEX)
		a.table += b.n;
	else
		a = plus(a, b.n);
	return a;
}

static void load_indexed(struct state *s, const struct a32_insn *i, uint32_t pc)
{
	struct value base = state_reg(s, i->rn, pc), index = state_reg(s, i->rm, pc);

	if (base.kind == VALUE_CONST)
		set(s, i->rd, (struct value){
			.kind = VALUE_WORD, .below = index.below, .table = base.n,
		});
	else
		set(s, i->rd, unknown);
}

static struct value computed(const struct state *s, const struct a32_insn *i, uint32_t pc)
{
	struct value n = state_reg(s, i->rn, pc), m = state_reg(s, i->rm, pc);

	if (i->sum == SUM_AND && n.kind == VALUE_CFA && -i->imm > 4)
		return (struct value){ .kind = VALUE_ALIGNED, .table = pc };
	if (i->sum == SUM_AND && n.kind != VALUE_CFA && i->imm >= 0 && i->imm < 0xffff)
		return (struct value){ .below = i->imm + 1 };
	if (i->sum == SUM_INDEX && i->imm != 2 && n.kind == VALUE_CONST)
		return (struct value){ .kind = VALUE_PIECE, .n = 1u << i->imm, .table = n.n };
	if (i->sum == SUM_INDEX && n.kind == VALUE_CONST)
		return (struct value){ .kind = VALUE_INDEX, .below = m.below, .table = n.n };
	/* An address gets bit 0 set, for bx. */
	if (i->sum == SUM_OR && i->imm == 1 && (n.kind == VALUE_DEST || n.kind == VALUE_WORD))
		return n;
	if (i->sum == SUM_OR && n.kind == VALUE_CONST)
		return constant(n.n | i->imm);
	return unknown;
}

/* The size of another time is another one. */
static void forget_size(struct state *s, uint32_t table)
{
	uint32_t i;

	for (i = 0; i <= LR; i++) {
		if ((s->reg[i].kind == VALUE_SIZE || s->reg[i].kind == VALUE_BELOW) &&
		    s->reg[i].table == table)
			set(s, i, unknown);
	}
	for (i = s->nr_slots; i-- > 0;) {
		const struct value *v = &s->slot[i].value;

		if ((v->kind == VALUE_SIZE || v->kind == VALUE_BELOW) && v->table == table)
			remove_slots(s, s->slot[i].off, s->slot[i].off + 1);
	}
}

/* sp moves by a register: how far isn't known, but that it is what the register has. */
static void move_sp_by(struct state *s, uint32_t reg, uint32_t pc)
{
	int32_t n = s->reg[SP].n;

	forget_size(s, pc);
	set(s, reg, (struct value){ .kind = VALUE_SIZE, .table = pc });
	set(s, SP, (struct value){ .kind = VALUE_BELOW, .n = n, .table = pc });
}

static void subtract(struct state *s, const struct a32_insn *i, uint32_t pc)
{
	struct value n = state_reg(s, i->rn, pc), m = state_reg(s, i->rm, pc);

	if (m.kind == VALUE_CONST)
		set(s, i->rd, plus(n, -m.n));
	else if (i->rd == SP && n.kind == VALUE_CFA && m.kind == VALUE_UNKNOWN)
		move_sp_by(s, i->rm, pc);
	else
		set(s, i->rd, unknown);
}

static void set_top(struct state *s, const struct a32_insn *i)
{
	struct value v = state_reg(s, i->rd, 0);

	if (v.kind == VALUE_CONST)
		set(s, i->rd, constant((v.n & 0xffff) | (uint32_t)i->imm << 16));
	else
		set(s, i->rd, unknown);
}

void state_call(struct state *s, uint32_t behind)
{
	static const uint8_t clobbered[] = { 0, 1, 2, 3, IP, LR };
	size_t i;

	for (i = 0; i < sizeof(clobbered); i++)
		set(s, clobbered[i], unknown);
	s->flags = FLAGS_ANY;
	s->call = behind;
	no_compare(s);
}

/* arch/arm/tools/syscall.tbl; r1 of clone is the child's stack, 0 for the same as the parent's */
enum { NR_CLONE = 120, NR_CLONE3 = 435 };

static void system_call(struct state *s)
{
	struct value nr = s->reg[R7], stack = s->reg[1];
	bool child = nr.kind == VALUE_CONST &&
		     (nr.n == NR_CLONE3 ||
		      (nr.n == NR_CLONE && (stack.kind != VALUE_CONST || stack.n)));

	set(s, 0, child ? (struct value){ .kind = VALUE_CHILD } : unknown);
}

static void compare(struct state *s, const struct a32_insn *i)
{
	s->flags = FLAGS_ANY;
	no_compare(s);
	if (i->rn == PC || (i->flags == FLAGS_COMPARE_REG && i->rm == PC) ||
	    i->flags == FLAGS_SET)
		return;
	s->compare = i->rn;
	s->is_reg = i->flags == FLAGS_COMPARE_REG;
	s->with = s->is_reg ? i->rm : i->imm;
}

void state_step(struct state *s, const struct a32_insn *i, uint32_t pc, const struct image *image)
{
	struct value v = i->sum ? computed(s, i, pc) : unknown;
	uint32_t reg;

	switch (i->op) {
	case OP_MOV:
		set(s, i->rd, state_reg(s, i->rm, pc));
		break;
	case OP_SET:
		set_constant(s, i->rd, i->imm);
		break;
	case OP_SET_TOP:
		set_top(s, i);
		break;
	case OP_ADD:
		set(s, i->rd, sum(state_reg(s, i->rn, pc), constant(i->imm)));
		break;
	case OP_ADD_REG:
		set(s, i->rd, sum(state_reg(s, i->rn, pc), state_reg(s, i->rm, pc)));
		break;
	case OP_SUB_REG:
		subtract(s, i, pc);
		break;
	case OP_LOAD:
		load(s, i, pc, image);
		break;
	case OP_LOAD_INDEXED:
		load_indexed(s, i, pc);
		break;
	case OP_STORE:
		store(s, i, image);
		break;
	case OP_STORE_PAIR:
		store_pair(s, i, image);
		break;
	case OP_SYSCALL:
		system_call(s);
		break;
	}
	for (reg = 0; reg <= LR; reg++) {
		if (i->clobber & 1 << reg)
			set(s, reg, i->sum && reg == i->rd ? v : unknown);
	}
	if (i->flags)
		compare(s, i);
}
