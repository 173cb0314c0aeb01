// SPDX-License-Identifier: GPL-2.0
/*
 * Who may ask: CAP_PERFMON or CAP_SYS_ADMIN is needed at the time of the
 * request, whoever opened the device. What goes without is in own.c.
 */
#include "caps.h"
#include "ioctl.h"

/* The number of requests that are refused with EPERM, INFO left out. */
static int count_refused(int ctl, int fd, uint32_t default_abi)
{
	const struct request *r;
	int refused = 0;
	void *arg;

	for_each_request(r) {
		if (r->cmd == A32_IOC_INFO)
			continue;
		arg = valid_arg(r, fd, default_abi);
		if (r->cmd == A32_IOC_TAG_RANGE || r->cmd == A32_IOC_UNTAG_RANGE)
			((struct a32_tag_range *)arg)->pid = getppid();
		if (ctl_call(ctl, r->cmd, arg) == -EPERM)
			refused++;
		else
			printf("# %s is not refused\n", r->name);
	}
	if (ctl_reset_stats(ctl) == -EPERM)
		refused++;
	return refused;
}

TEST_F(ioctl, caller_without_capabilities_is_eperm)
{
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (caps_keep(0))
			_exit(100);
		/* INFO aside, and RESET_STATS, which takes no argument. */
		_exit(count_refused(self->ctl, self->fd, self->info.default_abi));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(ARRAY_SIZE(requests), WEXITSTATUS(status));
	EXPECT_SAME_STATE();
}

/* Everything but the two that count. */
TEST_F(ioctl, other_capabilities_are_eperm)
{
	uint64_t mask = ~0ULL >> (63 - CAP_LAST_CAP);
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (caps_keep(mask & ~(1ULL << CAP_SYS_ADMIN | 1ULL << CAP_PERFMON)))
			_exit(100);
		_exit(count_refused(self->ctl, self->fd, self->info.default_abi));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(ARRAY_SIZE(requests), WEXITSTATUS(status));
	EXPECT_SAME_STATE();
}

FIXTURE(allowed) {
	int ctl;
};

FIXTURE_VARIANT(allowed) {
	int cap;
};

FIXTURE_VARIANT_ADD(allowed, cap_perfmon) {
	.cap = CAP_PERFMON,
};

FIXTURE_VARIANT_ADD(allowed, cap_sys_admin) {
	.cap = CAP_SYS_ADMIN,
};

FIXTURE_SETUP(allowed)
{
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
}

FIXTURE_TEARDOWN(allowed)
{
	close(self->ctl);
}

TEST_F(allowed, by_itself_is_enough)
{
	struct a32_map_item map;
	struct a32_info info;
	struct a32_stats stats;
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (caps_keep(1ULL << variant->cap))
			_exit(100);
		if (ctl_info(self->ctl, &info))
			_exit(1);
		if (ctl_set_default(self->ctl, info.default_abi))
			_exit(2);
		if (ctl_next_map(self->ctl, getpid(), 0, &map))
			_exit(3);
		if (ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC, 0x1000, 0x2000))
			_exit(4);
		if (ctl_stats(self->ctl, &stats))
			_exit(5);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
}

TEST_HARNESS_MAIN
