/* SPDX-License-Identifier: GPL-2.0 */
/* One function's rows from its machine code and .ARM.exidx together. */
#ifndef A32_COMBINE_H
#define A32_COMBINE_H

#include <stdbool.h>

#include "analyse.h"
#include "exidx.h"

/**
 * struct combination - what there is to combine
 * @image: the file
 * @functions: all of its functions
 * @exidx: its index; without entries when it is not to be used
 * @use_code: is what the code says to be used on its own?
 * @nr_conflicts: functions of which the code says what can't be, so far
 */
struct combination {
	const struct image *image;
	const struct functions *functions;
	const struct exidx *exidx;
	bool use_code;
	size_t nr_conflicts;
};

/**
 * combine() - make rows for one function
 * @c: what there is
 * @f: the function
 * @rows: gets rows from @f->start on
 *
 * The index is right at calls only: it knows neither prologues nor epilogues.
 * So a row is the code's wherever the code is decided, and the index's at a
 * call where it isn't. The code's rows get A32_TABLE_EXIDX as their source
 * when the index says the same at every call. When it says something else at
 * one of them, or the code says that lr is not saved there, none of the code's
 * rows is used: they are A32_TABLE_STOP.
 */
void combine(struct combination *c, const struct function *f, struct rows *rows);

#endif
