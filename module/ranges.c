// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "core/known.h"
#include "file.h"
#include "ranges.h"

#define CHUNK_MAX	50	/* ranges; a chunk is just above 1000 bytes then */
#define CHUNK_FILL	38	/* ranges in each when one is split */

/* No tag comes twice: after 2^32 changes, nothing is kept from walk to walk. */
static atomic_t last_tag = ATOMIC_INIT(0);

void a32_ranges_changed(struct a32_space *space)
{
	u32 tag = atomic_fetch_add_unless(&last_tag, 1, A32_TAG_NONE);

	if (tag != A32_TAG_NONE)
		tag++;
	/* A walk that sees the tag sees the change: pairs with a32_walk(). */
	smp_store_release(&space->tag, tag);
}

struct chunk_mem {
	struct rcu_head rcu;
	struct a32_chunk chunk;
};

struct map_mem {
	struct rcu_head rcu;
	struct a32_map map;
};

static struct a32_chunk *chunk_new(const struct a32_range *range, u32 nr)
{
	struct chunk_mem *mem = kmalloc(sizeof(*mem) + nr * sizeof(*range), GFP_KERNEL_ACCOUNT);

	if (!mem)
		return NULL;
	mem->chunk.nr = nr;
	memcpy(mem->chunk.range, range, nr * sizeof(*range));
	return &mem->chunk;
}

static struct chunk_mem *chunk_mem(const struct a32_chunk *chunk)
{
	return container_of(chunk, struct chunk_mem, chunk);
}

static struct a32_map *map_new(u32 nr)
{
	struct map_mem *mem = kvzalloc(sizeof(*mem) + nr * sizeof(struct a32_slot),
				       GFP_KERNEL_ACCOUNT);

	if (!mem)
		return NULL;
	mem->map.nr = nr;
	return &mem->map;
}

static struct map_mem *map_mem(const struct a32_map *map)
{
	return container_of(map, struct map_mem, map);
}

struct a32_map *a32_ranges_new(void)
{
	struct a32_map *map = map_new(1);

	if (!map)
		return NULL;
	map->slot[0].chunk = chunk_new(NULL, 0);
	if (map->slot[0].chunk)
		return map;
	kvfree(map_mem(map));
	return NULL;
}

void a32_ranges_free(const struct a32_map *map)
{
	u32 s, i;

	if (!map)
		return;
	for (s = 0; s < map->nr; s++) {
		const struct a32_chunk *chunk = map->slot[s].chunk;

		for (i = 0; i < chunk->nr; i++)
			a32_file_put(a32_code_file(chunk->range[i].code));
		kfree(chunk_mem(chunk));
	}
	kvfree(map_mem(map));
}

/**
 * struct splice - one change
 * @map: the map as it is
 * @first: first slot touched
 * @last: last slot touched
 * @start: first address replaced
 * @end: address behind the last one
 * @nr: ranges in these slots afterwards
 * @range: they
 */
struct splice {
	const struct a32_map *map;
	u32 first;
	u32 last;
	u32 start;
	u32 end;
	u32 nr;
	struct a32_range *range;
};

static bool overlaps(const struct splice *s, const struct a32_range *range)
{
	return range->start < s->end && range->end > s->start;
}

#define for_each_old(s, chunk, slot, i)					\
	for ((slot) = (s)->first; (slot) <= (s)->last; (slot)++)	\
		for ((i) = 0, (chunk) = (s)->map->slot[slot].chunk; (i) < (chunk)->nr; (i)++)

static bool is_no_change(const struct splice *s, const struct a32_range *new, u32 nr)
{
	const struct a32_chunk *chunk;
	u32 slot, i, n = 0;

	for_each_old(s, chunk, slot, i) {
		if (!overlaps(s, &chunk->range[i]))
			continue;
		if (n == nr || memcmp(&chunk->range[i], &new[n++], sizeof(*new)))
			return false;
	}
	return n == nr;
}

/* Keep what a range has in [start, end). */
static void keep(struct splice *s, const struct a32_range *range, u32 start, u32 end)
{
	struct a32_range *r = &s->range[s->nr++];

	*r = *range;
	r->pgoff += (start - range->start) >> PAGE_SHIFT;
	r->start = start;
	r->end = end;
}

static int collect(struct splice *s, const struct a32_range *new, u32 nr)
{
	const struct a32_chunk *chunk;
	u32 slot, i, room = nr + 1;

	for (slot = s->first; slot <= s->last; slot++)
		room += s->map->slot[slot].chunk->nr;
	s->range = kvmalloc_array(room, sizeof(*s->range), GFP_KERNEL);
	if (!s->range)
		return -ENOMEM;
	for_each_old(s, chunk, slot, i) {
		if (chunk->range[i].start < s->start)
			keep(s, &chunk->range[i], chunk->range[i].start,
			     min(chunk->range[i].end, s->start));
	}
	memcpy(s->range + s->nr, new, nr * sizeof(*new));
	s->nr += nr;
	for_each_old(s, chunk, slot, i) {
		if (chunk->range[i].end > s->end)
			keep(s, &chunk->range[i], max(chunk->range[i].start, s->end),
			     chunk->range[i].end);
	}
	return 0;
}

static int replace_chunk(struct splice *s)
{
	/* A slot is the one thing in a map that may change. */
	struct a32_slot *slot = (struct a32_slot *)&s->map->slot[s->first];
	const struct a32_chunk *old = slot->chunk;
	struct a32_chunk *chunk = chunk_new(s->range, s->nr);

	if (!chunk)
		return -ENOMEM;
	/* Pairs with the address dependency in a32_space_span(). */
	smp_store_release(&slot->chunk, chunk);
	kvfree_rcu(chunk_mem(old), rcu);
	return 0;
}

static bool fill_chunks(struct splice *s, struct a32_map *map, u32 nr)
{
	u32 i, at = 0;

	for (i = 0; i < nr; i++) {
		u32 count = min_t(u32, s->nr - at, CHUNK_FILL);
		struct a32_slot *slot = &map->slot[s->first + i];

		slot->start = i ? s->range[at].start : s->map->slot[s->first].start;
		slot->chunk = chunk_new(s->range + at, count);
		if (!slot->chunk) {
			while (i--)
				kfree(chunk_mem(map->slot[s->first + i].chunk));
			return false;
		}
		at += count;
	}
	return true;
}

static int replace_map(struct splice *s, const struct a32_map **where)
{
	const struct a32_map *old = s->map;
	struct a32_map *map;
	u32 tail = old->nr - s->last - 1, nr, slot;

	nr = max_t(u32, DIV_ROUND_UP(s->nr, CHUNK_FILL), 1);
	map = map_new(s->first + nr + tail);
	if (!map)
		return -ENOMEM;
	memcpy(map->slot, old->slot, s->first * sizeof(*map->slot));
	memcpy(map->slot + s->first + nr, old->slot + s->last + 1, tail * sizeof(*map->slot));
	if (!fill_chunks(s, map, nr)) {
		kvfree(map_mem(map));
		return -ENOMEM;
	}
	/* Pairs with the address dependency in a32_space_span(). */
	smp_store_release(where, map);
	for (slot = s->first; slot <= s->last; slot++)
		kvfree_rcu(chunk_mem(old->slot[slot].chunk), rcu);
	kvfree_rcu(map_mem(old), rcu);
	return 0;
}

/* The one that the change cuts in two: its pieces need a reference each. */
static struct a32_file *find_split(const struct splice *s)
{
	const struct a32_chunk *chunk;
	u32 slot, i;

	for_each_old(s, chunk, slot, i) {
		if (chunk->range[i].start < s->start && chunk->range[i].end > s->end)
			return a32_code_file(chunk->range[i].code);
	}
	return NULL;
}

static u32 collect_gone(const struct splice *s, struct a32_file **gone)
{
	const struct a32_chunk *chunk;
	u32 slot, i, nr = 0;

	for_each_old(s, chunk, slot, i) {
		if (chunk->range[i].start < s->start || chunk->range[i].end > s->end ||
		    !overlaps(s, &chunk->range[i]))
			continue;
		if (gone)
			gone[nr] = a32_code_file(chunk->range[i].code);
		nr++;
	}
	return nr;
}

static void put_all(struct a32_file **file, u32 nr)
{
	while (nr--)
		a32_file_put(file[nr]);
}

static int splice(struct splice *s, struct a32_space *space)
{
	struct a32_file **gone, *split = find_split(s);
	u32 nr_gone = collect_gone(s, NULL);
	int err;

	gone = kvmalloc_array(nr_gone + 1, sizeof(*gone), GFP_KERNEL);
	if (!gone)
		return -ENOMEM;
	collect_gone(s, gone);
	/* The old chunks are not ours to read once they are replaced. */
	if (split)
		refcount_inc(&split->ref);
	if (s->first == s->last && s->nr <= CHUNK_MAX)
		err = replace_chunk(s);
	else
		err = replace_map(s, &space->map);
	/* A walk that still trusts what it knows must have begun before they go. */
	if (!err)
		a32_ranges_changed(space);
	if (!err)
		put_all(gone, nr_gone);
	else if (split)
		a32_file_put(split);
	kvfree(gone);
	return err;
}

int a32_ranges_splice(struct a32_space *space, u32 start, u32 end,
		      const struct a32_range *new, u32 nr)
{
	const struct a32_map *map = space->map;
	struct splice s = {
		.map = map, .start = start, .end = end,
		.first = a32_map_slot(map, start), .last = a32_map_slot(map, end - 1),
	};
	int err;

	if (is_no_change(&s, new, nr)) {
		while (nr--)
			a32_file_put(a32_code_file(new[nr].code));
		return 0;
	}
	err = collect(&s, new, nr);
	if (err)
		return err;
	err = splice(&s, space);
	kvfree(s.range);
	return err;
}
