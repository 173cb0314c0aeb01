// SPDX-License-Identifier: GPL-2.0
/*
 * The index over a process's life: fork, vfork, exec, clone and exit; nothing
 * is left of those that are gone.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "kselftest_harness.h"
#include "ctl.h"
#include "patience.h"
#include "procs.h"
#include "truth.h"

#define PAGE	4096UL
#define RX	(PROT_READ | PROT_EXEC)

FIXTURE(index) {
	int ctl;
};

FIXTURE_SETUP(index)
{
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
}

FIXTURE_TEARDOWN(index)
{
	close(self->ctl);
}

TEST_F(index, fork)
{
	char *map;
	pid_t pid;

	map = mmap(NULL, 4 * PAGE, RX, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(map != MAP_FAILED);
	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
	pid = procs_sleeper();
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, truth_compare(self->ctl, pid));
	/* Each goes its own way from there. */
	ASSERT_EQ(0, munmap(map, 4 * PAGE));
	EXPECT_EQ(0, truth_compare(self->ctl, getpid()));
	EXPECT_EQ(0, truth_compare(self->ctl, pid));
	procs_end(pid);
}

TEST_F(index, child_maps_after_fork)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		char *map = mmap(NULL, 4 * PAGE, RX, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (map == MAP_FAILED || truth_compare(self->ctl, getpid()))
			_exit(1);
		munmap(map + PAGE, PAGE);
		_exit(truth_compare(self->ctl, getpid()) ? 2 : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, truth_compare(self->ctl, getpid()));
}

TEST_F(index, exec_of_a_static_program)
{
	pid_t pid = procs_program();

	ASSERT_LT(0, pid);
	EXPECT_EQ(0, truth_compare(self->ctl, pid));
	procs_end(pid);
}

/* What the executed copy of this program does: say that it is there, and wait. */
static void __attribute__((constructor)) wait_when_told(void)
{
	const char *fd = getenv("INDEX_LIFE_FD");

	if (!fd)
		return;
	if (write(atoi(fd), "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* Its libraries are mapped by code that runs after the exec. */
TEST_F(index, exec_of_a_dynamic_program)
{
	int ready[2];
	char text[16];
	pid_t pid;

	ASSERT_EQ(0, pipe(ready));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		snprintf(text, sizeof(text), "%d", ready[1]);
		setenv("INDEX_LIFE_FD", text, 1);
		execl("/proc/self/exe", "index_life", NULL);
		_exit(127);
	}
	ASSERT_EQ(1, read(ready[0], text, 1));
	EXPECT_EQ(0, truth_compare(self->ctl, pid));
	procs_end(pid);
}

TEST_F(index, exec_replaces_what_was_listed_before)
{
	int ready[2], go[2];
	char byte = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe2(ready, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (read(go[0], &byte, 1) == 1)
			execl("/bin/busybox", "sleep", "1000", NULL);
		_exit(1);
	}
	close(ready[1]);
	ASSERT_EQ(0, truth_compare(self->ctl, pid));
	ASSERT_EQ(1, write(go[1], &byte, 1));
	ASSERT_EQ(0, read(ready[0], &byte, 1));
	ASSERT_TRUE(procs_asleep(pid));
	EXPECT_EQ(0, truth_compare(self->ctl, pid));
	procs_end(pid);
}

TEST_F(index, failed_exec_changes_nothing)
{
	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
	ASSERT_EQ(-1, execl("/tmp/no-such-program", "x", NULL));
	EXPECT_EQ(0, truth_compare(self->ctl, getpid()));
}

TEST_F(index, vfork_child_maps_into_its_parent)
{
	static char *volatile map;
	int status;
	pid_t pid;

	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
	pid = vfork();
	if (!pid) {
		map = mmap(NULL, 4 * PAGE, RX, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_EQ(0, truth_compare(self->ctl, getpid()));
	ASSERT_EQ(0, munmap(map, 4 * PAGE));
	EXPECT_EQ(0, truth_compare(self->ctl, getpid()));
}

TEST_F(index, vfork_and_exec)
{
	static char arg[] = "1000", name[] = "sleep";
	char *argv[] = { name, arg, NULL };
	pid_t pid;

	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
	pid = vfork();
	if (!pid) {
		execv("/bin/busybox", argv);
		_exit(127);
	}
	ASSERT_LT(0, pid);
	ASSERT_TRUE(procs_asleep(pid));
	EXPECT_EQ(0, truth_compare(self->ctl, pid));
	EXPECT_EQ(0, truth_compare(self->ctl, getpid()));
	procs_end(pid);
}

/* Kernel memory of the dead is given back after a grace period. */
static uint32_t settled_processes(int ctl, uint32_t want)
{
	struct a32_info info;
	unsigned int i;

	for (i = 0; i < 50 * patience(); i++) {
		if (ctl_info(ctl, &info))
			return ~0U;
		if (info.processes <= want)
			break;
		usleep(100000);
	}
	return info.processes;
}

TEST_F(index, nothing_is_left_after_exit)
{
	struct a32_info before, during;
	pid_t pids[20];
	unsigned int i;

	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
	ASSERT_EQ(0, ctl_info(self->ctl, &before));
	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		pids[i] = procs_program();
		ASSERT_LT(0, pids[i]);
		ASSERT_EQ(0, truth_compare(self->ctl, pids[i]));
	}
	ASSERT_EQ(0, ctl_info(self->ctl, &during));
	EXPECT_LE(before.processes + ARRAY_SIZE(pids), during.processes);
	for (i = 0; i < ARRAY_SIZE(pids); i++)
		procs_end(pids[i]);
	EXPECT_EQ(before.processes, settled_processes(self->ctl, before.processes));
}

/* Reading the index must not keep a process's memory alive, nor bring it back. */
TEST_F(index, nothing_is_left_after_exit_while_listed)
{
	struct a32_map_item item;
	struct a32_info before;
	unsigned int i;
	pid_t pid;

	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
	ASSERT_EQ(0, ctl_info(self->ctl, &before));
	for (i = 0; i < 200; i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			_exit(0);
		while (!ctl_next_map(self->ctl, pid, 0, &item))
			;
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	}
	EXPECT_EQ(before.processes, settled_processes(self->ctl, before.processes));
}

struct thread_arg {
	int ctl;
	pid_t tid;
	int bad;
};

static void *thread_fn(void *data)
{
	struct thread_arg *arg = data;
	struct a32_map_item item;

	arg->tid = syscall(SYS_gettid);
	arg->bad = ctl_map_at(arg->ctl, arg->tid, (uintptr_t)thread_fn & ~1UL, &item);
	return NULL;
}

/* perf shows thread ids too: one is as good as the process's. */
TEST_F(index, thread_id_names_its_process)
{
	struct thread_arg arg = { .ctl = self->ctl };
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, thread_fn, &arg));
	pthread_join(thread, NULL);
	EXPECT_NE(getpid(), arg.tid);
	EXPECT_EQ(0, arg.bad);
}

TEST_HARNESS_MAIN
