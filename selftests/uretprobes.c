// SPDX-License-Identifier: GPL-2.0
/*
 * uretprobes [-d DIR] [-t MS] [-p PERIOD_NS] [NAME...]
 *
 * Samples the ret-* programs while the return of most of their functions is
 * probed: nested ones, recursive ones, tail calls, and calls that longjmp() has
 * left. A probe puts the kernel's return address in the place of the true one,
 * and the chain has to have the true one. The samples are of the clock, and of
 * the probes themselves. With NAMEs, only these programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl.h"
#include "judge.h"
#include "kselftest.h"
#include "patience.h"
#include "tagging.h"

#define MIN_SAMPLES	500
#define ENOUGH_SAMPLES	4000
#define MIN_HITS	100
#define MAX_ROUNDS	10
#define MAX_PROGRAMS	16
#define RING_PAGES	64

static const char *dir = "targets";
static unsigned int run_ms = 1000;
static uint64_t period_ns = 199999;	/* no divisor of a loop's time */
static int ctl = -1;

static const char *const ret_names[] = {
	"nested_first", "nested_second", "nested_third", "probed_leaf", "recurse",
	"tail", "tail_target", "variadic", "catch", "throw",
};

#define NAMES	(sizeof(ret_names) / sizeof(ret_names[0]))

static struct perfring *probes[NAMES];

static int uprobe_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	int type = -1;

	if (file && fscanf(file, "%d", &type) != 1)
		type = -1;
	if (file)
		fclose(file);
	return type;
}

/* Where an address of a process is in the file that is mapped there, or 0 */
static uint64_t file_offset(pid_t pid, uint32_t addr)
{
	unsigned long start, end, pgoff;
	uint64_t offset = 0;
	char line[512];
	FILE *maps;

	snprintf(line, sizeof(line), "/proc/%d/maps", pid);
	maps = fopen(line, "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &pgoff) == 3 &&
		    start <= addr && addr < end)
			offset = addr - start + pgoff;
	}
	if (maps)
		fclose(maps);
	return offset;
}

static struct perfring *probe(const struct sampled *run, const char *path, const char *name)
{
	struct perf_event_attr attr;
	uint32_t addr = expect_address(run->expect, name);
	struct perfring *ring;

	perfring_cpu_clock(&attr, 1);
	attr.type = uprobe_type();
	attr.config = 1;		/* of the return */
	attr.config1 = (uintptr_t)path;
	attr.config2 = addr ? file_offset(run->pid, addr) : 0;
	if (!attr.config2)
		return NULL;
	ring = perfring_open(&attr, run->pid, -1, RING_PAGES);
	if (ring)
		perfring_enable(ring);
	return ring;
}

static void end_probes(void)
{
	unsigned int i;

	for (i = 0; i < NAMES; i++) {
		if (probes[i])
			perfring_close(probes[i]);
		probes[i] = NULL;
	}
}

static int start_probes(const struct sampled *run, const char *program)
{
	char path[256];
	unsigned int i;

	snprintf(path, sizeof(path), "%s/%.63s", dir, program);
	for (i = 0; i < NAMES; i++) {
		probes[i] = probe(run, path, ret_names[i]);
		if (!probes[i]) {
			printf("# %s: no probe of %s: %m\n", program, ret_names[i]);
			return -1;
		}
	}
	return 0;
}

static void read_probes(struct judge *hits)
{
	unsigned int i;

	for (i = 0; i < NAMES; i++)
		perfring_read(probes[i], judge_sample, hits);
}

static unsigned int body_samples(const struct judge *judge)
{
	const unsigned int *body = judge->count[EXPECT_BODY];

	return body[EXPECT_EXACT] + body[EXPECT_SHORT] + body[EXPECT_WRONG];
}

static void print(const struct judge *judge, const char *name, const char *what)
{
	char text[128];

	snprintf(text, sizeof(text), "%.63s %s", name, what);
	judge_print(judge, text);
}

/*
 * Until 6.10, the kernel's list of probed calls is not in order for a moment
 * while one returns: the chain ends there, with "uretprobe". And throw() does
 * not return, so that nothing shows its record when a breakpoint hides its push.
 */
static bool is_good(const struct judge *judge, unsigned int least)
{
	const unsigned int *body = judge->count[EXPECT_BODY];
	unsigned int nr = body_samples(judge);

	return nr >= least && body[EXPECT_EXACT] * 100 >= nr * 80 &&
	       !judge_total(judge, EXPECT_WRONG);
}

static void sample(struct sampled *run, struct judge *clock, struct judge *hits)
{
	unsigned int rounds = MAX_ROUNDS * patience(), i;

	run->page->go = 1;
	/* Until a probe has been hit, its function's prologue is hidden: chains are short. */
	for (i = 0; i < rounds && (i < 2 || body_samples(clock) < ENOUGH_SAMPLES); i++) {
		sampled_read(run, run_ms, judge_sample, clock);
		read_probes(hits);
	}
	sampled_stop(run, judge_sample, clock);
}

static int prepare(struct sampled *run, const char *program)
{
	return expect_read_edges(run->expect, dir, "ret.edges") ||
	       expect_root(run->expect, "main", run->page->main_ra) ||
	       expect_resolve(run->expect) || start_probes(run, program);
}

static void test(char *program)
{
	char *argv[] = { program, NULL };
	struct perf_event_attr attr;
	struct sampled run;
	struct judge clock = { .run = &run }, hits = { .run = &run };
	int status;
	bool good;

	perfring_cpu_clock(&attr, period_ns);
	attr.sample_regs_user = PERFRING_REGS;
	ctl_reset_stats(ctl);
	if (sampled_start(&run, dir, argv, &attr)) {
		ksft_test_result_fail("%s\n", program);
		ksft_test_result_fail("%s: the probes' samples\n", program);
		return;
	}
	good = !prepare(&run, program);
	if (good)
		sample(&run, &clock, &hits);
	run.page->go = 1;
	__atomic_store_n(&run.page->stop, 1, __ATOMIC_RELEASE);
	print(&clock, program, "clock");
	print(&hits, program, "probes");
	tagging_print_stops(ctl, program);
	status = sampled_end(&run);
	end_probes();
	if (status)
		printf("# %s: ended with status %#x\n", program, status);
	ksft_test_result(good && !status && is_good(&clock, MIN_SAMPLES), "%s\n", program);
	ksft_test_result(good && !status && is_good(&hits, MIN_HITS),
			 "%s: the probes' samples\n", program);
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
	if (uprobe_type() < 0)
		ksft_exit_skip("this kernel has no uprobe events\n");
	if (tagging_all(ctl, dir))
		ksft_exit_fail_msg("can't tag what is in %s: %m\n", dir);
	nr = tagging_list(dir, "ret-", &argv[optind], names, MAX_PROGRAMS);
	ksft_set_plan(2 * nr);
	for (i = 0; i < nr; i++)
		test(names[i]);
	ksft_finished();
}
