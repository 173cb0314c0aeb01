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
 * @space: the process
 * @start: first address
 * @end: address behind the last one
 * @new: what is mapped there now, sorted, within @start and @end
 * @nr: how many
 *
 * Takes over the references of @new to their files; mappings that go away
 * give theirs back after a grace period.
 *
 * Context: process, may sleep; the caller excludes other changes of @space.
 * Return: 0, or -ENOMEM with nothing changed and @new's references kept
 */
int a32_ranges_splice(struct a32_space *space, u32 start, u32 end,
		      const struct a32_range *new, u32 nr);

/**
 * a32_ranges_changed() - forget what is known of a process's return addresses
 * @space: the process, whose mappings or rules have changed
 *
 * What they led to may only be let go afterwards.
 */
void a32_ranges_changed(struct a32_space *space);

/**
 * a32_ranges_free() - free a map, and give the references of its mappings back
 * @map: a map that no walk can see any more, or NULL
 *
 * Context: process, or softirq.
 */
void a32_ranges_free(const struct a32_map *map);

#endif
