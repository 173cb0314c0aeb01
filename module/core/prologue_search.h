/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The search for a prologue: back over the code, word by word, from an address.
 * For prologue_search.c, and prologue_evidence.c, which goes on where a function is
 * large.
 */
#ifndef A32_CORE_PROLOGUE_SEARCH_H
#define A32_CORE_PROLOGUE_SEARCH_H

#include "prologue.h"

/**
 * struct a32_search - a look back from an address
 * @pc: the word or halfword looked at
 * @from: the address
 * @stop: where to end, when nothing is found before
 * @n: how many have been looked at
 * @max: how many may be
 * @err: the code can't be read any further
 * @straight: what is at @pc is of one function with what is at @from: it runs on
 *	to there, or branches over each end of the code in between
 * @low: else the lowest address that is
 * @abi: the frame ABI there
 * @known: what earlier scans have found, or NULL
 * @tag: its tag
 * @joined: @straight, and at @pc the record is known to be complete
 * @over: there is something like a branch over @from, from before its piece of
 *	the code: within a function, or to another; or a jump by a table
 */
struct a32_search {
	u32 pc;
	u32 from;
	u32 stop;
	u32 n;
	u32 max;
	u32 err;
	bool straight;
	u32 low;
	bool over;
	u32 abi;
	const struct a32_found *known;
	u32 tag;
	bool joined;
};

/* Go back to what saves lr, or to the end of the search. Return whether there is something. */
bool a32_search_back(struct a32_search *s, bool thumb);

/* As a32_prologue_before(); and PROLOGUE_RECORD where @known says that the record is complete */
enum a32_prologue a32_search_near(u32 pc, bool thumb, u32 abi, struct a32_look *look,
				  const struct a32_found *known, u32 *at);

#endif
