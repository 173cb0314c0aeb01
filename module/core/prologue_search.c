// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "prologue_search.h"

enum {
	BRANCH_OVER	= 1 << 16,	/* bytes that a branch within a function goes */
	HALVES		= 16,		/* halfwords that may pair up */
	IT_COST		= 10,		/* halfwords looked at for an IT */
	PADDING		= 8,		/* words, or halfwords, between functions */
	TABLE_MAX	= 512,		/* entries looked at */
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
static bool joins_known(struct a32_search *s, bool thumb)
{
	const struct a32_found *found;

	if (!s->straight || !s->known)
		return false;
	found = a32_found_at(s->known, s->tag, s->pc, thumb);
	s->joined = found && is_of_record(&found->rule, a32_abi_rule(s->abi));
	return s->joined;
}

/* Does a table lead to what is known to be of the same function? It ends where code begins. */
static bool table_joins(struct a32_search *s, const struct a32_insn *i, u32 low)
{
	u32 size = i->imm == TABLE_BYTES ? 1 : 2, end = U32_MAX, n, to;

	if (i->imm != TABLE_BYTES && i->imm != TABLE_HALVES)
		return false;
	for (n = 0; n < TABLE_MAX && i->target + n * size < end; n++) {
		s->n++;
		if (!a32_insn_table_entry(i, n, &to))
			return false;
		if (to - low <= s->from - low)
			return true;
		if (to < end)
			end = to;
	}
	return false;
}

/* Is a branch at s->pc one to what is known to be of the same function? */
static bool joins(struct a32_search *s, const struct a32_insn *i, u32 low)
{
	s->over |= i->op == OP_JUMP_TABLE || (i->op == OP_BRANCH_REG && i->rm != LR);
	if (i->op == OP_JUMP_TABLE)
		return table_joins(s, i, low);
	if (i->op != OP_BRANCH)
		return false;
	s->over |= i->target - s->from < BRANCH_OVER;
	return i->target - low <= s->from - low;
}

static void at_end_of_code(struct a32_search *s, const struct a32_insn *i)
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
static bool may_be_thumb(const struct a32_search *s)
{
	return s->stop && !(always(s->pc - 4) && always(s->pc + 4));
}

static bool may_be_arm(const struct a32_search *s)
{
	u32 at = s->pc & ~3;

	return s->stop && always(at) && (always(at - 4) || always(at + 4));
}

static bool search_arm(struct a32_search *s)
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

/* b<cond>, b, cbz and cbnz, and the first half of their wide forms, and of tbb and tbh */
static bool may_branch_thumb(u32 h)
{
	return (h & 0xf000) == 0xd000 || (h & 0xf800) == 0xe000 || (h & 0xf500) == 0xb100 ||
	       (h & 0xf800) == 0xf000 || h == 0xe8df;
}

/*
 * Is a halfword the second half of a wide instruction? What does not look like
 * a first half ends an instruction, and from there on they pair up.
 */
static bool is_second_half(struct a32_search *s)
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
static bool is_within_wide(struct a32_search *s)
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
static bool has_condition(struct a32_search *s)
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

static void search_at(struct a32_search *s, u32 h, u32 behind)
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

static bool search_thumb(struct a32_search *s)
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

bool a32_search_back(struct a32_search *s, bool thumb)
{
	return thumb ? search_thumb(s) : search_arm(s);
}

enum a32_prologue a32_search_near(u32 pc, bool thumb, u32 abi, struct a32_look *look,
				  const struct a32_found *known, u32 *at)
{
	struct a32_search s = {
		.pc = pc, .from = pc, .max = A32_PROLOGUE_WINDOW, .straight = true,
		.abi = abi, .tag = look->tag, .known = known,
	};
	bool found;

	if (look->left < A32_PROLOGUE_WINDOW / A32_PROLOGUE_COST)
		s.max = look->left * A32_PROLOGUE_COST;
	found = a32_search_back(&s, thumb);
	a32_look_charge(look, s.n / A32_PROLOGUE_COST);
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
	return a32_search_near(pc, thumb, abi, look, NULL, at);
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
	struct a32_search s = { .pc = high & -4, .from = high & -4, .stop = low & -4 };
	bool found;

	s.max = look->left < A32_PROLOGUE_WINDOW ? look->left : A32_PROLOGUE_WINDOW;
	found = a32_search_back(&s, thumb);
	a32_look_charge(look, s.n / A32_PROLOGUE_COST);
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
