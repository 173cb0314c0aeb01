// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading: over and over under a load of samples, with each
 * hook, with processes that were there before, and with bad parameters.
 *
 * The module is loaded with its defaults when this ends.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "kselftest_harness.h"
#include "ctl.h"
#include "looping.h"
#include "procs.h"
#include "reload.h"

#define RING_PAGES	256
#define USER_MIN	200	/* samples that prove something */
#define TRACING		"/sys/kernel/tracing"

FIXTURE(load) {
	struct looping *looping;
};

FIXTURE_SETUP(load)
{
	if (reload_is_loaded())
		ASSERT_EQ(0, reload_unload());
	self->looping = calloc(1, sizeof(*self->looping));
	ASSERT_NE(NULL, self->looping);
}

FIXTURE_TEARDOWN(load)
{
	reload_unload();
	EXPECT_EQ(0, reload_load(""));
}

TEST_F(load, device_and_sysfs_come_and_go)
{
	EXPECT_NE(0, access(CTL_DEVICE, F_OK));
	ASSERT_EQ(0, reload_load(""));
	EXPECT_EQ(0, access(CTL_DEVICE, F_OK));
	EXPECT_EQ(0, access(CTL_SYSFS "/enabled", F_OK));
	ASSERT_EQ(0, reload_unload());
	EXPECT_NE(0, access(CTL_DEVICE, F_OK));
	EXPECT_NE(0, access(CTL_SYSFS, F_OK));
}

/* Kprobes only where there is nothing better: they miss what is sampled in a kprobe. */
TEST_F(load, hook_is_ftrace_where_the_kernel_has_it)
{
	uint32_t best = reload_has_ftrace() ? A32_HOOK_FTRACE : A32_HOOK_KPROBE;
	struct a32_info info;
	int ctl;

	ASSERT_EQ(0, reload_load(""));
	ctl = ctl_open();
	ASSERT_EQ(0, ctl_info(ctl, &info));
	EXPECT_EQ(best, info.hook);
	close(ctl);
}

TEST_F(load, abi_is_auto_by_default)
{
	static const char *const names[] = A32_ABI_NAMES;
	struct a32_info info;
	char params[64];
	uint32_t abi;
	int ctl;

	ASSERT_EQ(0, reload_load(""));
	ctl = ctl_open();
	ASSERT_EQ(0, ctl_info(ctl, &info));
	EXPECT_EQ(A32_ABI_AUTO, info.default_abi);
	close(ctl);
	for (abi = 0; abi < A32_ABI_NR; abi++) {
		ASSERT_EQ(0, reload_unload());
		snprintf(params, sizeof(params), "default_abi=%s", names[abi]);
		ASSERT_EQ(0, reload_load(params));
		ctl = ctl_open();
		ASSERT_EQ(0, ctl_info(ctl, &info));
		EXPECT_EQ(abi, info.default_abi);
		close(ctl);
	}
}

TEST_F(load, open_device_holds_the_module)
{
	struct a32_info info;
	int ctl;

	ASSERT_EQ(0, reload_load(""));
	ctl = ctl_open();
	ASSERT_LE(0, ctl);
	EXPECT_EQ(-EWOULDBLOCK, reload_unload());
	EXPECT_EQ(0, ctl_info(ctl, &info));
	close(ctl);
	EXPECT_EQ(0, reload_unload());
}

TEST_F(load, who_waits_for_files_holds_the_module)
{
	struct pollfd pollfd = { .events = POLLIN };
	struct a32_wanted item = {};
	pid_t pid;

	ASSERT_EQ(0, reload_load(""));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pollfd.fd = ctl_open();
		while (!ctl_next_wanted(pollfd.fd, &item))
			;
		poll(&pollfd, 1, -1);
		_exit(0);
	}
	ASSERT_TRUE(procs_asleep(pid));
	EXPECT_EQ(-EWOULDBLOCK, reload_unload());
	procs_end(pid);
	EXPECT_EQ(0, reload_unload());
}

/* Rules, the index of this process and of a child are given back. */
TEST_F(load, unloads_with_rules_in_force)
{
	struct a32_map_item map;
	struct a32_info info;
	int ctl, fd;
	pid_t pid;

	fd = open("/bin/busybox", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, reload_load(""));
	/* Before the device is open: the child must not hold it. */
	pid = procs_sleeper();
	ASSERT_LT(0, pid);
	ctl = ctl_open();
	ASSERT_LE(0, ctl);
	ASSERT_EQ(0, ctl_tag(ctl, fd, A32_ABI_GCC));
	ASSERT_EQ(0, ctl_tag_part(ctl, fd, A32_ABI_APCS, 0x1000, 0x2000));
	ASSERT_EQ(0, ctl_tag_range(ctl, pid, A32_ABI_APCS, 0x1000, 0x2000));
	ASSERT_EQ(0, ctl_next_map(ctl, pid, 0, &map));
	ASSERT_EQ(0, ctl_next_map(ctl, getpid(), 0, &map));
	close(ctl);
	ASSERT_EQ(0, reload_unload());

	ASSERT_EQ(0, reload_load(""));
	ctl = ctl_open();
	ASSERT_EQ(0, ctl_info(ctl, &info));
	EXPECT_EQ(0, info.rules);
	close(ctl);
	procs_end(pid);
	EXPECT_EQ(0, reload_unload());
}

FIXTURE(hook) {
	struct looping *looping;
};

FIXTURE_VARIANT(hook) {
	const char *params;
	const char *name;
	uint32_t hook;
	unsigned int reloads;
};

FIXTURE_VARIANT_ADD(hook, ftrace) {
	.params = "hook=ftrace",
	.name = "ftrace",
	.hook = A32_HOOK_FTRACE,
	.reloads = 25,
};

FIXTURE_VARIANT_ADD(hook, kprobe) {
	.params = "hook=kprobe",
	.name = "kprobe",
	.hook = A32_HOOK_KPROBE,
	/* What comes and goes with the module is the same but for the hook. */
	.reloads = 10,
};

FIXTURE_SETUP(hook)
{
	if (variant->hook == A32_HOOK_FTRACE && !reload_has_ftrace())
		SKIP(return, "this kernel has no ftrace");
	if (reload_is_loaded())
		ASSERT_EQ(0, reload_unload());
	self->looping = calloc(1, sizeof(*self->looping));
	ASSERT_NE(NULL, self->looping);
}

FIXTURE_TEARDOWN(hook)
{
	reload_unload();
	EXPECT_EQ(0, reload_load(""));
}

TEST_F(hook, is_the_one_that_was_asked_for)
{
	struct a32_info info;
	char line[64];
	int ctl;

	ASSERT_EQ(0, reload_load(variant->params));
	ctl = ctl_open();
	ASSERT_EQ(0, ctl_info(ctl, &info));
	EXPECT_EQ(variant->hook, info.hook);
	EXPECT_EQ(A32_VERSION, info.version);
	EXPECT_EQ(1, info.enabled);
	ASSERT_EQ(0, ctl_sysfs_read("hook", line, sizeof(line)));
	EXPECT_STREQ(variant->name, line);
	close(ctl);
}

/* Each calls a function that is probed, and there a kernel's kprobes can be wrong. */
TEST_F(hook, code_is_mapped_moved_and_unmapped)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	char *code, *other;
	pid_t pid;

	ASSERT_EQ(0, reload_load(variant->params));
	code = mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	other = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, code);
	ASSERT_NE(MAP_FAILED, other);
	ASSERT_EQ(other, mremap(code, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, other));
	ASSERT_EQ(0, munmap(other, page));
	pid = fork();
	if (!pid)
		_exit(0);
	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
}

static struct perfring *start_sampling(uint64_t period_ns)
{
	struct perf_event_attr attr;
	struct perfring *ring;

	perfring_cpu_clock(&attr, period_ns);
	ring = perfring_open(&attr, -1, -1, RING_PAGES);
	if (ring)
		perfring_enable(ring);
	return ring;
}

/* For a second, and longer where the machine is slow */
static int sample_some(struct looping *l)
{
	struct perfring *ring = start_sampling(1000000);
	int i;

	if (!ring)
		return -1;
	for (i = 0; i < 20 && l->user < USER_MIN; i++) {
		sleep(1);
		perfring_read(ring, looping_sample, l);
	}
	perfring_disable(ring);
	perfring_read(ring, looping_sample, l);
	perfring_close(ring);
	return 0;
}

/* It maps nothing and forks nothing: the module has to find out by itself. */
TEST_F_TIMEOUT(hook, process_that_was_there_before_is_complete, 60)
{
	struct looping *l = self->looping;
	pid_t pid;
	int ctl;

	pid = looping_start(l, LOOPER_SPIN, 60000);
	ASSERT_LT(0, pid);
	usleep(300000);
	ASSERT_EQ(0, reload_load(variant->params));
	ctl = ctl_open();
	ASSERT_EQ(0, looping_tag(ctl));
	close(ctl);
	ASSERT_EQ(0, sample_some(l));
	looping_end(pid);
	looping_print(l, "there before");
	EXPECT_LE(USER_MIN, l->user);
	EXPECT_LE(l->user * 99, l->user_exact * 100);
	EXPECT_EQ(0, l->wrong);
}

/* And which ABI its file follows, too. */
TEST_F_TIMEOUT(hook, process_that_was_there_before_needs_no_rule, 60)
{
	struct looping *l = self->looping;
	pid_t pid;

	pid = looping_start(l, LOOPER_SPIN, 60000);
	ASSERT_LT(0, pid);
	usleep(300000);
	ASSERT_EQ(0, reload_load(variant->params));
	ASSERT_EQ(0, sample_some(l));
	looping_end(pid);
	looping_print(l, "there before, without a rule");
	EXPECT_LE(USER_MIN, l->user);
	EXPECT_LE(l->user * 99, l->user_exact * 100);
	EXPECT_EQ(0, l->wrong);
}

static pid_t start_perf(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
		_exit(126);
	execl("/usr/bin/perf", "perf", "record", "-a", "-g", "--user-callchains", "-F", "2000",
	      "-e", "cpu-clock", "-o", "/dev/null", NULL);
	_exit(127);
}

/*
 * What is sampled changes all the time, and the module comes and goes beneath:
 * a chain is the stock one or the module's, never a broken machine.
 */
TEST_F_TIMEOUT(hook, reload_under_load, 240)
{
	static const char *const modes[] = { LOOPER_MMAP, LOOPER_FORK };
	struct looping *l = self->looping;
	pid_t loopers[ARRAY_SIZE(modes)], perf;
	unsigned int i, ctl_failed = 0;
	struct perfring *ring;
	int ctl;

	perf = start_perf();
	ASSERT_LT(0, perf);
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		loopers[i] = looping_start(l, modes[i], 600000);
		ASSERT_LT(0, loopers[i]);
		/* They get what this, and kernel threads that it waits for, leave. */
		ASSERT_EQ(0, setpriority(PRIO_PROCESS, loopers[i], 19));
	}
	ring = start_sampling(300000);
	ASSERT_NE(NULL, ring);
	ASSERT_EQ(0, setpriority(PRIO_PROCESS, 0, -20));
	for (i = 0; i < variant->reloads; i++) {
		ASSERT_EQ(0, reload_load(variant->params)) TH_LOG("round %u", i);
		ctl = ctl_open();
		ctl_failed += looping_tag(ctl) != 0;
		/* At once, soon, and after some samples. */
		usleep(i % 3 * 20000);
		close(ctl);
		ASSERT_EQ(0, reload_unload()) TH_LOG("round %u", i);
		usleep(i % 2 * 5000);
		perfring_read(ring, looping_sample, l);
	}
	looping_print(l, variant->name);
	printf("# %u reloads\n", variant->reloads);
	/* It was there, or this proves nothing. */
	EXPECT_EQ(0, waitpid(perf, NULL, WNOHANG));
	EXPECT_LE(200, l->samples);
	EXPECT_EQ(0, ctl_failed);
	for (i = 0; i < ARRAY_SIZE(modes); i++)
		looping_end(loopers[i]);
	procs_end(perf);
	perfring_close(ring);
}

/* Lines of the kernel's log that are about the module, from here on. */
static int open_log(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

static int count_log_lines(int fd)
{
	char record[2048], *line;
	ssize_t len;
	int count = 0;

	for (;;) {
		len = read(fd, record, sizeof(record) - 1);
		if (len < 0 && errno == EPIPE)
			continue;
		if (len <= 0)
			return count;
		record[len] = 0;
		line = strchr(record, ';');
		if (!line || !strstr(line, "a32uwind"))
			continue;
		count++;
		printf("# %.*s\n", (int)strcspn(line + 1, "\n"), line + 1);
	}
}

TEST_F(load, bad_parameter_is_refused_with_one_line)
{
	static const char *const bad[] = { "hook=", "hook=ftrac", "hook=FTRACE", "hook=kprobes",
		"hook=1", "default_abi=mixed", "default_abi=default", "default_abi=" };
	unsigned int i;
	int log, ret;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		log = open_log();
		ASSERT_LE(0, log);
		ret = reload_load(bad[i]);
		EXPECT_EQ(-EINVAL, ret) TH_LOG("%s", bad[i]);
		EXPECT_FALSE(reload_is_loaded());
		EXPECT_EQ(1, count_log_lines(log)) TH_LOG("%s", bad[i]);
		close(log);
		if (reload_is_loaded())
			reload_unload();
	}
	/* Nothing of it is left in the way. */
	EXPECT_EQ(0, reload_load("hook=auto"));
}

TEST_F(load, hook_that_the_kernel_has_not_is_refused_with_one_line)
{
	int log = open_log();

	if (reload_has_ftrace())
		SKIP(return, "this kernel has all hooks");
	ASSERT_LE(0, log);
	EXPECT_EQ(-EOPNOTSUPP, reload_load("hook=ftrace"));
	EXPECT_FALSE(reload_is_loaded());
	EXPECT_EQ(1, count_log_lines(log));
	close(log);
}

TEST_F(load, second_load_is_refused)
{
	ASSERT_EQ(0, reload_load(""));
	EXPECT_EQ(-EEXIST, reload_load(""));
	EXPECT_EQ(0, access(CTL_DEVICE, F_OK));
	EXPECT_EQ(0, reload_unload());
}

/* Another tracer of the same function does not get in the way, nor is in it. */
TEST_F_TIMEOUT(load, beside_the_function_tracer, 60)
{
	struct looping *l = self->looping;
	struct perfring *ring;
	int ctl, i;
	pid_t pid;

	if (!reload_has_ftrace())
		SKIP(return, "this kernel has no ftrace");
	ASSERT_EQ(0,
		  system("echo perf_callchain_user >" TRACING "/set_ftrace_filter && "
			    "echo function >" TRACING "/current_tracer"));
	ASSERT_EQ(0, reload_load(""));
	ctl = ctl_open();
	ASSERT_EQ(0, looping_tag(ctl));
	close(ctl);
	ring = start_sampling(1000000);
	ASSERT_NE(NULL, ring);
	pid = looping_start(l, LOOPER_SPIN, 1000);
	EXPECT_EQ(0, looping_wait(pid));
	EXPECT_EQ(0, system("echo nop >" TRACING "/current_tracer && "
			    "echo >" TRACING "/set_ftrace_filter"));
	/* Once, and longer where the machine is slow */
	for (i = 0; i < 20 && (!i || l->user < USER_MIN); i++) {
		pid = looping_start(l, LOOPER_SPIN, 1000);
		EXPECT_EQ(0, looping_wait(pid));
		perfring_read(ring, looping_sample, l);
	}
	perfring_disable(ring);
	perfring_read(ring, looping_sample, l);
	looping_print(l, "beside the function tracer");
	EXPECT_LE(USER_MIN, l->user);
	EXPECT_LE(l->user * 99, l->user_exact * 100);
	EXPECT_EQ(0, l->wrong);
	perfring_close(ring);
}

TEST_HARNESS_MAIN
