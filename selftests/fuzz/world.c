// SPDX-License-Identifier: GPL-2.0
/*
 * Walks through worlds as walk_random makes them, with unwind tables and with functions
 * in which the true chain is known. The input is what random.h gives, as long as
 * there is some of it.
 */
#include "../host/laws.h"
#include "fuzz.h"

enum { SAMPLES = 2 };		/* of an input */

static struct world world;
static u64 may_load;
static struct fuzz_input left;

/* ../host/random.c under other names: what an input is too short for */
void more_seed(u64 seed);
void more_fill(void *bytes, u32 len);
u32 more32(void);

u32 random32(void)
{
	return left.size ? fuzz_u32(&left) : more32();
}

u32 random_below(u32 below)
{
	if (left.size && below <= 0x100)
		return fuzz_u8(&left) * below >> 8;
	if (left.size && below <= 0x10000)
		return (u64)fuzz_u16(&left) * below >> 16;
	return (u64)random32() * below >> 32;
}

/* The input is for what matters more. */
void random_fill(void *bytes, u32 len)
{
	more_fill(bytes, len);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct world *w = &world;
	u32 i;

	left = (struct fuzz_input){ data, size };
	more_seed(fuzz_u16(&left));
	w->with_tables = random_below(2);
	world_make(w);
	for (i = 0; i < SAMPLES; i++) {
		world_sample(w);
		w->truth.nr = 0;
		if (w->is_sane && w->nr_spots)
			world_thread(w);
		laws_check(w, random_below(4) ? MAX_ROOM : 1 + random_below(MAX_ROOM));
		world_change(w);
	}
	for (i = 0; i < LAWS; i++)
		LAW(!law_totals.broken[i]);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("walks", &law_totals.walks);
	fuzz_figure("entries", &law_totals.entries);
	fuzz_figure("most words read by a walk", &law_totals.max_loads);
	may_load = laws_most_loads(MAX_ROOM);
	fuzz_figure("words that a walk may read", &may_load);
	return 0;
}
