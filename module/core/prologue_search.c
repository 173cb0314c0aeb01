// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "prologue.h"

enum {
	ENTRY_TO_PUSH	= 48,		/* bytes from a function's entry to the save of lr */
	FAR_COST	= 16,		/* of them cost as much as a scan's instruction */
	FAR_LOOKS	= 1024,		/* words looked at for a large function at a time */
	BRANCH_OVER	= 1 << 16,	/* bytes that a branch within a function goes */
	FUNCTION_MAX	= 1 << 17,	/* bytes */
	HALVES		= 16,		/* halfwords that may pair up */
	IT_COST		= 10,		/* halfwords looked at for an IT */
	PADDING		= 8,		/* words, or halfwords, between functions */
};

/* Pushes of lr. Other stores of it are no sign: lr serves as any register once it is saved. */
static bool saves_lr_arm(u32 w)
{
	return (w & 0xffff4000) == 0xe92d4000 || (w & 0xfffff000) == 0xe52de000;
}

/* str r, [sp, #-n]! and strd: with -mtune=cortex-a15, gcc pushes like that, and lr behind it */
static bool begins_push_arm(u32 w)
{
	return (w & 0xffff0000) == 0xe52d0000 || (w & 0xfe7f00f0) == 0xe06d00f0;
}

/* Is lr behind it, before anything is taken back? What is scheduled in between doesn't matter. */
static bool pushes_lr(u32 pc)
{
	struct a32_insn i;
	u32 n;

	for (n = 0; n < A32_PROLOGUE_INSNS && a32_insn_fetch(pc, false, &i); n++) {
		if (a32_insn_stores_lr(&i))
			return i.rn == SP;
		if (a32_insn_leaves(&i) || i.op == OP_CALL || (i.op == OP_LOAD && i.rn == SP))
			return false;
		pc += i.len;
	}
	return false;
}

/* Without optimization, blocks end in a branch to what follows. */
enum { B_NEXT_ARM = 0xeaffffff, B_NEXT_THUMB = 0xe7ff };

/* Nothing goes on behind these: b, bx, and whatever sets pc */
static bool leaves_arm(u32 w)
{
	if (w == B_NEXT_ARM)
		return false;
	/* A5.2: nops, blx and other miscellaneous ones have 15 there for no register. */
	if ((w & 0xfd900000) == 0xe1000000)
		return (w & 0xfffffff0) == 0xe12fff10;
	return (w & 0xff000000) == 0xea000000 || (w & 0xfe108000) == 0xe8108000 ||
	       (w & 0xfc10f000) == 0xe410f000 || (w & 0xfc00f000) == 0xe000f000;
}

static bool saves_lr_thumb(u32 h1, u32 h2)
{
	if ((h1 & 0xff00) == 0xb500)
		return true;
	if (h1 == 0xe92d)
		return h2 & 0x4000;
	if (h1 == 0xf84d)
		return (h2 & 0xff00) == 0xed00;
	return h1 == 0xe96d && (h2 >> 12 == LR || (h2 >> 8 & 15) == LR);
}

static bool leaves_thumb(u32 h1, u32 h2)
{
	if (h1 == B_NEXT_THUMB)
		return false;
	if ((h1 & 0xff87) == 0x4700 || (h1 & 0xff00) == 0xbd00 || (h1 & 0xf800) == 0xe000 ||
	    (h1 & 0xff87) == 0x4687 || (h1 & 0xfff0) == 0xe8d0)
		return true;
	if (h1 == 0xe8bd)
		return h2 & 0x8000;
	if ((h1 & 0xff70) == 0xf850)
		return h2 >> 12 == PC;
	return (h1 & 0xf800) == 0xf000 && (h2 & 0xd000) == 0x9000;
}

/**
 * struct search - a look back from an address
 * @pc: the word or halfword looked at
 * @from: the address
 * @stop: where to end, when nothing is found before
 * @n: how many have been looked at
 * @max: how many may be
 * @err: the code can't be read any further
 * @straight: what is at @pc is of one function with what is at @from: it runs on
 *	to there, or branches over each end of the code in between
 * @low: else the lowest address that is
 * @abi: the frame ABI there
 * @known: what earlier scans have found, or NULL
 * @tag: its tag
 * @joined: @straight, and at @pc the record is known to be complete
 * @over: there is something like a branch over @from, from before its piece of
 *	the code: within a function, or to another; or a jump by a table
 */
struct search {
	u32 pc;
	u32 from;
	u32 stop;
	u32 n;
	u32 max;
	u32 err;
	bool straight;
	u32 low;
	bool over;
	u32 abi;
	const struct a32_found *known;
	u32 tag;
	bool joined;
};

/* Is a rule the record's, whatever it counts from? */
static bool is_of_record(const struct a32_rule *rule, const struct a32_rule *record)
{
	enum a32_frame_reg own = record->cfa_reg;

	return rule->stop == A32_STOP_NR && rule->cfa_reg == own && !(rule->held & FRAME_RA) &&
	       rule->cfa_off + rule->ra_off == record->cfa_off + record->ra_off &&
	       rule->saved & 1 << own &&
	       rule->cfa_off + rule->off[own] == record->cfa_off + record->off[own];
}

/* Has an earlier scan found the record to be complete where the search has come to? */
static bool joins_known(struct search *s, bool thumb)
{
	const struct a32_found *found;

	if (!s->straight || !s->known)
		return false;
	found = a32_found_at(s->known, s->tag, s->pc, thumb);
	s->joined = found && is_of_record(&found->rule, a32_abi_rule(s->abi));
	return s->joined;
}

/* Is a branch at s->pc one to what is known to be of the same function? */
static bool joins(struct search *s, const struct a32_insn *i, u32 low)
{
	s->over |= i->op == OP_JUMP_TABLE || (i->op == OP_BRANCH_REG && i->rm != LR);
	if (i->op != OP_BRANCH)
		return false;
	s->over |= i->target - s->from < BRANCH_OVER;
	return i->target - low <= s->from - low;
}

static void at_end_of_code(struct search *s, const struct a32_insn *i)
{
	if (joins(s, i, s->pc + i->len))
		return;
	s->straight = false;
	s->low = s->pc + i->len;
}

static bool always(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc, &w, &err);
	return !err && w >> 28 == COND_ALWAYS;
}

/*
 * Going back past other functions, the search comes through code of the other
 * instruction set, which reads as branches, too. Most ARM instructions are executed
 * always, and Thumb code does not look like that.
 */
static bool may_be_thumb(const struct search *s)
{
	return s->stop && !(always(s->pc - 4) && always(s->pc + 4));
}

static bool may_be_arm(const struct search *s)
{
	u32 at = s->pc & ~3;

	return s->stop && always(at) && (always(at - 4) || always(at + 4));
}

static bool search_arm(struct search *s)
{
	struct a32_insn i;
	u32 w;

	while (s->pc != s->stop && s->n++ < s->max) {
		s->pc -= 4;
		a32_load32(s->pc, &w, &s->err);
		if (unlikely(s->err))
			return false;
		if (s->pc % 16 == 12 && joins_known(s, false))
			return true;
		if (saves_lr_arm(w))
			return true;
		if (begins_push_arm(w) && pushes_lr(s->pc))
			return true;
		if (s->straight && leaves_arm(w) && !a32_follows_mov_lr_pc(s->pc)) {
			a32_insn_arm(s->pc, w, &i);
			at_end_of_code(s, &i);
		} else if (!s->straight && (w & 0x0f000000) == 0x0a000000) {
			a32_insn_arm(s->pc, w, &i);
			s->straight = joins(s, &i, s->low) && !may_be_thumb(s);
		}
	}
	return false;
}

/* b<cond>, b, cbz and cbnz, and the first half of their wide forms */
static bool may_branch_thumb(u32 h)
{
	return (h & 0xf000) == 0xd000 || (h & 0xf800) == 0xe000 || (h & 0xf500) == 0xb100 ||
	       (h & 0xf800) == 0xf000;
}

/*
 * Is a halfword the second half of a wide instruction? What does not look like
 * a first half ends an instruction, and from there on they pair up.
 */
static bool is_second_half(struct search *s)
{
	u32 pc = s->pc, h, n, err = 0;

	for (n = 0; n < HALVES; n++) {
		pc -= 2;
		a32_load16(pc, &h, &err);
		if (err || !a32_thumb_is_wide(h))
			break;
	}
	s->n += n;
	return n & 1;
}

/*
 * The same of a push. A function that begins behind ARM code or data does so at a
 * multiple of 4, and what is before it may look like any half.
 */
static bool is_within_wide(struct search *s)
{
	return s->pc & 2 && is_second_half(s);
}

/* Do the @max instructions from @at on reach to @pc, and not end there? */
static bool reaches(u32 at, u32 pc, u32 max)
{
	u32 h, n, err = 0;

	for (n = 0; n < max && at - pc; n++) {
		a32_load16(at, &h, &err);
		at += a32_thumb_is_wide(h) ? 4 : 2;
	}
	return n < max && !err;
}

/* DDI 0406C, A8.8.54: IT is for up to 4 instructions behind it; the lowest bit says how many. */
static bool has_condition(struct search *s)
{
	u32 pc = s->pc, h, at, err = 0;

	s->n += IT_COST;
	for (at = pc - 2; pc - at <= 2 + 3 * 4; at -= 2) {
		a32_load16(at, &h, &err);
		if (err)
			return false;
		if ((h & 0xff00) == 0xbf00 && h & 15)
			return reaches(at + 2, pc, 4 - __builtin_ctz(h));
	}
	return false;
}

static void search_at(struct search *s, u32 h, u32 behind)
{
	struct a32_insn i;

	if (s->straight && leaves_thumb(h, behind)) {
		if (is_second_half(s) || has_condition(s))
			return;
		a32_insn_thumb(s->pc, h, behind, &i);
		at_end_of_code(s, &i);
	} else if (!s->straight && may_branch_thumb(h)) {
		if (is_second_half(s))
			return;
		a32_insn_thumb(s->pc, h, behind, &i);
		s->straight = joins(s, &i, s->low) && !may_be_arm(s);
	}
}

/* All that is looked for begins with one of these, as bits 15 to 12: bx and "mov pc" with 4. */
enum { OF_INTEREST = 1 << 4 | 1 << 0xb | 1 << 0xd | 1 << 0xe | 1 << 0xf };

static bool search_thumb(struct search *s)
{
	u32 h, behind = 0;

	while (s->pc != s->stop && s->n++ < s->max) {
		s->pc -= 2;
		a32_load16(s->pc, &h, &s->err);
		if (unlikely(s->err))
			return false;
		if (s->pc % 16 >= 12 && joins_known(s, true))
			return true;
		if (OF_INTEREST >> (h >> 12) & 1) {
			if (saves_lr_thumb(h, behind) && !is_within_wide(s))
				return true;
			search_at(s, h, behind);
		}
		behind = h;
	}
	return false;
}

static bool search(struct search *s, bool thumb)
{
	return thumb ? search_thumb(s) : search_arm(s);
}

static void charge(struct a32_look *look, u32 n, u32 per_unit)
{
	n /= per_unit;
	look->left -= n < look->left ? n : look->left;
}

static enum a32_prologue near(u32 pc, bool thumb, u32 abi, struct a32_look *look,
			      const struct a32_found *known, u32 *at)
{
	struct search s = {
		.pc = pc, .from = pc, .max = A32_PROLOGUE_WINDOW, .straight = true,
		.abi = abi, .tag = look->tag, .known = known,
	};
	bool found;

	if (look->left < A32_PROLOGUE_WINDOW / A32_PROLOGUE_COST)
		s.max = look->left * A32_PROLOGUE_COST;
	found = search(&s, thumb);
	charge(look, s.n, A32_PROLOGUE_COST);
	*at = s.err ? 0 : s.pc;
	if (s.err)
		return PROLOGUE_NONE;
	if (s.joined)
		return PROLOGUE_RECORD;
	if (!found)
		return s.straight || s.over ? PROLOGUE_FAR : PROLOGUE_NONE;
	if (!a32_prologue_end(s.pc, thumb, abi))
		return PROLOGUE_OTHER;
	if (s.straight)
		return PROLOGUE_RECORD;
	return s.over ? PROLOGUE_LIKELY : PROLOGUE_BEFORE;
}

enum a32_prologue a32_prologue_before(u32 pc, bool thumb, u32 abi, struct a32_look *look, u32 *at)
{
	return near(pc, thumb, abi, look, NULL, at);
}

static struct a32_extent *extent_of(struct a32_look *look, u32 entry)
{
	return &look->extent[entry * 0x9e3779b1 >> (32 - A32_EXTENT_BITS)];
}

/*
 * Look back as far as to what is known to be of the function at an entry, or to
 * its prologue. Something on the way looks like a push of lr, and may be data, or
 * another function: that begins there, if nothing before it branches to what is
 * behind it.
 */
static bool reaches_entry(struct search *s, u32 entry, bool thumb)
{
	while (search(s, thumb)) {
		if (s->joined)
			return true;
		if (s->pc - entry < ENTRY_TO_PUSH)
			return s->straight;
		s->straight = false;
		s->low = s->pc + (thumb ? 2 : 4);
	}
	return !s->err && s->straight && s->pc == s->stop && s->stop != entry;
}

/* Go on from where an earlier look back from the same address has ended. */
static void resume(struct search *s, const struct a32_extent *extent)
{
	s->from = extent->from;
	s->pc = extent->at;
	s->straight = !extent->low;
	s->low = extent->low;
	/* What is known behind the address says nothing of it. */
	s->known = NULL;
}

/* Look back from @s->pc, some way. What comes of it is noted in @extent. */
static bool look_back(struct search *s, struct a32_extent *extent, bool thumb)
{
	bool is_one = reaches_entry(s, extent->entry & ~1, thumb);

	if (s->err || (s->joined && !extent->end))
		return is_one;
	extent->from = 0;
	if (s->n >= s->max) {
		extent->from = s->from;
		extent->at = s->pc;
		extent->low = s->straight ? 0 : s->low;
		return false;
	}
	if (is_one && !extent->end) {
		extent->push = s->pc;
		is_one = a32_prologue_end(s->pc, thumb, s->abi);
	}
	if (is_one) {
		extent->end = s->from;
	} else {
		extent->not_from = s->straight ? s->from : s->low;
		extent->not_to = s->from;
	}
	return is_one;
}

/*
 * Is all from an entry to an address one function? It is larger than the window,
 * so that it is gone through once only, and not all of it in one walk: until it
 * has been, the answer is no, and @at is 0 as that is not for ever.
 */
static bool is_one_function(u32 entry, u32 pc, bool thumb, u32 abi, struct a32_look *look,
			    const struct a32_found *known, u32 *at)
{
	struct a32_extent *kept = extent_of(look, entry | thumb);
	struct a32_extent extent = { look->tag, entry | thumb };
	struct search s = {
		.pc = pc, .from = pc, .stop = entry, .max = FAR_LOOKS, .straight = true,
		.abi = abi, .tag = look->tag, .known = known,
	};
	bool is_one;

	if (kept->tag == extent.tag && kept->entry == extent.entry)
		extent = *kept;
	*at = extent.push;
	if (pc <= extent.end)
		return true;
	*at = pc;
	if (extent.not_to && pc - extent.not_from <= extent.not_to - extent.not_from)
		return false;
	if (extent.end && !(pc <= extent.from && extent.at <= extent.end))
		s.stop = extent.end;
	if (pc <= extent.from)
		resume(&s, &extent);
	is_one = look_back(&s, &extent, thumb);
	/* What branches over an end of the code may stand in what is known. */
	if (!is_one && !s.err && !extent.from && s.stop != entry) {
		s = (struct search){
			.pc = pc, .from = pc, .stop = entry, .n = s.n, .max = FAR_LOOKS,
			.straight = true, .abi = abi,
		};
		is_one = look_back(&s, &extent, thumb);
	}
	charge(look, s.n, FAR_COST);
	if (s.err || extent.from)
		*at = 0;
	else if (is_one && extent.push)
		*at = extent.push;
	if (look->keeps && !s.err && (extent.end || extent.not_to || extent.from))
		*kept = extent;
	return is_one;
}

static u32 entry_of_caller(u32 at)
{
	u32 ra, err = 0;

	if (at & 3)
		return 0;
	a32_load32(at, &ra, &err);
	return err || !ra || (ra & 3) == 2 ? 0 : a32_call_target(ra);
}

static bool is_padding_thumb(u32 h)
{
	return !h || h == 0xbf00 || h == 0x46c0;
}

/* The end of Thumb code before ARM code: "bx lr" and "pop {.., pc}", and no ARM code */
static bool ends_in_thumb(u32 w)
{
	u32 h = is_padding_thumb(w >> 16) ? w & 0xffff : w >> 16;

	return h == 0x4770 || (h & 0xff00) == 0xbd00;
}

/* Does code end right before an address, but for "mov r0, r0", "nop" and 0? */
static bool ends_before_arm(u32 pc)
{
	u32 w = 0, n, err = 0;

	for (n = 0; n < PADDING && (!w || w == 0xe320f000 || w == 0xe1a00000); n++) {
		pc -= 4;
		a32_load32(pc, &w, &err);
	}
	return !err && (leaves_arm(w) || ends_in_thumb(w));
}

static bool ends_before_thumb(u32 pc)
{
	u32 h1, h2 = 0, n, err = 0;

	for (n = 0; n < PADDING && is_padding_thumb(h2); n++) {
		pc -= 2;
		a32_load16(pc, &h2, &err);
	}
	a32_load16(pc - 2, &h1, &err);
	return !err && leaves_thumb(a32_thumb_is_wide(h1) ? h1 : h2, h2);
}

/* Does another function begin between two addresses? */
static bool is_apart(u32 low, u32 high, bool thumb, struct a32_look *look)
{
	struct search s = { .pc = high & -4, .from = high & -4, .stop = low & -4 };
	bool found;

	s.max = look->left < A32_PROLOGUE_WINDOW ? look->left : A32_PROLOGUE_WINDOW;
	found = search(&s, thumb);
	charge(look, s.n, A32_PROLOGUE_COST);
	return found;
}

bool a32_prologue_is_entry(u32 pc, bool thumb, u32 ra, struct a32_look *look)
{
	u32 high = pc > ra ? pc : ra, low = pc > ra ? ra : pc;

	if (!thumb && pc & 2)
		return false;
	if (!is_apart(low, high, thumb, look) &&
	    ((ra & 1) == thumb || !is_apart(low, high, ra & 1, look)))
		return false;
	return thumb ? ends_before_thumb(pc) : ends_before_arm(pc);
}

static enum a32_prologue evidence(u32 pc, bool thumb, u32 abi, u32 ra, struct a32_look *look,
				  const struct a32_found *known, u32 *at)
{
	u32 entry = entry_of_caller(ra);
	const struct a32_extent *kept = extent_of(look, entry);
	bool is_near = entry && (entry & 1) == thumb && pc - entry < FUNCTION_MAX;
	enum a32_prologue found;

	if (is_near && kept->tag == look->tag && kept->entry == entry && pc <= kept->end) {
		*at = kept->push;
		return PROLOGUE_RECORD;
	}
	found = near(pc, thumb, abi, look, known, at);
	if (!is_near)
		return found;
	if (found == PROLOGUE_FAR && is_one_function(entry & ~1, pc, thumb, abi, look, known, at))
		return PROLOGUE_RECORD;
	if (found == PROLOGUE_LIKELY && *at - (entry & ~1) < ENTRY_TO_PUSH)
		return PROLOGUE_RECORD;
	return found;
}

enum a32_prologue a32_prologue_evidence(u32 pc, bool thumb, u32 abi, u32 ra,
					struct a32_look *look, u32 *at)
{
	return evidence(pc, thumb, abi, ra, look, look->found, at);
}

enum a32_prologue a32_prologue_find(u32 pc, bool thumb, u32 abi, u32 ra, struct a32_look *look,
				    u32 *at)
{
	return evidence(pc, thumb, abi, ra, look, NULL, at);
}
