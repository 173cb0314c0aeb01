// SPDX-License-Identifier: GPL-2.0
/*
 * signals [-d DIR] [-t MS] [-p PERIOD_NS] [-s] [NAME...]
 *
 * Samples signal handlers: the chain has to go from the handler through its
 * trampoline to the interrupted pc and on to that one's callers. What was
 * interrupted is known from the program's own log (struct page_signal). -s
 * shows what the stock walker gives; nothing is judged then. With NAMEs (of the
 * programs), only these.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl.h"
#include "handled.h"
#include "kselftest.h"
#include "missed.h"
#include "patience.h"
#include "tagging.h"

#define MIN_SAMPLES	50
#define MIN_SIGNALS	150
#define MIN_BYTES	(128 << 10)	/* of samples: some hundreds */
#define MAX_ROUNDS	200
#define MAX_PROGRAMS	16

static const char *dir = "targets";
static unsigned int run_ms = 100;
static uint64_t period_ns = 299993;
static bool stock;
static int ctl = -1;

/* As in targets/sig.c: restorer, sigframe, stack, source. */
static const char *const scenarios[][4] = {
	{ "glibc", "plain", "main", "timer" },
	{ "glibc", "rt", "main", "timer" },
	{ "kernel", "plain", "main", "timer" },
	{ "kernel", "rt", "main", "timer" },
	{ "arm", "plain", "main", "timer" },
	{ "arm", "rt", "main", "timer" },
	{ "thumb1", "plain", "main", "timer" },
	{ "thumb1", "rt", "main", "timer" },
	{ "thumb2", "plain", "main", "timer" },
	{ "thumb2", "rt", "main", "timer" },
	{ "oabi", "plain", "main", "forever" },
	{ "oabi", "rt", "main", "forever" },
	{ "glibc", "rt", "main", "udf" },
	{ "kernel", "plain", "main", "udf" },
	{ "glibc", "rt", "main", "first" },
	{ "kernel", "plain", "main", "first" },
	{ "glibc", "rt", "main", "nested" },
	{ "kernel", "plain", "main", "nested" },
	{ "glibc", "rt", "alt", "timer" },
	{ "kernel", "plain", "alt", "nested" },
	{ "glibc", "rt", "down", "timer" },
	{ "kernel", "plain", "down", "nested" },
};

#define SCENARIOS	(sizeof(scenarios) / sizeof(scenarios[0]))

static bool is_good(const struct handled *self, uint64_t missed)
{
	const unsigned int *body = self->count[HANDLER_BODY];
	unsigned int place, wrong = 0, cut = 0;

	for (place = 0; place < HANDLED_PLACES; place++) {
		wrong += self->count[place][EXPECT_WRONG];
		/* Without its signal frame, a trampoline is just code of no ABI. */
		if (place != TRAMPOLINE)
			cut += self->count[place][EXPECT_SHORT];
	}
	return wrong + body[EXPECT_SHORT] <= missed && body[EXPECT_EXACT] >= MIN_SAMPLES &&
	       cut <= ctl_gave_up(ctl) + missed;
}

/* Longer where the machine is slow; a handler that never returns is the only one. */
static void wait_for_signals(const struct sampled *run, bool forever)
{
	unsigned int i;

	for (i = 0; i < MAX_ROUNDS * patience(); i++) {
		usleep(run_ms * 1000);
		if (perfring_waiting(run->ring) < MIN_BYTES)
			continue;
		if (forever ||
		    __atomic_load_n(&run->page->signals, __ATOMIC_ACQUIRE) >= MIN_SIGNALS)
			break;
	}
}

static void run(const char *program, const char *const sc[4])
{
	struct handled self = { .stock = stock };
	uint64_t missed = ctl_missed(ctl);
	struct perf_event_attr attr;
	char name[128];
	bool good;

	snprintf(name, sizeof(name), "%.63s %s %s %s %s", program, sc[0], sc[1], sc[2], sc[3]);
	perfring_cpu_clock(&attr, period_ns);
	if (ctl >= 0)
		ctl_reset_stats(ctl);
	if (handled_start(&self, dir, program, sc, &attr)) {
		ksft_test_result_fail("%s\n", name);
		return;
	}

	good = !handled_prepare(&self, dir, sc[2]);
	wait_for_signals(&self.run, !strcmp(sc[3], "forever"));
	/* All at once, at the end: a sample can be older than its log entry. */
	if (good)
		sampled_stop(&self.run, handled_judge, &self);
	handled_print(&self, ctl, name);
	good = good && (stock || is_good(&self, missed_since(ctl, missed, name)));
	__atomic_store_n(&self.run.page->stop, 1, __ATOMIC_RELEASE);
	ksft_test_result(!sampled_end(&self.run) && good, "%s\n", name);
}

int main(int argc, char **argv)
{
	char names[MAX_PROGRAMS][TAGGING_NAME];
	unsigned int i, j, nr;
	int opt;

	while ((opt = getopt(argc, argv, "d:t:p:s")) != -1) {
		if (opt == 'd')
			dir = optarg;
		else if (opt == 't')
			run_ms = strtoul(optarg, NULL, 0);
		else if (opt == 'p')
			period_ns = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			stock = true;
		else
			return 2;
	}

	ksft_print_header();
	ctl = ctl_open();
	if (ctl < 0 && !stock)
		ksft_exit_skip("no %s: load the module first\n", CTL_DEVICE);
	if (!stock && tagging_all(ctl, dir))
		ksft_exit_fail_msg("can't tag what is in %s: %m\n", dir);

	nr = tagging_list(dir, "sig-", &argv[optind], names, MAX_PROGRAMS);
	if (ctl >= 0)
		ctl_set_enabled(ctl, !stock);
	ksft_set_plan(nr * SCENARIOS);
	for (i = 0; i < nr; i++) {
		for (j = 0; j < SCENARIOS; j++)
			run(names[i], scenarios[j]);
	}
	if (ctl >= 0)
		ctl_set_enabled(ctl, 1);
	ksft_finished();
}
