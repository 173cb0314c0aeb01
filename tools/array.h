/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_ARRAY_H
#define A32_ARRAY_H

#include <stddef.h>

/**
 * array_grow() - have room for one more item
 * @items: the array, or NULL
 * @nr: how many there are
 * @room: for how many there is memory; 0 at first
 * @size: bytes of one
 *
 * Ends the program without memory.
 *
 * Return: the array, which may have moved
 */
void *array_grow(void *items, size_t nr, size_t *room, size_t size);

#endif
