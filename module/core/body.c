// SPDX-License-Identifier: GPL-2.0
#include "body_pass.h"
#include "call.h"
#include "map.h"
#include "prologue.h"

enum {
	LOOK_BACK	= 512,	/* bytes from an address back to the push of lr */
	LINE_COST	= 4,	/* a scan's instructions that cost as much as a line of it */
	NEAR_PUSH	= 8,	/* bytes from an address to the push: it is in no body */
	TO_PUSH		= 48,	/* bytes from a function's entry to it */
	STEPS		= 2048,	/* words or halfwords gone through at a time, from a prologue, */
	SPREAD_STEPS	= 256,	/* and from anywhere else, */
	SPREAD_BACK	= 512,	/* and from so many bytes before it on */
	STEPS_COST	= 3,	/* a scan's instructions that cost as much as */
	STEPS_PER_COST	= 4,	/* so many of them */
	FRAME_MAX	= 1 << 20,
};

static struct a32_body *entry_for(struct a32_body *set, u32 line, u32 tag)
{
	u32 way;

	for (way = 0; way < A32_BODY_WAYS; way++) {
		if (set[way].line == line && set[way].tag == tag)
			return &set[way];
	}
	for (way = 0; way < A32_BODY_WAYS; way++) {
		if (set[way].tag != tag)
			break;
	}
	if (way == A32_BODY_WAYS) {
		set[1] = set[0];
		way = 0;
	}
	memset(&set[way], 0, sizeof(set[way]));
	return &set[way];
}

static void keep(struct a32_pass *p, struct a32_bodies *b)
{
	u32 n = (p->low - p->base) / A32_BODY_LINE * A32_BODY_WORDS, i, line;
	struct a32_body *body;

	for (; p->base + n * 64 < p->high; n += A32_BODY_WORDS) {
		const u32 *held = &p->held[n];

		if (!(held[0] | held[1] | held[2] | held[3]))
			continue;
		line = (p->base + n * 64) | p->thumb;
		body = entry_for(&b->line[a32_body_index(line)], line, p->tag);
		if (body->rule != p->rule || body->code != p->code)
			memset(body->mask, 0, sizeof(body->mask));
		body->line = line;
		body->tag = p->tag;
		body->code = p->code;
		body->rule = p->rule;
		for (i = 0; i < A32_BODY_WORDS; i++)
			body->mask[i] |= held[i];
	}
	p->low = U32_MAX;
	p->high = 0;
}

/* What is known to be of a body in a line of 64 bytes, a bit for each halfword */
static u32 known_in(const struct a32_look *look, u32 line, bool thumb)
{
	u32 key = (line & -A32_BODY_LINE) | thumb, way, known = 0;
	const struct a32_body *body = &look->body.line[a32_body_index(key)];

	for (way = 0; way < A32_BODY_WAYS; way++) {
		if (body[way].line == key && body[way].tag == look->tag)
			known = body[way].mask[line / 64 % A32_BODY_WORDS];
	}
	return known;
}

/*
 * The nearest push of lr before an address that makes a record; 0 for none. Before a
 * body there is no need to look: that function has been gone through.
 */
static u32 push_before(struct a32_look *look, u32 start, u32 pc, bool thumb, u32 abi)
{
	u32 low = pc - start < LOOK_BACK ? start : pc - LOOK_BACK, at = pc, line, known, push;

	while (at > low) {
		line = (at - 1) & -64;
		known = known_in(look, line, thumb) & (U32_MAX >> (31 - (at - 1) / 2 % 32));
		if (known)
			low = line + 2 * (32 - __builtin_clz(known));
		a32_look_charge(look, LINE_COST);
		push = a32_push_in_line(line, at, thumb);
		/* Half of another instruction may look like one. */
		if (push >= low && a32_record_end(push, thumb, abi))
			return push;
		at = push >= low ? push : line;
	}
	return 0;
}

/* Where the function begins that whoever is in the record has called; 0 when it isn't known */
static u32 entry_by_record(const struct a32_span *span, const u32 *r)
{
	const struct a32_rule *record = a32_abi_rule(span->abi);
	u32 at = r[a32_frame_reg_number(record->cfa_reg)] + record->cfa_off + record->ra_off;
	u32 ra, err = 0;

	if (at & 3)
		return 0;
	a32_load32(at, &ra, &err);
	return err || !ra || (ra & 3) == 2 ? 0 : a32_call_target(ra);
}

static u32 cost_of(u32 steps)
{
	return steps * STEPS_COST / STEPS_PER_COST;
}

/* May what is found be kept, and is there enough left to look at? */
static bool is_worth_it(const struct a32_look *look, const struct a32_span *span, u32 steps)
{
	return !span->table && !span->changes && look->tag != A32_TAG_NONE &&
	       look->left > cost_of(steps);
}

static void go_on(struct a32_look *look, struct a32_pass *p, u32 steps)
{
	a32_pass_go(p, steps);
	a32_look_charge(look, cost_of(steps - p->left));
	keep(p, &look->body);
}

/* The maps of @words each are large, and most functions are not. */
static void clear(struct a32_pass *p, u32 *map, u32 words, u32 tag)
{
	u32 used = words, end = p->from + p->size - p->base, n;

	if (p->tag == tag && p->used - p->base < 64 * words)
		used = (p->used - p->base) / 64 + 1;
	for (n = 0; n < A32_BODY_MAPS; n++)
		memset(&map[n * words], 0, used * sizeof(*map));
	/* What is behind the end is in the maps, too. */
	for (n = 0; n < A32_BODY_MAPS && p->tag == tag && end < 64 * words; n++)
		map[n * words + end / 64] = 0;
}

static void begin(struct a32_pass *p, const struct a32_span *span, u32 tag, bool thumb, u32 base,
		  u32 *map, u32 words)
{
	u32 at;

	clear(p, map, words, tag);
	memset(p, 0, sizeof(*p));
	p->tag = tag;
	p->code = span->code;
	p->rule = a32_abi_rule(span->abi);
	p->own = a32_frame_reg_number(p->rule->cfa_reg);
	p->thumb = thumb;
	p->base = base;
	p->from = base > span->start ? base : span->start;
	p->size = base + 64 * words - p->from;
	if (p->size > span->size - (p->from - span->start))
		p->size = span->size - (p->from - span->start);
	p->low = U32_MAX;
	p->held = map;
	p->note = map + words;
	p->data = map + 2 * words;
	p->maybe = map + 3 * words;
	p->stop = map + 4 * words;
	/* Lines of code are not cut off where the ABI ends. */
	at = p->from + p->size - base;
	if (at % 64) {
		p->data[at / 64] = U32_MAX << at / 2 % 32;
		p->stop[at / 64] = p->data[at / 64];
	}
}

static void begin_at(struct a32_pass *p, u32 push, u32 pc)
{
	p->push = push | p->thumb;
	p->reach = pc;
	p->top = pc;
	a32_pass_note(p, pc);
}

static bool holds(const struct a32_pass *p, u32 pc)
{
	return a32_pass_covers(p, pc) && a32_pass_has(p->held, pc - p->base);
}

/* Another one that has not come to its end waits for the next sample in it. */
static struct a32_pass *pass_for(struct a32_bodies *b, u32 push, u32 tag)
{
	u32 n;

	for (n = 0; n < A32_BODY_PASSES; n++) {
		if (b->pass[n].push == push && b->pass[n].tag == tag && !b->pass[n].done)
			return &b->pass[n];
	}
	for (n = 0; n < A32_BODY_PASSES; n++) {
		if (b->pass[n].done || b->pass[n].tag != tag)
			return &b->pass[n];
	}
	return &b->pass[b->pass[0].goes > b->pass[1].goes];
}

/* Go through the function that pushes lr at @push, unless that has been done before. */
static bool find_from(struct a32_look *look, const struct a32_span *span, u32 pc, bool thumb,
		      u32 push)
{
	struct a32_bodies *b = &look->body;
	struct a32_body_seen *seen = &b->seen[push * 0x9e3779b1 >> (32 - A32_BODY_SEEN_BITS)];
	u32 first = a32_record_end(push, thumb, span->abi);
	struct a32_pass *p;

	if (!first || first - span->start >= span->size ||
	    pc - first >= A32_BODY_MAX - A32_BODY_LINE ||
	    (seen->push == (push | thumb) && seen->tag == look->tag))
		return false;
	p = pass_for(b, push | thumb, look->tag);
	if (p->push != (push | thumb) || p->tag != look->tag || p->done) {
		begin(p, span, look->tag, thumb, first & -A32_BODY_LINE, b->map[p - b->pass],
		      A32_BODY_MAX / 64);
		begin_at(p, push, first);
	}
	do {
		go_on(look, p, STEPS);
	} while (!p->done && !holds(p, pc) && is_worth_it(look, span, STEPS));
	if (p->done)
		*seen = (struct a32_body_seen){ push | thumb, look->tag };
	return holds(p, pc);
}

const struct a32_pass *a32_body_pass(const struct a32_bodies *bodies, u32 tag, u32 entry)
{
	const struct a32_pass *p;

	for (p = bodies->pass; p < bodies->pass + A32_BODY_PASSES; p++) {
		if (p->tag == tag && p->push - entry < TO_PUSH && !((p->push ^ entry) & 1))
			return p;
	}
	return NULL;
}

/* Where lr is pushed in the function that whoever is in the record has called */
static u32 push_by_record(const struct a32_span *span, u32 pc, bool thumb, const u32 *r)
{
	u32 entry = entry_by_record(span, r);

	if (!entry || (entry & 1) != thumb || pc - entry >= A32_BODY_MAX)
		return 0;
	return a32_push_behind(entry & ~1, thumb, TO_PUSH);
}

bool a32_body_find(struct a32_look *look, const struct a32_span *span, u32 pc, bool thumb,
		   const u32 *r)
{
	u32 push, before;

	if (!is_worth_it(look, span, STEPS) || a32_push_behind(pc, thumb, NEAR_PUSH))
		return false;
	push = push_by_record(span, pc, thumb, r);
	if (push && find_from(look, span, pc, thumb, push))
		return true;
	before = push_before(look, span->start, pc, thumb, span->abi);
	return before && before != push && is_worth_it(look, span, STEPS) &&
	       find_from(look, span, pc, thumb, before);
}

static void preload(struct a32_pass *p, const struct a32_bodies *b)
{
	const struct a32_body *body;
	u32 at, n = 0;

	for (at = p->base; at < p->from + p->size; at += A32_BODY_LINE, n += A32_BODY_WORDS) {
		u32 line = at | p->thumb;

		body = &b->line[a32_body_index(line)];
		body += body->line != line;
		if (body->line != line || body->tag != p->tag)
			continue;
		memcpy(&p->held[n], body->mask, sizeof(body->mask));
		memcpy(&p->stop[n], body->mask, sizeof(body->mask));
	}
}

static bool is_of_record(const struct a32_rule *rule, const struct a32_rule *record)
{
	enum a32_frame_reg own = record->cfa_reg;

	return rule->cfa_reg == own && !rule->held && rule->saved & 1 << own &&
	       rule->cfa_off + rule->ra_off == record->cfa_off + record->ra_off &&
	       rule->cfa_off + rule->off[own] == record->cfa_off + record->off[own];
}

/* Code that has just gone over to another stack is not taken for a body. */
bool a32_body_spread(struct a32_look *look, const struct a32_span *span, u32 pc, bool thumb,
		     const u32 *r, const struct a32_rule *rule)
{
	const struct a32_rule *record = a32_abi_rule(span->abi);
	u32 base = (pc - SPREAD_BACK) & -A32_BODY_LINE;
	struct a32_pass *p = &look->body.near;

	if (!is_worth_it(look, span, SPREAD_STEPS) || !is_of_record(rule, record) ||
	    r[a32_frame_reg_number(record->cfa_reg)] - r[SP] > FRAME_MAX)
		return false;
	if (base < span->start || base > pc)
		base = pc & -A32_BODY_LINE;
	begin(p, span, look->tag, thumb, base, look->body.near_map, A32_BODY_NEAR / 64);
	preload(p, &look->body);
	begin_at(p, 0, pc);
	go_on(look, p, SPREAD_STEPS);
	return holds(p, pc);
}
