/* SPDX-License-Identifier: GPL-2.0 */
/* Where a file itself says that functions begin. */
#ifndef A32_SEEDS_H
#define A32_SEEDS_H

#include "analyse.h"
#include "elf_file.h"
#include "exidx.h"

/**
 * struct seeds - entries of functions
 * @nr: entries
 * @room: entries that fit
 * @seed: them, in ascending order, one an address
 */
struct seeds {
	size_t nr;
	size_t room;
	struct seed *seed;
};

/**
 * seeds_collect() - list them
 * @file: the file: its symbols, entry point, arrays of constructors, and
 *	relocated pointers to what looks like a function
 * @debug: its debug file, for the symbols; may be without a handle
 * @exidx: its index, for what its entries begin with
 * @seeds: the result
 */
void seeds_collect(const struct elf_file *file, const struct elf_file *debug,
		   const struct exidx *exidx, struct seeds *seeds);
void seeds_free(struct seeds *seeds);

#endif
