/* SPDX-License-Identifier: GPL-2.0 */
/* Memory, or the end of the program */
#ifndef A32_ANALYSE_MEMORY_H
#define A32_ANALYSE_MEMORY_H

#include <err.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline void *zeroes(size_t nr, size_t size)
{
	void *p = calloc(nr, size);

	if (!p)
		errx(1, "out of memory");
	return p;
}

/* An array that has room for one more */
static inline void *room_for(void *array, uint32_t nr, uint32_t *room, size_t size)
{
	if (nr < *room)
		return array;
	*room = *room ? *room * 2 : 64;
	array = reallocarray(array, *room, size);
	if (!array)
		errx(1, "out of memory");
	return array;
}

#endif
