/* SPDX-License-Identifier: GPL-2.0 */
/* Words of a file that may be the addresses of functions */
#ifndef A32_ANALYSE_POINTERS_H
#define A32_ANALYSE_POINTERS_H

#include "image.h"

/**
 * struct range - the code of a segment
 * @first: where its first function begins
 * @last: behind what is known of the last one
 */
struct range {
	uint32_t first;
	uint32_t last;
};

/**
 * pointers_read() - list what may be pointers
 * @image: the file
 * @code: of each segment; where there is none, @first isn't less than @last
 * @found: is told of each, labels and data included
 * @data: for it
 *
 * A file that is loaded anywhere has relocations for them. One that isn't may have
 * them in any word beside its code.
 */
void pointers_read(const struct image *image, const struct range *code,
		   void (*found)(void *data, uint32_t addr), void *data);

#endif
