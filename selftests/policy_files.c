// SPDX-License-Identifier: GPL-2.0
/*
 * What a rule on a file holds on to: the file itself, under every name, until
 * it is changed or replaced.
 */
#include <sys/mount.h>

#include "policy.h"

#define MAX_PARTS_STEP	4
#define OTHER_ROOT	"/tmp/policy-root"

TEST_F(policy, rule_is_listed_with_what_it_was_made_from)
{
	struct a32_rule_item item;
	struct stat st;

	ASSERT_EQ(0, fstat(self->fd, &st));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, 0x1002, 0x2004));
	ASSERT_EQ(1, count_rules(self->ctl, self->fd, &item));
	EXPECT_EQ(A32_RULE_PART, item.kind);
	EXPECT_EQ(A32_ABI_GCC, item.abi);
	EXPECT_EQ(0x1002, item.start);
	EXPECT_EQ(0x2004, item.end);
	EXPECT_EQ(st.st_ino, item.ino);
	EXPECT_EQ(major(st.st_dev), item.major);
	EXPECT_EQ(minor(st.st_dev), item.minor);
	EXPECT_EQ(0, item.pid);
	EXPECT_EQ(0, item.stale);
	EXPECT_EQ(0, item.reserved);
	EXPECT_STREQ(FILE_PATH, item.path);
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_APCS));
	ASSERT_EQ(1, count_rules(self->ctl, self->fd, &item));
	EXPECT_EQ(A32_RULE_FILE, item.kind);
	EXPECT_EQ(A32_ABI_APCS, item.abi);
	EXPECT_EQ(0, item.start);
	EXPECT_EQ(0, item.end);
}

TEST_F(policy, range_is_listed_with_its_process)
{
	struct a32_rule_item item = {};
	unsigned int found = 0;

	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC, 0x7000000, 0x7000002));
	while (!ctl_next_rule(self->ctl, &item)) {
		if (item.kind != A32_RULE_RANGE || item.start != 0x7000000)
			continue;
		found++;
		EXPECT_EQ(getpid(), item.pid);
		EXPECT_EQ(0x7000002, item.end);
		EXPECT_EQ(A32_ABI_GCC, item.abi);
		EXPECT_EQ(0, item.ino);
	}
	EXPECT_EQ(1, found);
}

TEST_F(policy, hard_link_is_the_same_file)
{
	char *linked;
	int fd;

	ASSERT_EQ(0, link(FILE_PATH, OTHER_PATH));
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	fd = open(OTHER_PATH, O_RDONLY);
	ASSERT_LE(0, fd);
	linked = map_file(fd);
	ASSERT_TRUE(linked != MAP_FAILED);
	EXPECT_ABI(linked, A32_ABI_GCC, A32_RULE_FILE);
	EXPECT_EQ(0, ctl_untag(self->ctl, fd));
	EXPECT_ABI(self->map, DEFAULT_ABI, A32_RULE_DEFAULT);
}

TEST_F(policy, symbolic_link_is_the_file_it_leads_to)
{
	int fd;

	ASSERT_EQ(0, symlink(FILE_PATH, OTHER_PATH));
	fd = open(OTHER_PATH, O_RDONLY);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ctl_tag(self->ctl, fd, A32_ABI_GCC));
	EXPECT_ABI(self->map, A32_ABI_GCC, A32_RULE_FILE);
}

/* What a package manager does: the old file stays mapped, the new one isn't it. */
TEST_F(policy, file_renamed_over_it_does_not_follow)
{
	struct a32_rule_item item;
	char *map;
	int fd;

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	fd = make_file(OTHER_PATH);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, rename(OTHER_PATH, FILE_PATH));
	map = map_file(fd);
	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_ABI(map, DEFAULT_ABI, A32_RULE_DEFAULT);
	EXPECT_ABI(self->map, A32_ABI_GCC, A32_RULE_FILE);
	ASSERT_EQ(1, count_rules(self->ctl, self->fd, &item));
	EXPECT_EQ(1, item.stale);
}

TEST_F(policy, removed_file_is_stale)
{
	struct a32_rule_item item;

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, unlink(FILE_PATH));
	ASSERT_EQ(1, count_rules(self->ctl, self->fd, &item));
	EXPECT_EQ(1, item.stale);
	EXPECT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_EQ(0, count_rules(self->ctl, self->fd, NULL));
}

#define EXPECT_STALE(fd) do {						\
	struct a32_rule_item _item = {};				\
	char *_later;							\
									\
	EXPECT_EQ(1, count_rules(self->ctl, fd, &_item));		\
	EXPECT_EQ(1, _item.stale);					\
	_later = map_file(fd);						\
	ASSERT_TRUE(_later != MAP_FAILED);				\
	EXPECT_ABI(_later, DEFAULT_ABI, A32_RULE_DEFAULT);		\
} while (0)

TEST_F(policy, file_of_another_size_does_not_follow)
{
	struct stat st;

	ASSERT_EQ(0, fstat(self->fd, &st));
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, ftruncate(self->fd, FILE_SIZE + 4));
	/* The time alone must not be what tells. */
	ASSERT_EQ(0, futimens(self->fd, (struct timespec [2]) { st.st_atim, st.st_mtim }));
	EXPECT_STALE(self->fd);
}

TEST_F(policy, file_of_another_time_does_not_follow)
{
	struct timespec times[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000,
		.tv_nsec = 1 } };

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, futimens(self->fd, times));
	EXPECT_STALE(self->fd);
}

TEST_F(policy, file_of_another_nanosecond_does_not_follow)
{
	struct timespec times[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000,
		.tv_nsec = 1 } };

	ASSERT_EQ(0, futimens(self->fd, times));
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	times[1].tv_nsec = 2;
	ASSERT_EQ(0, futimens(self->fd, times));
	EXPECT_STALE(self->fd);
}

TEST_F(policy, changed_file_follows_when_tagged_again)
{
	struct timespec times[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000 } };
	struct a32_rule_item item;
	char *map;

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, futimens(self->fd, times));
	EXPECT_STALE(self->fd);
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_APCS));
	ASSERT_EQ(1, count_rules(self->ctl, self->fd, &item));
	EXPECT_EQ(0, item.stale);
	map = map_file(self->fd);
	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_ABI(map, A32_ABI_APCS, A32_RULE_FILE);
}

TEST_F(policy, rule_on_a_file_that_nobody_maps_is_kept)
{
	struct a32_rule_item item;
	char *map;

	ASSERT_EQ(0, munmap(self->map, FILE_SIZE));
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	close(self->fd);
	self->fd = open(FILE_PATH, O_RDONLY);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(1, count_rules(self->ctl, self->fd, &item));
	EXPECT_EQ(0, item.stale);
	map = map_file(self->fd);
	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_ABI(map, A32_ABI_GCC, A32_RULE_FILE);
}

/* A rule must not keep a file system from being unmounted. */
TEST_F(policy, rule_on_a_file_of_a_mounted_tmpfs)
{
	char *map;
	int fd;

	mkdir("/tmp/policy-mount", 0700);
	ASSERT_EQ(0, mount("tmpfs", "/tmp/policy-mount", "tmpfs", 0, NULL));
	fd = make_file("/tmp/policy-mount/file");
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ctl_tag(self->ctl, fd, A32_ABI_GCC));
	map = map_file(fd);
	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_ABI(map, A32_ABI_GCC, A32_RULE_FILE);
	ASSERT_EQ(0, munmap(map, FILE_SIZE));
	close(fd);
	EXPECT_EQ(0, umount("/tmp/policy-mount"))
		TH_LOG("the rule keeps the file system busy");
	/* The rule can't be asked away any more through a file that is gone. */
	rmdir("/tmp/policy-mount");
}

TEST_F(policy, files_with_one_inode_number_on_two_file_systems_are_two)
{
	struct stat st, st2;
	int fd, fd2;
	char *map, *map2;

	mkdir("/tmp/policy-a", 0700);
	mkdir("/tmp/policy-b", 0700);
	ASSERT_EQ(0, mount("tmpfs", "/tmp/policy-a", "tmpfs", 0, NULL));
	ASSERT_EQ(0, mount("tmpfs", "/tmp/policy-b", "tmpfs", 0, NULL));
	fd = make_file("/tmp/policy-a/file");
	fd2 = make_file("/tmp/policy-b/file");
	ASSERT_EQ(0, fstat(fd, &st));
	ASSERT_EQ(0, fstat(fd2, &st2));
	ASSERT_EQ(0, futimens(fd2, (struct timespec [2]) { st.st_atim, st.st_mtim }));
	/* tmpfs counts inodes per mount. */
	ASSERT_EQ(st.st_ino, st2.st_ino);
	ASSERT_EQ(0, ctl_tag(self->ctl, fd, A32_ABI_GCC));
	map = map_file(fd);
	map2 = map_file(fd2);
	EXPECT_ABI(map, A32_ABI_GCC, A32_RULE_FILE);
	EXPECT_ABI(map2, DEFAULT_ABI, A32_RULE_DEFAULT);
	EXPECT_EQ(0, ctl_untag(self->ctl, fd));
	umount2("/tmp/policy-a", MNT_DETACH);
	umount2("/tmp/policy-b", MNT_DETACH);
}

/* A process in a root of its own that maps the file of that name there, and waits */
static pid_t map_in_root(const char *root, int ready)
{
	pid_t pid = fork();
	char c = 0;

	if (pid)
		return pid;
	if (chroot(root) || chdir("/") || map_file(open(FILE_PATH, O_RDONLY)) == MAP_FAILED)
		c = 1;
	if (write(ready, &c, 1) == 1)
		pause();
	_exit(1);
}

/* Two files of one name: what it leads to here says nothing of the other. */
TEST_F(policy, name_in_another_root_is_not_looked_up)
{
	struct a32_tag_file stale = { .size = sizeof(stale), .fd = -1, .flags = A32_UNTAG_STALE };
	struct a32_rule_item item;
	int ready[2], fd;
	char failed = 1;
	pid_t pid;

	mkdir(OTHER_ROOT, 0700);
	mkdir(OTHER_ROOT "/tmp", 0700);
	fd = make_file(OTHER_ROOT FILE_PATH);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pipe(ready));
	pid = map_in_root(OTHER_ROOT, ready[1]);
	ASSERT_LT(0, pid);
	EXPECT_EQ(1, read(ready[0], &failed, 1));
	EXPECT_EQ(0, failed);

	EXPECT_EQ(0, ctl_tag(self->ctl, fd, A32_ABI_GCC));
	EXPECT_EQ(1, count_rules(self->ctl, fd, &item));
	EXPECT_STREQ(FILE_PATH, item.path);
	EXPECT_EQ(A32_STALE_ELSEWHERE, item.stale);
	/* Of other tests, there may be some. */
	ctl_call(self->ctl, A32_IOC_UNTAG_FILE, &stale);
	EXPECT_EQ(1, count_rules(self->ctl, fd, NULL));
	EXPECT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_APCS));
	EXPECT_EQ(1, count_rules(self->ctl, fd, &item));
	EXPECT_EQ(A32_ABI_GCC, item.abi);

	procs_end(pid);
	ctl_untag(self->ctl, fd);
	close(ready[0]);
	close(ready[1]);
	close(fd);
	unlink(OTHER_ROOT FILE_PATH);
	rmdir(OTHER_ROOT "/tmp");
	rmdir(OTHER_ROOT);
}

TEST_F_TIMEOUT(policy, parts_end_at_the_limit_and_each_is_listed_once, 120)
{
	static unsigned char seen[A32_MAX_RULES];
	struct a32_rule_item item = {};
	unsigned int i, listed = 0;
	struct stat st;

	ASSERT_EQ(0, fstat(self->fd, &st));
	/* Back to front, as the list has to be sorted somewhere. */
	for (i = A32_MAX_RULES; i-- > 0;)
		ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, i * MAX_PARTS_STEP,
					  i * MAX_PARTS_STEP + 2)) TH_LOG("part %u", i);
	i = A32_MAX_RULES * MAX_PARTS_STEP;
	EXPECT_EQ(-ENOSPC, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, i, i + 2));
	/* At the limit, a rule that is there can still be changed. */
	EXPECT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0, 2));

	memset(seen, 0, sizeof(seen));
	while (!ctl_next_rule(self->ctl, &item)) {
		if (item.kind != A32_RULE_PART || item.ino != st.st_ino)
			continue;
		ASSERT_GT(A32_MAX_RULES, item.start / MAX_PARTS_STEP);
		ASSERT_EQ(0, seen[item.start / MAX_PARTS_STEP]++);
		listed++;
	}
	EXPECT_EQ(A32_MAX_RULES, listed);
	EXPECT_EQ(0, ctl_untag_part(self->ctl, self->fd, 0, 2));
	EXPECT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, 2, 4));
	EXPECT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_EQ(0, count_rules(self->ctl, self->fd, NULL));
}

TEST_HARNESS_MAIN
