/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STOCK_UTIL_H
#define STOCK_UTIL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define die(...)					\
	do {						\
		fprintf(stderr, "judge: " __VA_ARGS__);	\
		fputc('\n', stderr);			\
		exit(2);				\
	} while (0)

/*
 * Room for one more item behind @nr of them; grows at powers of two. The
 * result is zeroed.
 */
static inline void *grow(void *array, size_t nr, size_t size)
{
	if (!(nr & (nr - 1)))
		array = realloc(array, (nr ? 2 * nr : 1) * size);
	if (!array)
		die("out of memory");
	memset((char *)array + nr * size, 0, size);
	return array;
}

#endif /* STOCK_UTIL_H */
