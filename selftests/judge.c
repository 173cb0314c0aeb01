// SPDX-License-Identifier: GPL-2.0
#include "judge.h"

#include <stdio.h>

#define SHOW	3

static void show(struct judge *self, const struct perfring_sample *sample,
		 enum expect_class class, enum expect_verdict verdict,
		 const uint32_t *want, unsigned int want_nr)
{
	unsigned int i;

	if (self->stock || self->shown[class][verdict]++ >= SHOW)
		return;
	printf("# %s chain, pc in %s, sampled in %s mode; expected, sampled:\n",
	       expect_verdict_names[verdict], expect_class_names[class],
	       sample->user_mode ? "user" : "kernel");
	expect_print(self->run->expect, want, want_nr, sample->user, sample->user_nr);
	for (i = 0; sample->regs && i < 16; i++)
		printf("%s r%u %llx%s", i ? "" : "#  ", i,
		       (unsigned long long)sample->regs[i], i < 15 ? "" : "\n");
}

/* Code without an ABI is not walked. */
static enum expect_verdict foreign(struct judge *self,
				   const struct perfring_sample *sample)
{
	uint32_t pc = sample->user[0];

	if (expect_is_foreign(self->run->expect, sample->user, sample->user_nr))
		return EXPECT_SHORT;
	show(self, sample, EXPECT_FOREIGN, EXPECT_WRONG, &pc, 1);
	return EXPECT_WRONG;
}

void judge_sample(const struct perfring_sample *sample, void *arg)
{
	struct judge *self = arg;
	const struct expect *expect = self->run->expect;
	enum expect_verdict verdict;
	uint32_t want[EXPECT_MAX];
	enum expect_class class;
	unsigned int nr;

	if (!sample->user_nr) {
		self->empty++;
		return;
	}

	class = expect_class(expect, sample->user[0]);
	if (class == EXPECT_FOREIGN) {
		self->count[class][foreign(self, sample)]++;
		return;
	}

	nr = expect_chain(expect, sample->user[0],
			  sample->tid == sample->pid ? "main" : "thread",
			  sample->user, sample->user_nr, want);
	if (!nr) {
		self->unknown++;
		return;
	}
	if (self->stock)
		perfring_clear_thumb_bits(sample);
	verdict = expect_compare(want, nr, sample->user, sample->user_nr);
	self->count[class][verdict]++;
	if (verdict == EXPECT_WRONG || (verdict == EXPECT_SHORT && class == EXPECT_BODY))
		show(self, sample, class, verdict, want, nr);
}

unsigned int judge_total(const struct judge *self, enum expect_verdict verdict)
{
	unsigned int class, total = 0;

	for (class = 0; class < EXPECT_CLASS_NR; class++)
		total += self->count[class][verdict];
	return total;
}

void judge_print(const struct judge *self, const char *name)
{
	const struct perfring_counts *ring = perfring_counts(self->run->ring);
	unsigned int class;

	printf("# %s: samples %llu lost %llu empty %u unknown %u\n", name,
	       (unsigned long long)ring->samples, (unsigned long long)ring->lost,
	       self->empty, self->unknown);
	for (class = 0; class < EXPECT_CLASS_NR; class++) {
		const unsigned int *count = self->count[class];

		if (count[EXPECT_EXACT] + count[EXPECT_SHORT] + count[EXPECT_WRONG])
			printf("# %s: %s exact %u short %u wrong %u\n", name,
			       expect_class_names[class], count[EXPECT_EXACT],
			       count[EXPECT_SHORT], count[EXPECT_WRONG]);
	}
}
