// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "analyse_imports.h"
#include "analyse_memory.h"
#include "analyse_returns.h"
#include "analyse_state.h"

/* What is larger, or deeper, is taken to return. */
enum { MAX_INSNS = 4000, MAX_DEPTH = 100, STUB_INSNS = 5 };

enum verdict { VERDICT_NONE, VERDICT_UNKNOWN, VERDICT_ASKED, VERDICT_RETURNS, VERDICT_NEVER };

/**
 * struct entry - what is known of an address
 * @addr: it
 * @verdict: enum verdict
 * @depth: VERDICT_ASKED: how many others were asked for before it
 */
struct entry {
	uint32_t addr;
	uint32_t verdict;
	uint32_t depth;
};

/**
 * struct verdicts - verdicts by address
 * @entry: hash table
 * @size: its size, a power of 2
 * @nr: entries in use
 */
struct verdicts {
	struct entry *entry;
	uint32_t size;
	uint32_t nr;
};

/**
 * struct returns - what is known of functions
 * @image: the file
 * @imports: functions of other files that never return
 * @function: by address with bit 0
 * @call: by the address behind it
 * @doubt: addresses behind the calls that are doubted, in the order they were
 * @nr_doubts: how many
 * @room: how many fit
 * @depth: calls that are being followed
 * @lowest: of those that the latest answers depend on, the one with the least depth
 */
struct returns {
	const struct image *image;
	struct imports imports;
	struct verdicts function;
	struct verdicts call;
	uint32_t *doubt;
	uint32_t nr_doubts;
	uint32_t room;
	uint32_t depth;
	uint32_t lowest;
};

/**
 * struct search - the code of one function
 * @r: what is known of others
 * @addr: addresses that were seen, with bit 0
 * @nr: how many
 * @next: of them, the first that has not been looked at
 * @from: the function
 */
struct search {
	struct returns *r;
	uint32_t addr[MAX_INSNS];
	uint32_t nr;
	uint32_t next;
	uint32_t from;
};

static void begin(struct verdicts *v)
{
	v->size = 1024;
	v->entry = zeroes(v->size, sizeof(*v->entry));
}

struct returns *returns_new(const struct image *image)
{
	struct returns *r = zeroes(1, sizeof(*r));

	r->image = image;
	begin(&r->function);
	begin(&r->call);
	r->lowest = UINT32_MAX;
	imports_read(&r->imports, image);
	return r;
}

void returns_free(struct returns *r)
{
	imports_free(&r->imports);
	free(r->function.entry);
	free(r->call.entry);
	free(r->doubt);
	free(r);
}

static struct entry *find(const struct verdicts *v, uint32_t addr)
{
	uint32_t at = addr * 0x9e3779b1u;

	for (at ^= at >> 15;; at++) {
		struct entry *e = &v->entry[at & (v->size - 1)];

		if (e->verdict == VERDICT_NONE || e->addr == addr)
			return e;
	}
}

static void grow(struct verdicts *v)
{
	struct entry *old = v->entry;
	uint32_t size = v->size, i;

	v->size *= 2;
	v->entry = zeroes(v->size, sizeof(*v->entry));
	for (i = 0; i < size; i++) {
		if (old[i].verdict != VERDICT_NONE)
			*find(v, old[i].addr) = old[i];
	}
	free(old);
}

static void note(struct verdicts *v, uint32_t addr, enum verdict verdict)
{
	struct entry *e = find(v, addr);

	if (e->verdict == VERDICT_NONE && ++v->nr > v->size / 2) {
		grow(v);
		e = find(v, addr);
	}
	*e = (struct entry){ addr, verdict, 0 };
}

/* Where a stub of the procedure linkage table loads pc from */
static bool stub_slot(const struct image *image, uint32_t addr, uint32_t *slot)
{
	struct a32_insn i;
	struct state s;
	uint32_t nr, pc;

	state_enter(&s);
	for (nr = 0; nr < STUB_INSNS && image_insn(image, addr, &i); nr++, addr += i.len) {
		pc = (addr & ~1) + (addr & 1 ? 4 : 8);
		if (i.op == OP_BRANCH_REG && i.rm == PC)	/* bx pc; nop */
			return stub_slot(image, pc & ~3, slot);
		if (i.op == OP_LOAD && i.list & 1 << PC) {
			*slot = state_reg(&s, i.rn, pc & ~3).n + i.imm;
			return state_reg(&s, i.rn, pc).kind == VALUE_CONST;
		}
		state_step(&s, &i, pc, image);
	}
	return false;
}

static void add(struct search *s, uint32_t addr)
{
	uint32_t i;

	for (i = 0; i < s->nr; i++) {
		if (s->addr[i] == addr)
			return;
	}
	if (s->nr < MAX_INSNS)
		s->addr[s->nr++] = addr;
}

/* Does a jump to a register, or to what is loaded, return? */
static bool leaves(struct search *s, const struct a32_insn *i, uint32_t addr)
{
	uint32_t pc = (addr & ~1) + (addr & 1 ? 4 : 8), target, slot;

	if (i->op == OP_BRANCH_REG && i->rm == PC) {
		add(s, pc & ~3);
		return false;
	}
	if (i->op == OP_LOAD && i->rn == PC &&
	    image_u32(s->r->image, (pc & ~3) + i->imm, &target)) {
		add(s, target);
		return false;
	}
	return !stub_slot(s->r->image, s->from, &slot) || !imports_never(&s->r->imports, slot);
}

/* True when an instruction returns; else where it leads to is added. */
static bool follow(struct search *s, uint32_t addr, const struct a32_insn *i, bool conditional)
{
	uint32_t thumb = addr & 1;
	bool goes_on = conditional;

	switch (i->op) {
	case OP_BRANCH:
		add(s, i->target | thumb);
		break;
	case OP_CALL:
		goes_on |= returns_to(s->r, i->target, (addr & ~1) + i->len);
		break;
	case OP_BRANCH_REG: case OP_JUMP_TABLE:
		if (leaves(s, i, addr))
			return true;
		break;
	case OP_DEAD:
		return true;
	case OP_TRAP:
		break;
	default:
		/* Whoever was left on the other one goes on, and comes back some time. */
		if (a32_insn_changes_stack(i))
			return true;
		if (i->op == OP_LOAD && i->list & 1 << PC) {
			if (leaves(s, i, addr))
				return true;
		} else {
			goes_on = true;
		}
	}
	if (goes_on)
		add(s, addr + i->len);
	return s->nr == MAX_INSNS;
}

/* In an IT block, all is conditional. */
static bool follow_it(struct search *s, uint32_t addr, uint32_t it)
{
	uint32_t nr = 4 - __builtin_ctz(it | 16);
	struct a32_insn i;

	for (; nr && image_insn(s->r->image, addr, &i); nr--, addr += i.len) {
		if (follow(s, addr, &i, true))
			return true;
	}
	add(s, addr);
	return false;
}

static bool search(struct search *s)
{
	struct a32_insn i;
	uint32_t addr;

	while (s->next < s->nr) {
		addr = s->addr[s->next++];
		if (!image_insn(s->r->image, addr, &i))
			return true;
		if (i.op == OP_IT) {
			if (follow_it(s, addr + i.len, i.imm))
				return true;
		} else if (follow(s, addr, &i, i.cond != COND_ALWAYS)) {
			return true;
		}
	}
	return false;
}

static bool ask(struct returns *r, uint32_t addr)
{
	struct search *s = zeroes(1, sizeof(*s));
	bool result;

	s->r = r;
	s->from = addr;
	add(s, addr);
	r->depth++;
	result = search(s);
	r->depth--;
	free(s);
	return result;
}

/*
 * A function that is asked for while it is looked at returns if it does so without
 * that call. What this was the answer for is not known for good: forget it, but
 * for the function that all of it depends on.
 */
bool returns_from(struct returns *r, uint32_t addr)
{
	struct entry *known = find(&r->function, addr);
	uint32_t lowest = r->lowest;
	bool result;

	if (known->verdict == VERDICT_ASKED) {
		if (known->depth < r->lowest)
			r->lowest = known->depth;
		return false;
	}
	if (known->verdict > VERDICT_ASKED)
		return known->verdict != VERDICT_NEVER;
	if (r->depth == MAX_DEPTH)
		return true;
	note(&r->function, addr, VERDICT_ASKED);
	find(&r->function, addr)->depth = r->depth;
	r->lowest = UINT32_MAX;
	result = ask(r, addr);
	if (result || r->lowest >= r->depth) {
		note(&r->function, addr, result ? VERDICT_RETURNS : VERDICT_NEVER);
		r->lowest = lowest;
	} else {
		note(&r->function, addr, VERDICT_UNKNOWN);
		if (lowest < r->lowest)
			r->lowest = lowest;
	}
	return result;
}

bool returns_to(struct returns *r, uint32_t addr, uint32_t behind)
{
	if (find(&r->call, behind)->verdict == VERDICT_NEVER)
		return false;
	return !addr || returns_from(r, addr);
}

void returns_doubt(struct returns *r, uint32_t behind)
{
	note(&r->call, behind, VERDICT_NEVER);
	r->doubt = room_for(r->doubt, r->nr_doubts, &r->room, sizeof(*r->doubt));
	r->doubt[r->nr_doubts++] = behind;
}

uint32_t returns_doubts(const struct returns *r)
{
	return r->nr_doubts;
}

void returns_trust(struct returns *r, uint32_t nr)
{
	while (r->nr_doubts > nr)
		note(&r->call, r->doubt[--r->nr_doubts], VERDICT_UNKNOWN);
}
