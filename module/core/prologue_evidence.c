// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "prologue_search.h"

enum {
	ENTRY_TO_PUSH	= 48,		/* bytes from a function's entry to the save of lr */
	FAR_COST	= 16,		/* words that cost as much as a scan's instruction */
	FAR_LOOKS	= 1024,		/* words looked at for a large function at a time */
	FUNCTION_MAX	= 1 << 17,	/* bytes */
};

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
static bool reaches_entry(struct a32_search *s, u32 entry, bool thumb)
{
	while (a32_search_back(s, thumb)) {
		if (s->joined)
			return true;
		if (s->pc - entry < ENTRY_TO_PUSH)
			return s->straight;
		s->straight = false;
		s->low = s->pc + (thumb ? 2 : 4);
	}
	return !s->err && s->straight && s->pc == s->stop && s->stop != entry;
}

/* Go on from where an earlier look back has ended. */
static void resume(struct a32_search *s, const struct a32_extent *extent)
{
	s->from = extent->from;
	s->pc = extent->at;
	s->straight = !extent->low;
	s->low = extent->low;
	/* What is known behind the address says nothing of it. */
	s->known = NULL;
}

/* Look back from @s->pc, some way. What comes of it is noted in @extent. */
static bool look_back(struct a32_search *s, struct a32_extent *extent, bool thumb)
{
	u32 entry = extent->entry & ~1;
	bool is_one = reaches_entry(s, entry, thumb);

	/* What branches over an end of the code may stand in what is known. */
	if (!is_one && s->pc == s->stop && s->n < s->max) {
		s->stop = entry;
		is_one = reaches_entry(s, entry, thumb);
	}
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

/* Has a look back found that it can't be told whether an address is of the function? */
static bool is_unknown(const struct a32_extent *extent, u32 pc)
{
	return extent->not_to && pc - extent->not_from <= extent->not_to - extent->not_from;
}

/*
 * Is all from an entry to an address one function? It is larger than the window,
 * so that it is gone through once only, and not all of it in one walk: who asks
 * next goes on with it, even from another address, so that it comes to its end.
 * Until it has, the answer is no, and @at is 0 as that is not for ever.
 */
static bool is_one_function(u32 entry, u32 pc, bool thumb, u32 abi, struct a32_look *look,
			    const struct a32_found *known, u32 *at)
{
	struct a32_extent *kept = extent_of(look, entry | thumb);
	struct a32_extent extent = { look->tag, entry | thumb };
	struct a32_search s = {
		.pc = pc, .from = pc, .stop = entry, .max = FAR_LOOKS, .straight = true,
		.abi = abi, .tag = look->tag, .known = known,
	};
	bool is_one;

	if (kept->tag == extent.tag && kept->entry == extent.entry)
		extent = *kept;
	*at = pc;
	if (is_unknown(&extent, pc))
		return false;
	if (extent.from)
		resume(&s, &extent);
	if (extent.end && s.pc > extent.end)
		s.stop = extent.end;
	is_one = look_back(&s, &extent, thumb);
	a32_look_charge(look, s.n / FAR_COST);
	is_one &= pc <= s.from;
	if (is_one && extent.push)
		*at = extent.push;
	else if (!is_one && !is_unknown(&extent, pc))
		*at = 0;
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
	found = a32_search_near(pc, thumb, abi, look, known, at);
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
