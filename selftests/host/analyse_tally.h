/* SPDX-License-Identifier: GPL-2.0 */
/* What comes of a comparison function by function, for selftests/tables */
#ifndef A32_ANALYSE_TALLY_H
#define A32_ANALYSE_TALLY_H

#include "analyse_cfi.h"

/**
 * struct tally - a file's functions, in ascending order
 * @name: the one that is looked at now
 * @bytes: of it, for each verdict
 * @nr: functions before it
 * @same: those of them with nothing but AGREE
 */
struct tally {
	const char *name;
	uint64_t bytes[NR_VERDICTS];
	uint64_t nr;
	uint64_t same;
};

void tally_add(struct tally *tally, const char *name, enum verdict verdict, uint32_t bytes);

/* To stdout, separated by tabs: "function", verdict, name, bytes; then "functions", all, same */
void tally_end(struct tally *tally);

extern const char *const verdict_names[NR_VERDICTS];

#endif
