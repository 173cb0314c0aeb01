// SPDX-License-Identifier: GPL-2.0
/*
 * The index of executable mappings follows every call that changes them: what
 * NEXT_MAP lists is what /proc/PID/maps shows, right after the call.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "kselftest_harness.h"
#include "ctl.h"
#include "truth.h"

#define PAGE		4096UL
#define RX		(PROT_READ | PROT_EXEC)
#define RW		(PROT_READ | PROT_WRITE)
#define FILE_PATH	"/tmp/index-test-file"

FIXTURE(index) {
	int ctl;
	int fd;
};

FIXTURE_SETUP(index)
{
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	self->fd = open(FILE_PATH, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, ftruncate(self->fd, 64 * PAGE));
	/* From here on it has to be kept up to date, not built. */
	ASSERT_EQ(0, truth_compare(self->ctl, getpid()));
}

FIXTURE_TEARDOWN(index)
{
	unlink(FILE_PATH);
}

#define EXPECT_TRUTH()	EXPECT_EQ(0, truth_compare(self->ctl, getpid()))

/* 1: listed, 0: not. */
static int listed(int ctl, void *addr)
{
	struct a32_map_item item;

	return !ctl_map_at(ctl, getpid(), (uintptr_t)addr, &item);
}

static char *map_pages(int fd, unsigned long pages, int prot)
{
	return mmap(NULL, pages * PAGE, prot, MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
}

TEST_F(index, mmap_of_a_file)
{
	char *map = map_pages(self->fd, 8, RX);

	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_TRUE(listed(self->ctl, map));
	EXPECT_TRUTH();
}

TEST_F(index, mmap_of_anonymous_memory)
{
	char *map = map_pages(-1, 8, RX);

	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_TRUE(listed(self->ctl, map));
	EXPECT_TRUTH();
}

TEST_F(index, mmap_that_is_not_executable_is_not_listed)
{
	char *map = map_pages(self->fd, 8, PROT_READ);

	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_FALSE(listed(self->ctl, map));
	EXPECT_TRUTH();
}

TEST_F(index, map_fixed_over_the_middle)
{
	char *map = map_pages(self->fd, 8, RX);

	ASSERT_TRUE(map != MAP_FAILED);
	/* Another offset of the same file, data, and anonymous code. */
	ASSERT_EQ(map + PAGE, mmap(map + PAGE, PAGE, RX, MAP_PRIVATE | MAP_FIXED, self->fd,
				   32 * PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(map + 3 * PAGE, mmap(map + 3 * PAGE, PAGE, RW,
				       MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0));
	EXPECT_FALSE(listed(self->ctl, map + 3 * PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(map + 5 * PAGE, mmap(map + 5 * PAGE, PAGE, RX,
				       MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0));
	EXPECT_TRUE(listed(self->ctl, map + 5 * PAGE));
	EXPECT_TRUTH();
}

TEST_F(index, munmap_of_the_head_tail_and_middle)
{
	char *map = map_pages(self->fd, 16, RX);

	ASSERT_TRUE(map != MAP_FAILED);
	ASSERT_EQ(0, munmap(map, PAGE));
	EXPECT_FALSE(listed(self->ctl, map));
	EXPECT_TRUTH();
	ASSERT_EQ(0, munmap(map + 15 * PAGE, PAGE));
	EXPECT_FALSE(listed(self->ctl, map + 15 * PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(0, munmap(map + 7 * PAGE, 2 * PAGE));
	EXPECT_FALSE(listed(self->ctl, map + 7 * PAGE));
	EXPECT_TRUE(listed(self->ctl, map + 9 * PAGE));
	EXPECT_TRUTH();
	/* Over holes and pieces at once. */
	ASSERT_EQ(0, munmap(map, 16 * PAGE));
	EXPECT_FALSE(listed(self->ctl, map + 9 * PAGE));
	EXPECT_TRUTH();
}

/* A JIT's way: write, then make it executable, and back. */
TEST_F(index, mprotect_to_executable_and_back)
{
	char *map = map_pages(-1, 8, RW);

	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_FALSE(listed(self->ctl, map));
	ASSERT_EQ(0, mprotect(map + 2 * PAGE, 2 * PAGE, RX));
	EXPECT_FALSE(listed(self->ctl, map));
	EXPECT_TRUE(listed(self->ctl, map + 2 * PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(0, mprotect(map, 8 * PAGE, RX));
	EXPECT_TRUE(listed(self->ctl, map));
	EXPECT_TRUTH();
	ASSERT_EQ(0, mprotect(map + 4 * PAGE, PAGE, RW));
	EXPECT_FALSE(listed(self->ctl, map + 4 * PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(0, mprotect(map, 8 * PAGE, PROT_NONE));
	EXPECT_FALSE(listed(self->ctl, map));
	EXPECT_TRUTH();
}

TEST_F(index, mprotect_of_a_file_mapping)
{
	char *map = map_pages(self->fd, 8, PROT_READ);

	ASSERT_TRUE(map != MAP_FAILED);
	ASSERT_EQ(0, mprotect(map + PAGE, 3 * PAGE, RX));
	EXPECT_TRUE(listed(self->ctl, map + PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(0, mprotect(map + 2 * PAGE, PAGE, PROT_READ));
	EXPECT_FALSE(listed(self->ctl, map + 2 * PAGE));
	EXPECT_TRUTH();
}

TEST_F(index, mprotect_exec_only)
{
	char *map = map_pages(self->fd, 2, PROT_EXEC);

	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_TRUE(listed(self->ctl, map));
	EXPECT_TRUTH();
}

TEST_F(index, mremap_moves_grows_and_shrinks)
{
	char *map = map_pages(self->fd, 4, RX), *place, *moved;

	place = map_pages(-1, 32, PROT_NONE);
	ASSERT_TRUE(map != MAP_FAILED && place != MAP_FAILED);
	moved = mremap(map, 4 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	ASSERT_EQ(place, moved);
	EXPECT_FALSE(listed(self->ctl, map));
	EXPECT_TRUE(listed(self->ctl, place));
	EXPECT_TRUTH();
	ASSERT_EQ(0, munmap(place + 4 * PAGE, 28 * PAGE));
	ASSERT_EQ(place, mremap(place, 4 * PAGE, 8 * PAGE, 0));
	EXPECT_TRUE(listed(self->ctl, place + 7 * PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(place, mremap(place, 8 * PAGE, 2 * PAGE, 0));
	EXPECT_FALSE(listed(self->ctl, place + 2 * PAGE));
	EXPECT_TRUTH();
	/* Part of a mapping, without a given place. */
	moved = mremap(place + PAGE, PAGE, 16 * PAGE, MREMAP_MAYMOVE);
	ASSERT_TRUE(moved != MAP_FAILED);
	EXPECT_TRUE(listed(self->ctl, moved + 15 * PAGE));
	EXPECT_TRUTH();
}

TEST_F(index, dlopen_and_dlclose)
{
	void *lib, *fn;
	int i;

	for (i = 0; i < 20; i++) {
		lib = dlopen("./libempty.so", RTLD_NOW);
		ASSERT_NE(NULL, lib) TH_LOG("%s", dlerror());
		fn = dlsym(lib, "libempty_function");
		ASSERT_NE(NULL, fn);
		EXPECT_TRUE(listed(self->ctl, (void *)((uintptr_t)fn & ~1)));
		EXPECT_TRUTH();
		ASSERT_EQ(0, dlclose(lib));
		EXPECT_FALSE(listed(self->ctl, (void *)((uintptr_t)fn & ~1)));
		EXPECT_TRUTH();
	}
}

/* The address stays, what is there changes. */
TEST_F(index, other_file_at_the_same_address)
{
	struct a32_map_item item;
	char *map = map_pages(self->fd, 4, RX);
	int other = open("/bin/busybox", O_RDONLY);

	ASSERT_TRUE(map != MAP_FAILED);
	ASSERT_LE(0, other);
	ASSERT_EQ(map, mmap(map, 4 * PAGE, RX, MAP_PRIVATE | MAP_FIXED, other, PAGE));
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), (uintptr_t)map, &item));
	EXPECT_STREQ("/bin/busybox", item.path);
	EXPECT_TRUTH();
	ASSERT_EQ(map, mmap(map, 4 * PAGE, RX, MAP_PRIVATE | MAP_FIXED, self->fd, 0));
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), (uintptr_t)map, &item));
	EXPECT_STREQ(FILE_PATH, item.path);
	EXPECT_TRUTH();
}

TEST_F(index, path_that_is_too_long_loses_its_head)
{
	char path[1024] = "/tmp";
	struct a32_map_item item;
	char *map;
	int fd, i;

	for (i = 0; i < 8; i++) {
		strcat(path, "/a-folder-with-a-name-that-is-fifty-characters-long");
		mkdir(path, 0700);
	}
	strcat(path, "/file");
	fd = open(path, O_RDWR | O_CREAT, 0700);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ftruncate(fd, PAGE));
	map = map_pages(fd, 1, RX);
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), (uintptr_t)map, &item));
	EXPECT_EQ(A32_PATH_MAX - 1, strlen(item.path));
	EXPECT_STREQ(path + strlen(path) - (A32_PATH_MAX - 1), item.path);
	EXPECT_TRUTH();
}

/* Every second page, so that no two can become one. */
TEST_F_TIMEOUT(index, ten_thousand_mappings, 200)
{
	const unsigned long count = 10000;
	char *map = map_pages(-1, 2 * count, PROT_NONE);
	unsigned long i;

	ASSERT_TRUE(map != MAP_FAILED);
	for (i = 0; i < count; i++)
		ASSERT_EQ(0, mprotect(map + 2 * i * PAGE, PAGE, RX)) TH_LOG("mapping %lu", i);
	EXPECT_LE(count, truth_count(getpid()));
	EXPECT_TRUTH();
	/* Take away every third. */
	for (i = 0; i < count; i += 3)
		ASSERT_EQ(0, munmap(map + 2 * i * PAGE, PAGE));
	EXPECT_TRUTH();
	ASSERT_EQ(0, munmap(map, 2 * count * PAGE));
	EXPECT_TRUTH();
}

static int churn_fd;
static char *churn_place;

/* Each thread has 64 pages of its own to map, protect and unmap. */
static void *churn(void *arg)
{
	unsigned int seed = (uintptr_t)arg, i;
	char *place = churn_place + (uintptr_t)arg * 64 * PAGE;

	for (i = 0; i < 3000; i++) {
		unsigned int r = rand_r(&seed) >> 4, page = r % 60, pages = 1 + (r >> 8) % 4;
		char *at = place + page * PAGE;

		switch ((r >> 16) % 4) {
		case 0:
			mmap(at, pages * PAGE, RX, MAP_PRIVATE | MAP_FIXED, churn_fd, page * PAGE);
			break;
		case 1:
			mmap(at, pages * PAGE, RX, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
			break;
		case 2:
			mprotect(at, pages * PAGE, r & 64 ? RX : PROT_READ);
			break;
		case 3:
			mmap(at, pages * PAGE, PROT_NONE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS,
			     -1, 0);
			break;
		}
	}
	return NULL;
}

TEST_F_TIMEOUT(index, threads_that_map_at_the_same_time, 120)
{
	pthread_t threads[4];
	uintptr_t i;

	churn_fd = self->fd;
	churn_place = map_pages(-1, 64 * ARRAY_SIZE(threads), PROT_NONE);
	ASSERT_TRUE(churn_place != MAP_FAILED);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, churn, (void *)i));
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	EXPECT_TRUTH();
}

/* The same, and the index is read all the while. */
TEST_F_TIMEOUT(index, listing_while_another_thread_maps, 120)
{
	struct a32_map_item item;
	pthread_t thread;
	uint32_t at;
	int i;

	churn_fd = self->fd;
	churn_place = map_pages(-1, 64, PROT_NONE);
	ASSERT_TRUE(churn_place != MAP_FAILED);
	ASSERT_EQ(0, pthread_create(&thread, NULL, churn, NULL));
	for (i = 0; i < 200; i++) {
		for (at = 0; !ctl_next_map(self->ctl, getpid(), at, &item); at = item.end) {
			/* It may have grown downwards since the last call. */
			ASSERT_LT(at, item.end);
			ASSERT_LT(item.start, item.end);
		}
	}
	pthread_join(thread, NULL);
	EXPECT_TRUTH();
}

TEST_HARNESS_MAIN
