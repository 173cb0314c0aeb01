/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call frame information against the code that it is about. It is wrong at some
 * instructions: GCC says nothing of an epilogue that raises sp in two steps, LLVM of
 * no epilogue at all, and who writes it by hand forgets a pop.
 */
#ifndef A32_WITNESS_H
#define A32_WITNESS_H

#include "analyse.h"

/**
 * struct witness - code that is asked about call frame information
 * @image: the file
 * @functions: its functions
 * @use_code: rows may be what the code says
 * @corrected: bytes of code that got what the code says, so far
 * @doubted: bytes of code that got A32_TABLE_STOP, so far
 */
struct witness {
	const struct image *image;
	const struct functions *functions;
	bool use_code;
	uint64_t corrected;
	uint64_t doubted;
};

/**
 * witness_hear() - make rows for what the code says otherwise
 * @w: the code
 * @f: a function
 * @cfi: what call frame information says
 * @rows: gets rows from @f->start to @f->end, to be laid over @cfi: A32_TABLE_NO_DATA
 *	where the code bears that out, or knows nothing; what the code says where both
 *	can't be true; and A32_TABLE_STOP where that isn't certain either
 */
void witness_hear(struct witness *w, const struct function *f, const struct rows *cfi,
		  struct rows *rows);

#endif
