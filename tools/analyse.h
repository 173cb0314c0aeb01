/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What machine code alone says of its frames: sp, lr, r7 and r11 are followed
 * from a function's entry along every way through it.
 */
#ifndef A32_ANALYSE_H
#define A32_ANALYSE_H

#include "image.h"
#include "rows.h"

/**
 * struct function - code from an entry up to the next function's
 * @start: its first address, bit 0 clear
 * @end: address behind its last byte, literals included
 * @thumb: it is entered in Thumb state
 * @called: it is entered by calls; what isn't is a part of another function
 *	that was put elsewhere, as ".text.unlikely" is
 */
struct function {
	uint32_t start;
	uint32_t end;
	bool thumb;
	bool called;
};

struct inflow;
struct pads;
struct returns;

/**
 * struct functions - all functions of a file
 * @nr: functions
 * @function: in ascending order, without overlap
 * @nr_inflows: number of @inflow
 * @inflow: jumps from one function into another, in ascending order
 * @returns: which functions return
 * @pads: where exceptions lead
 */
struct functions {
	size_t nr;
	struct function *function;
	size_t nr_inflows;
	struct inflow *inflow;
	struct returns *returns;
	struct pads *pads;
};

/**
 * struct seed - a place that something says is a function's entry
 * @addr: bit 0 set in Thumb
 * @size: bytes as a symbol says, or 0
 */
struct seed {
	uint32_t addr;
	uint32_t size;
};

/**
 * analyse_find() - find a file's functions
 * @image: the file
 * @seed: entries from symbols, exidx, CFI, e_entry, relocated pointers
 * @nr: number of @seed
 * @functions: the result; what calls and pointers lead to is added to @seed
 */
void analyse_find(const struct image *image, const struct seed *seed, size_t nr,
		  struct functions *functions);

/**
 * functions_free() - free what analyse_find() made
 * @functions: its result
 */
void functions_free(struct functions *functions);

/**
 * analyse_function() - rows for all of a function's code
 * @image: the file
 * @functions: all of its functions, so that tail calls are known
 * @f: the function
 * @rows: gets its rows, from @f->start on; where the ways through the code
 *	disagree, or none leads to, A32_TABLE_STOP or A32_TABLE_NO_DATA
 */
void analyse_function(const struct image *image, const struct functions *functions,
		      const struct function *f, struct rows *rows);

#endif
