/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return addresses that have passed all checks before. Most of a chain is the
 * same from one sample to the next.
 */
#ifndef A32_CORE_KNOWN_H
#define A32_CORE_KNOWN_H

#include "map.h"
#include "rule.h"

enum { A32_KNOWN = 256 };	/* entries; a power of 2 */

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

static inline struct a32_known *a32_known_slot(struct a32_known *known, u32 ra)
{
	return &known[(ra >> 1 ^ ra >> 10) % A32_KNOWN];
}

#endif
