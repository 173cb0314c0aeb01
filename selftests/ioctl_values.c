// SPDX-License-Identifier: GPL-2.0
/*
 * Requests with one wrong value each: ABIs, flags, file descriptors, bounds,
 * processes and cursors. Each is refused with the errno that uapi/a32uwind.h
 * documents for it, and changes nothing.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "ioctl.h"

static struct a32_tag_file file_arg(int fd)
{
	return (struct a32_tag_file) {
		.size = sizeof(struct a32_tag_file), .fd = fd, .abi = A32_ABI_APCS,
		.start = 0x4000, .end = 0x5000,
	};
}

static struct a32_tag_range range_arg(pid_t pid)
{
	return (struct a32_tag_range) {
		.size = sizeof(struct a32_tag_range), .pid = pid, .abi = A32_ABI_APCS,
		.start = 0x40000, .end = 0x50000,
	};
}

TEST_F(ioctl, unknown_abi_is_einval)
{
	static const uint32_t bad[] = { A32_ABI_NR, 6, 100, 254, 256, 0x10001, 0x80000000,
		0xffffffff };
	struct a32_tag_range range = range_arg(getpid());
	struct a32_tag_file file = file_arg(self->fd);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		file.abi = range.abi = bad[i];
		EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_TAG_FILE, &file));
		EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_TAG_RANGE, &range));
		EXPECT_REFUSED(EINVAL, ctl_set_default(self->ctl, bad[i]));
	}
	EXPECT_REFUSED(EINVAL, ctl_set_default(self->ctl, A32_ABI_DEFAULT));
}

TEST_F(ioctl, enabled_other_than_0_and_1_is_einval)
{
	EXPECT_REFUSED(EINVAL, ctl_set_enabled(self->ctl, 2));
	EXPECT_REFUSED(EINVAL, ctl_set_enabled(self->ctl, 0x100));
	EXPECT_REFUSED(EINVAL, ctl_set_enabled(self->ctl, 0xffffffff));
}

TEST_F(ioctl, unknown_flag_is_einval)
{
	struct a32_tag_range range = range_arg(getpid());
	struct a32_tag_file file = file_arg(self->fd);
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		file.flags = range.flags = 1U << bit;
		EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_TAG_FILE, &file));
		EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_TAG_RANGE, &range));
	}
}

/* The rules exist, so that only the wrong field can be what is refused. */
TEST_F(ioctl, abi_or_flag_of_an_untag_is_einval)
{
	struct a32_tag_range range = range_arg(getpid());
	struct a32_tag_file file = file_arg(self->fd);

	file.start = 0x1000;
	file.end = 0x2000;
	range.start = 0x10000;
	range.end = 0x20000;
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_UNTAG_FILE, &file));
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_UNTAG_RANGE, &range));
	file.abi = range.abi = 0;
	file.flags = range.flags = 1;
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_UNTAG_FILE, &file));
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_UNTAG_RANGE, &range));
}

TEST_F(ioctl, reserved_field_that_is_not_zero_is_einval)
{
	struct a32_info info = { .size = sizeof(info), .reserved = 1 };
	struct a32_rule_item item = { .size = sizeof(item), .reserved = 1 };
	struct a32_stats stats = { .size = sizeof(stats), .reserved = 1 };

	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_INFO, &info));
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_NEXT_RULE, &item));
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_STATS, &stats));
	EXPECT_REFUSED(EINVAL, ctl_call(self->ctl, A32_IOC_NEXT_FILE_STATS, &stats));
}

#define EXPECT_FD_REFUSED(err, bad_fd) do {					\
	struct a32_tag_file arg = file_arg(bad_fd);				\
										\
	EXPECT_REFUSED(err, ctl_call(self->ctl, A32_IOC_TAG_FILE, &arg));	\
	arg.abi = 0;								\
	EXPECT_REFUSED(err, ctl_call(self->ctl, A32_IOC_UNTAG_FILE, &arg));	\
} while (0)

TEST_F(ioctl, fd_that_is_not_open_is_ebadf)
{
	int closed = dup(self->fd);

	ASSERT_LE(0, closed);
	close(closed);
	EXPECT_FD_REFUSED(EBADF, closed);
	EXPECT_FD_REFUSED(EBADF, -1);
	EXPECT_FD_REFUSED(EBADF, AT_FDCWD);
	EXPECT_FD_REFUSED(EBADF, 1000000);
	EXPECT_FD_REFUSED(EBADF, INT32_MAX);
	EXPECT_FD_REFUSED(EBADF, INT32_MIN);
}

TEST_F(ioctl, fd_that_is_no_regular_file_is_eacces)
{
	int pipes[2], sockets[2], dir, null;

	ASSERT_EQ(0, pipe(pipes));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	dir = open("/tmp", O_RDONLY | O_DIRECTORY);
	ASSERT_LE(0, dir);
	null = open("/dev/null", O_RDONLY);
	ASSERT_LE(0, null);
	EXPECT_FD_REFUSED(EACCES, pipes[0]);
	EXPECT_FD_REFUSED(EACCES, sockets[0]);
	EXPECT_FD_REFUSED(EACCES, dir);
	EXPECT_FD_REFUSED(EACCES, null);
	EXPECT_FD_REFUSED(EACCES, self->ctl);
}

TEST_F(ioctl, fd_that_is_not_open_for_reading_is_eacces)
{
	int fd = open(IOCTL_FILE, O_WRONLY);

	ASSERT_LE(0, fd);
	EXPECT_FD_REFUSED(EACCES, fd);
}

/* An O_PATH descriptor is no open file to most of the kernel: either will do. */
TEST_F(ioctl, fd_of_a_path_is_refused)
{
	struct a32_tag_file arg = file_arg(open(IOCTL_FILE, O_PATH));
	int ret;

	ASSERT_LE(0, arg.fd);
	ret = ctl_call(self->ctl, A32_IOC_TAG_FILE, &arg);
	EXPECT_TRUE(ret == -EBADF || ret == -EACCES) TH_LOG("%d", ret);
	EXPECT_SAME_STATE();
}

TEST_F(ioctl, bad_file_bounds_are_einval)
{
	static const uint64_t bad[][2] = {
		{ 0x5000, 0x4000 }, { 0x4000, 0x4000 }, { 0x4000, 0 }, { 2, 2 }, { ~1ULL, 0 },
		{ 0x4001, 0x5000 }, { 0x4000, 0x5001 }, { 1, 3 }, { 0, 1 }, { 0x4000, ~0ULL },
		{ 1ULL << 63, 2 }, { 0x100000000ULL, 0x2000 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_REFUSED_ROW(EINVAL, i, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC,
							   bad[i][0], bad[i][1]));
		EXPECT_REFUSED_ROW(EINVAL, i, ctl_untag_part(self->ctl, self->fd, bad[i][0],
							     bad[i][1]));
	}
}

TEST_F(ioctl, bad_range_bounds_are_einval)
{
	static const uint32_t bad[][2] = {
		{ 0x50000, 0x40000 }, { 0x40000, 0x40000 }, { 0x40000, 0 }, { 0, 0 }, { 0xfffffffe,
		0 },
		{ 0x40001, 0x50000 }, { 0x40000, 0x50001 }, { 1, 3 }, { 0, 1 }, { 0x40000,
		0xffffffff },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_REFUSED_ROW(EINVAL, i, ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC,
							    bad[i][0], bad[i][1]));
		EXPECT_REFUSED_ROW(EINVAL, i, ctl_untag_range(self->ctl, getpid(), bad[i][0],
							      bad[i][1]));
	}
}

TEST_F(ioctl, overlap_that_is_not_equal_is_eexist)
{
	static const uint64_t overlap[][2] = {
		{ 0x800, 0x1002 }, { 0x1000, 0x1800 }, { 0x1ffe, 0x3000 }, { 0x1002, 0x1ffe }, { 0,
		0x10000 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(overlap); i++) {
		uint64_t start = overlap[i][0], end = overlap[i][1];

		EXPECT_REFUSED_ROW(EEXIST, i, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, start,
							   end));
		EXPECT_REFUSED_ROW(EEXIST, i, ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC,
							    start << 4, end << 4));
	}
}

/* Behind any file's end: taken or refused, but never half. */
TEST_F(ioctl, huge_file_bounds_are_taken_whole_or_refused)
{
	static const uint64_t huge[][2] = {
		{ 0x7ffffffffffffffeULL, 0xfffffffffffffffeULL }, { 0xfffffffffffffffcULL,
		0xfffffffffffffffeULL },
		{ 0x100000000ULL, 0x200000000ULL }, { 0x4000, 0x7ffffffffffffffeULL },
	};
	struct ctl_state now;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(huge); i++) {
		ret = ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, huge[i][0], huge[i][1]);
		if (ret) {
			EXPECT_EQ(-EINVAL, ret);
			EXPECT_SAME_STATE();
			continue;
		}
		ASSERT_EQ(0, ctl_state(self->ctl, &now));
		EXPECT_EQ(4, now.listed);
		EXPECT_EQ(0, ctl_untag_part(self->ctl, self->fd, huge[i][0], huge[i][1]));
		EXPECT_SAME_STATE();
	}
}

TEST_F(ioctl, rule_that_is_not_there_is_enoent)
{
	int other = open("/bin/busybox", O_RDONLY);

	ASSERT_LE(0, other);
	EXPECT_REFUSED(ENOENT, ctl_untag(self->ctl, other));
	EXPECT_REFUSED(ENOENT, ctl_untag_part(self->ctl, other, 0, 0x1000));
	EXPECT_REFUSED(ENOENT, ctl_untag_part(self->ctl, self->fd, 0x1000, 0x1800));
	EXPECT_REFUSED(ENOENT, ctl_untag_part(self->ctl, self->fd, 0x800, 0x2000));
	EXPECT_REFUSED(ENOENT, ctl_untag_part(self->ctl, self->fd, 0x3000, 0x4000));
	EXPECT_REFUSED(ENOENT, ctl_untag_range(self->ctl, getpid(), 0x10000, 0x18000));
	EXPECT_REFUSED(ENOENT, ctl_untag_range(self->ctl, getpid(), 0x8000, 0x20000));
	EXPECT_REFUSED(ENOENT, ctl_untag_range(self->ctl, getpid(), 0x30000, 0x40000));
	EXPECT_REFUSED(ENOENT, ctl_untag_range(self->ctl, 1, 0x10000, 0x20000));
}

#define EXPECT_PID_REFUSED(pid) do {						\
	struct a32_map_item map;						\
										\
	EXPECT_REFUSED(ESRCH, ctl_tag_range(self->ctl, pid, A32_ABI_GCC, 0x40000, 0x50000));	\
	EXPECT_REFUSED(ESRCH, ctl_untag_range(self->ctl, pid, 0x40000, 0x50000));	\
	EXPECT_REFUSED(ESRCH, ctl_next_map(self->ctl, pid, 0, &map));		\
} while (0)

TEST_F(ioctl, unknown_process_is_esrch)
{
	EXPECT_PID_REFUSED(0);
	EXPECT_PID_REFUSED(-1);
	EXPECT_PID_REFUSED(-getpid());
	EXPECT_PID_REFUSED(INT32_MAX);
	EXPECT_PID_REFUSED(INT32_MIN);
	EXPECT_PID_REFUSED(4194305);
}

/* kthreadd, always 2. */
TEST_F(ioctl, kernel_thread_is_esrch)
{
	EXPECT_PID_REFUSED(2);
}

TEST_F(ioctl, zombie_is_esrch)
{
	siginfo_t info;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(0);
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	EXPECT_PID_REFUSED(pid);
	waitpid(pid, NULL, 0);
	EXPECT_PID_REFUSED(pid);
}

TEST_F(ioctl, cursor_past_the_end_is_enoent)
{
	struct a32_stats stats = { .size = sizeof(stats), .cursor = ~0ULL };
	struct a32_rule_item item = {};

	while (!ctl_next_rule(self->ctl, &item))
		;
	EXPECT_REFUSED(ENOENT, ctl_next_rule(self->ctl, &item));
	item.cursor = ~0ULL;
	EXPECT_REFUSED(ENOENT, ctl_next_rule(self->ctl, &item));
	EXPECT_REFUSED(ENOENT, ctl_call(self->ctl, A32_IOC_NEXT_FILE_STATS, &stats));
}

/* Nobody gave these out: an item or none, but no other answer. */
TEST_F(ioctl, invented_cursor_is_harmless)
{
	static const uint64_t cursors[] = { 1000000, 0x7fffffff, 0xffffffff, 0x100000000ULL,
		1ULL << 63 };
	struct a32_rule_item item;
	struct a32_stats stats;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(cursors); i++) {
		item.cursor = cursors[i];
		ret = ctl_next_rule(self->ctl, &item);
		EXPECT_TRUE(!ret || ret == -ENOENT) TH_LOG("row %zu: %d", i, ret);
		memset(&stats, 0, sizeof(stats));
		stats.size = sizeof(stats);
		stats.cursor = cursors[i];
		ret = ctl_call(self->ctl, A32_IOC_NEXT_FILE_STATS, &stats);
		EXPECT_TRUE(!ret || ret == -ENOENT) TH_LOG("row %zu: %d", i, ret);
		EXPECT_SAME_STATE();
	}
}

TEST_F(ioctl, map_past_the_end_is_enoent)
{
	struct a32_map_item map;

	EXPECT_REFUSED(ENOENT, ctl_next_map(self->ctl, getpid(), 0xffffffff, &map));
	EXPECT_REFUSED(ENOENT, ctl_next_map(self->ctl, getpid(), 0xfffff000, &map));
}

TEST_HARNESS_MAIN
