// SPDX-License-Identifier: GPL-2.0
/*
 * walk_random [WORLDS [SEED]]
 *
 * Walks through what is almost code: real instructions in any order, branches
 * and jump tables to anywhere, bits flipped, parts that can't be read, and
 * registers and stacks that sometimes fit. No chain is right or wrong there,
 * but every walk must end in time, keep to its rules, and say nothing else for
 * what earlier walks have left behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include "laws.h"
#include "tap.h"

enum { SAMPLES = 24 };		/* in a world */

static struct world world;

static void sample(struct world *w)
{
	u32 room = random_below(4) ? MAX_ROOM : 1 + random_below(MAX_ROOM);

	world_sample(w);
	w->truth.nr = 0;
	if (w->is_sane && w->nr_spots)
		world_thread(w);
	laws_check(w, room);
}

int main(int argc, char **argv)
{
	u32 worlds = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000, i, j;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 5;

	tap_plan(LAWS);
	tap_note("%u worlds, seed %llu", worlds, (unsigned long long)seed);
	random_seed(seed);
	for (i = 0; i < worlds; i++) {
		world.with_tables = i >= worlds - worlds / 5;
		world_make(&world);
		for (j = 0; j < SAMPLES; j++) {
			sample(&world);
			world_change(&world);
		}
	}
	tap_note("%llu walks, %llu entries, at most %llu loads of %llu",
		 (unsigned long long)law_totals.walks, (unsigned long long)law_totals.entries,
		 (unsigned long long)law_totals.max_loads,
		 (unsigned long long)laws_most_loads(MAX_ROOM));
	for (i = 0; i < LAWS; i++) {
		if (law_totals.broken[i])
			tap_note("%u walks broke it", law_totals.broken[i]);
		tap_result(!law_totals.broken[i], "%s", law_names[i]);
	}
	return tap_status();
}
