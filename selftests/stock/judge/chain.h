/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STOCK_CHAIN_H
#define STOCK_CHAIN_H

#include "process.h"

/* kernel.perf_event_max_stack, as the script guest sets it */
#define MAX_STACK	1024

/**
 * enum verdict - what a chain is
 * @OUTERMOST: it gets to where its thread begins
 * @LIMIT: it has as many entries as perf records
 * @EARLY: it ends before that
 * @IMPOSSIBLE: an entry is no code, or not behind a call
 * @GAP: an entry is behind a call that doesn't lead to the entry above it
 */
enum verdict { OUTERMOST, LIMIT, EARLY, IMPOSSIBLE, GAP, NR_VERDICTS };

#define VERDICT_NAMES	{ "outermost", "limit", "early", "impossible", "gap" }

/**
 * struct chain - the user's part of a chain
 * @proc: whose
 * @ips: its entries, the sampled one first; with or without the Thumb bit
 * @nr: how many, at least 1
 * @full: perf recorded as much as it does
 */
struct chain {
	const struct process *proc;
	const uint64_t *ips;
	size_t nr;
	bool full;
};

/* Callers that were checked by where a call leads to, and ones that can't be. */
extern unsigned long chain_checked, chain_unchecked;

/* @bad: the entry that is impossible, or the caller that isn't one; not set otherwise. */
enum verdict chain_judge(const struct chain *chain, size_t *bad);

/* The file that an entry is in, or NULL, and where in it; without a file, the address itself. */
struct file *chain_place(const struct chain *chain, size_t entry, uint32_t *offset);

#endif /* STOCK_CHAIN_H */
