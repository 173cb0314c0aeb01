// SPDX-License-Identifier: GPL-2.0
#include "oracle_stacks.h"

void oracle_stacks_init(struct oracle_stacks *s, const struct oracle_program *p)
{
	*s = (struct oracle_stacks){ .p = p };
	s->now = &s->shadow[0];
}

/* A stack grows down from its end; empty, sp is there. */
static struct oracle_shadow *shadow_of(struct oracle_stacks *s, u32 sp)
{
	const struct oracle_area *stack = s->p->stack;
	u32 i;

	for (i = 0; i < s->p->nr_stacks; i++) {
		if (sp > stack[i].start && sp <= stack[i].end)
			return &s->shadow[1 + i];
	}
	return &s->shadow[0];
}

void oracle_stacks_begin(struct oracle_stacks *s, u32 sp)
{
	shadow_of(s, sp)->nr = 0;
}

bool oracle_stacks_switching(const struct oracle_stacks *s, u32 pc)
{
	const struct oracle_area *area = s->p->switching;
	u32 i;

	for (i = 0; i < s->p->nr_switching; i++) {
		if (pc - area[i].start < area[i].end - area[i].start)
			return true;
	}
	return false;
}

struct oracle_held *oracle_stacks_hold(struct oracle_stacks *s, u32 pc, bool thumb, u32 sp)
{
	struct oracle_held *held = &s->held[s->nr_held];

	/* The first one may have been called. */
	if (!s->nr_held)
		oracle_shadow_step(s->now, pc, thumb, sp);
	if (s->nr_held++ == ORACLE_HELD)
		oracle_die("%s: %#x: longer than %d instructions", s->p->name, pc, ORACLE_HELD);
	oracle_shadow_chain(s->now, pc, &held->before);
	return held;
}

static void settle(struct oracle_stacks *s, u32 pc)
{
	struct oracle_chain *after;
	u32 i, j;

	for (i = 0; i < s->nr_held; i++) {
		after = &s->held[i].after;
		oracle_shadow_chain(s->now, pc, after);
		for (j = after->nr++; j > 0; j--)
			after->entry[j] = after->entry[j - 1];
		after->entry[0] = s->held[i].sample.pc;
	}
}

void oracle_stacks_follow(struct oracle_stacks *s, u32 pc, u32 sp)
{
	s->now = shadow_of(s, sp);
	if (!s->nr_held)
		return;
	oracle_shadow_unwind(s->now, sp);
	settle(s, pc);
}
