// SPDX-License-Identifier: GPL-2.0
/*
 * The index as samples see it: it is there for a process's first sample, and
 * while the process changes its mappings.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "kselftest_harness.h"
#include "clock.h"
#include "ctl.h"
#include "looping.h"
#include "patience.h"

#define MS		1000000ULL
#define RING_PAGES	512

FIXTURE(sample) {
	int ctl;
	uint32_t default_abi;
	struct perfring *ring;
	struct looping *looping;
};

FIXTURE_SETUP(sample)
{
	struct perf_event_attr attr;
	struct a32_info info;

	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	self->default_abi = info.default_abi;
	ASSERT_EQ(0, looping_tag(self->ctl));
	self->looping = calloc(1, sizeof(*self->looping));
	ASSERT_NE(NULL, self->looping);
	perfring_cpu_clock(&attr, MS);
	self->ring = perfring_open(&attr, -1, -1, RING_PAGES);
	ASSERT_NE(NULL, self->ring);
	ASSERT_EQ(0, perfring_enable(self->ring));
}

FIXTURE_TEARDOWN(sample)
{
	perfring_close(self->ring);
	looping_untag(self->ctl);
	ctl_set_default(self->ctl, self->default_abi);
}

/* All that was sampled until now. */
#define READ_SAMPLES(what) do {						\
	ASSERT_EQ(0, perfring_disable(self->ring));			\
	perfring_read(self->ring, looping_sample, self->looping);	\
	looping_print(self->looping, what);				\
	EXPECT_EQ(0, perfring_counts(self->ring)->lost);		\
} while (0)

/* For half a second, and longer where the machine is slow */
static void sample_until(struct perfring *ring, struct looping *l, const unsigned int *count,
			 unsigned int least)
{
	unsigned int i;

	for (i = 0; i < 5 || (i < 50 * patience() && *count < least); i++) {
		usleep(100000);
		perfring_read(ring, looping_sample, l);
	}
}

/* part of all is at least so many in a hundred. */
static bool percent(unsigned int part, unsigned int all, unsigned int want)
{
	return (uint64_t)part * 100 >= (uint64_t)all * want;
}

TEST_F_TIMEOUT(sample, short_lives_are_complete_from_the_first_sample, 120)
{
	struct looping *l = self->looping;
	pid_t pid;
	int i;

	for (i = 0; i < 200 || (i < 1000 && (l->user < 200 || l->first < 100)); i++) {
		pid = looping_start(l, LOOPER_SPIN, 20);
		ASSERT_LT(0, pid);
		ASSERT_EQ(0, looping_wait(pid));
		perfring_read(self->ring, looping_sample, l);
	}
	READ_SAMPLES("20 ms lives");
	EXPECT_EQ(0, l->wrong);
	/* A busy machine gives far fewer than 20 samples a life. */
	EXPECT_LE(200, l->user);
	EXPECT_TRUE(percent(l->user_exact, l->user, 99));
	EXPECT_LE(100, l->first);
	EXPECT_TRUE(percent(l->first_exact, l->first, 99));
}

TEST_F_TIMEOUT(sample, mmap_loop_is_as_complete_as_a_computing_one, 120)
{
	struct looping *l = self->looping;
	pid_t pid;
	int i;

	/* In the kernel within mmap(), mprotect() and munmap() most of the time. */
	for (i = 0; i < 20 && l->user < 20; i++) {
		pid = looping_start(l, LOOPER_MMAP, 3000);
		ASSERT_LT(0, pid);
		ASSERT_EQ(0, looping_wait(pid));
		perfring_read(self->ring, looping_sample, l);
	}
	READ_SAMPLES("mmap loop");
	EXPECT_EQ(0, l->wrong);
	EXPECT_LE(20, l->user);
	EXPECT_LE(300, l->samples - l->user);
	EXPECT_TRUE(percent(l->user_exact, l->user, 99));
	EXPECT_TRUE(percent(l->exact, l->samples, 99));
}

/* The parent's index and the children's, which live for one system call. */
TEST_F_TIMEOUT(sample, fork_loop_is_complete, 60)
{
	struct looping *l = self->looping;
	pid_t pid;
	int i;

	for (i = 0; i < 10 && l->samples < 50; i++) {
		pid = looping_start(l, LOOPER_FORK, 3000);
		ASSERT_LT(0, pid);
		ASSERT_EQ(0, looping_wait(pid));
		perfring_read(self->ring, looping_sample, l);
	}
	READ_SAMPLES("fork loop");
	EXPECT_EQ(0, l->wrong);
	EXPECT_LE(50, l->samples);
	EXPECT_TRUE(percent(l->exact, l->samples, 99));
}

TEST_F_TIMEOUT(sample, rule_made_while_it_runs_is_seen_by_the_next_samples, 60)
{
	struct looping *l = self->looping;
	unsigned int before;
	pid_t pid;

	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	ASSERT_EQ(0, looping_untag(self->ctl));
	pid = looping_start(l, LOOPER_SPIN, 60000);
	ASSERT_LT(0, pid);
	sample_until(self->ring, l, &l->samples, 1);
	looping_print(l, "before the rule");
	EXPECT_EQ(0, l->wrong);

	ASSERT_EQ(0, looping_tag(self->ctl));
	ASSERT_EQ(0, perfring_disable(self->ring));
	perfring_read(self->ring, looping_sample, l);
	before = l->samples - l->exact;
	ASSERT_EQ(0, perfring_enable(self->ring));
	sample_until(self->ring, l, &l->exact, 100);
	READ_SAMPLES("after the rule");
	looping_end(pid);
	EXPECT_EQ(0, l->wrong);
	EXPECT_LE(100, l->exact);
	EXPECT_EQ(before, l->samples - l->exact);
}

/* One call that changes very many of them */
TEST_F_TIMEOUT(sample, a_thousand_mappings_that_change_at_once_are_no_miss, 120)
{
	enum { PAGES = 2400, PAGE = 4096 };
	struct a32_stats stats;
	uint64_t until;
	unsigned int i;
	char *map;

	map = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, map);
	for (i = 0; i < PAGES; i += 2)
		ASSERT_EQ(0, mprotect(map + i * PAGE, PAGE, PROT_READ | PROT_EXEC));
	ASSERT_EQ(0, ctl_reset_stats(self->ctl));
	ASSERT_EQ(0, mprotect(map, PAGES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC));
	for (i = 0; i < PAGES; i += 2)
		ASSERT_EQ(0, mprotect(map + i * PAGE, PAGE, PROT_READ | PROT_EXEC));
	ASSERT_EQ(0, munmap(map, PAGES * PAGE));
	until = clock_ms() + 300;
	while (clock_ms() < until)
		;
	ASSERT_EQ(0, ctl_stats(self->ctl, &stats));
	EXPECT_LT(0, stats.samples);
	EXPECT_EQ(0, stats.stop[A32_STOP_NO_INDEX]);
}

TEST_F_TIMEOUT(sample, disabled_gives_the_stock_chain, 60)
{
	struct a32_stats before, after;
	struct looping *l = self->looping;
	unsigned int i;
	pid_t pid;

	pid = looping_start(l, LOOPER_SPIN, 60000);
	ASSERT_LT(0, pid);
	usleep(200000);
	ASSERT_EQ(0, ctl_set_enabled(self->ctl, 0));
	ASSERT_EQ(0, ctl_stats(self->ctl, &before));
	usleep(500000);
	ASSERT_EQ(0, ctl_stats(self->ctl, &after));
	EXPECT_EQ(before.samples, after.samples);
	ASSERT_EQ(0, ctl_set_enabled(self->ctl, 1));
	for (i = 0; i < 20 * patience() && after.samples <= before.samples; i++) {
		usleep(200000);
		ASSERT_EQ(0, ctl_stats(self->ctl, &after));
	}
	EXPECT_LT(before.samples, after.samples);
	looping_end(pid);
	READ_SAMPLES("switched off and on");
	/* The stock walker follows APCS frames, once one is set up. */
	EXPECT_TRUE(percent(l->exact, l->samples, 90));
}

/* Counts add up, or one of them is wrong. */
TEST_F_TIMEOUT(sample, samples_are_the_sum_of_the_reasons_they_ended_for, 60)
{
	struct looping *l = self->looping;
	struct a32_stats stats;
	uint64_t sum = 0;
	unsigned int i;
	pid_t pid;

	ASSERT_EQ(0, ctl_reset_stats(self->ctl));
	pid = looping_start(l, LOOPER_SPIN, 1000);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, looping_wait(pid));
	READ_SAMPLES("counted");
	ASSERT_EQ(0, ctl_stats(self->ctl, &stats));
	for (i = 0; i < A32_STOP_ROOM; i++)
		sum += stats.stop[i];
	EXPECT_EQ(stats.samples, sum);
	/* One entry is all there is at the very start, whatever ended it there. */
	EXPECT_LE((l->exact - l->alone) * 98ULL, stats.stop[A32_STOP_OUTERMOST] * 100);
	EXPECT_LE(l->samples, stats.samples);
	for (i = A32_STOP_NR; i < A32_STOP_ROOM; i++)
		EXPECT_EQ(0, stats.stop[i]);
	ASSERT_EQ(0, ctl_reset_stats(self->ctl));
	ASSERT_EQ(0, ctl_stats(self->ctl, &stats));
	EXPECT_EQ(0, stats.samples);
	EXPECT_EQ(0, stats.frames);
}

TEST_HARNESS_MAIN
