// SPDX-License-Identifier: GPL-2.0
/*
 * The list of files that want an unwind table: what comes onto it and leaves
 * it, who may read it, and what poll() says.
 */
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "kselftest_harness.h"
#include "caps.h"
#include "clock.h"
#include "ctl.h"
#include "patience.h"
#include "procs.h"
#include "wanting.h"

FIXTURE(watch) {
	int ctl;
	int fd;
};

FIXTURE_SETUP(watch)
{
	ASSERT_TRUE(wanting_begin(&self->ctl, &self->fd));
}

FIXTURE_TEARDOWN(watch)
{
	wanting_end(self->ctl, self->fd);
}

/* Until the process that has ended is not what the file is found by. */
static bool listed_without(int ctl, int fd, pid_t pid, struct a32_wanted *item)
{
	uint64_t end = clock_ms() + WANTING_MS * patience();

	while (clock_ms() < end) {
		if (wanting_listed(ctl, fd, item) != 1)
			return false;
		if (item->pid != (uint32_t)pid)
			return true;
		usleep(2000);
	}
	return false;
}

TEST_F(watch, file_without_abi_is_listed_with_what_is_needed_to_find_it)
{
	struct wanting_spinner spinner;
	struct a32_wanted item;
	struct stat st, mapped;
	char path[64];

	EXPECT_EQ(0, wanting_listed(self->ctl, self->fd, NULL));
	wanting_spin(&spinner, self->fd);
	ASSERT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, &item));
	EXPECT_STREQ(WANTING_FILE, item.path);
	EXPECT_EQ(spinner.pid, item.pid);
	snprintf(path, sizeof(path), "/proc/%d/map_files/%x-%x", item.pid, item.start, item.end);
	ASSERT_EQ(0, stat(path, &mapped)) TH_LOG("%s", path);
	ASSERT_EQ(0, fstat(self->fd, &st));
	EXPECT_EQ(st.st_ino, mapped.st_ino);
	EXPECT_EQ(st.st_dev, mapped.st_dev);
	wanting_stop(&spinner);
	/* It stays when nobody has it mapped. */
	ASSERT_TRUE(listed_without(self->ctl, self->fd, spinner.pid, &item));
	EXPECT_EQ(0, item.pid);
	EXPECT_EQ(0, item.start);
	EXPECT_EQ(0, item.end);
}

/* What has the file mapped and is not sampled in it */
static pid_t start_idle(int fd)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	wanting_map_file(fd);
	for (;;)
		pause();
}

TEST_F(watch, the_process_that_was_sampled_is_named)
{
	struct wanting_spinner spinner;
	struct a32_wanted item;
	pid_t idle[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(idle) / 2; i++)
		idle[i] = start_idle(self->fd);
	wanting_spin(&spinner, self->fd);
	for (; i < ARRAY_SIZE(idle); i++)
		idle[i] = start_idle(self->fd);
	EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	EXPECT_EQ(1, wanting_listed(self->ctl, self->fd, &item));
	EXPECT_EQ(spinner.pid, item.pid);
	wanting_stop(&spinner);
	/* Others that have it mapped serve to find it. */
	EXPECT_TRUE(listed_without(self->ctl, self->fd, spinner.pid, &item));
	EXPECT_NE(0, item.pid);
	for (i = 0; i < ARRAY_SIZE(idle); i++)
		procs_end(idle[i]);
}

TEST_F(watch, listing_is_the_same_for_all_readers_and_each_time)
{
	struct a32_wanted a = {}, b = {};
	int other = ctl_open(), ret;

	ASSERT_LE(0, other);
	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, NULL));
	do {
		uint64_t last = a.cursor;

		ret = ctl_next_wanted(self->ctl, &a);
		EXPECT_EQ(ret, ctl_next_wanted(other, &b));
		if (!ret)
			EXPECT_LT(last, a.cursor);
		EXPECT_EQ(0, memcmp(&a, &b, sizeof(a)));
	} while (!ret);
	EXPECT_EQ(-ENOENT, ret);
	a.cursor = ~0ULL;
	EXPECT_EQ(-ENOENT, ctl_next_wanted(self->ctl, &a));
}

TEST_F(watch, reply_to_a_read_only_page_loses_nothing)
{
	struct a32_wanted *item = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, item);
	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	item->size = sizeof(*item);
	ASSERT_EQ(0, mprotect(item, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, ctl_call(self->ctl, A32_IOC_NEXT_WANTED, item));
	EXPECT_EQ(1, wanting_listed(self->ctl, self->fd, NULL));
}

/* Nothing is known of memory without a file, nor can anything be done about it. */
TEST_F(watch, memory_without_a_file_is_not_listed)
{
	struct a32_wanted item = {};
	struct wanting_spinner spinner;
	void *memory;
	pid_t pid;

	pid = fork();
	if (!pid) {
		memory = mmap(NULL, WANTING_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (read(self->fd, memory, WANTING_SIZE) ||
		    pread(self->fd, memory, WANTING_SIZE, 0) < 0)
			_exit(1);
		__builtin___clear_cache(memory, (char *)memory + WANTING_SIZE);
		for (;;)
			((wanting_code)memory)(1000000);
	}
	wanting_sample(&spinner, pid);
	EXPECT_TRUE(wanting_is_sampled(self->ctl, "[anon]"));
	wanting_stop(&spinner);
	while (!ctl_next_wanted(self->ctl, &item))
		EXPECT_EQ('/', item.path[0]) TH_LOG("%s", item.path);
}

TEST_F(watch, file_with_a_table_is_not_listed_until_it_is_unloaded)
{
	struct a32_wanted first, second;
	struct wanting_spinner spinner;
	uint32_t size;
	void *table = wanting_make_table(&size);

	ASSERT_NE(NULL, table);
	wanting_spin(&spinner, self->fd);
	ASSERT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, &first));
	ASSERT_EQ(0, ctl_load_table(self->ctl, self->fd, table, size));
	EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	EXPECT_EQ(0, wanting_listed(self->ctl, self->fd, NULL));
	ASSERT_EQ(0, ctl_unload_table(self->ctl, self->fd));
	EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, &second));
	EXPECT_LT(first.cursor, second.cursor) TH_LOG("a reader would not see it");
	wanting_stop(&spinner);
	/* It has to be sampled for that. */
	ASSERT_EQ(0, ctl_load_table(self->ctl, self->fd, table, size));
	ASSERT_EQ(0, ctl_unload_table(self->ctl, self->fd));
	EXPECT_EQ(0, wanting_listed(self->ctl, self->fd, NULL));
	free(table);
}

TEST_F(watch, file_with_a_rule_is_not_listed)
{
	static const uint32_t abis[] = { A32_ABI_NONE, A32_ABI_GCC };
	struct wanting_spinner spinner;
	size_t i;

	wanting_spin(&spinner, self->fd);
	for (i = 0; i < ARRAY_SIZE(abis); i++) {
		ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, abis[i]));
		EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
		EXPECT_EQ(0, wanting_listed(self->ctl, self->fd, NULL));
		ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
		EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
		EXPECT_EQ(1, wanting_listed(self->ctl, self->fd, NULL));
	}
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_NONE, 0, WANTING_SIZE));
	EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	EXPECT_EQ(0, wanting_listed(self->ctl, self->fd, NULL));
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	/* This one says nothing else than none does. */
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_AUTO));
	EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	EXPECT_EQ(1, wanting_listed(self->ctl, self->fd, NULL));
	wanting_stop(&spinner);
}

TEST_F(watch, changed_file_is_listed_anew)
{
	struct timespec times[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000,
		.tv_nsec = 1 } };
	struct a32_wanted first, second;

	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, &first));
	ASSERT_EQ(0, futimens(self->fd, times));
	EXPECT_EQ(0, wanting_listed(self->ctl, self->fd, NULL));
	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, &second));
	EXPECT_LT(first.cursor, second.cursor);
	EXPECT_EQ(1, second.mtime_nsec);
}

/* Until the file is listed: others may be before it, like the C library. */
static bool poll_until_listed(int ctl, int fd)
{
	while (wanting_poll(ctl, WANTING_MS * patience()) == POLLIN) {
		if (wanting_listed(ctl, fd, NULL))
			return true;
	}
	return false;
}

TEST_F(watch, poll_waits_for_one_that_is_new)
{
	struct a32_wanted first, second;
	struct wanting_spinner spinner;
	int other = ctl_open();

	ASSERT_LE(0, other);
	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	/* Nobody has read to the end. */
	EXPECT_EQ(POLLIN, wanting_poll(self->ctl, 0));
	EXPECT_EQ(POLLIN, wanting_poll(self->ctl, 0));
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, &first));
	EXPECT_EQ(0, wanting_poll(self->ctl, 0));
	/* What is sampled all along is in no need of being reported twice. */
	EXPECT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	EXPECT_EQ(POLLIN, wanting_poll(other, 0)) TH_LOG("what one has read, another has not");
	ASSERT_EQ(1, wanting_listed(self->ctl, self->fd, &second));
	EXPECT_EQ(first.cursor, second.cursor);
	EXPECT_EQ(0, wanting_poll(self->ctl, 0));
	close(self->fd);
	self->fd = wanting_make_file(WANTING_FOLDER "/another");
	ASSERT_LE(0, self->fd);
	wanting_spin(&spinner, self->fd);
	EXPECT_TRUE(poll_until_listed(self->ctl, self->fd));
	wanting_stop(&spinner);
	close(other);
}

TEST_F(watch, who_may_not_ask_is_told_nothing)
{
	struct a32_wanted item = {};
	int status;
	pid_t pid;

	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (caps_keep(0))
			_exit(1);
		if (wanting_poll(self->ctl, 0) != POLLERR)
			_exit(2);
		_exit(ctl_next_wanted(self->ctl, &item) == -EPERM ? 0 : 3);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status) TH_LOG("exit %d", WEXITSTATUS(status));
}

/* The counts are what a file that nobody maps is kept for. */
TEST_F(watch, what_is_forgotten_before_it_was_listed_is_counted)
{
	struct wanting_spinner spinner;
	uint32_t lost;
	int fd;

	fd = wanting_make_file(WANTING_FOLDER "/another");
	ASSERT_LE(0, fd);
	wanting_spin(&spinner, fd);
	ASSERT_TRUE(wanting_is_sampled(self->ctl, WANTING_FOLDER "/another"));
	lost = wanting_lost(self->ctl);
	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	ASSERT_TRUE(wanting_forget(self->ctl, WANTING_FILE));
	EXPECT_EQ(0, wanting_listed(self->ctl, self->fd, NULL));
	EXPECT_EQ(lost + 1, wanting_lost(self->ctl));
	/* It is reported again. */
	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	EXPECT_EQ(1, wanting_listed(self->ctl, self->fd, NULL));
	/* Now that it was, nothing is lost with it. */
	ASSERT_TRUE(wanting_forget(self->ctl, WANTING_FILE));
	EXPECT_EQ(lost + 1, wanting_lost(self->ctl));
	wanting_stop(&spinner);
}

static void unload_all(int ctl)
{
	struct a32_rule_item item = {};
	int fd;

	while (!ctl_next_rule(ctl, &item)) {
		if (item.kind != A32_RULE_TABLE)
			continue;
		fd = open(item.path, O_RDONLY | O_CLOEXEC);
		ctl_unload_table(ctl, fd);
		close(fd);
	}
}

/* The looper, in a root of its own: its name leads nowhere else. */
static pid_t start_looper(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!chroot(WANTING_FOLDER))
		execl("/looper", "looper", "-", "1000000", NULL);
	_exit(127);
}

/* As packaging/a32uwind.service bounds it */
static int run_service(void)
{
	const uint64_t caps = 1ULL << CAP_PERFMON | 1ULL << CAP_CHECKPOINT_RESTORE |
			      1ULL << CAP_SYS_PTRACE | 1ULL << CAP_DAC_READ_SEARCH;
	int cap;

	for (cap = 0; cap <= CAP_LAST_CAP; cap++) {
		if (!(caps & 1ULL << cap) && prctl(PR_CAPBSET_DROP, cap))
			return 126;
	}
	execlp("a32uwctl", "a32uwctl", "watch", "--once", NULL);
	return 127;
}

TEST_F_TIMEOUT(watch, service_gets_at_files_with_few_capabilities, 240)
{
	struct wanting_spinner spinner;
	struct a32_info info;
	int status, fd;
	pid_t pid;

	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	ASSERT_EQ(0, system("cp looper " WANTING_FOLDER));
	fd = open(WANTING_FOLDER "/looper", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	wanting_sample(&spinner, start_looper());
	EXPECT_TRUE(wanting_is_sampled(self->ctl, "/looper"));
	EXPECT_EQ(1, wanting_listed(self->ctl, fd, NULL));
	pid = fork();
	if (!pid)
		_exit(run_service());
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status) TH_LOG("exit %d", WEXITSTATUS(status));
	EXPECT_EQ(0, wanting_listed(self->ctl, fd, NULL));
	EXPECT_EQ(0, ctl_unload_table(self->ctl, fd)) TH_LOG("it has no table");
	wanting_stop(&spinner);
	ASSERT_EQ(0, ctl_set_default(self->ctl, info.default_abi));
	unload_all(self->ctl);
}

TEST_HARNESS_MAIN
