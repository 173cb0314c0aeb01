// SPDX-License-Identifier: GPL-2.0
#include "known.h"

const struct a32_found *a32_found_further(const struct a32_found *found, u32 tag, u32 line,
					  u32 pc)
{
	u32 way;

	for (way = 1; way < A32_WAYS; way++) {
		if (a32_found_has(&found[way], tag, line, pc))
			return &found[way];
	}
	return NULL;
}

/*
 * The entry to put a line's rule into: one of the same rule, or one of another
 * time, or the one that has stood longest. The first way is the one that is cheap
 * to look at.
 */
static struct a32_found *entry_for(struct a32_found *set, u32 line, const struct a32_found *it)
{
	u32 way, stale = A32_WAYS;

	for (way = A32_WAYS; way-- > 0;) {
		if (set[way].tag != it->tag)
			stale = way;
		else if (set[way].line == line &&
			 !memcmp(&set[way].rule, &it->rule, sizeof(it->rule)))
			return &set[way];
	}
	if (stale == A32_WAYS) {
		stale = A32_WAYS - 1;
		memmove(&set[1], &set[0], stale * sizeof(set[0]));
		stale = 0;
	}
	set[stale] = *it;
	set[stale].line = line;
	set[stale].mask = 0;
	return &set[stale];
}

void a32_found_add_mask(struct a32_found *found, const struct a32_found *it, u32 line, u32 mask)
{
	if (mask)
		entry_for(&found[a32_found_index(line)], line, it)->mask |= mask;
}

void a32_found_add(struct a32_found *found, const struct a32_found *it, u32 start, u32 end,
		   enum a32_place place)
{
	u32 first, last, at;

	for (; start != end; start = at) {
		at = (start & -A32_LINE) + A32_LINE;
		if (end - start < at - start)
			at = end;
		first = start / 2 % (A32_LINE / 2);
		last = (at - 2) / 2 % (A32_LINE / 2);
		a32_found_add_mask(found, it, (start & -A32_LINE) | place,
				   (2u << last) - (1u << first));
	}
}
