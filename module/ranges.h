/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes of a struct a32_map. Its readers are walks in hard interrupt
 * context; what is replaced lives for another grace period.
 */
#ifndef A32_RANGES_H
#define A32_RANGES_H

#include "core/map.h"

/**
 * a32_ranges_new() - make an empty map
 *
 * Return: NULL without memory
 */
struct a32_map *a32_ranges_new(void);

/**
 * a32_ranges_splice() - replace all that is mapped between two addresses
 * @map: the map
 * @start: first address
 * @end: address behind the last one
 * @new: what is mapped there now, sorted, within @start and @end
 * @nr: how many
 *
 * Takes over the references of @new to their files; mappings that go away
 * give theirs back after a grace period.
 *
 * Context: process, may sleep; the caller excludes other changes of @map.
 * Return: 0, or -ENOMEM with nothing changed and @new's references kept
 */
int a32_ranges_splice(const struct a32_map **map, u32 start, u32 end,
		      const struct a32_range *new, u32 nr);

/**
 * a32_ranges_free() - free a map, and give the references of its mappings back
 * @map: a map that no walk can see any more, or NULL
 *
 * Context: process, or softirq.
 */
void a32_ranges_free(const struct a32_map *map);

#endif
