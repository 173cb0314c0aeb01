// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that only pointers lead to. A pointer may be to a label, too, as of an
 * interpreter's "goto *next", or no pointer at all: what it leads to is followed on
 * trial, and is a function only when it makes sense as one.
 */
#include "analyse_finder.h"
#include "analyse_memory.h"

/* More than that are tried again only for what has been found meanwhile. */
enum { MAX_ROUNDS = 4, MAX_PARTS = 64 };

static bool is_within(const struct trial *t, uint32_t addr)
{
	return (addr & ~1) - t->start < t->end - t->start;
}

/* What would be a part of the function is put off: struct lead has room for it. */
static void add_part(struct finder *f, uint32_t addr, const struct state *s)
{
	struct lead *lead;
	uint32_t i;

	for (i = 0; i < f->nr_leads; i++) {
		if (f->lead[i].addr == addr)
			return;
	}
	if (f->nr_leads == MAX_PARTS) {
		f->trial.odd = true;
		return;
	}
	f->lead = room_for(f->lead, f->nr_leads, &f->lead_room, sizeof(*f->lead));
	lead = &f->lead[f->nr_leads++];
	*lead = (struct lead){ .addr = addr, .state = *s };
	lead->state.call = CALL_ELSEWHERE;
}

/* Is it the start of a function of the same instruction set? */
static bool is_start(uint16_t note, uint32_t addr)
{
	return note & NOTE_START && !(note & NOTE_THUMB) == !(addr & 1);
}

static void jump_on_trial(struct finder *f, uint32_t addr, const struct state *s)
{
	const uint16_t *note = finder_note(f, addr);

	if (!note)
		f->trial.odd = true;
	else if (finder_is_unreachable(f, addr, s))
		return;
	else if (state_is_entry(s) && is_start(*note, addr))
		f->trial.returned = true;
	else if (*note & (NOTE_START | NOTE_REACHED))
		f->trial.odd = true;
	else if (!is_within(&f->trial, addr))
		add_part(f, addr, s);
}

/* On trial, nothing is noted. */
static void leads_on_trial(void *data, enum flow_way way, uint32_t addr, const struct state *s)
{
	if (way == FLOW_JUMP)
		jump_on_trial(data, addr, s);
}

/* Is it in the midst of what is known to be another function's code or data? */
static bool is_inside(const struct finder *f)
{
	const uint16_t *note = finder_note(f, f->flow.start);
	uint32_t i = (f->flow.low - f->flow.start) / 2, nr = (f->flow.high - f->flow.start) / 2;

	for (; i < nr; i++) {
		if (f->flow.head[i] && note[i] & NOTE_REACHED)
			return true;
	}
	return false;
}

/* False when all has to be done again: it went on behind a call that doesn't come back. */
static bool run_on_trial(struct finder *f)
{
	bool done;

	flow_run(&f->flow);
	done = !f->flow.doubt;
	if (!done)
		returns_doubt(f->returns, f->flow.doubt);
	f->trial.odd |= f->flow.wrong || is_inside(f);
	f->trial.returned |= f->flow.returned;
	f->trial.ended |= f->flow.ended;
	f->trial.lost |= f->flow.lost;
	flow_end(&f->flow);
	return done;
}

static bool try_part(struct finder *f, const struct flow_code *code, uint32_t nr)
{
	struct state s = f->lead[nr].state;

	if (!finder_begin(f, code, f->lead[nr].addr)) {
		f->trial.odd = true;
		return true;
	}
	flow_enter(&f->flow, f->flow.start, &s);
	return run_on_trial(f);
}

static bool try_all(struct finder *f, uint32_t addr)
{
	struct flow_code code = f->code;
	uint32_t i;

	code.leads = leads_on_trial;
	f->nr_leads = 0;
	f->trial = (struct trial){ 0 };
	if (!finder_begin(f, &code, addr)) {
		f->trial.odd = true;
		return true;
	}
	f->trial.start = f->flow.start;
	f->trial.end = f->flow.end;
	flow_begin_call(&f->flow);
	if (!run_on_trial(f))
		return false;
	for (i = 0; i < f->nr_leads && !f->trial.odd; i++) {
		if (!try_part(f, &code, i))
			return false;
	}
	return true;
}

static bool is_good(const struct finder *f, uint32_t addr, bool pointed, bool doubted)
{
	const struct trial *t = &f->trial;

	if (t->odd)
		return false;
	return (t->returned && !t->lost) ||
	       ((pointed || (t->ended && !t->lost && !doubted)) &&
		finder_has_prologue(f->image, addr));
}

bool finder_try(struct finder *f, uint32_t addr, bool pointed)
{
	uint32_t doubts = returns_doubts(f->returns);
	bool good;

	while (!try_all(f, addr))
		;
	f->nr_leads = 0;
	good = is_good(f, addr, pointed, returns_doubts(f->returns) != doubts);
	/* What didn't stand its trial tells nothing of the calls that it seemed to make. */
	if (!good)
		returns_trust(f->returns, doubts);
	return good;
}

static int by_address(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void keep(struct finder *f, uint32_t addr)
{
	f->maybe = room_for(f->maybe, f->nr_maybe, &f->maybe_room, sizeof(*f->maybe));
	f->maybe[f->nr_maybe++] = addr;
}

/* Those that begin with a prologue, or all: whether there were any */
static bool try_pointers(struct finder *f, bool prologues)
{
	uint32_t *maybe = f->maybe, nr = f->nr_maybe, i;
	bool any = false;

	f->maybe = NULL;
	f->nr_maybe = 0;
	f->maybe_room = 0;
	if (nr)
		qsort(maybe, nr, sizeof(*maybe), by_address);
	for (i = 0; i < nr; i++) {
		if (*finder_note(f, maybe[i]) & (NOTE_START | NOTE_REACHED))
			continue;
		if ((prologues && !finder_has_prologue(f->image, maybe[i])) ||
		    !finder_in_range(f, maybe[i]) || !finder_try(f, maybe[i], true)) {
			keep(f, maybe[i]);
			continue;
		}
		finder_add(f, maybe[i], 0);
		finder_follow(f);
		any = true;
	}
	free(maybe);
	return any;
}

/* What has a prologue can be no label: it tells where others end. */
void finder_follow_pointers(struct finder *f)
{
	uint32_t round;

	for (round = 0; round < MAX_ROUNDS; round++) {
		bool any = try_pointers(f, true);

		if (!try_pointers(f, false) && !any)
			return;
	}
}
