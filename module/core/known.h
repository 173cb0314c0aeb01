/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What earlier walks have found out. Most of a chain is the same from one
 * sample to the next, and so is most code from one instruction to the next.
 */
#ifndef A32_CORE_KNOWN_H
#define A32_CORE_KNOWN_H

#include "map.h"
#include "rule.h"

enum {
	A32_KNOWN_BITS	= 10,
	A32_KNOWN	= 1 << A32_KNOWN_BITS,	/* return addresses */
	A32_LINE	= 64,			/* bytes of code in a line */
	A32_LINES_BITS	= 9,
	A32_WAYS	= 4,			/* rules that a line may have at a time */
	A32_FOUND	= A32_WAYS << A32_LINES_BITS,
};

#define A32_TAG_NONE	0xffffffff	/* the last tag of all: nothing is kept with it */

/**
 * struct a32_known - a return address that has passed
 * @ra: the address; bit 0 set in Thumb
 * @tag: of the process's mappings and rules at that time: it changes with
 *	every change of them and is never used again; 0 in an empty entry
 * @rule: how its frame is followed: a record's rule, or one of a file's table; one
 *	that stops for code without an ABI
 * @code: what is mapped there
 *
 * It says: @ra is in an executable mapping, a call precedes it, it is no
 * signal trampoline, and the function there has made its record, if @rule is
 * one's.
 */
struct a32_known {
	u32 ra;
	u32 tag;
	const struct a32_rule *rule;
	struct a32_code *code;
};

/**
 * enum a32_place - where in its function a frame is
 * @PLACE_ARM: a sampled or interrupted one, at a pc
 * @PLACE_THUMB: the same in Thumb
 * @PLACE_CALL: one that has called, at its return address
 * @PLACE_CALL_THUMB: the same in Thumb
 */
enum a32_place { PLACE_ARM, PLACE_THUMB, PLACE_CALL, PLACE_CALL_THUMB };

/**
 * struct a32_found - what scans have found for a line of code
 * @line: its address, a multiple of A32_LINE, and the enum a32_place
 * @tag: see struct a32_known
 * @mask: a bit for each halfword of the line at which @rule holds
 * @code: what is mapped there
 * @rule: the rule
 *
 * Only results that follow from the code alone are kept.
 */
struct a32_found {
	u32 line;
	u32 tag;
	u32 mask;
	struct a32_code *code;
	struct a32_rule rule;
};

/* Knuth's multiplicative hash; the upper bits are the good ones */
static inline u32 a32_known_index(u32 ra)
{
	return ra * 0x9e3779b1 >> (32 - A32_KNOWN_BITS);
}

static inline u32 a32_found_index(u32 line)
{
	return (line * 0x9e3779b1 >> (32 - A32_LINES_BITS)) * A32_WAYS;
}

static inline u32 a32_found_line(u32 pc, enum a32_place place)
{
	return (pc & -A32_LINE) | place;
}

/* Does an entry say anything of @pc, which lies in @line? */
static __always_inline bool a32_found_has(const struct a32_found *found, u32 tag, u32 line,
					  u32 pc)
{
	return found->line == line && found->mask >> (pc / 2 % (A32_LINE / 2)) & 1 &&
	       found->tag == tag;
}

/* a32_found_at() in the ways that are left; @found is the first one */
const struct a32_found *a32_found_further(const struct a32_found *found, u32 tag, u32 line,
					  u32 pc);

/**
 * a32_found_at() - look up a rule
 * @found: A32_FOUND entries
 * @tag: see struct a32_known
 * @pc: the address, bit 0 clear
 * @place: the place
 *
 * Return: NULL when nothing has been found there yet
 */
static __always_inline const struct a32_found *a32_found_at(const struct a32_found *found, u32 tag,
							    u32 pc, enum a32_place place)
{
	u32 line = a32_found_line(pc, place);

	found += a32_found_index(line);
	if (likely(a32_found_has(found, tag, line, pc)))
		return found;
	return a32_found_further(found, tag, line, pc);
}

/**
 * a32_found_add() - keep a rule
 * @found: A32_FOUND entries
 * @it: the rule, tag and code; line and mask don't matter
 * @start: the first address that it holds at, bit 0 clear
 * @end: the one behind the last
 * @place: the place
 */
void a32_found_add(struct a32_found *found, const struct a32_found *it, u32 start, u32 end,
		   enum a32_place place);

/* The same for some halfwords of a line, a bit each */
void a32_found_add_mask(struct a32_found *found, const struct a32_found *it, u32 line, u32 mask);

#endif
