/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return addresses that have passed all checks before. Most of a chain is the
 * same from one sample to the next.
 */
#ifndef A32_CORE_KNOWN_H
#define A32_CORE_KNOWN_H

#include "map.h"
#include "rule.h"

enum {
	A32_KNOWN_BITS	= 10,
	A32_KNOWN	= 1 << A32_KNOWN_BITS,	/* return addresses */
	A32_FOUND_BITS	= 9,
	A32_FOUND	= 1 << A32_FOUND_BITS,	/* rules */
};

#define A32_TAG_NONE	0xffffffff	/* the last tag of all: nothing is kept with it */

/**
 * struct a32_known - a return address that has passed
 * @ra: the address; bit 0 set in Thumb
 * @tag: of the process's mappings and rules at that time: it changes with
 *	every change of them and is never used again; 0 in an empty entry
 * @rule: how its frame is followed; NULL for code without an ABI
 * @code: what is mapped there
 *
 * It says: @ra is in an executable mapping, a call precedes it, it is no
 * signal trampoline, and the function there has made its record.
 */
struct a32_known {
	u32 ra;
	u32 tag;
	const struct a32_rule *rule;
	struct a32_code *code;
};

/**
 * struct a32_found - what a scan has found
 * @key: pc of a sampled or interrupted frame, or ~pc of one that has called;
 *	bit 0 is set, or clear then, in Thumb
 * @tag: see struct a32_known
 * @stop: A32_STOP_NR, or why there is no rule
 * @code: what is mapped there
 * @rule: the rule
 *
 * Only results that follow from the code alone are kept.
 */
struct a32_found {
	u32 key;
	u32 tag;
	u32 stop;
	struct a32_code *code;
	struct a32_rule rule;
};

/* Knuth's multiplicative hash; the upper bits are the good ones */
static inline u32 a32_known_index(u32 ra)
{
	return ra * 0x9e3779b1 >> (32 - A32_KNOWN_BITS);
}

static inline struct a32_found *a32_found_slot(struct a32_found *found, u32 key)
{
	return &found[key * 0x9e3779b1 >> (32 - A32_FOUND_BITS)];
}

#endif
