// SPDX-License-Identifier: GPL-2.0
#include "path.h"

#define STACK_NEAR	0x10000	/* bytes above sp */

static const struct a32_val unknown = { VAL_UNKNOWN };

static u32 *dirty_word(struct a32_scan *s, u32 at)
{
	return &s->dirty[at / 4 % A32_SCAN_DIRTY / 32];
}

static u32 dirty_bit(u32 at)
{
	return 1u << at / 4 % 32;
}

/* Other memory than the stack's nearest would only be mistaken for it. */
static void mark_dirty(struct a32_scan *s, u32 at)
{
	if (at - s->r[SP] < STACK_NEAR)
		*dirty_word(s, at) |= dirty_bit(at);
}

/*
 * From a function's entry on, only of sp is it known how far it is from what it
 * is now; the other registers' numbers are those of now, and no addresses.
 */
static bool is_address(const struct a32_scan *s, const struct a32_val *v)
{
	return v->kind == VAL_REG && (v->reg == SP || !s->since_entry);
}

/*
 * The value in a slot: what the path stored there, or what was there before.
 * Below sp was nothing.
 */
struct a32_val a32_path_slot(struct a32_scan *s, struct a32_val slot, u32 by)
{
	u32 i = s->now.stores, at = a32_path_address(s, &slot);

	while (i-- > 0) {
		if (s->store[i].at == at)
			return s->store[i].val;
	}
	if (at < s->r[SP] || *dirty_word(s, at) & dirty_bit(at))
		return unknown;
	slot.kind = VAL_MEM;
	slot.by = by;
	return slot;
}

void a32_val_add(struct a32_val *v, s32 imm)
{
	if (v->kind == VAL_REG || v->kind == VAL_CONST)
		v->off += imm;
	else
		v->kind = VAL_UNKNOWN;
}

void a32_path_set_top(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_val *v = &s->now.val[i->rd];
	u32 low;

	if (v->kind == VAL_CONST)
		v->off = (v->off & 0xffff) | (u32)i->imm << 16;
	else if (a32_path_number(s, v, &low))
		*v = (struct a32_val){
			.kind = VAL_CONST, .off = (low & 0xffff) | (u32)i->imm << 16,
		};
	else
		*v = unknown;
}

void a32_path_add_reg(struct a32_path *p, const struct a32_insn *i)
{
	struct a32_val v = p->val[i->rn], w = p->val[i->rm];

	if (w.kind == VAL_CONST) {
		a32_val_add(&v, i->op == OP_ADD_REG ? w.off : -w.off);
	} else if (v.kind == VAL_CONST && i->op == OP_ADD_REG) {
		a32_val_add(&w, v.off);
		v = w;
	} else {
		v = unknown;
	}
	p->val[i->rd] = v;
}

void a32_path_clobber(struct a32_path *p, u32 regs)
{
	for (; regs; regs &= regs - 1)
		p->val[__builtin_ctz(regs)] = unknown;
}

/* What a scan may load that is not there, it may load again and again: each time is a fault. */
static struct a32_val load(struct a32_scan *s, u32 at, u8 kind)
{
	u32 w, err = 0;

	a32_load32(at & ~3, &w, &err);
	if (!err)
		return (struct a32_val){ .kind = kind, .off = w };
	a32_look_charge(&s->look, A32_FAULT_COST);
	return unknown;
}

/* A word among the code, of a "ldr r, [pc, #n]" */
static struct a32_val literal(struct a32_scan *s, u32 pc, s32 imm)
{
	return load(s, (s->now.thumb ? (pc + 4) & ~3 : pc + 8) + imm, VAL_CONST);
}

/*
 * Is a register's value known, and not only where it comes from? From a function's
 * entry on, what a register was at the start is not what it is now; and a caller's,
 * unless it is right, is what its callee has left in it.
 */
bool a32_path_number(struct a32_scan *s, const struct a32_val *v, u32 *number)
{
	switch (v->kind) {
	case VAL_CONST:
		*number = v->off;
		return true;
	case VAL_DATA:
		*number = v->off;
		s->now.depends = true;
		return true;
	case VAL_REG:
		if (s->since_entry || !(s->right & 1 << v->reg))
			return false;
		*number = a32_path_address(s, v);
		s->now.depends = true;
		return true;
	}
	return false;
}

/* A word of data, as it is now */
static struct a32_val word_at(struct a32_scan *s, const struct a32_val *base, u32 off)
{
	u32 at;

	if (base->kind != VAL_CONST && !(is_address(s, base) && s->right & 1 << base->reg))
		return unknown;
	at = base->kind == VAL_CONST ? (u32)base->off : a32_path_address(s, base);
	return load(s, at + off, VAL_DATA);
}

void a32_path_load(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_val *val = s->now.val, slot = val[i->rn];
	u32 list, r;

	a32_val_add(&slot, i->imm);
	if (!(i->list & 1 << i->rn))
		a32_val_add(&val[i->rn], i->wb);
	for (list = i->list; list; list &= list - 1) {
		r = __builtin_ctz(list);
		if (i->rn == PC)
			val[r] = literal(s, s->now.pc, i->imm);
		else if (is_address(s, &slot))
			val[r] = a32_path_slot(s, slot, i->rn);
		else
			val[r] = word_at(s, &slot, 0);
		slot.off += 4;
		if (a32_val_is_start(&val[r], r))
			s->now.copied &= ~(1 << r);
	}
}

/* From a table, perhaps of jump targets; see a32_leave_by_table(). */
void a32_path_load_indexed(struct a32_scan *s, const struct a32_insn *i)
{
	s->now.val[i->rd] = word_at(s, &s->now.val[i->rn], 4 * (s->now.tables++ % TABLE_ENTRIES));
}

static bool stored(const struct a32_scan *s, u32 at)
{
	u32 i;

	for (i = 0; i < s->now.stores; i++) {
		if (s->store[i].at == at)
			return true;
	}
	return false;
}

/*
 * Only what the caller needs back is worth a note, and what overwrites it. When
 * there is little room, no pointers into the frame are.
 */
static bool worth_a_note(const struct a32_scan *s, const struct a32_val *slot, u32 reg)
{
	const struct a32_val *v = &s->now.val[reg];
	bool has_room = s->now.stores < A32_SCAN_STORES / 2;

	if (v->kind == VAL_REG && FOLLOWED & 1 << v->reg && (has_room || !v->off))
		return true;
	return stored(s, a32_path_address(s, slot));
}

static bool store_reg(struct a32_scan *s, const struct a32_val *slot, u32 reg)
{
	struct a32_path *p = &s->now;

	if (!is_address(s, slot))
		return true;
	if (!worth_a_note(s, slot, reg)) {
		mark_dirty(s, a32_path_address(s, slot));
		return true;
	}
	if (p->stores == A32_SCAN_STORES)
		return false;
	if (p->val[reg].kind == VAL_REG && p->val[reg].off == 0)
		p->copied |= FOLLOWED & ~(1 << SP) & 1 << p->val[reg].reg;
	s->store[p->stores].at = a32_path_address(s, slot);
	s->store[p->stores++].val = p->val[reg];
	return true;
}

bool a32_path_store(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_val slot = s->now.val[i->rn];
	u32 list;

	a32_val_add(&slot, i->imm);
	if (i->op == OP_STORE_PAIR && !store_reg(s, &slot, i->rd))
		return false;
	if (i->op == OP_STORE_PAIR)
		slot.off += 4;
	for (list = i->op == OP_STORE ? i->list : 1u << i->rm; list; list &= list - 1) {
		if (!store_reg(s, &slot, __builtin_ctz(list)))
			return false;
		slot.off += 4;
	}
	a32_val_add(&s->now.val[i->rn], i->wb);
	return true;
}
