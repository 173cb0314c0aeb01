// SPDX-License-Identifier: GPL-2.0
/*
 * The list of files that want an unwind table: what comes onto it and leaves
 * it, who may read it, and what poll() says.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "kselftest_harness.h"
#include "caps.h"
#include "ctl.h"
#include "perfring.h"
#include "procs.h"
#include "tablefile.h"

#define FOLDER		"/tmp/watch-test"
#define FILE_PATH	FOLDER "/file"
#define FILE_SIZE	0x1000
#define WAIT_MS		20000
#define RING_PAGES	16
/* KEPT_MAX in module/file.c */
#define KEPT		1024

/*
 * A function that counts down r0. It is no ELF file: "auto" finds no ABI in it.
 *	0:	subs	r0, r0, #1
 *	4:	bne	0
 *	8:	bx	lr
 */
static int make_file(const char *path)
{
	static const uint32_t code[FILE_SIZE / 4] = { 0xe2500001, 0x1afffffd, 0xe12fff1e };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	if (fd < 0 || write(fd, code, sizeof(code)) == sizeof(code))
		return fd;
	close(fd);
	return -1;
}

typedef void (*countdown)(unsigned int turns);

static countdown map_file(int fd)
{
	return (countdown)mmap(NULL, FILE_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

/**
 * struct spinner - a child that runs a file's code, sampled
 * @pid: the child
 * @ring: its samples, which nobody reads
 */
struct spinner {
	pid_t pid;
	struct perfring *ring;
};

static void sample(struct spinner *spinner, pid_t pid)
{
	struct perf_event_attr attr;

	perfring_cpu_clock(&attr, 500000);
	spinner->pid = pid;
	spinner->ring = perfring_open(&attr, pid, -1, RING_PAGES);
	if (!spinner->ring || perfring_enable(spinner->ring))
		printf("# no samples: %m\n");
}

static void spin(struct spinner *spinner, int fd)
{
	pid_t pid = fork();
	countdown code;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		code = map_file(fd);
		for (;;)
			code(1000000);
	}
	sample(spinner, pid);
}

static void stop(struct spinner *spinner)
{
	procs_end(spinner->pid);
	perfring_close(spinner->ring);
}

/* Samples in a file so far */
static uint64_t samples_of(int ctl, const char *path)
{
	struct a32_stats stats = { .size = sizeof(stats) };
	uint64_t samples = 0;

	while (!ctl_call(ctl, A32_IOC_NEXT_FILE_STATS, &stats)) {
		if (!strcmp(stats.path, path))
			samples += stats.samples;
		stats.size = sizeof(stats);
		stats.samples = 0;
	}
	return samples;
}

/* Wait for some more. */
static bool is_sampled(int ctl, const char *path)
{
	uint64_t end = now_ms() + WAIT_MS, seen = samples_of(ctl, path);

	while (now_ms() < end) {
		if (samples_of(ctl, path) >= seen + 5)
			return true;
		usleep(2000);
	}
	return false;
}

/* Run a file's code until it was sampled. */
static bool run_sampled(int ctl, int fd, const char *path)
{
	struct spinner spinner;
	bool ok;

	spin(&spinner, fd);
	ok = is_sampled(ctl, path);
	stop(&spinner);
	return ok;
}

static bool is_of(const struct a32_wanted *item, const struct stat *st)
{
	return item->ino == st->st_ino && item->major == major(st->st_dev) &&
	       item->minor == minor(st->st_dev) && item->file_size == (uint64_t)st->st_size &&
	       item->mtime_sec == st->st_mtim.tv_sec &&
	       item->mtime_nsec == (uint32_t)st->st_mtim.tv_nsec;
}

/* How often it is listed as it is now; @found is the last of them. */
static unsigned int count_listed(int ctl, int fd, struct a32_wanted *found)
{
	struct a32_wanted item = {};
	unsigned int nr = 0;
	struct stat st;

	fstat(fd, &st);
	while (!ctl_next_wanted(ctl, &item)) {
		if (!is_of(&item, &st))
			continue;
		nr++;
		if (found)
			*found = item;
	}
	return nr;
}

static uint32_t count_lost(int ctl)
{
	struct a32_wanted item = {}, last = {};

	while (!ctl_next_wanted(ctl, &item))
		last = item;
	return last.lost;
}

static short poll_now(int ctl, int ms)
{
	struct pollfd pollfd = { .fd = ctl, .events = POLLIN };

	return poll(&pollfd, 1, ms) < 0 ? -1 : pollfd.revents;
}

static void remove_files(void)
{
	if (system("rm -rf " FOLDER))
		printf("# %s stays\n", FOLDER);
}

FIXTURE(watch) {
	int ctl;
	int fd;
};

FIXTURE_SETUP(watch)
{
	remove_files();
	ASSERT_EQ(0, mkdir(FOLDER, 0700));
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	self->fd = make_file(FILE_PATH);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(watch)
{
	ctl_untag(self->ctl, self->fd);
	ctl_unload_table(self->ctl, self->fd);
	ctl_reset_stats(self->ctl);
	remove_files();
}

TEST_F(watch, file_without_abi_is_listed_with_what_is_needed_to_find_it)
{
	struct spinner spinner;
	struct a32_wanted item;
	struct stat st, mapped;
	char path[64];

	EXPECT_EQ(0, count_listed(self->ctl, self->fd, NULL));
	spin(&spinner, self->fd);
	ASSERT_TRUE(is_sampled(self->ctl, FILE_PATH));
	ASSERT_EQ(1, count_listed(self->ctl, self->fd, &item));
	EXPECT_STREQ(FILE_PATH, item.path);
	EXPECT_EQ(spinner.pid, item.pid);
	snprintf(path, sizeof(path), "/proc/%d/map_files/%x-%x", item.pid, item.start, item.end);
	ASSERT_EQ(0, stat(path, &mapped)) TH_LOG("%s", path);
	ASSERT_EQ(0, fstat(self->fd, &st));
	EXPECT_EQ(st.st_ino, mapped.st_ino);
	EXPECT_EQ(st.st_dev, mapped.st_dev);
	stop(&spinner);
	/* It stays when nobody has it mapped. */
	usleep(200000);
	ASSERT_EQ(1, count_listed(self->ctl, self->fd, &item));
	EXPECT_EQ(0, item.pid);
	EXPECT_EQ(0, item.start);
	EXPECT_EQ(0, item.end);
}

TEST_F(watch, listing_is_the_same_for_all_readers_and_each_time)
{
	struct a32_wanted a = {}, b = {};
	int other = ctl_open(), ret;

	ASSERT_LE(0, other);
	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	ASSERT_EQ(1, count_listed(self->ctl, self->fd, NULL));
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
	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	item->size = sizeof(*item);
	ASSERT_EQ(0, mprotect(item, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, ctl_call(self->ctl, A32_IOC_NEXT_WANTED, item));
	EXPECT_EQ(1, count_listed(self->ctl, self->fd, NULL));
}

/* Nothing is known of memory without a file, nor can anything be done about it. */
TEST_F(watch, memory_without_a_file_is_not_listed)
{
	struct a32_wanted item = {};
	struct spinner spinner;
	void *memory;
	pid_t pid;

	pid = fork();
	if (!pid) {
		memory = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (read(self->fd, memory, FILE_SIZE) || pread(self->fd, memory, FILE_SIZE, 0) < 0)
			_exit(1);
		__builtin___clear_cache(memory, (char *)memory + FILE_SIZE);
		for (;;)
			((countdown)memory)(1000000);
	}
	sample(&spinner, pid);
	EXPECT_TRUE(is_sampled(self->ctl, "[anon]"));
	stop(&spinner);
	while (!ctl_next_wanted(self->ctl, &item))
		EXPECT_EQ('/', item.path[0]) TH_LOG("%s", item.path);
}

/* An unwind table of the file that knows nothing */
static void *make_table(uint32_t *size)
{
	static const struct tablefile_row row = { 0, TABLEFILE_KIND(STOP) };

	return tablefile_write(&row, 1, FILE_SIZE, FILE_SIZE, size);
}

TEST_F(watch, file_with_a_table_is_not_listed_until_it_is_unloaded)
{
	struct a32_wanted first, second;
	struct spinner spinner;
	uint32_t size;
	void *table = make_table(&size);

	ASSERT_NE(NULL, table);
	spin(&spinner, self->fd);
	ASSERT_TRUE(is_sampled(self->ctl, FILE_PATH));
	ASSERT_EQ(1, count_listed(self->ctl, self->fd, &first));
	ASSERT_EQ(0, ctl_load_table(self->ctl, self->fd, table, size));
	EXPECT_TRUE(is_sampled(self->ctl, FILE_PATH));
	EXPECT_EQ(0, count_listed(self->ctl, self->fd, NULL));
	ASSERT_EQ(0, ctl_unload_table(self->ctl, self->fd));
	EXPECT_TRUE(is_sampled(self->ctl, FILE_PATH));
	ASSERT_EQ(1, count_listed(self->ctl, self->fd, &second));
	EXPECT_LT(first.cursor, second.cursor) TH_LOG("a reader would not see it");
	stop(&spinner);
	/* It has to be sampled for that. */
	ASSERT_EQ(0, ctl_load_table(self->ctl, self->fd, table, size));
	ASSERT_EQ(0, ctl_unload_table(self->ctl, self->fd));
	EXPECT_EQ(0, count_listed(self->ctl, self->fd, NULL));
	free(table);
}

TEST_F(watch, file_with_a_rule_is_not_listed)
{
	static const uint32_t abis[] = { A32_ABI_NONE, A32_ABI_GCC };
	struct spinner spinner;
	size_t i;

	spin(&spinner, self->fd);
	for (i = 0; i < ARRAY_SIZE(abis); i++) {
		ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, abis[i]));
		EXPECT_TRUE(is_sampled(self->ctl, FILE_PATH));
		EXPECT_EQ(0, count_listed(self->ctl, self->fd, NULL));
		ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
		EXPECT_TRUE(is_sampled(self->ctl, FILE_PATH));
		EXPECT_EQ(1, count_listed(self->ctl, self->fd, NULL));
	}
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_NONE, 0, FILE_SIZE));
	EXPECT_TRUE(is_sampled(self->ctl, FILE_PATH));
	EXPECT_EQ(0, count_listed(self->ctl, self->fd, NULL));
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	/* This one says nothing else than none does. */
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_AUTO));
	EXPECT_TRUE(is_sampled(self->ctl, FILE_PATH));
	EXPECT_EQ(1, count_listed(self->ctl, self->fd, NULL));
	stop(&spinner);
}

TEST_F(watch, changed_file_is_listed_anew)
{
	struct timespec times[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000,
		.tv_nsec = 1 } };
	struct a32_wanted first, second;

	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	ASSERT_EQ(1, count_listed(self->ctl, self->fd, &first));
	ASSERT_EQ(0, futimens(self->fd, times));
	EXPECT_EQ(0, count_listed(self->ctl, self->fd, NULL));
	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	ASSERT_EQ(1, count_listed(self->ctl, self->fd, &second));
	EXPECT_LT(first.cursor, second.cursor);
	EXPECT_EQ(1, second.mtime_nsec);
}

TEST_F(watch, poll_waits_for_one_that_is_new)
{
	int other = ctl_open();
	struct spinner spinner;

	ASSERT_LE(0, other);
	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	/* Nobody has read to the end. */
	EXPECT_EQ(POLLIN, poll_now(self->ctl, 0));
	EXPECT_EQ(POLLIN, poll_now(self->ctl, 0));
	EXPECT_EQ(1, count_listed(self->ctl, self->fd, NULL));
	EXPECT_EQ(0, poll_now(self->ctl, 0));
	/* What is sampled all along is in no need of being reported twice. */
	EXPECT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	EXPECT_EQ(0, poll_now(self->ctl, 0));
	EXPECT_EQ(POLLIN, poll_now(other, 0)) TH_LOG("what one has read, another has not");
	close(self->fd);
	self->fd = make_file(FOLDER "/another");
	ASSERT_LE(0, self->fd);
	spin(&spinner, self->fd);
	EXPECT_EQ(POLLIN, poll_now(self->ctl, WAIT_MS));
	EXPECT_EQ(1, count_listed(self->ctl, self->fd, NULL));
	stop(&spinner);
}

TEST_F(watch, who_may_not_ask_is_told_nothing)
{
	struct a32_wanted item = {};
	int status;
	pid_t pid;

	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (caps_keep(0))
			_exit(1);
		if (poll_now(self->ctl, 0) != POLLERR)
			_exit(2);
		_exit(ctl_next_wanted(self->ctl, &item) == -EPERM ? 0 : 3);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status) TH_LOG("exit %d", WEXITSTATUS(status));
}

/* The counts are what a file that nobody maps is kept for. */
TEST_F(watch, what_is_forgotten_before_it_was_listed_is_counted)
{
	struct spinner spinner;
	uint32_t lost;
	int fd;

	fd = make_file(FOLDER "/another");
	ASSERT_LE(0, fd);
	spin(&spinner, fd);
	ASSERT_TRUE(is_sampled(self->ctl, FOLDER "/another"));
	lost = count_lost(self->ctl);
	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	usleep(200000);
	ASSERT_EQ(0, ctl_reset_stats(self->ctl));
	EXPECT_EQ(0, count_listed(self->ctl, self->fd, NULL));
	EXPECT_EQ(lost + 1, count_lost(self->ctl));
	/* It is reported again. */
	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	usleep(200000);
	EXPECT_EQ(1, count_listed(self->ctl, self->fd, NULL));
	/* Now that it was, nothing is lost with it. */
	ASSERT_EQ(0, ctl_reset_stats(self->ctl));
	EXPECT_EQ(lost + 1, count_lost(self->ctl));
	stop(&spinner);
}

/**
 * struct hits - samples of a file's code
 * @code: it
 * @nr: how many
 */
struct hits {
	countdown code;
	unsigned int nr;
};

static void count_hit(const struct perfring_sample *sample, void *arg)
{
	struct hits *hits = arg;

	hits->nr += sample->user_nr && sample->user[0] - (uintptr_t)hits->code < FILE_SIZE;
}

/* Run each file's code until it was sampled, and forget it. */
static void run_many(unsigned int nr)
{
	struct perf_event_attr attr;
	struct perfring *ring;
	struct hits hits;
	char path[64];
	unsigned int i;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	perfring_cpu_clock(&attr, 500000);
	ring = perfring_open(&attr, 0, -1, RING_PAGES);
	if (!ring || perfring_enable(ring))
		_exit(1);
	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), FOLDER "/many-%u", i);
		fd = make_file(path);
		hits = (struct hits){ map_file(fd) };
		while (!hits.nr) {
			hits.code(100000);
			perfring_read(ring, count_hit, &hits);
		}
		munmap((void *)hits.code, FILE_SIZE);
		close(fd);
		unlink(path);
	}
	perfring_close(ring);
}

static unsigned int count_many(int ctl)
{
	struct a32_wanted item = {};
	unsigned int nr = 0;

	while (!ctl_next_wanted(ctl, &item))
		nr += !strncmp(item.path, FOLDER "/many-", strlen(FOLDER "/many-"));
	return nr;
}

TEST_F_TIMEOUT(watch, list_is_bounded_and_what_does_not_fit_is_counted, 240)
{
	const unsigned int nr = KEPT + 100;
	unsigned int listed, files, lost;
	struct a32_info info;
	int status;
	pid_t pid;

	ASSERT_TRUE(run_sampled(self->ctl, self->fd, FILE_PATH));
	lost = count_lost(self->ctl);
	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	files = info.files;
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		run_many(nr);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	usleep(300000);
	listed = count_many(self->ctl);
	lost = count_lost(self->ctl) - lost;
	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	printf("# %u listed, %u lost of %u\n", listed, lost, nr);
	EXPECT_GE(KEPT, listed);
	EXPECT_LT(0, lost);
	EXPECT_EQ(nr, listed + lost);
	EXPECT_GE(files + KEPT + 4, info.files) TH_LOG("files that nobody maps are kept");
}

static bool is_over;

/* Open, read and wait, and close in the middle of it. */
static void *read_on(void *arg)
{
	struct a32_wanted item;
	unsigned int i;
	int ctl;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		ctl = ctl_open();
		item.cursor = 0;
		for (i = 0; i < (uintptr_t)arg && !ctl_next_wanted(ctl, &item); i++)
			;
		poll_now(ctl, i % 3);
		close(ctl);
	}
	return NULL;
}

/* Tables, rules and counts come and go. */
static void *change_on(void *arg)
{
	int ctl = ctl_open(), fd = open(FILE_PATH, O_RDONLY | O_CLOEXEC);
	uint32_t size;
	void *table = make_table(&size);

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		ctl_load_table(ctl, fd, table, size);
		ctl_unload_table(ctl, fd);
		ctl_tag(ctl, fd, A32_ABI_NONE);
		ctl_untag(ctl, fd);
		ctl_reset_stats(ctl);
	}
	free(table);
	close(fd);
	close(ctl);
	return NULL;
}

TEST_F_TIMEOUT(watch, readers_come_and_go_while_all_changes, 120)
{
	struct spinner spinner;
	pthread_t thread[4];
	unsigned int i;
	pid_t pid;

	spin(&spinner, self->fd);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		for (;;)
			run_many(20);
	}
	ASSERT_EQ(0, pthread_create(&thread[0], NULL, read_on, (void *)1));
	ASSERT_EQ(0, pthread_create(&thread[1], NULL, read_on, (void *)3));
	ASSERT_EQ(0, pthread_create(&thread[2], NULL, read_on, (void *)1000));
	ASSERT_EQ(0, pthread_create(&thread[3], NULL, change_on, NULL));
	sleep(5);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (i = 0; i < ARRAY_SIZE(thread); i++)
		EXPECT_EQ(0, pthread_join(thread[i], NULL));
	procs_end(pid);
	EXPECT_TRUE(is_sampled(self->ctl, FILE_PATH));
	EXPECT_EQ(1, count_listed(self->ctl, self->fd, NULL));
	stop(&spinner);
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
	if (!chroot(FOLDER))
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
	struct spinner spinner;
	struct a32_info info;
	int status, fd;
	pid_t pid;

	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	ASSERT_EQ(0, system("cp looper " FOLDER));
	fd = open(FOLDER "/looper", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	sample(&spinner, start_looper());
	EXPECT_TRUE(is_sampled(self->ctl, "/looper"));
	EXPECT_EQ(1, count_listed(self->ctl, fd, NULL));
	pid = fork();
	if (!pid)
		_exit(run_service());
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status) TH_LOG("exit %d", WEXITSTATUS(status));
	EXPECT_EQ(0, count_listed(self->ctl, fd, NULL));
	EXPECT_EQ(0, ctl_unload_table(self->ctl, fd)) TH_LOG("it has no table");
	stop(&spinner);
	ASSERT_EQ(0, ctl_set_default(self->ctl, info.default_abi));
	unload_all(self->ctl);
}

TEST_HARNESS_MAIN
