// SPDX-License-Identifier: GPL-2.0
/*
 * User chains of samples that no clock takes: tracepoints, some of which run
 * with a run-queue lock held, software events, kprobes and uprobes.
 */
#include "events.h"

FIXTURE(event) {
	int ctl;
	struct looping *looping;
};

FIXTURE_SETUP(event)
{
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	ASSERT_EQ(0, looping_tag(self->ctl));
	self->looping = calloc(1, sizeof(*self->looping));
	ASSERT_NE(NULL, self->looping);
}

FIXTURE_TEARDOWN(event)
{
	looping_untag(self->ctl);
}

/* Outlives what samples it, and ends by itself. */
#define LIFE_MS		2500

/*
 * Sample one looper for a second. Return: 0, or -1 with errno.
 *
 * It isn't killed: 6.12 warns when that hits a task while uprobes steps it.
 */
static int sample_looper(struct looping *looping, struct perf_event_attr *attr, const char *mode)
{
	pid_t pid = looping_start(looping, mode, LIFE_MS);
	struct perfring *ring;
	int i;

	looping_past_exec(pid);
	ring = perfring_open(attr, pid, -1, RING_PAGES);
	if (!ring) {
		looping_wait(pid);
		return -1;
	}
	perfring_enable(ring);
	for (i = 0; i < 20; i++) {
		usleep(50000);
		perfring_read(ring, looping_sample, looping);
	}
	perfring_disable(ring);
	perfring_read(ring, looping_sample, looping);
	perfring_close(ring);
	looping_wait(pid);
	return 0;
}

/* Once, and again where the machine is slow */
static int sample_enough(struct looping *looping, struct perf_event_attr *attr, const char *mode,
			 unsigned int least)
{
	int i, ret = 0;

	for (i = 0; i < 10 && !ret && (!i || looping->samples < least); i++)
		ret = sample_looper(looping, attr, mode);
	return ret;
}

/* Chains of system calls and faults start at one of a few pcs: none is short. */
#define EXPECT_COMPLETE(attr, mode, least) do {					\
	ASSERT_EQ(0, sample_enough(self->looping, attr, mode, least))		\
		TH_LOG("can't sample: %s", strerror(errno));			\
	looping_print(self->looping, "looper " mode);				\
	EXPECT_LE(least, self->looping->samples);				\
	EXPECT_EQ(self->looping->samples, self->looping->exact);		\
	EXPECT_EQ(0, self->looping->wrong);					\
} while (0)

TEST_F(event, tracepoint_sched_switch)
{
	struct perf_event_attr attr;

	ASSERT_EQ(0, tracepoint_attr(&attr, "sched/sched_switch"));
	EXPECT_COMPLETE(&attr, LOOPER_YIELD, 1);
}

/* Its chain is taken in the task that wakes, with another's run queue locked. */
TEST_F(event, tracepoint_sched_wakeup_new)
{
	struct perf_event_attr attr;

	ASSERT_EQ(0, tracepoint_attr(&attr, "sched/sched_wakeup_new"));
	EXPECT_COMPLETE(&attr, LOOPER_FORK, 20);
}

TEST_F(event, tracepoint_sys_enter)
{
	struct perf_event_attr attr;

	if (tracepoint_attr(&attr, "raw_syscalls/sys_enter"))
		SKIP(return, "this kernel has no system call tracepoints");
	EXPECT_COMPLETE(&attr, LOOPER_MMAP, 100);
}

TEST_F(event, tracepoint_sys_exit)
{
	struct perf_event_attr attr;

	if (tracepoint_attr(&attr, "raw_syscalls/sys_exit"))
		SKIP(return, "this kernel has no system call tracepoints");
	EXPECT_COMPLETE(&attr, LOOPER_MMAP, 100);
}

TEST_F(event, software_page_faults)
{
	struct perf_event_attr attr;

	every_attr(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	EXPECT_COMPLETE(&attr, LOOPER_FAULT, 100);
}

TEST_F(event, software_context_switches)
{
	struct perf_event_attr attr;

	every_attr(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	EXPECT_COMPLETE(&attr, LOOPER_FORK, 20);
}

TEST_F(event, software_task_clock)
{
	struct perf_event_attr attr;

	every_attr(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	attr.sample_period = 1000000;
	ASSERT_EQ(0, sample_enough(self->looping, &attr, LOOPER_MMAP, 100));
	looping_print(self->looping, "task-clock");
	EXPECT_LE(100, self->looping->samples);
	EXPECT_LE(self->looping->samples * 99, self->looping->exact * 100);
	EXPECT_EQ(0, self->looping->wrong);
}

TEST_F(event, kprobe)
{
	struct perf_event_attr attr;

	if (hook_is_kprobe(self->ctl))
		SKIP(return, "kprobes don't nest: hook=kprobe can't see these");
	ASSERT_EQ(0, probe_attr(&attr, "kprobe", PROBED_FUNCTION, 0, 0));
	EXPECT_COMPLETE(&attr, LOOPER_MMAP, 100);
}

TEST_F(event, kretprobe)
{
	struct perf_event_attr attr;

	if (hook_is_kprobe(self->ctl))
		SKIP(return, "kprobes don't nest: hook=kprobe can't see these");
	ASSERT_EQ(0, probe_attr(&attr, "kprobe", PROBED_FUNCTION, 0, 1));
	EXPECT_COMPLETE(&attr, LOOPER_MMAP, 100);
}

/*
 * APCS's prologue: mov ip, sp; push {..., pc}; sub fp, ip, #4; then the body.
 * A probed one reads as a breakpoint. uprobes refuses the second one.
 */
static const uint64_t probed[] = {
	LOOPER_LEAF_OFFSET, LOOPER_LEAF_OFFSET + 8, LOOPER_LEAF_OFFSET + 12,
};

/*
 * How the probed function would go on can't be read where the breakpoints are:
 * chains may end there, with a reason that is counted. None goes astray.
 */
#define EXPECT_TRUE_PREFIXES(least) do {					\
	EXPECT_LE(least, self->looping->samples);				\
	EXPECT_EQ(0, self->looping->wrong);					\
	EXPECT_EQ(self->looping->samples,					\
		  self->looping->exact + self->looping->short_);		\
	EXPECT_LE(self->looping->short_, ctl_gave_up(self->ctl));		\
} while (0)

/* What "perf probe -x FILE FUNCTION" sets, and others: a probe's own samples */
TEST_F(event, uprobe)
{
	struct perf_event_attr attr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probed); i++) {
		memset(self->looping, 0, sizeof(*self->looping));
		ASSERT_EQ(0, probe_attr(&attr, "uprobe", "./looper", probed[i], 0));
		ASSERT_EQ(0, ctl_reset_stats(self->ctl));
		ASSERT_EQ(0, sample_enough(self->looping, &attr, LOOPER_SPIN, 100))
			TH_LOG("can't sample: %s", strerror(errno));
		looping_print(self->looping, "uprobe");
		EXPECT_LE(100, self->looping->samples);
		EXPECT_EQ(self->looping->samples, self->looping->exact);
	}
}

/* Samples of the clock meet the breakpoints all around them. */
TEST_F(event, clock_samples_beside_uprobes_have_no_wrong_caller)
{
	struct perf_event_attr attr, clock;
	struct perfring *probes[ARRAY_SIZE(probed)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		ASSERT_EQ(0, probe_attr(&attr, "uprobe", "./looper", probed[i], 0));
		attr.sample_period = 1000000000;
		probes[i] = perfring_open(&attr, -1, 0, 1);
		ASSERT_NE(NULL, probes[i]) TH_LOG("%s", strerror(errno));
		ASSERT_EQ(0, perfring_enable(probes[i]));
	}
	perfring_cpu_clock(&clock, 500000);
	ASSERT_EQ(0, ctl_reset_stats(self->ctl));
	ASSERT_EQ(0, sample_enough(self->looping, &clock, LOOPER_SPIN, 50));
	looping_print(self->looping, "beside uprobes");
	EXPECT_TRUE_PREFIXES(50);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		perfring_close(probes[i]);
}

/* The probe writes its own return address over the true one: see uretprobes.c. */
TEST_F(event, a_uretprobe_gives_no_wrong_caller)
{
	struct perf_event_attr attr, clock;
	struct perfring *probe;

	ASSERT_EQ(0, probe_attr(&attr, "uprobe", "./looper", LOOPER_MIDDLE_OFFSET, 1));
	attr.sample_period = 1000000000;
	probe = perfring_open(&attr, -1, 0, 1);
	ASSERT_NE(NULL, probe) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, perfring_enable(probe));
	perfring_cpu_clock(&clock, 500000);
	ASSERT_EQ(0, ctl_reset_stats(self->ctl));
	ASSERT_EQ(0, sample_enough(self->looping, &clock, LOOPER_SPIN, 50));
	looping_print(self->looping, "uretprobe");
	EXPECT_TRUE_PREFIXES(50);
	/* In the kernel, it is mostly at the breakpoint. */
	EXPECT_LE(10, self->looping->user);
	EXPECT_LE(self->looping->user * 90, self->looping->user_exact * 100);
	perfring_close(probe);
}

TEST_HARNESS_MAIN
