/* SPDX-License-Identifier: GPL-2.0 */
/* What holds for every walk, whatever it walks through */
#ifndef A32_LAWS_H
#define A32_LAWS_H

#include "world.h"

enum law {
	LAW_ENTRIES,
	LAW_LOADS,
	LAW_ALIGNMENT,
	LAW_COUNTS,
	LAW_WANTED,
	LAW_REPEATS,
	LAW_TRUE,
	LAW_WARM,
	LAWS,
};

extern const char *const law_names[LAWS];

/**
 * struct law_totals - of all walks so far
 * @broken: walks that broke each law; the first ones are told with tap_note()
 * @walks: walks
 * @entries: entries of their chains
 * @loads: reads of user memory
 * @max_loads: the most that one did
 */
struct law_totals {
	u32 broken[LAWS];
	u64 walks;
	u64 entries;
	u64 loads;
	u64 max_loads;
};

extern struct law_totals law_totals;

/* Reads of user memory that a walk may do at most; @room is entries */
u64 laws_most_loads(u32 room);

/**
 * laws_check() - walk, and see what holds
 * @w: the process, with registers; with the true chain where that is known
 * @room: entries that fit, 1 to MAX_ROOM
 *
 * Three walks: with what earlier ones in @w have found, and two without.
 */
void laws_check(struct world *w, u32 room);

#endif
