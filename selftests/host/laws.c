// SPDX-License-Identifier: GPL-2.0
#include "laws.h"
#include "tap.h"

enum { MAX_NOTES = 2 };		/* of a kind */

/*
 * What a walk may load at most. Of the instructions that it may look at,
 * one looked at by a scan costs its own 2 halfwords, the words of a load of all
 * registers, and a look at where it leads (to_other_register() and
 * a32_check_call() with a32_trampoline() make 9). One looked at backwards,
 * A32_PROLOGUE_COST of which go for one, costs itself, is_second_half() twice,
 * has_condition() and reaches().
 */
#define SCAN_LOADS	(2 + 16 + 9 + 2)
#define BACK_LOADS	(A32_PROLOGUE_COST * (1 + 2 * 16 + 7 + 4))
#define INSN_LOADS	(SCAN_LOADS + BACK_LOADS)

/*
 * All else is by frames: a prologue is up to 16 instructions and looked at by
 * a32_prologue_end() and a32_prologue_has_arguments() or _slot(), and that in
 * each frame that a32_callee_recover() goes back to. A sampled or interrupted
 * frame may have a signal frame.
 */
#define PROLOGUE_LOADS	(3 * 2 * A32_PROLOGUE_INSNS + 8)
#define FRAME_LOADS	(64 + (A32_TRAIL + 2) * PROLOGUE_LOADS)
#define TOP_LOADS	(4 * PROLOGUE_LOADS + 64)

u64 laws_most_loads(u32 room)
{
	return (u64)A32_WALK_INSNS * INSN_LOADS + (u64)(room + 1) * FRAME_LOADS +
	       (A32_SIG_DEPTH + 1) * TOP_LOADS;
}

/* A walk and what it keeps */
struct level {
	struct a32_walk walk;
	struct a32_known known[A32_KNOWN];
	struct a32_found found[A32_FOUND];
};

static struct level warm, cold;

const char *const law_names[LAWS] = {
	[LAW_ENTRIES] = "entries: as many as there is room for, and all of them code",
	[LAW_LOADS] = "loads: no more than the bounds of a walk allow",
	[LAW_ALIGNMENT] = "loads: at multiples of their size",
	[LAW_COUNTS] = "counts: what was walked",
	[LAW_WANTED] = "a table is wanted of what has no ABI, and of nothing else",
	[LAW_REPEATS] = "the same again with other working memory: the same chain",
	[LAW_TRUE] = "through functions: no wrong chain",
	[LAW_WARM] = "through functions: what is known changes no chain but its length",
};

struct law_totals law_totals;

static void note_chain(const char *what, const struct chain *c)
{
	u32 i;

	tap_note("  %s: %u entries, then %u", what, c->nr, c->stop);
	for (i = 0; i < c->nr && i < 12; i++)
		tap_note("    %#llx", (unsigned long long)c->entry[i]);
}

static void check(bool ok, enum law which, const char *what, const struct world *w,
		  const struct chain *c, const struct chain *other)
{
	if (ok || law_totals.broken[which]++ >= MAX_NOTES)
		return;
	tap_note("%s", law_names[which]);
	tap_note("  pc %#x, lr %#x, sp %#x, cpsr %#x, abi %u, tag %u, %s tables", w->r[PC],
		 w->r[LR], w->r[SP], w->cpsr, w->abi, w->space.tag, w->with_tables ? "with" : "no");
	note_chain(what, c);
	if (other)
		note_chain("but", other);
}

static void total(const struct world *w, struct a32_counts *sum)
{
	u32 i, j;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < NR(w->counts); i++) {
		sum->samples += w->counts[i].samples;
		sum->frames += w->counts[i].frames;
		for (j = 0; j < A32_STOP_NR; j++)
			sum->stop[j] += w->counts[i].stop[j];
	}
}

static bool is_mapped(const struct world *w, u32 addr)
{
	struct a32_span span;

	return a32_space_span(&w->space, addr, &span);
}

/*
 * A return address may be right behind a mapping. What was interrupted may have
 * been anywhere, and is shown: in the helpers, or as the last one.
 */
static bool is_entry(const struct world *w, const struct chain *c, u32 i)
{
	u64 e = c->entry[i];

	if (e & 1 || e >> 32)
		return false;
	return i == 0 || is_mapped(w, e) || is_mapped(w, e - 1) || a32_kuser_has(e) ||
	       (i == c->nr - 1 && c->stop == A32_STOP_NO_MAPPING);
}

enum { FILES = NR(((struct world *)NULL)->file) };

/**
 * struct wants - what is known of files without an ABI
 * @ends: chains that have ended in each
 * @is: a table is wanted of it
 */
struct wants {
	u64 ends[FILES];
	bool is[FILES];
};

static void look_at_wants(const struct world *w, struct wants *wants)
{
	u32 i;

	for (i = 0; i < FILES; i++) {
		wants->ends[i] = w->counts[i].stop[A32_STOP_ABI_NONE];
		wants->is[i] = w->file[i].want;
	}
}

static bool are_wanted(const struct wants *before, const struct wants *after)
{
	u32 i;

	for (i = 0; i < FILES; i++) {
		bool ended = after->ends[i] != before->ends[i];

		if (after->is[i] != (before->is[i] || ended))
			return false;
	}
	return true;
}

static void walk(struct world *w, struct level *l, u32 room, const char *what, struct chain *c)
{
	static u64 entries[MAX_ROOM];
	u64 loads = a32_memory.loads, misaligned = a32_memory.misaligned;
	u64 *entry = entries + MAX_ROOM - room;	/* The sanitizers see one too many. */
	struct a32_counts before, after;
	struct wants wanted_before, wanted;
	bool ok;
	u32 i;

	total(w, &before);
	look_at_wants(w, &wanted_before);
	l->walk.space = &w->space;
	l->walk.entry = entry;
	l->walk.room = room;
	l->walk.known = l->known;
	l->walk.found = l->found;
	l->walk.nowhere = &w->file[NOWHERE];
	l->walk.index = 0;
	l->walk.r = w->r;
	l->walk.cpsr = w->cpsr;
	a32_host_returns = &w->returns;
	c->stop = a32_walk(&l->walk);
	c->nr = l->walk.nr;
	ok = c->nr && c->nr <= room && c->stop < A32_STOP_NR;
	if (!ok)
		c->nr = 0;
	memcpy(c->entry, entry, c->nr * sizeof(*entry));
	if (c->nr && c->entry[0] != (w->r[PC] & ~1) && (w->r[PC] & ~1) != UPROBES_AT)
		ok = false;
	for (i = 0; i < c->nr; i++)
		ok &= is_entry(w, c, i);
	check(ok, LAW_ENTRIES, what, w, c, NULL);
	loads = a32_memory.loads - loads;
	check(loads <= laws_most_loads(room), LAW_LOADS, what, w, c, NULL);
	check(a32_memory.misaligned == misaligned, LAW_ALIGNMENT, what, w, c, NULL);
	before.samples++;
	before.frames += c->nr;
	before.stop[c->stop]++;
	total(w, &after);
	check(!memcmp(&before, &after, sizeof(before)), LAW_COUNTS, what, w, c, NULL);
	look_at_wants(w, &wanted);
	check(are_wanted(&wanted_before, &wanted), LAW_WANTED, what, w, c, NULL);
	if (loads > law_totals.max_loads)
		law_totals.max_loads = loads;
	law_totals.loads += loads;
	law_totals.walks++;
	law_totals.entries += c->nr;
}

static bool agree(const struct chain *a, const struct chain *b)
{
	u32 nr = a->nr < b->nr ? a->nr : b->nr;

	return !memcmp(a->entry, b->entry, nr * sizeof(a->entry[0]));
}

static bool are_equal(const struct chain *a, const struct chain *b)
{
	return a->stop == b->stop && a->nr == b->nr && agree(a, b);
}

/* A walk that knows nothing; @left is what an earlier one has left in its working memory */
static void walk_cold(struct world *w, u32 room, int left, struct chain *c)
{
	u32 tag = w->space.tag;

	memset(&cold.walk, left, sizeof(cold.walk));
	w->space.tag = world_new_tag();
	walk(w, &cold, room, "cold", c);
	w->space.tag = tag;
}

void laws_check(struct world *w, u32 room)
{
	struct chain a, b, again;

	walk(w, &warm, room, "warm", &a);
	walk_cold(w, room, 0, &b);
	walk_cold(w, room, 1, &again);
	check(are_equal(&b, &again), LAW_REPEATS, "cold", w, &b, &again);
	if (!w->truth.nr)
		return;
	check(agree(&a, &w->truth) && a.nr <= w->truth.nr, LAW_TRUE, "warm", w, &a, &w->truth);
	check(agree(&b, &w->truth) && b.nr <= w->truth.nr, LAW_TRUE, "cold", w, &b, &w->truth);
	check(agree(&a, &b), LAW_WARM, "warm", w, &a, &b);
}
