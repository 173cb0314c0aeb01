/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRUTH_UTIL_H
#define TRUTH_UTIL_H

#include <stdio.h>
#include <stdlib.h>

#define die(...)					\
	do {						\
		fprintf(stderr, "truth: " __VA_ARGS__);	\
		fputc('\n', stderr);			\
		exit(2);				\
	} while (0)

/*
 * Room for one more item behind @nr of them; grows at powers of two. The
 * result is zeroed.
 */
void *grow(void *array, size_t nr, size_t size);

#endif /* TRUTH_UTIL_H */
