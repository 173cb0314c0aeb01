// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "util.h"

void *grow(void *array, size_t nr, size_t size)
{
	if (!(nr & (nr - 1)))
		array = realloc(array, (nr ? 2 * nr : 1) * size);
	if (!array)
		die("out of memory");
	memset((char *)array + nr * size, 0, size);
	return array;
}
