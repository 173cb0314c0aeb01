// SPDX-License-Identifier: GPL-2.0
/*
 * torture [-s SECONDS] [-r RELOADS] [-n SAMPLES] [-f HZ]
 *
 * Samples all CPUs by several events at once, while processes change all that a
 * chain depends on (torture_work.c), and loads and unloads the module beneath. It
 * ends after SECONDS (20), or once it has RELOADS and SAMPLES where these are
 * given. HZ is perf's limit by itself. Loading, switching off and unloading wait for
 * RCU, which takes a slow machine tens of seconds at such a rate: there the clock
 * pauses in most of them, while all else goes on. Afterwards the counts have to add
 * up, and memory and references to be given back.
 *
 * The module is loaded with its defaults when this ends.
 */
#include <sched.h>
#include <sys/resource.h>

#include "clock.h"
#include "events.h"
#include "kselftest.h"
#include "memory.h"
#include "patience.h"
#include "procs.h"
#include "reload.h"
#include "torture_work.h"

#define RING_SMALL	8
#define EVENTS		8
#define TRY_SECONDS	200
#define STAY_MS		4000
#define STARVED_MS	5000
/* On a machine that the clock starves, loads at the clock's full rate are one in so many. */
#define FULL_RATE	16
#define SLOW_HZ		500
/* Fewer prove nothing. */
#define LOADS_MIN	4
#define SAMPLES_MIN	5000
/* Of each cache in use. Others allocate, too. */
#define GROWN_MAX	400
#define AREAS_MAX	8

/**
 * struct torture - a run
 * @seconds: when it ends
 * @reloads: or after so many, if it is not 0,
 * @samples: and so many
 * @hz: of the clock
 * @is_starved: the clock has kept a load or unload waiting
 * @ring: events; the clock is the first
 * @nr_rings: how many
 * @loads: so far
 * @full_rate: of these with the clock at its full rate all along
 * @retries: of an unload, as somebody had the device open
 * @total: counts of all that was loaded
 * @missed: samples that kprobes could not take
 * @uneven: rounds whose counts did not add up
 * @failed: a load or unload that should not have
 */
static struct torture {
	unsigned int seconds;
	uint64_t reloads;
	uint64_t samples;
	unsigned int hz;
	bool is_starved;
	struct perfring *ring[EVENTS];
	unsigned int nr_rings;
	uint64_t loads;
	uint64_t full_rate;
	uint64_t retries;
	struct a32_stats total;
	uint64_t missed;
	unsigned int uneven;
	int failed;
} self = { .seconds = 20 };

/* A line that "make torture" reads */
static void print_figure(const char *name, long long value)
{
	ksft_print_msg("figure\t%s\t%lld\n", name, value);
}

static void add_event(const struct perf_event_attr *attr)
{
	struct perfring *ring = perfring_open(attr, -1, -1, RING_SMALL);

	if (!ring)
		return;
	perfring_enable(ring);
	self.ring[self.nr_rings++] = ring;
}

/* Nobody reads what they write: the chains are taken all the same. */
static void start_events(void)
{
	static const char *const tracepoints[] = { "sched/sched_switch", "raw_syscalls/sys_exit" };
	struct perf_event_attr attr;
	unsigned int i;

	perfring_cpu_clock(&attr, 1000000000 / self.hz);
	add_event(&attr);
	perfring_cpu_clock(&attr, 1000000000 / SLOW_HZ);
	add_event(&attr);
	every_attr(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	add_event(&attr);
	every_attr(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	add_event(&attr);
	for (i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		if (!tracepoint_attr(&attr, tracepoints[i]))
			add_event(&attr);
	}
	for (i = 0; i < 2; i++) {
		if (!probe_attr(&attr, "kprobe", PROBED_FUNCTION, 0, i))
			add_event(&attr);
	}
	ksft_print_msg("%u events on each CPU, the clock at %u Hz\n", self.nr_rings, self.hz);
}

static void stop_events(void)
{
	while (self.nr_rings)
		perfring_close(self.ring[--self.nr_rings]);
}

static uint64_t sum_of_stops(const struct a32_stats *stats)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < A32_STOP_ROOM; i++)
		sum += stats->stop[i];
	return sum;
}

/* Counts of files that are gone are in the totals only. */
static bool adds_up(int ctl, const struct a32_stats *stats)
{
	struct a32_stats file = { .size = sizeof(file) };
	uint64_t frames = 0, stops = 0;

	while (!ctl_call(ctl, A32_IOC_NEXT_FILE_STATS, &file)) {
		frames += file.frames;
		stops += sum_of_stops(&file);
	}
	if (stats->samples == sum_of_stops(stats) && stats->frames >= stats->samples &&
	    frames <= stats->frames && stops <= stats->samples)
		return true;
	ksft_print_msg("samples %llu stops %llu frames %llu; of files: stops %llu frames %llu\n",
		       (unsigned long long)stats->samples, (unsigned long long)sum_of_stops(stats),
		       (unsigned long long)stats->frames, (unsigned long long)stops,
		       (unsigned long long)frames);
	return false;
}

/*
 * Before it goes. In every other round nothing is counted meanwhile, and the
 * counts have to be whole.
 */
static void take_counts(bool exactly)
{
	struct a32_stats stats;
	struct a32_info info;
	int ctl = ctl_open();
	unsigned int i;

	if (exactly)
		ctl_set_enabled(ctl, 0);
	if (ctl_stats(ctl, &stats) || ctl_info(ctl, &info)) {
		self.failed = -EIO;
	} else {
		self.uneven += exactly && !adds_up(ctl, &stats);
		self.total.samples += stats.samples;
		self.total.frames += stats.frames;
		for (i = 0; i < A32_STOP_NR; i++)
			self.total.stop[i] += stats.stop[i];
		self.missed += info.missed;
	}
	close(ctl);
}

static int unload(void)
{
	uint64_t until = clock_ms() + TRY_SECONDS * 1000;
	int err;

	for (;;) {
		err = reload_unload();
		if (err != -EWOULDBLOCK || clock_ms() > until)
			return err;
		self.retries++;
		usleep(2000);
	}
}

/* How long it stays: from not at all to twice what brings the samples that are wanted */
static void stay(void)
{
	uint64_t wanted = self.reloads ? self.samples / self.reloads * (self.loads % 5) / 2 : 0;
	uint64_t until = clock_ms() + STAY_MS;
	struct a32_stats stats = { 0 };
	int ctl;

	if (!wanted) {
		usleep(self.loads % 5 * 50000);
		return;
	}
	while (stats.samples < wanted && clock_ms() < until) {
		usleep(5000);
		ctl = ctl_open();
		if (ctl_stats(ctl, &stats))
			self.failed = -EIO;
		close(ctl);
	}
}

static void pause_clock(bool pause)
{
	if (!self.nr_rings)
		return;
	if (pause)
		perfring_disable(self.ring[0]);
	else
		perfring_enable(self.ring[0]);
}

/* What took @ms, with the clock at its full rate, was held up by it. */
static void note_wait(uint64_t ms, bool is_paused)
{
	if (!self.nr_rings || is_paused || ms <= STARVED_MS)
		return;
	if (!self.is_starved)
		ksft_print_msg("%llu ms at the full rate: the clock pauses\n",
			       (unsigned long long)ms);
	self.is_starved = true;
}

static void round_of_the_module(void)
{
	bool kprobe = !reload_has_ftrace() || self.loads % 4 == 3;
	bool calm = self.is_starved && self.loads % FULL_RATE;
	uint64_t begun = clock_ms();
	int err;

	err = reload_load(kprobe ? "hook=kprobe" : "hook=ftrace");
	note_wait(clock_ms() - begun, calm);
	if (err) {
		ksft_print_msg("load %llu: %s\n", (unsigned long long)self.loads, strerror(-err));
		self.failed = err;
		return;
	}
	self.loads++;
	pause_clock(false);
	stay();
	pause_clock(calm);
	take_counts(self.loads % 2);
	begun = clock_ms();
	err = unload();
	note_wait(clock_ms() - begun, calm);
	self.full_rate += !calm;
	if (err) {
		ksft_print_msg("unload %llu: %s\n", (unsigned long long)self.loads, strerror(-err));
		self.failed = err;
	}
}

static bool is_over(uint64_t start)
{
	uint64_t ms = clock_ms() - start;

	if (self.failed)
		return true;
	if (self.reloads || self.samples)
		return self.loads >= self.reloads && self.total.samples >= self.samples;
	/* A slow machine gets more time to prove something, but not for ever. */
	if (self.loads < LOADS_MIN || self.total.samples < SAMPLES_MIN)
		ms /= 8 * patience();
	return ms > self.seconds * 1000ull;
}

static void torture(void)
{
	struct torture_worker worker[TORTURE_WORKERS];
	uint64_t start = clock_ms(), shown = start;
	unsigned int i;

	if (torture_work_start(worker))
		ksft_exit_fail_msg("can't start the workers\n");
	start_events();
	while (!is_over(start)) {
		round_of_the_module();
		if (clock_ms() - shown > 60000) {
			shown = clock_ms();
			ksft_print_msg("after %llu s: %llu loads, %llu samples\n",
				       (unsigned long long)(shown - start) / 1000,
				       (unsigned long long)self.loads,
				       (unsigned long long)self.total.samples);
		}
	}
	stop_events();
	print_figure("seconds", (clock_ms() - start) / 1000);
	for (i = 0; i < TORTURE_WORKERS; i++)
		print_figure(worker[i].name, *worker[i].done);
	ksft_test_result(!torture_work_end(worker), "all workers worked to the end\n");
}

static void count_user(const struct perfring_sample *sample, void *arg)
{
	*(uint64_t *)arg += sample->user_nr != 0;
}

/* All that the module counts is in perf's records: what has a user chain there. */
static void compare_with_perf(void)
{
	struct torture_worker worker[TORTURE_WORKERS];
	struct perf_event_attr attr;
	struct perfring *ring;
	struct a32_stats stats = { 0 };
	uint64_t chains = 0, until;
	int ctl;

	if (reload_load("")) {
		ksft_test_result_fail("the module counts what perf records\n");
		return;
	}
	perfring_cpu_clock(&attr, 500000);
	ring = perfring_open(&attr, -1, -1, 512);
	ctl = ctl_open();
	torture_work_start(worker);
	perfring_enable(ring);
	until = clock_ms() + 2000;
	while (clock_ms() < until) {
		usleep(20000);
		perfring_read(ring, count_user, &chains);
	}
	perfring_disable(ring);
	perfring_read(ring, count_user, &chains);
	torture_work_end(worker);
	ctl_stats(ctl, &stats);
	ksft_print_msg("perf has %llu user chains, and lost %llu; the module counted %llu\n",
		       (unsigned long long)chains,
		       (unsigned long long)perfring_counts(ring)->lost,
		       (unsigned long long)stats.samples);
	ksft_test_result(chains && chains <= stats.samples &&
			 stats.samples - chains <= perfring_counts(ring)->lost,
			 "the module counts what perf records\n");
	perfring_close(ring);
	close(ctl);
	unload();
}

/* Caches fill and the kernel's own workers come into being before what counts. */
static void warm_up(void)
{
	struct torture was = self;

	self.seconds = 3;
	self.reloads = 0;
	self.samples = 0;
	for (uint64_t start = clock_ms(); !is_over(start);)
		round_of_the_module();
	was.failed = self.failed;
	self = was;
}

static void print_figures(void)
{
	static const char *const names[] = A32_STOP_NAMES;
	char name[32];
	unsigned int i;

	print_figure("reloads", self.loads);
	print_figure("of these at the clock's full rate", self.full_rate);
	print_figure("unloads that had to wait", self.retries);
	print_figure("samples", self.total.samples);
	print_figure("frames", self.total.frames);
	print_figure("samples missed by kprobes", self.missed);
	for (i = 0; i < A32_STOP_NR; i++) {
		snprintf(name, sizeof(name), "ended: %s", names[i]);
		print_figure(name, self.total.stop[i]);
	}
}

static void check_memory(const struct memory *before, const struct memory *after, bool known)
{
	char name[64];
	const char *cache;
	long grown;

	if (!known) {
		ksft_test_result_skip("memory is given back: no /proc/slabinfo\n");
		return;
	}
	grown = memory_grown(before, after, &cache);
	snprintf(name, sizeof(name), "objects more in kmalloc-%s", cache);
	print_figure(name, grown);
	print_figure("vmalloc areas more", after->areas - before->areas);
	ksft_test_result(grown <= GROWN_MAX && after->areas - before->areas <= AREAS_MAX,
			 "memory is given back\n");
}

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "s:r:n:f:")) != -1) {
		switch (opt) {
		case 's':
			self.seconds = atoi(optarg);
			break;
		case 'r':
			self.reloads = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			self.samples = strtoull(optarg, NULL, 10);
			break;
		case 'f':
			self.hz = atoi(optarg);
			break;
		default:
			exit(KSFT_FAIL);
		}
	}
}

int main(int argc, char **argv)
{
	struct memory before, after;
	bool known;

	self.hz = read_number("/proc/sys/kernel/perf_event_max_sample_rate");
	parse(argc, argv);
	setvbuf(stdout, NULL, _IOLBF, 0);
	ksft_print_header();
	ksft_set_plan(6);
	setpriority(PRIO_PROCESS, 0, -20);

	unload();
	warm_up();
	known = !memory_read(&before);
	torture();
	print_figures();
	ksft_test_result(!self.failed, "it loads and unloads\n");
	ksft_test_result(self.loads >= LOADS_MIN && self.total.samples >= SAMPLES_MIN,
			 "it was sampled all along\n");
	ksft_test_result(!self.uneven, "counts add up\n");
	known = known && !memory_read(&after);
	check_memory(&before, &after, known);
	compare_with_perf();
	if (reload_load(""))
		ksft_print_msg("the module can't be loaded again\n");
	ksft_finished();
}
