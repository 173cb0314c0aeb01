// SPDX-License-Identifier: GPL-2.0
/*
 * The list of files that want an unwind table, when there are more of them than it
 * keeps, and while readers, rules and tables come and go.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "kselftest_harness.h"
#include "ctl.h"
#include "perfring.h"
#include "procs.h"
#include "wanting.h"

#define RING_PAGES	16
/* KEPT_MAX in module/file.c */
#define KEPT		1024

FIXTURE(watch_races) {
	int ctl;
	int fd;
};

FIXTURE_SETUP(watch_races)
{
	ASSERT_TRUE(wanting_begin(&self->ctl, &self->fd));
}

FIXTURE_TEARDOWN(watch_races)
{
	wanting_end(self->ctl, self->fd);
}

/**
 * struct hits - samples of a file's code
 * @code: it
 * @nr: how many
 */
struct hits {
	wanting_code code;
	unsigned int nr;
};

static void count_hit(const struct perfring_sample *sample, void *arg)
{
	struct hits *hits = arg;

	hits->nr += sample->user_nr && sample->user[0] - (uintptr_t)hits->code < WANTING_SIZE;
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
		snprintf(path, sizeof(path), WANTING_FOLDER "/many-%u", i);
		fd = wanting_make_file(path);
		hits = (struct hits){ wanting_map_file(fd) };
		while (!hits.nr) {
			hits.code(100000);
			perfring_read(ring, count_hit, &hits);
		}
		munmap((void *)hits.code, WANTING_SIZE);
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
		nr += !strncmp(item.path, WANTING_FOLDER "/many-", strlen(WANTING_FOLDER "/many-"));
	return nr;
}

TEST_F_TIMEOUT(watch_races, list_is_bounded_and_what_does_not_fit_is_counted, 240)
{
	const unsigned int nr = KEPT + 100;
	unsigned int listed, files, lost;
	struct a32_info info;
	int status;
	pid_t pid;

	ASSERT_TRUE(wanting_run_sampled(self->ctl, self->fd, WANTING_FILE));
	lost = wanting_lost(self->ctl);
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
	lost = wanting_lost(self->ctl) - lost;
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
		wanting_poll(ctl, i % 3);
		close(ctl);
	}
	return NULL;
}

/* Tables, rules and counts come and go. */
static void *change_on(void *arg)
{
	int ctl = ctl_open(), fd = open(WANTING_FILE, O_RDONLY | O_CLOEXEC);
	uint32_t size;
	void *table = wanting_make_table(&size);

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

TEST_F_TIMEOUT(watch_races, readers_come_and_go_while_all_changes, 120)
{
	struct wanting_spinner spinner;
	pthread_t thread[4];
	unsigned int i;
	pid_t pid;

	wanting_spin(&spinner, self->fd);
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
	EXPECT_TRUE(wanting_is_sampled(self->ctl, WANTING_FILE));
	EXPECT_EQ(1, wanting_listed(self->ctl, self->fd, NULL));
	wanting_stop(&spinner);
}

TEST_HARNESS_MAIN
