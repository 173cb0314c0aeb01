// SPDX-License-Identifier: GPL-2.0
/*
 * What a user without privileges can do: tag its own memory, and nothing else.
 * Documentation/jit.c, run by one, has its code in the chains.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <sched.h>
#include <sys/stat.h>

#include "ioctl.h"
#include "perfring.h"
#include "procs.h"

#define USER		1000
#define BASE		0x100000
#define JIT_SAMPLES	500

/* r0 to main()'s are not looked at: see jit.c */
#define JIT_SIZE	4096
#define JIT_CODE	36
#define JIT_INNER	16	/* offset of inner */
#define JIT_RA		12	/* behind outer's call of it */

static int become_user(void)
{
	return setgroups(0, NULL) || setresgid(USER, USER, USER) || setresuid(USER, USER, USER);
}

/* Runs a function in a child, as a user. Return: what it returns, or -1. */
static int as_user(int (*fn)(int ctl, void *arg), void *arg)
{
	int status, ctl;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (become_user())
			_exit(100);
		ctl = ctl_open();
		if (ctl < 0)
			_exit(101);
		status = fn(ctl, arg);
		fflush(stdout);
		_exit(status);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* In a function for as_user(): return a line's number when a call gives something else */
#define MUST(want, call) do {						\
	int _ret = (call);						\
									\
	if (_ret != (want)) {						\
		printf("# line %d: %d, not %d\n", __LINE__, _ret, want);\
		return 1;						\
	}								\
} while (0)

TEST_F(ioctl, device_is_for_all)
{
	struct stat st;

	ASSERT_EQ(0, stat(CTL_DEVICE, &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	EXPECT_EQ(0666, st.st_mode & 07777);
	EXPECT_EQ(0, st.st_uid);
}

static int tag_own(int ctl, void *arg)
{
	pid_t pid = getpid();

	MUST(0, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE, BASE + 8));
	MUST(0, ctl_tag_range(ctl, pid, A32_ABI_APCS, BASE, BASE + 8));
	MUST(0, ctl_tag_range(ctl, gettid(), A32_ABI_AUTO, BASE + 8, BASE + 16));
	MUST(-EEXIST, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE + 4, BASE + 12));
	MUST(-EINVAL, ctl_tag_range(ctl, pid, A32_ABI_NR, BASE, BASE + 8));
	MUST(-EINVAL, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE + 1, BASE + 8));
	MUST(-EINVAL, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE, 0xffff0000));
	MUST(-ENOENT, ctl_untag_range(ctl, pid, BASE, BASE + 4));
	MUST(0, ctl_untag_range(ctl, pid, BASE, BASE + 8));
	MUST(-ENOENT, ctl_untag_range(ctl, pid, BASE, BASE + 8));
	/* What somebody else has said about it; a fork has inherited that. */
	MUST(0, ctl_tag_range(ctl, pid, A32_ABI_APCS, 0x10000, 0x20000));
	MUST(0, ctl_untag_range(ctl, pid, 0x10000, 0x20000));
	return 0;
}

TEST_F(ioctl, user_can_tag_its_own_memory)
{
	EXPECT_EQ(0, as_user(tag_own, NULL));
	EXPECT_SAME_STATE();
}

static int tag_others(int ctl, void *arg)
{
	/* Its own child's is not its own, nor is that of a process of the same user. */
	const pid_t pids[] = { getppid(), 1, procs_sleeper(), 0, -1, 0x7fffffff, -getpid() };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		MUST(-EPERM, ctl_tag_range(ctl, pids[i], A32_ABI_GCC, BASE, BASE + 8));
		MUST(-EPERM, ctl_untag_range(ctl, pids[i], 0x10000, 0x20000));
	}
	procs_end(pids[2]);
	return 0;
}

TEST_F(ioctl, user_can_not_tag_others_memory)
{
	EXPECT_EQ(0, as_user(tag_others, NULL));
	EXPECT_SAME_STATE();
}

static bool is_about_own(const struct request *r)
{
	return r->cmd == A32_IOC_TAG_RANGE || r->cmd == A32_IOC_UNTAG_RANGE;
}

static int ask_all(int ctl, void *arg)
{
	const struct request *r;
	int fd = *(int *)arg;

	for_each_request(r) {
		if (is_about_own(r))
			continue;
		MUST(-EPERM, ctl_call(ctl, r->cmd, valid_arg(r, fd, A32_ABI_AUTO)));
		/* Nor does it say what it thinks of the argument. */
		MUST(-EPERM, ctl_call(ctl, r->cmd, NULL));
	}
	MUST(-EPERM, ctl_reset_stats(ctl));
	MUST(-ENOTTY, ctl_call(ctl, _IO(A32_IOC_MAGIC, 200), NULL));
	MUST(-EACCES, ctl_sysfs_write("enabled", "0"));
	MUST(-EACCES, ctl_sysfs_write("default_abi", "none"));
	return 0;
}

TEST_F(ioctl, all_else_is_eperm_for_a_user)
{
	EXPECT_EQ(0, as_user(ask_all, &self->fd));
	EXPECT_SAME_STATE();
}

/* Root in a user namespace of its own has all capabilities there. */
static int ask_all_in_namespace(int ctl, void *arg)
{
	if (unshare(CLONE_NEWUSER))
		return 2;
	return ask_all(ctl, arg) || tag_others(ctl, NULL) || tag_own(ctl, NULL);
}

TEST_F(ioctl, user_namespace_gives_nothing)
{
	int ret = as_user(ask_all_in_namespace, &self->fd);

	if (ret == 2)
		SKIP(return, "no user namespaces for users here");
	EXPECT_EQ(0, ret);
	EXPECT_SAME_STATE();
}

static int tag_many(int ctl, void *arg)
{
	pid_t pid = getpid(), child;
	unsigned int i;
	int status;

	/* One is there, inherited. */
	for (i = 1; i < A32_MAX_OWN_RULES; i++)
		MUST(0, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE + i * 4, BASE + i * 4 + 2));
	MUST(-ENOSPC, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE, BASE + 2));
	MUST(0, ctl_tag_range(ctl, pid, A32_ABI_APCS, BASE + 4, BASE + 6));
	child = fork();
	if (!child)
		_exit(-ctl_tag_range(ctl, getpid(), A32_ABI_GCC, BASE, BASE + 2));
	MUST(child, waitpid(child, &status, 0));
	MUST(ENOSPC, WEXITSTATUS(status));
	MUST(0, ctl_untag_range(ctl, pid, BASE + 4, BASE + 6));
	MUST(0, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE, BASE + 2));
	MUST(-ENOSPC, ctl_tag_range(ctl, pid, A32_ABI_GCC, BASE + 4, BASE + 6));
	return 0;
}

TEST_F(ioctl, limit_holds_for_a_user_and_exit_frees_all)
{
	EXPECT_EQ(0, as_user(tag_many, NULL));
	EXPECT_SAME_STATE();
}

static unsigned int count_ranges(int ctl, pid_t pid)
{
	struct a32_rule_item item = {};
	unsigned int count = 0;

	while (!ctl_next_rule(ctl, &item))
		count += item.kind == A32_RULE_RANGE && item.pid == pid && item.start >= BASE;
	return count;
}

/* Starts a user's process that tags two ranges, says so, and execs when it is told. */
static pid_t start_tagger(int said[2], int go[2])
{
	char byte = 0;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!become_user()) {
		int ctl = ctl_open();

		byte = !ctl_tag_range(ctl, getpid(), A32_ABI_GCC, BASE, BASE + 2) &&
		       !ctl_tag_range(ctl, getpid(), A32_ABI_GCC, BASE + 4, BASE + 6);
	}
	if (write(said[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1)
		execl("/bin/busybox", "sleep", "1000", NULL);
	_exit(1);
}

TEST_F(ioctl, exec_frees_what_a_user_tagged)
{
	int said[2], go[2];
	char byte = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe2(said, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = start_tagger(said, go);
	ASSERT_LT(0, pid);
	ASSERT_EQ(1, read(said[0], &byte, 1));
	ASSERT_EQ(1, byte);
	EXPECT_EQ(2, count_ranges(self->ctl, pid));
	ASSERT_EQ(1, write(go[1], &byte, 1));
	ASSERT_TRUE(procs_asleep(pid));
	EXPECT_EQ(0, count_ranges(self->ctl, pid));
	procs_end(pid);
	EXPECT_SAME_STATE();
}

/**
 * struct jit - samples of jit.c
 * @code: where its code is
 * @main: the one return address into main() that was seen
 * @exact: chains through main()
 * @alone: chains with one entry
 * @bad: all others
 */
struct jit {
	pid_t pid;
	uint32_t code;
	uint32_t main;
	unsigned int exact;
	unsigned int alone;
	unsigned int bad;
};

static bool is_exact(struct jit *self, const uint64_t *ips, unsigned int nr)
{
	unsigned int at = 1;

	if (ips[0] >= self->code + JIT_INNER) {
		if (nr < 2 || ips[1] != self->code + JIT_RA)
			return false;
		at = 2;
	}
	if (nr <= at)
		return false;
	if (!self->main)
		self->main = ips[at];
	return ips[at] == self->main;
}

static void judge(const struct perfring_sample *sample, void *arg)
{
	struct jit *self = arg;

	if (sample->pid != (uint32_t)self->pid || !sample->user_nr ||
	    sample->user[0] < self->code || sample->user[0] >= self->code + JIT_CODE)
		return;
	if (sample->user_nr == 1)
		self->alone++;
	else if (is_exact(self, sample->user, sample->user_nr))
		self->exact++;
	else
		self->bad++;
}

/* Is it in code of the program's file? */
static bool is_in_program(pid_t pid, uint32_t addr)
{
	char path[32], line[512];
	unsigned long start, end;
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "r-xp") && strstr(line, "/jit\n") &&
		    sscanf(line, "%lx-%lx", &start, &end) == 2)
			found |= addr >= start && addr < end;
	if (maps)
		fclose(maps);
	return found;
}

/* Return: what it prints */
static FILE *jit_start(struct jit *self, const char *option)
{
	int out[2];

	if (pipe(out))
		return NULL;
	self->pid = fork();
	if (!self->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out[1], 1);
		if (!become_user())
			execl("./jit", "jit", option, "60", NULL);
		_exit(127);
	}
	close(out[1]);
	return fdopen(out[0], "re");
}

static int jit_sample(struct jit *self, const char *option)
{
	struct perf_event_attr attr;
	struct perfring *ring;
	unsigned int i;
	FILE *out;

	out = jit_start(self, option);
	if (!out || fscanf(out, "made at run time: %x", &self->code) != 1)
		return -1;
	perfring_cpu_clock(&attr, 500000);
	ring = perfring_open(&attr, self->pid, -1, 64);
	if (!ring)
		return -1;
	perfring_enable(ring);
	for (i = 0; i < 200 && self->exact + self->alone + self->bad < JIT_SAMPLES; i++) {
		perfring_wait(ring, 50);
		perfring_read(ring, judge, self);
	}
	perfring_close(ring);
	fclose(out);
	printf("# main 0x%x, exact %u, alone %u, bad %u\n", self->main, self->exact, self->alone,
	       self->bad);
	return 0;
}

/* A user's program that tags what it makes is followed through that. */
TEST(jit_code_is_in_the_chains)
{
	struct jit jit = { 0 };

	ASSERT_EQ(0, jit_sample(&jit, "60"));
	EXPECT_LE(JIT_SAMPLES, jit.exact + jit.alone + jit.bad);
	EXPECT_EQ(0, jit.bad);
	/* A few may be undecided. */
	EXPECT_LE((jit.exact + jit.alone) * 99 / 100, jit.exact);
	EXPECT_TRUE(is_in_program(jit.pid, jit.main));
	procs_end(jit.pid);
}

TEST(jit_code_that_is_not_tagged_ends_the_chain)
{
	struct jit jit = { 0 };

	ASSERT_EQ(0, jit_sample(&jit, "-n"));
	EXPECT_LE(JIT_SAMPLES, jit.alone);
	EXPECT_EQ(0, jit.exact);
	EXPECT_EQ(0, jit.bad);
	procs_end(jit.pid);
}

TEST_HARNESS_MAIN
