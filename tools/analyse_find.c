// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "analyse_dynamic.h"
#include "analyse_elf.h"
#include "analyse_finder.h"
#include "analyse_memory.h"

/* While functions are looked for, none is longer than that: where few are known, all would be. */
enum { MAX_HALVES = 1 << 16 };

static const struct segment *code_at(const struct finder *f, uint32_t addr)
{
	const struct segment *segment = image_at(f->image, addr, 2);

	return segment && segment->executable ? segment : NULL;
}

uint16_t *finder_note(const struct finder *f, uint32_t addr)
{
	const struct segment *segment = code_at(f, addr & ~1);

	if (!segment)
		return NULL;
	return &f->note[segment - f->image->segment][((addr & ~1) - segment->addr) / 2];
}

static struct range *range_of(const struct finder *f, uint32_t addr)
{
	return &f->range[code_at(f, addr) - f->image->segment];
}

static void extend(struct range *range, uint32_t start, uint32_t end)
{
	if (start < range->first)
		range->first = start;
	if (end > range->last)
		range->last = end;
}

bool finder_in_range(const struct finder *f, uint32_t addr)
{
	const struct range *range = range_of(f, addr & ~1);

	return addr >= range->first && addr < range->last;
}

static void queue(struct finder *f, uint32_t addr, uint16_t *note)
{
	if (*note & NOTE_QUEUED)
		return;
	*note |= NOTE_QUEUED;
	f->todo = room_for(f->todo, f->nr_todo, &f->todo_room, sizeof(*f->todo));
	f->todo[f->nr_todo++] = addr & ~1;
}

void finder_add(struct finder *f, uint32_t addr, uint16_t how)
{
	uint16_t *note = finder_note(f, addr);

	if (!note || (addr & 3) == 2)
		return;
	if (!(*note & NOTE_START)) {
		*note |= NOTE_START | (addr & 1 ? NOTE_THUMB : 0);
		extend(range_of(f, addr & ~1), addr & ~1, (addr & ~1) + 2);
		queue(f, addr, note);
	} else if (!(*note & NOTE_CALLED) && how && *note & NOTE_PART) {
		queue(f, addr, note);
	}
	*note |= how;
}

/* The next function's start, but no more than so many halfwords away */
static uint32_t end_of(const struct finder *f, uint32_t start, uint32_t limit)
{
	const struct segment *segment = code_at(f, start);
	const uint16_t *note = f->note[segment - f->image->segment];
	uint32_t i = (start - segment->addr) / 2 + 1, nr = segment->size / 2;

	if (nr - i > limit)
		nr = i + limit;
	while (i < nr && !(note[i] & NOTE_START))
		i++;
	return segment->addr + 2 * i;
}

/* The function that has an address; when it is in front of them all, it becomes one */
static bool owner_of(struct finder *f, uint32_t addr, uint32_t *start)
{
	const struct segment *segment = code_at(f, addr & ~1);
	uint16_t *note;
	uint32_t i;

	if (!segment)
		return false;
	note = f->note[segment - f->image->segment];
	for (i = ((addr & ~1) - segment->addr) / 2; i && !(note[i] & NOTE_START); i--)
		;
	*start = segment->addr + 2 * i;
	if (!(note[i] & NOTE_START)) {
		*start = addr & ~1;
		note[((addr & ~1) - segment->addr) / 2] |= NOTE_START | NOTE_PART |
							   (addr & 1 ? NOTE_THUMB : 0);
		extend(range_of(f, *start), *start, *start + 2);
	}
	return true;
}

/* A part of the function that is elsewhere, or one that is known to be jumped to */
static void add_inflow(struct finder *f, uint32_t addr, const struct state *s)
{
	uint16_t *note = finder_note(f, addr);
	uint32_t start;

	if (!note || !inflows_add(&f->inflows, addr, s))
		return;
	*note |= NOTE_INFLOW;
	if (!state_is_entry(s))
		*note |= NOTE_PART;
	if (owner_of(f, addr, &start))
		queue(f, start, finder_note(f, start));
}

/* A sibling call of a function whose frame isn't known can't be told from a part. */
static bool is_unclear(const struct state *s, uint16_t note)
{
	return note & NOTE_CALLED && s->reg[SP].kind != VALUE_CFA;
}

/*
 * Behind a function's end, where another one begins, is also where a switch leads that
 * has no default. No way leads there with a frame.
 */
bool finder_is_unreachable(const struct finder *f, uint32_t addr, const struct state *s)
{
	return (addr & ~1) == f->flow.end && s->reg[SP].kind == VALUE_CFA && s->reg[SP].n &&
	       *finder_note(f, addr) & NOTE_START && finder_is_prologue(f->image, addr);
}

static void jump(struct finder *f, uint32_t addr, const struct state *s)
{
	uint16_t *note = finder_note(f, addr);

	if (!note || is_unclear(s, *note) || finder_is_unreachable(f, addr, s))
		return;
	if (!state_is_entry(s))
		add_inflow(f, addr, s);
	else if (*note & NOTE_START)
		return;
	else if (f->settled || *note & NOTE_REACHED)
		add_inflow(f, addr, s);
	else
		finder_add(f, addr, 0);
}

/* Does an ARM instruction before it go on to it? Then it is no function. */
static bool is_behind_arm(const struct finder *f, uint32_t addr)
{
	struct a32_insn i;
	uint32_t w;

	if (!image_u32(f->image, addr - 4, &w) || w >> 28 != COND_ALWAYS ||
	    w == 0xe1a00000 || w == 0xe320f000)		/* nop */
		return false;
	a32_insn_arm(addr - 4, w, &i);
	return !a32_insn_leaves(&i);
}

void finder_point(struct finder *f, uint32_t addr)
{
	uint16_t *note = finder_note(f, addr);

	if (!note || (addr & 3) == 2 || *note & (NOTE_START | NOTE_MAYBE | NOTE_REACHED))
		return;
	if (!(addr & 1) && is_behind_arm(f, addr))
		return;
	*note |= NOTE_MAYBE;
	f->maybe = room_for(f->maybe, f->nr_maybe, &f->maybe_room, sizeof(*f->maybe));
	f->maybe[f->nr_maybe++] = addr;
}

static void leads(void *data, enum flow_way way, uint32_t addr, const struct state *s)
{
	struct finder *f = data;
	struct lead *lead;

	if (f->settled && way != FLOW_JUMP)
		return;
	f->lead = room_for(f->lead, f->nr_leads, &f->lead_room, sizeof(*f->lead));
	lead = &f->lead[f->nr_leads++];
	lead->way = way;
	lead->addr = addr;
	if (!s)
		return;
	lead->state = *s;
	lead->state.call = CALL_ELSEWHERE;
}

static void follow_leads(struct finder *f)
{
	uint32_t i;

	for (i = 0; i < f->nr_leads; i++) {
		const struct lead *lead = &f->lead[i];

		if (lead->way == FLOW_JUMP)
			jump(f, lead->addr, &lead->state);
		else if (lead->way == FLOW_CALL)
			finder_add(f, lead->addr, NOTE_CALLED);
		else
			finder_point(f, lead->addr);
	}
	f->nr_leads = 0;
}

static bool returns(void *data, uint32_t addr, uint32_t behind)
{
	struct finder *f = data;

	return returns_to(f->returns, addr, behind);
}

static void enter_inflows(struct finder *f)
{
	const uint16_t *note = finder_note(f, f->flow.start);
	uint32_t i, nr = (f->flow.end - f->flow.start) / 2;

	for (i = 0; i < nr; i++) {
		uint32_t addr = f->flow.start + 2 * i;
		const struct inflow *in;

		if (!(note[i] & NOTE_INFLOW))
			continue;
		in = inflows_find(&f->inflows, addr | f->flow.thumb);
		if (in)
			flow_enter(&f->flow, addr, &in->state);
	}
}

static void note_reached(struct finder *f)
{
	uint16_t *note = finder_note(f, f->flow.start);
	uint32_t i, nr = (f->flow.end - f->flow.start) / 2;

	extend(range_of(f, f->flow.start), f->flow.start, f->flow.high);
	for (i = (f->flow.low - f->flow.start) / 2; i < nr; i++) {
		if (!f->flow.head[i] && !(f->flow.mark[i] & MARK_DATA))
			continue;
		note[i] |= NOTE_REACHED;
		if (f->flow.mark[i] & MARK_WIDE && i + 1 < nr)
			note[i + 1] |= NOTE_REACHED;
	}
}

bool finder_begin(struct finder *f, const struct flow_code *code, uint32_t addr)
{
	struct function function = { .start = addr & ~1, .thumb = addr & 1 };

	function.end = end_of(f, function.start, MAX_HALVES);
	return flow_begin(&f->flow, code, &function);
}

/* Is a function entered by calls? */
static bool is_entered(uint16_t note)
{
	return note & NOTE_CALLED || !(note & NOTE_PART);
}

/* False when it has to be done again: it went on behind a call that doesn't come back. */
static bool run(struct finder *f)
{
	flow_run(&f->flow);
	if (!f->flow.doubt)
		return true;
	returns_doubt(f->returns, f->flow.doubt);
	flow_end(&f->flow);
	f->nr_leads = 0;
	return false;
}

static void follow(struct finder *f, uint32_t start)
{
	uint16_t note = *finder_note(f, start);

	do {
		if (!finder_begin(f, &f->code, start | !!(note & NOTE_THUMB)))
			return;
		if (is_entered(note))
			flow_begin_call(&f->flow);
		enter_inflows(f);
	} while (!run(f));
	note_reached(f);
	if (f->flow.lost)
		*finder_note(f, start) |= NOTE_LOST;
	flow_end(&f->flow);
	follow_leads(f);
}

void finder_follow(struct finder *f)
{
	while (f->nr_todo) {
		uint32_t start = f->todo[--f->nr_todo];

		*finder_note(f, start) &= ~NOTE_QUEUED;
		follow(f, start);
	}
}

/* Where a file's code is, its dynamic section or what is known to begin in it says. */
static void find_ranges(struct finder *f, const struct seed *seed, size_t nr)
{
	struct dynamic d;
	size_t i;

	dynamic_read(&d, f->image);
	if (code_at(f, d.init & ~1) && code_at(f, d.init & ~1) == code_at(f, d.fini & ~1))
		extend(range_of(f, d.init & ~1), d.init & ~1, d.fini & ~1);
	for (i = 0; i < nr; i++) {
		if (code_at(f, seed[i].addr & ~1))
			extend(range_of(f, seed[i].addr & ~1), seed[i].addr & ~1,
			       (seed[i].addr & ~1) + 2);
	}
}

/* What a symbol or the ELF header says is one; all else may be one. */
static void add_seeds(struct finder *f, const struct seed *seed, size_t nr)
{
	size_t i;

	if (elf_entry(f->image))
		finder_add(f, elf_entry(f->image), 0);
	for (i = 0; i < nr; i++) {
		if (seed[i].size)
			finder_add(f, seed[i].addr, 0);
		else
			finder_point(f, seed[i].addr);
	}
	finder_follow(f);
}

static void found_pointer(void *data, uint32_t addr)
{
	finder_point(data, addr);
}

static uint32_t next_start(const struct finder *f, const struct segment *segment, uint32_t addr)
{
	const uint16_t *note = f->note[segment - f->image->segment];
	uint32_t i = (addr - segment->addr) / 2, nr = segment->size / 2;

	while (i < nr && !(note[i] & NOTE_START))
		i++;
	return segment->addr + 2 * i;
}

/* Calls f for each function so far, in ascending order. */
static void each_start(struct finder *f, void (*call)(struct finder *f, uint32_t start, void *data),
		       void *data)
{
	size_t i;

	for (i = 0; i < f->image->nr; i++) {
		const struct segment *segment = &f->image->segment[i];
		uint32_t addr, end = segment->addr + (segment->size & ~1u);

		if (!segment->executable)
			continue;
		for (addr = next_start(f, segment, segment->addr); addr < end;
		     addr = next_start(f, segment, addr + 2))
			call(f, addr, data);
	}
}

static void queue_start(struct finder *f, uint32_t start, void *data)
{
	(void)data;
	queue(f, start, finder_note(f, start));
}

/* Nothing jumps to it any more: what did was no code of the function it was taken for. */
static void queue_orphan(struct finder *f, uint32_t start, void *data)
{
	uint16_t *note = finder_note(f, start);
	const struct inflow *in = inflows_find(&f->inflows, start | !!(*note & NOTE_THUMB));

	(void)data;
	if (is_entered(*note) || (in && !state_is_entry(&in->state)))
		return;
	*note &= ~NOTE_PART;
	queue(f, start, note);
}

/*
 * All jumps between functions, now that it is known where each of them ends: a
 * flow that went on into the next one has led to jumps that there are not.
 */
static void settle(struct finder *f)
{
	size_t i;
	uint32_t half;

	inflows_free(&f->inflows);
	for (i = 0; i < f->image->nr; i++) {
		for (half = 0; f->note[i] && half < f->image->segment[i].size / 2; half++)
			f->note[i][half] &= ~NOTE_INFLOW;
	}
	f->settled = true;
	each_start(f, queue_start, NULL);
	finder_follow(f);
	each_start(f, queue_orphan, NULL);
	finder_follow(f);
}

static void add_function(struct finder *f, uint32_t start, void *data)
{
	struct functions *functions = data;
	uint16_t note = *finder_note(f, start);

	functions->function[functions->nr++] = (struct function){
		.start = start, .end = end_of(f, start, UINT32_MAX), .thumb = note & NOTE_THUMB,
		.called = is_entered(note),
	};
}

static void count_function(struct finder *f, uint32_t start, void *data)
{
	(void)f;
	(void)start;
	++*(size_t *)data;
}

static int by_address(const void *a, const void *b)
{
	uint32_t x = ((const struct inflow *)a)->addr, y = ((const struct inflow *)b)->addr;

	return (x > y) - (x < y);
}

static void hand_over(struct finder *f, struct functions *functions)
{
	size_t nr = 0;

	each_start(f, count_function, &nr);
	*functions = (struct functions){ .function = zeroes(nr + 1, sizeof(struct function)),
					 .nr_inflows = f->inflows.nr,
					 .inflow = f->inflows.inflow,
					 .returns = f->returns, .pads = f->pads };
	each_start(f, add_function, functions);
	if (f->inflows.nr)
		qsort(functions->inflow, functions->nr_inflows, sizeof(struct inflow), by_address);
	f->inflows.inflow = NULL;
}

static void begin_notes(struct finder *f)
{
	size_t i;

	f->note = zeroes(f->image->nr + 1, sizeof(*f->note));
	f->range = zeroes(f->image->nr + 1, sizeof(*f->range));
	for (i = 0; i < f->image->nr; i++) {
		const struct segment *segment = &f->image->segment[i];

		f->range[i].first = UINT32_MAX;
		if (segment->code_end)
			f->range[i] = (struct range){
				segment->code & ~1u, segment->code_end & ~1u,
			};
		if (segment->executable)
			f->note[i] = zeroes(segment->size / 2 + 1, sizeof(**f->note));
	}
}

static void end_notes(struct finder *f)
{
	size_t i;

	for (i = 0; i < f->image->nr; i++)
		free(f->note[i]);
	free(f->note);
	free(f->range);
	free(f->todo);
	free(f->maybe);
	free(f->lead);
	inflows_free(&f->inflows);
}

void analyse_find(const struct image *image, const struct seed *seed, size_t nr,
		  struct functions *functions)
{
	struct finder f = { .image = image, .returns = returns_new(image) };

	f.pads = zeroes(1, sizeof(*f.pads));
	pads_read(f.pads, image);
	f.code = (struct flow_code){ .image = image, .pads = f.pads, .returns = returns,
				     .leads = leads, .data = &f };
	begin_notes(&f);
	find_ranges(&f, seed, nr);
	add_seeds(&f, seed, nr);
	pointers_read(image, f.range, found_pointer, &f);
	finder_follow_pointers(&f);
	finder_fill(&f);
	finder_follow_pointers(&f);
	settle(&f);
	hand_over(&f, functions);
	end_notes(&f);
}

void functions_free(struct functions *functions)
{
	free(functions->function);
	free(functions->inflow);
	returns_free(functions->returns);
	pads_free(functions->pads);
	free(functions->pads);
}
