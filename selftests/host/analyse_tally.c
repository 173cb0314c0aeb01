// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyse_tally.h"

const char *const verdict_names[NR_VERDICTS] = {
	"agree", "stop", "no data", "lost", "differ", "cfi early", "cfi stale", "cfi wrong",
};

static uint64_t sum(const struct tally *tally)
{
	uint64_t all = 0;
	int i;

	for (i = 0; i < NR_VERDICTS; i++)
		all += tally->bytes[i];
	return all;
}

/* A function that wasn't found has no data at all. */
static const char *name_of(const struct tally *tally, int verdict)
{
	return verdict == NO_DATA && tally->bytes[verdict] == sum(tally) ? "not found" :
									   verdict_names[verdict];
}

static void flush(struct tally *tally)
{
	int i;

	if (!tally->name)
		return;
	tally->nr++;
	tally->same += tally->bytes[AGREE] == sum(tally);
	for (i = AGREE + 1; i < NR_VERDICTS; i++) {
		if (tally->bytes[i])
			printf("function\t%s\t%s\t%" PRIu64 "\n", name_of(tally, i), tally->name,
			       tally->bytes[i]);
	}
	memset(tally->bytes, 0, sizeof(tally->bytes));
}

void tally_add(struct tally *tally, const char *name, enum verdict verdict, uint32_t bytes)
{
	if (!tally->name || strcmp(tally->name, name)) {
		flush(tally);
		tally->name = name;
	}
	tally->bytes[verdict] += bytes;
}

void tally_end(struct tally *tally)
{
	flush(tally);
	printf("functions\t%" PRIu64 "\t%" PRIu64 "\n", tally->nr, tally->same);
}
