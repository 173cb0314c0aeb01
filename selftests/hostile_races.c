// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that change what is being walked, while it is: code that is rewritten,
 * files that are replaced, mappings, rules, tables and descriptors that come and
 * go; and users who may not ask.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "kselftest_harness.h"
#include "clock.h"
#include "ctl.h"
#include "hostile.h"
#include "tablefile.h"

enum {
	PAGE = 4096, FRAMES = 40, RACE_MS = 4000, RACERS = 7, R11 = 11, SP = 13,
	CODE_BYTES = HOSTILE_PAGES * PAGE,
};

static bool stop;

FIXTURE(races) {
	int ctl;
	struct hostile hostile;
	uint32_t stack[2 * PAGE];
	uint32_t r[15];
	struct ctl_state before;
	void *table;
	uint32_t table_size;
};

static uint32_t random_u32(void)
{
	static __thread uint64_t seed = 1;

	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 32;
}

/* In no page but the first is anything that the test itself runs. */
static void make_chain(struct hostile *h, uint32_t *stack, uint32_t r[15])
{
	unsigned int i;

	for (i = 0; i < FRAMES; i++) {
		stack[16 + 8 * i] = i + 1 < FRAMES ?
			hostile_return(h, HOSTILE_FUNCTIONS + i * 4, i) : 0;
		stack[15 + 8 * i] = i + 1 < FRAMES ? (uintptr_t)&stack[24 + 8 * i] : 0;
	}
	r[R11] = (uintptr_t)&stack[16];
	r[SP] = (uintptr_t)&stack[13];
}

/* What gcc's record says, and its prologue doesn't */
static void *make_table(uint32_t *size)
{
	static const struct tablefile_row rows[] = {
		{ 0, TABLEFILE_FRAME(11, 4, -1, A32_TABLE_SAME, -2) },
	};

	return tablefile_write(rows, 1, CODE_BYTES, CODE_BYTES, size);
}

FIXTURE_SETUP(races)
{
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	ASSERT_EQ(0, hostile_begin(&self->hostile, self->ctl));
	make_chain(&self->hostile, self->stack, self->r);
	self->table = make_table(&self->table_size);
	ASSERT_NE(NULL, self->table);
	ASSERT_EQ(0, ctl_state(self->ctl, &self->before));
	stop = false;
}

FIXTURE_TEARDOWN(races)
{
	struct ctl_state now;

	/* Of all that was sampled meanwhile */
	EXPECT_EQ(0, self->hostile.chain.insane);
	/* A file that was changed is listed as that. */
	ASSERT_EQ(0, ctl_state(self->ctl, &now));
	EXPECT_EQ(self->before.listed, now.listed);
	EXPECT_EQ(self->before.tables, now.tables);
	EXPECT_EQ(self->before.default_abi, now.default_abi);
	EXPECT_EQ(self->before.enabled, now.enabled);
	hostile_end(&self->hostile, self->ctl);
	free(self->table);
}

static bool stopped(void)
{
	return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

/* Samples until the time is over. Return: how many; @longest: entries of the longest chain */
static unsigned int sample_on(struct hostile *h, const uint32_t r[15], unsigned int *longest)
{
	uint64_t end = clock_ms() + RACE_MS;
	unsigned int nr = 0;

	*longest = 0;
	while (clock_ms() < end) {
		nr += hostile_sample(h, r, random_u32() % HOSTILE_FUNCTIONS);
		if (h->chain.nr > *longest)
			*longest = h->chain.nr;
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	return nr;
}

static uint32_t random_insn(void)
{
	static const uint32_t insn[] = {
		0xe92d4800, 0xe28db004, 0xe8bd8800, 0xe12fff1e, 0xebfffffe, 0xeafffff0, 0xe3a07077,
		0xef000000, 0xe24bd004, 0xe59ff000, 0xe1a0c00d, 0xe92dd800, 0xb580b580, 0xe7f001f9,
	};

	return random_u32() & 1 ? insn[random_u32() % ARRAY_SIZE(insn)] : random_u32();
}

/* Through the file, as it is mapped for all */
static void *rewrite(void *arg)
{
	struct hostile *h = arg;
	uint32_t at, word;

	while (!stopped()) {
		at = PAGE + random_u32() % (CODE_BYTES - PAGE) / 4 * 4;
		word = random_insn();
		if (random_u32() % 64)
			pwrite(h->fd, &word, sizeof(word), at);
		else
			hostile_write_code(h, 1 + random_u32() % (HOSTILE_PAGES - 1));
	}
	return NULL;
}

TEST_F_TIMEOUT(races, code_is_rewritten_while_it_is_walked, 60)
{
	unsigned int longest, nr;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, rewrite, &self->hostile));
	nr = sample_on(&self->hostile, self->r, &longest);
	pthread_join(thread, NULL);
	printf("# %u samples, the longest chain has %u entries\n", nr, longest);
	EXPECT_LE(100, nr);
	EXPECT_GE(FRAMES, longest);
	EXPECT_LE(2, longest);
}

static bool has_table(int ctl, const void *addr)
{
	struct a32_map_item item;

	return !ctl_map_at(ctl, getpid(), (uintptr_t)addr, &item) && item.abi == A32_ABI_TABLE;
}

TEST_F(races, table_of_a_file_that_is_replaced_is_not_used)
{
	struct hostile *h = &self->hostile;
	void *other;
	char c = 0;

	ASSERT_EQ(0, ctl_load_table(self->ctl, h->fd, self->table, self->table_size));
	ASSERT_TRUE(hostile_sample(h, self->r, 0));
	EXPECT_EQ(FRAMES, h->chain.nr);
	EXPECT_TRUE(has_table(self->ctl, h->code));

	/* All but the code that the test runs is cut off, then comes back as zeros. */
	ASSERT_EQ(0, ftruncate(h->fd, PAGE));
	ASSERT_TRUE(hostile_sample(h, self->r, 0));
	EXPECT_GE(FRAMES, h->chain.nr);
	ASSERT_EQ(0, ftruncate(h->fd, CODE_BYTES));
	ASSERT_EQ(1, pwrite(h->fd, &c, 1, CODE_BYTES - 1));
	ASSERT_TRUE(hostile_sample(h, self->r, 0));
	EXPECT_GE(FRAMES, h->chain.nr);

	/* Who maps it now gets another file. */
	other = mmap(NULL, CODE_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, h->fd, 0);
	ASSERT_NE(MAP_FAILED, other);
	EXPECT_FALSE(has_table(self->ctl, other));
	munmap(other, CODE_BYTES);
	ctl_unload_table(self->ctl, h->fd);
	ASSERT_EQ(0, ctl_untag(self->ctl, h->fd));
	ASSERT_EQ(0, ctl_tag(self->ctl, h->fd, A32_ABI_GCC));
}

typedef void *(*racer_fn)(void *arg);

/* What racers share, besides the module */
static struct {
	struct hostile *hostile;
	const void *table;
	uint32_t table_size;
	int ctl;			/* closed and opened again under the others */
} race;

static void share(int ctl, struct hostile *h, const void *table, uint32_t table_size)
{
	race.ctl = ctl;
	race.hostile = h;
	race.table = table;
	race.table_size = table_size;
}

static int race_ctl(void)
{
	return __atomic_load_n(&race.ctl, __ATOMIC_RELAXED);
}

static void *race_close(void *arg)
{
	int fd;

	while (!stopped()) {
		fd = ctl_open();
		fd = __atomic_exchange_n(&race.ctl, fd, __ATOMIC_RELAXED);
		sched_yield();
		close(fd);
	}
	return NULL;
}

static void *race_tables(void *arg)
{
	while (!stopped()) {
		ctl_load_table(race_ctl(), race.hostile->fd, race.table, race.table_size);
		sched_yield();
		ctl_unload_table(race_ctl(), race.hostile->fd);
	}
	return NULL;
}

static void *race_rules(void *arg)
{
	uintptr_t code = (uintptr_t)race.hostile->code;

	while (!stopped()) {
		ctl_tag_range(race_ctl(), getpid(), 1 + random_u32() % 4, code, code + PAGE);
		ctl_tag_part(race_ctl(), race.hostile->fd, A32_ABI_AAPCS, 0x1000, 0x2000);
		sched_yield();
		ctl_untag_range(race_ctl(), getpid(), code, code + PAGE);
		ctl_untag_part(race_ctl(), race.hostile->fd, 0x1000, 0x2000);
	}
	return NULL;
}

static void *race_mappings(void *arg)
{
	static const int prots[] = { PROT_READ, PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE };
	char *p;

	while (!stopped()) {
		p = mmap(NULL, CODE_BYTES, prots[random_u32() % ARRAY_SIZE(prots)], MAP_SHARED,
			 race.hostile->fd, 0);
		if (p == MAP_FAILED)
			continue;
		mprotect(p + PAGE, PAGE, prots[random_u32() % ARRAY_SIZE(prots)]);
		munmap(p + random_u32() % HOSTILE_PAGES * PAGE, PAGE);
		munmap(p, CODE_BYTES);
	}
	return NULL;
}

static void *race_lists(void *arg)
{
	struct a32_rule_item rule = { 0 };
	struct a32_map_item map = { 0 };
	struct a32_stats stats;

	while (!stopped()) {
		if (ctl_next_rule(race_ctl(), &rule))
			rule.cursor = 0;
		if (ctl_next_map(race_ctl(), getpid(), map.end, &map))
			map.end = 0;
		ctl_stats(race_ctl(), &stats);
	}
	return NULL;
}

static void *race_processes(void *arg)
{
	pid_t pid;

	while (!stopped()) {
		pid = fork();
		if (!pid)
			_exit(0);
		ctl_tag_range(race_ctl(), pid, A32_ABI_APCS, PAGE, 2 * PAGE);
		waitpid(pid, NULL, 0);
	}
	return NULL;
}

TEST_F_TIMEOUT(races, close_ioctl_munmap_and_samples, 90)
{
	static const racer_fn racers[RACERS] = {
		race_close, race_tables, race_rules, race_mappings, race_lists, race_processes,
		race_lists,
	};
	unsigned int i, nr, longest;
	pthread_t thread[RACERS];

	share(ctl_open(), &self->hostile, self->table, self->table_size);
	for (i = 0; i < RACERS; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, racers[i], NULL));
	nr = sample_on(&self->hostile, self->r, &longest);
	for (i = 0; i < RACERS; i++)
		pthread_join(thread[i], NULL);
	close(race.ctl);
	printf("# %u samples, the longest chain has %u entries\n", nr, longest);
	EXPECT_LE(50, nr);
	EXPECT_EQ(FRAMES, longest);
	/* Some undoing may have met a closed descriptor. */
	ctl_unload_table(self->ctl, self->hostile.fd);
	ctl_untag_part(self->ctl, self->hostile.fd, 0x1000, 0x2000);
	ctl_untag_range(self->ctl, getpid(), (uintptr_t)self->hostile.code,
			(uintptr_t)self->hostile.code + PAGE);
}

/* Requests that are about more than the caller; each would be served for root. */
static bool all_are_refused(void)
{
	int ctl = race.ctl, fd = race.hostile->fd;
	const int got[] = {
		ctl_set_default(ctl, A32_ABI_APCS), ctl_set_enabled(ctl, 0),
		ctl_tag(ctl, fd, A32_ABI_AAPCS), ctl_untag(ctl, fd),
		ctl_load_table(ctl, fd, race.table, race.table_size), ctl_unload_table(ctl, fd),
		ctl_tag_range(ctl, getppid(), A32_ABI_APCS, PAGE, 2 * PAGE),
		ctl_reset_stats(ctl),
	};
	size_t refused = 0, i;

	for (i = 0; i < ARRAY_SIZE(got); i++)
		refused += got[i] == -EPERM;
	return refused == ARRAY_SIZE(got);
}

enum { REFUSED, NOT_REFUSED, NO_NAMESPACE };

/* An inherited descriptor is of no use, with all capabilities of a user namespace either. */
static int ask_from(int flags, uid_t uid)
{
	if (uid && setresuid(uid, uid, uid))
		return NO_NAMESPACE;
	if (flags && unshare(flags))
		return NO_NAMESPACE;
	return all_are_refused() ? REFUSED : NOT_REFUSED;
}

TEST_F(races, users_and_namespaces_are_refused)
{
	static const struct {
		int flags;
		uid_t uid;
	} who[] = { { 0, 65534 }, { CLONE_NEWUSER, 0 }, { CLONE_NEWUSER | CLONE_NEWNS, 0 } };
	int status;
	size_t i;
	pid_t pid;

	share(self->ctl, &self->hostile, self->table, self->table_size);
	for (i = 0; i < ARRAY_SIZE(who); i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			_exit(ask_from(who[i].flags, who[i].uid));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		ASSERT_TRUE(WIFEXITED(status));
		EXPECT_EQ(REFUSED, WEXITSTATUS(status)) TH_LOG("case %d", (int)i);
	}
}

TEST_HARNESS_MAIN
