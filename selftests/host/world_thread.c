// SPDX-License-Identifier: GPL-2.0
#include "world.h"

static u32 stack_address(void)
{
	return STACK_AT + random_below(STACK_BYTES / 4) * 4;
}

static u32 some_value(const struct world *w)
{
	static const u32 numbers[] = { 0, 1, 7, 119, 173, 0x5ac3c35a, UPROBES_AT, A32_KUSER_START };

	switch (random_below(8)) {
	case 0:
	case 1:
	case 2:
		return world_place(w);
	case 3:
	case 4:
		return stack_address();
	case 5:
		return CODE_AT + random_below(CODE_BYTES);
	case 6:
		return PICK(numbers);
	default:
		return random32();
	}
}

static void poke(struct world *w, u32 at, u32 val)
{
	if (at - STACK_AT <= STACK_BYTES - 4)
		memcpy(w->stack + (at - STACK_AT), &val, 4);
}

/* Records from an address upwards; returns the frame register of the first. */
static u32 make_records(struct world *w, u32 at)
{
	u32 to_fp = w->abi == A32_ABI_APCS ? 12 : w->abi == A32_ABI_GCC ? 4 : 0, first = at + to_fp;
	u32 next, to_ra = w->abi == A32_ABI_APCS ? 8 : 4;

	for (; at - STACK_AT < STACK_BYTES - 16; at = next) {
		next = at + 8 + to_fp / 12 * 8 + (random_below(2) ? 0 : 4 * random_below(8));
		poke(w, at, random_below(32) ? next + to_fp : some_value(w));
		poke(w, at + to_ra, random_below(32) ? world_place(w) : some_value(w));
		if (w->abi == A32_ABI_APCS)
			poke(w, at + 4, at + 16);
	}
	return first;
}

/* A signal's frame and a way there; sometimes its magic is all that is right. */
static void make_signal(struct world *w)
{
	u32 at = (stack_address() & ~7), i, pc = world_place(w);

	poke(w, at, 0x5ac3c35a);
	for (i = 0; i < 16; i++)
		poke(w, at + 32 + 4 * i, some_value(w));
	poke(w, at + 32 + 4 * SP, random_below(4) ? stack_address() : some_value(w));
	poke(w, at + 32 + 4 * PC, pc & ~1);
	poke(w, at + 96, pc & 1 ? PSR_THUMB : 0);
	if (random_below(2))
		w->r[SP] = at;
}

/* A stack has many values more than once. To make each of its words took a third of a walk. */
static void fill_stack(struct world *w)
{
	u32 value[64], i, at, which = 0;

	for (i = 0; i < NR(value); i++)
		value[i] = some_value(w);
	for (at = 0; at < STACK_BYTES; at += 4, which >>= 8) {
		if (!(at % 16))
			which = random32();
		poke(w, STACK_AT + at, value[which % NR(value)]);
	}
}

void world_sample(struct world *w)
{
	u32 i, pc = random_below(8) ? world_place(w) + 2 * random_below(16) : some_value(w);

	fill_stack(w);
	for (i = 0; i < 16; i++)
		w->r[i] = some_value(w);
	if (random_below(8))
		w->r[SP] = STACK_AT + random_below(STACK_BYTES / 16) * 4;
	if (random_below(8)) {
		w->r[R11] = make_records(w, w->r[SP] + 4 * random_below(8));
		w->r[R7] = w->r[R11];
	}
	if (random_below(8))
		w->r[LR] = world_place(w);
	if (!random_below(4))
		make_signal(w);
	w->cpsr = (random32() & 0xf0000000) | (random_below(16) ? pc & 1 : !(pc & 1)) * PSR_THUMB;
	if (!random_below(8))
		w->cpsr |= random32() & 0x0600fc00;
	w->r[PC] = w->cpsr & PSR_THUMB ? pc & ~random_below(2) : pc & ~3;
	w->returns.nr = random_below(A32_HOST_RETURNS + 1);
	for (i = 0; i < w->returns.nr; i++)
		w->returns.call[i] = (struct a32_host_call){
			stack_address(), world_place(w), !random_below(4),
		};
}

/* A frame of a chain */
struct frame {
	const struct shape *shape;
	u32 cfa;
	u32 ra;
};

/* A spot that may be where a function has been called from */
static const struct spot *some_caller(const struct world *w, u32 function)
{
	u32 i;

	for (i = 0; i < 64; i++) {
		const struct spot *spot = &w->spot[random_below(w->nr_spots)];

		if (spot->is_call && (!spot->target || spot->target == w->function[function].start))
			return spot;
	}
	return NULL;
}

/* A thread that has come to where it is by calls, and its true chain */
void world_thread(struct world *w)
{
	static struct frame frame[MAX_ROOM];
	const struct spot *spot = &w->spot[random_below(w->nr_spots)], *caller;
	u32 own = w->abi == A32_ABI_AAPCS_R7 ? R7 : R11, at = STACK_AT + 0x200, nr = 0;
	u32 max = 1 + random_below(40), fp = 0;
	bool thumb = shapes[w->function[spot->function].shape].thumb;

	w->r[PC] = spot->pc;
	w->r[SP] = at;
	w->cpsr = (w->cpsr & 0xf0000000) | thumb * PSR_THUMB;
	w->truth.nr = 0;
	do {
		struct frame *f = &frame[nr++];

		w->truth.entry[w->truth.nr++] = spot->pc;
		caller = nr < max ? some_caller(w, spot->function) : NULL;
		f->shape = &shapes[w->function[spot->function].shape];
		f->cfa = at + f->shape->size;
		f->ra = caller ? caller->pc |
			shapes[w->function[caller->function].shape].thumb : 0;
		at = f->cfa;
		spot = caller;
	} while (spot);
	while (nr--) {
		const struct frame *f = &frame[nr];

		if (f->shape->ra)
			poke(w, f->cfa - f->shape->ra, f->ra);
		else
			w->r[LR] = f->ra;
		if (f->shape->saved)
			poke(w, f->cfa - f->shape->saved, fp);
		if (f->shape->abi == A32_ABI_APCS)
			poke(w, f->cfa - 12, f->cfa);
		if (f->shape->fp)
			fp = f->cfa - f->shape->fp;
		else if (f->shape->saved && f->shape->thumb == (own == R7) && random_below(2))
			fp = f->cfa + 16 - 4 * random_below(16);	/* as any register */
	}
	w->r[own] = fp;
}
