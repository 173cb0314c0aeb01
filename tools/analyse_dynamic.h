/* SPDX-License-Identifier: GPL-2.0 */
/* What a file's dynamic section says */
#ifndef A32_ANALYSE_DYNAMIC_H
#define A32_ANALYSE_DYNAMIC_H

#include "image.h"

/**
 * struct dynamic - addresses and sizes of what the dynamic linker uses; 0 for what there isn't
 * @rel: relocations
 * @rel_size: their bytes
 * @plt: relocations of the procedure linkage table
 * @plt_size: their bytes
 * @symbols: symbols
 * @strings: their names
 * @init: the function that initializes the file
 * @fini: the one that ends it
 */
struct dynamic {
	uint32_t rel;
	uint32_t rel_size;
	uint32_t plt;
	uint32_t plt_size;
	uint32_t symbols;
	uint32_t strings;
	uint32_t init;
	uint32_t fini;
};

void dynamic_read(struct dynamic *d, const struct image *image);

#endif
