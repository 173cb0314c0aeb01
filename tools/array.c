// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "array.h"
#include "msg.h"

void *array_grow(void *items, size_t nr, size_t *room, size_t size)
{
	if (nr < *room)
		return items;
	*room = *room * 2 + 64;
	items = reallocarray(items, *room, size);
	if (!items)
		msg_no_memory();
	return items;
}
