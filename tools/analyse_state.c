// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "analyse_state.h"

static const uint8_t followed[] = { R7, R11, LR };

void state_enter(struct state *s)
{
	size_t i;

	state_forget(s);
	s->reg[SP].kind = VALUE_CFA;
	for (i = 0; i < sizeof(followed); i++)
		s->reg[followed[i]] = (struct value){ .kind = VALUE_ENTRY,
							.n = followed[i] };
}

void state_push_lr(struct state *s)
{
	s->slot[s->nr_slots++] = (struct slot){ .off = -4, .value = s->reg[LR] };
	s->reg[SP].n = -4;
	s->reg[LR] = (struct value){ .kind = VALUE_UNKNOWN };
}

void state_forget(struct state *s)
{
	memset(s, 0, sizeof(*s));
	s->flags = FLAGS_ANY;
	s->compare = NO_COMPARE;
}

static bool same(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && a->n == b->n && a->below == b->below &&
	       a->table == b->table;
}

bool state_is_kept(const struct state *s)
{
	return value_is_entry(&s->reg[R7], R7) && value_is_entry(&s->reg[R11], R11) &&
	       s->reg[SP].kind == VALUE_CFA && !s->reg[SP].n;
}

bool state_is_entry(const struct state *s)
{
	return state_is_kept(s) && value_is_entry(&s->reg[LR], LR);
}

static bool merge_value(struct value *v, const struct value *other)
{
	if (same(v, other))
		return false;
	if (v->kind == VALUE_UNKNOWN && !v->below)
		return false;
	*v = (struct value){ 0 };
	return true;
}

const struct slot *state_slot(const struct state *s, int32_t off)
{
	uint32_t i;

	for (i = 0; i < s->nr_slots; i++) {
		if (s->slot[i].off == off)
			return &s->slot[i];
	}
	return NULL;
}

static void remove_slot(struct state *s, uint32_t at)
{
	s->nr_slots--;
	memmove(&s->slot[at], &s->slot[at + 1], (s->nr_slots - at) * sizeof(s->slot[0]));
	memset(&s->slot[s->nr_slots], 0, sizeof(s->slot[0]));
}

static bool merge_slots(struct state *s, const struct state *other)
{
	bool changed = false;
	uint32_t i;

	for (i = s->nr_slots; i-- > 0;) {
		const struct slot *o = state_slot(other, s->slot[i].off);

		if (o && same(&o->value, &s->slot[i].value))
			continue;
		remove_slot(s, i);
		changed = true;
	}
	return changed;
}

static bool merge_compare(struct state *s, const struct state *other)
{
	if (s->compare == NO_COMPARE || (s->compare == other->compare &&
					 s->is_reg == other->is_reg && s->with == other->with))
		return false;
	s->compare = NO_COMPARE;
	s->is_reg = 0;
	s->with = 0;
	return true;
}

static bool merge_saved(struct saved_sp *saved, const struct saved_sp *other)
{
	if (!saved->at.kind || (same(&saved->at, &other->at) && saved->n == other->n))
		return false;
	*saved = (struct saved_sp){ 0 };
	return true;
}

bool state_merge(struct state *s, const struct state *other)
{
	bool changed = s->flags != (s->flags | other->flags);
	uint32_t i;

	s->flags |= other->flags;
	for (i = 0; i <= LR; i++)
		changed |= merge_value(&s->reg[i], &other->reg[i]);
	changed |= merge_slots(s, other);
	changed |= merge_saved(&s->saved, &other->saved);
	changed |= merge_compare(s, other);
	if (s->call && s->call != other->call) {
		s->call = 0;
		changed = true;
	}
	if (!s->switched && other->switched) {
		s->switched = 1;
		changed = true;
	}
	if (s->outermost && !other->outermost) {
		s->outermost = 0;
		changed = true;
	}
	return changed;
}

bool state_agrees(const struct state *a, const struct state *b)
{
	struct a32_table_rule x, y;

	state_rule(a, &x);
	state_rule(b, &y);
	return !memcmp(&x, &y, sizeof(x)) && same(&a->reg[SP], &b->reg[SP]);
}

/* Slots first: they hold for a frame that has called, too. */
static int16_t where(const struct state *s, uint32_t reg)
{
	uint32_t i;

	for (i = s->nr_slots; i-- > 0;) {
		const struct slot *slot = &s->slot[i];

		if (value_is_entry(&slot->value, reg) && slot->off / 4 >= -4096 &&
		    slot->off / 4 <= 4095)
			return slot->off / 4;
	}
	if (value_is_entry(&s->reg[reg], reg))
		return reg == LR ? A32_TABLE_IN_REG(LR) : A32_TABLE_SAME;
	for (i = 0; i <= LR; i++) {
		if (value_is_entry(&s->reg[i], reg))
			return A32_TABLE_IN_REG(i);
	}
	return A32_TABLE_LOST;
}

/* sp first, which is known of every frame; then what calls keep */
static int cfa_register(const struct state *s)
{
	static const uint8_t order[] = { SP, R11, R7, 4, 5, 6, 8, 9, 10, IP, 0, 1, 2, 3, LR };
	size_t i;

	for (i = 0; i < sizeof(order); i++) {
		const struct value *v = &s->reg[order[i]];

		if (v->kind == VALUE_CFA && !(v->n & 3))
			return order[i];
	}
	return -1;
}

static void fill_places(const struct state *s, struct a32_table_rule *rule)
{
	rule->kind = A32_TABLE_FRAME;
	rule->ra = where(s, LR);
	rule->r7 = where(s, R7);
	rule->r11 = where(s, R11);
}

/* By sp, which has been aligned, it is known where the one before was saved. */
static bool is_indirect(const struct state *s)
{
	const struct value *sp = &s->reg[SP];

	return sp->kind == VALUE_ALIGNED && s->saved.at.kind &&
	       sp->table == s->saved.at.table && !(s->saved.n & 3);
}

/*
 * With sp and twice lr on the stack, it is a record of registers that others change,
 * as libgcc's _Unwind_RaiseException() makes, and one of the two isn't for the return.
 */
static bool is_saved_twice(const struct state *s)
{
	bool has_sp = false;
	uint32_t i, nr = 0;

	for (i = 0; i < s->nr_slots; i++) {
		nr += value_is_entry(&s->slot[i].value, LR);
		has_sp |= s->slot[i].value.kind == VALUE_CFA;
	}
	return nr > 1 && has_sp;
}

void state_rule(const struct state *s, struct a32_table_rule *rule)
{
	int cfa = cfa_register(s), ra = where(s, LR);

	memset(rule, 0, sizeof(*rule));
	rule->source = A32_TABLE_CODE;
	rule->kind = A32_TABLE_STOP;
	if (s->outermost) {
		rule->kind = A32_TABLE_OUTERMOST;
	} else if (cfa >= 0 && ra != A32_TABLE_LOST && !is_saved_twice(s)) {
		rule->cfa_reg = cfa;
		rule->cfa_off = -s->reg[cfa].n;
		fill_places(s, rule);
	} else if (is_indirect(s) && ra != A32_TABLE_LOST) {
		rule->cfa_reg = SP;
		rule->indirect = 1;
		rule->cfa_off = s->saved.at.n - s->reg[SP].n;
		rule->from_saved = -s->saved.n / 4;
		fill_places(s, rule);
	}
}

/* DDI 0406C, A8.3: ConditionPassed() */
static bool passes(uint32_t flags, uint32_t cond)
{
	bool n = flags & 8, z = flags & 4, c = flags & 2, v = flags & 1, result;

	switch (cond >> 1) {
	case 0:
		result = z;
		break;
	case 1:
		result = c;
		break;
	case 2:
		result = n;
		break;
	case 3:
		result = v;
		break;
	case 4:
		result = c && !z;
		break;
	case 5:
		result = n == v;
		break;
	case 6:
		result = n == v && !z;
		break;
	default:
		return true;
	}
	return result != (cond & 1);
}

enum { COND_EQ = 0, COND_LO = 3, COND_LS = 9 };

static uint16_t passing(uint32_t cond)
{
	uint16_t set = 0;
	uint32_t flags;

	for (flags = 0; flags < 16; flags++)
		set |= passes(flags, cond) << flags;
	return set;
}

static bool implies(const struct state *s, uint32_t cond)
{
	return !(s->flags & ~passing(cond));
}

/* What a clone's child has is not on the parent's stack: its own begins here. */
static void become_child(struct state *s)
{
	uint16_t flags = s->flags;

	state_forget(s);
	s->flags = flags;
	s->outermost = 1;
}

static void learn(struct state *s)
{
	struct value *v = &s->reg[s->compare], *with = &s->reg[s->with & 15];

	if (s->is_reg) {
		/* A loop that moves sp until it is another register */
		if (implies(s, COND_EQ) && v->kind == VALUE_UNKNOWN && with->kind == VALUE_CFA)
			*v = *with;
		else if (implies(s, COND_EQ) && with->kind == VALUE_UNKNOWN && v->kind == VALUE_CFA)
			*with = *v;
		return;
	}
	if (v->kind == VALUE_CHILD && !s->with && implies(s, COND_EQ))
		become_child(s);
	else if ((v->kind != VALUE_UNKNOWN && v->kind != VALUE_CONST) || s->with < 0 ||
		 s->with >= 0xffff)
		return;
	else if (implies(s, COND_LO))
		v->below = s->with;
	else if (implies(s, COND_LS))
		v->below = s->with + 1;
}

bool state_assume(struct state *s, uint8_t cond)
{
	if (cond >= COND_ALWAYS)
		return true;
	s->flags &= passing(cond);
	if (!s->flags)
		return false;
	if (s->compare != NO_COMPARE)
		learn(s);
	return true;
}
