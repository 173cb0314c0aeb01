// SPDX-License-Identifier: GPL-2.0
/*
 * flow [-d DIR] [-t MS] [-p PERIOD_NS] [NAME...]
 *
 * Samples the flow-* programs, whose control does not just go from caller to
 * callee and back: coroutines, longjmp(), the kernel's helper page and vdso,
 * system calls, thread starts, veneers. With NAMEs, only these.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl.h"
#include "kselftest.h"
#include "missed.h"
#include "patience.h"
#include "sampled.h"
#include "tagging.h"

#define MIN_SAMPLES	500
#define MIN_KERNEL	30	/* in each of the kernel's own pages */
#define MAX_ROUNDS	10
#define MAX_PROGRAMS	16
#define SHOW		3
#define VECTORS		0xffff0000

static const char *dir = "targets";
static unsigned int run_ms = 1000;
static uint64_t period_ns = 199999;	/* no divisor of a loop's time */
static int ctl = -1;

/* Where chains can begin, besides main */
static const char *const roots[] = { "main", "thread", "cloned", "co", "asmco" };

#define ROOTS	(sizeof(roots) / sizeof(roots[0]))

/*
 * Where a sample lies: in a function's body, or a leaf; elsewhere; where stacks are
 * switched; in the kernel's page of helpers; in the vdso; in libc.
 */
enum place { BODY, EDGE, SWITCH, HELPER, VDSO, FOREIGN, PLACE_NR };

static const char *const place_names[PLACE_NR] = {
	"body", "edge", "switch", "helper", "vdso", "foreign",
};

struct result {
	struct sampled run;
	unsigned int count[PLACE_NR][EXPECT_VERDICT_NR];
	unsigned int shown[PLACE_NR][EXPECT_VERDICT_NR];
	unsigned int unknown;
};

static bool is_in(const struct result *self, uint32_t addr, const char *name)
{
	char symbol[128], *at;

	expect_symbol(self->run.expect, addr, symbol, sizeof(symbol));
	at = strchr(symbol, ' ');
	return at && !strncmp(at + 1, name, strlen(name));
}

static enum place place_of(const struct result *self, uint32_t pc)
{
	enum expect_class class = expect_class(self->run.expect, pc);

	if (pc >= VECTORS)
		return HELPER;
	if (expect_is_vdso(self->run.expect, pc))
		return VDSO;
	if (class == EXPECT_FOREIGN)
		return FOREIGN;
	if (is_in(self, pc, "co_switch"))
		return SWITCH;
	return class == EXPECT_BODY || class == EXPECT_FRAMELESS ? BODY : EDGE;
}

/* Whose stack is it? Its functions may be called on several. */
static unsigned int own_chain(const struct result *self, const struct perfring_sample *sample,
			      uint32_t *want)
{
	uint32_t in_stack = sample->regs[13] - self->run.page->asmco_stack;
	unsigned int i, nr = 0;

	if (in_stack < ASMCO_STACK && is_in(self, sample->user[0], "co_switch"))
		return expect_chain(self->run.expect, sample->user[0], "asmco", NULL, 0, want);
	for (i = 0; i < ROOTS && !nr; i++)
		nr = expect_chain(self->run.expect, sample->user[0], roots[i], NULL, 0, want);
	/* What a coroutine of libc's returns to hasn't called it. */
	return nr && want[nr - 1] == self->run.page->co_ra ? nr - 1 : nr;
}

/* Called by @caller, perhaps through functions of the vdso itself */
static unsigned int chain_from(const struct result *self, const struct perfring_sample *sample,
			       const char *caller, uint32_t *want)
{
	unsigned int nr = 0;

	want[nr] = sample->user[nr];
	for (nr++; nr < sample->user_nr && nr < 3; nr++) {
		if (!expect_is_vdso(self->run.expect, sample->user[nr]))
			break;
		want[nr] = sample->user[nr];
	}
	/* Short, or wrong: then anything else will do. */
	if (nr == sample->user_nr || !is_in(self, sample->user[nr], caller)) {
		want[nr++] = 0;
		return nr;
	}
	return nr + expect_chain(self->run.expect, sample->user[nr], "main", NULL, 0, want + nr);
}

static void count(struct result *self, const struct perfring_sample *sample, enum place place,
		  const uint32_t *want, unsigned int nr)
{
	enum expect_verdict verdict;
	unsigned int i;

	verdict = expect_compare(want, nr, sample->user, sample->user_nr);
	self->count[place][verdict]++;
	if (verdict == EXPECT_EXACT || place == FOREIGN ||
	    self->shown[place][verdict]++ >= SHOW)
		return;
	printf("# %s chain, %s, %s mode; expected, sampled:\n", expect_verdict_names[verdict],
	       place_names[place], sample->user_mode ? "user" : "kernel");
	expect_print(self->run.expect, want, nr, sample->user, sample->user_nr);
	for (i = 0; i < 16; i++)
		printf("%s r%u %llx%s", i ? "" : "#  ", i, (unsigned long long)sample->regs[i],
		       i < 15 ? "" : "\n");
}

static void judge(const struct perfring_sample *sample, void *arg)
{
	struct result *self = arg;
	uint32_t want[EXPECT_MAX + 4];
	unsigned int nr = 0;
	enum place place;

	if (!sample->user_nr || !sample->regs)
		return;
	place = place_of(self, sample->user[0]);
	switch (place) {
	case HELPER:
		nr = chain_from(self, sample, "call_", want);
		break;
	case VDSO:
		/* libc calls it, too. */
		if (sample->user_nr < 2 ||
		    !expect_is_foreign(self->run.expect, sample->user, sample->user_nr))
			nr = chain_from(self, sample, "call_vdso", want);
		break;
	case FOREIGN:
		want[nr++] = sample->user[0];
		break;
	default:
		nr = own_chain(self, sample, want);
	}
	if (nr)
		count(self, sample, place, want, nr);
	else
		self->unknown++;
}

static int prepare(struct result *self)
{
	struct expect *expect = self->run.expect;
	const struct page *page = self->run.page;

	return expect_read_edges(expect, dir, "flow.edges") ||
	       expect_root(expect, "main", page->main_ra) ||
	       expect_root(expect, "thread", page->thread_ra) ||
	       expect_root(expect, "cloned", page->clone_ra) ||
	       expect_root(expect, "co", page->co_ra) ||
	       expect_root(expect, "asmco", page->asmco_ra) || expect_resolve(expect);
}

static unsigned int samples(const struct result *self, enum place place)
{
	const unsigned int *count = self->count[place];

	return count[EXPECT_EXACT] + count[EXPECT_SHORT] + count[EXPECT_WRONG];
}

static bool is_enough(const struct result *self)
{
	return samples(self, BODY) >= MIN_SAMPLES && samples(self, HELPER) >= MIN_KERNEL &&
	       samples(self, VDSO) >= MIN_KERNEL;
}

static bool is_good(const struct result *self, uint64_t missed)
{
	unsigned int place, wrong = 0;

	for (place = 0; place < PLACE_NR; place++)
		wrong += self->count[place][EXPECT_WRONG];
	return wrong <= missed && is_enough(self) && self->count[HELPER][EXPECT_SHORT] <= missed &&
	       (self->count[BODY][EXPECT_EXACT] + missed) * 100 >= samples(self, BODY) * 99 &&
	       (self->count[VDSO][EXPECT_EXACT] + missed) * 100 >= samples(self, VDSO) * 90;
}

static void print(const struct result *self, const char *name)
{
	unsigned int place;

	printf("# %s: unknown %u\n", name, self->unknown);
	for (place = 0; place < PLACE_NR; place++) {
		const unsigned int *count = self->count[place];

		printf("# %s: %s exact %u short %u wrong %u\n", name, place_names[place],
		       count[EXPECT_EXACT], count[EXPECT_SHORT], count[EXPECT_WRONG]);
	}
	tagging_print_stops(ctl, name);
}

static void test(char *program)
{
	char *argv[] = { program, NULL };
	struct result self = {};
	uint64_t missed = ctl_missed(ctl);
	struct perf_event_attr attr;
	unsigned int i;
	int status;
	bool good;

	perfring_cpu_clock(&attr, period_ns);
	attr.sample_regs_user = PERFRING_REGS;
	ctl_reset_stats(ctl);
	if (sampled_start(&self.run, dir, argv, &attr)) {
		ksft_test_result_fail("%s\n", program);
		return;
	}
	good = !prepare(&self);
	for (i = 0; good && i < MAX_ROUNDS * patience() && !is_enough(&self); i++)
		sampled_read(&self.run, run_ms, judge, &self);
	if (good)
		sampled_stop(&self.run, judge, &self);
	print(&self, program);
	__atomic_store_n(&self.run.page->stop, 1, __ATOMIC_RELEASE);
	status = sampled_end(&self.run);
	if (status)
		printf("# %s: ended with status %#x\n", program, status);
	missed = missed_since(ctl, missed, program);
	ksft_test_result(good && !status && is_good(&self, missed), "%s\n", program);
}

int main(int argc, char **argv)
{
	char names[MAX_PROGRAMS][TAGGING_NAME];
	unsigned int i, nr;
	int opt;

	while ((opt = getopt(argc, argv, "d:t:p:")) != -1) {
		if (opt == 'd')
			dir = optarg;
		else if (opt == 't')
			run_ms = strtoul(optarg, NULL, 0);
		else if (opt == 'p')
			period_ns = strtoul(optarg, NULL, 0);
		else
			return 2;
	}
	ksft_print_header();
	ctl = ctl_open();
	if (ctl < 0)
		ksft_exit_skip("no %s: load the module first\n", CTL_DEVICE);
	if (tagging_all(ctl, dir))
		ksft_exit_fail_msg("can't tag what is in %s: %m\n", dir);
	nr = tagging_list(dir, "flow-", &argv[optind], names, MAX_PROGRAMS);
	ksft_set_plan(nr);
	for (i = 0; i < nr; i++)
		test(names[i]);
	ksft_finished();
}
