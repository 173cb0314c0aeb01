/* SPDX-License-Identifier: GPL-2.0 */
/* judge - figures and verdicts over the samples of one program. */
#ifndef _JUDGE_H
#define _JUDGE_H

#include "expect.h"
#include "sampled.h"

/**
 * struct judge - what came out
 * @run: the program; its expect is resolved
 * @stock: the stock walker made the chains: return addresses keep bit 0, and
 *	nothing is printed for wrong ones
 * @count: samples by class of the pc and verdict
 * @empty: samples without a user chain: the task has no user memory (yet)
 * @unknown: pc in a function of a table that no root leads to: start-up code
 * @shown: the same, of chains that deserve to be printed; the first ones are
 */
struct judge {
	const struct sampled *run;
	bool stock;
	unsigned int count[EXPECT_CLASS_NR][EXPECT_VERDICT_NR];
	unsigned int empty;
	unsigned int unknown;
	unsigned int shown[EXPECT_CLASS_NR][EXPECT_VERDICT_NR];
};

/* A perfring_fn; @arg is a struct judge. */
void judge_sample(const struct perfring_sample *sample, void *arg);

unsigned int judge_total(const struct judge *self, enum expect_verdict verdict);
void judge_print(const struct judge *self, const char *name);

#endif /* _JUDGE_H */
