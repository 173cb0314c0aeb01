// SPDX-License-Identifier: GPL-2.0
/*
 * Rules and the life of processes: fork, exec and exit; and the switches in
 * sysfs.
 */
#include "policy.h"

TEST_F(policy, fork_inherits_range_rules)
{
	uintptr_t base = (uintptr_t)self->map;
	pid_t pid;

	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC, base, base + 0x1000));
	pid = procs_sleeper();
	ASSERT_LT(0, pid);
	EXPECT_ABI_OF(pid, self->map, A32_ABI_GCC, A32_RULE_RANGE);

	/* From then on they are the child's own. */
	ASSERT_EQ(0, ctl_untag_range(self->ctl, getpid(), base, base + 0x1000));
	EXPECT_ABI(self->map, DEFAULT_ABI, A32_RULE_DEFAULT);
	EXPECT_ABI_OF(pid, self->map, A32_ABI_GCC, A32_RULE_RANGE);
	EXPECT_EQ(0, ctl_untag_range(self->ctl, pid, base, base + 0x1000));
	EXPECT_ABI_OF(pid, self->map, DEFAULT_ABI, A32_RULE_DEFAULT);
	procs_end(pid);
}

/* A thread has the same memory, so it has the same rules. */
TEST_F(policy, vfork_child_shares_range_rules)
{
	uintptr_t base = (uintptr_t)self->map;
	int status;
	pid_t pid;

	pid = vfork();
	if (!pid)
		_exit(ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC, base, base + 0x1000) ? 1 : 0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_ABI(self->map, A32_ABI_GCC, A32_RULE_RANGE);
}

static unsigned int count_ranges(int ctl, pid_t pid)
{
	struct a32_rule_item item = {};
	unsigned int count = 0;

	while (!ctl_next_rule(ctl, &item))
		count += item.kind == A32_RULE_RANGE && item.pid == pid;
	return count;
}

TEST_F(policy, exec_drops_range_rules)
{
	int status[2], go[2];
	char byte = 1;
	pid_t pid;

	ASSERT_EQ(0, pipe2(status, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(go, O_CLOEXEC));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* With KASAN the top of it is lower than 3 GB. */
		byte = ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC, 0x1000, 0xb6000000) ||
		       count_ranges(self->ctl, getpid()) != 1;
		if (write(status[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1)
			execl("/bin/busybox", "sleep", "1000", NULL);
		_exit(1);
	}
	close(status[1]);
	ASSERT_EQ(1, read(status[0], &byte, 1));
	ASSERT_EQ(0, byte) TH_LOG("the child could not set its rule");
	ASSERT_EQ(1, write(go[1], &byte, 1));
	/* Closed by the exec. */
	ASSERT_EQ(0, read(status[0], &byte, 1));
	ASSERT_TRUE(procs_asleep(pid));
	EXPECT_EQ(0, count_ranges(self->ctl, pid));
	procs_end(pid);
}

TEST_F(policy, exit_drops_range_rules)
{
	struct a32_info before, after;
	uintptr_t base = (uintptr_t)self->map;
	pid_t pid;

	ASSERT_EQ(0, ctl_info(self->ctl, &before));
	pid = procs_sleeper();
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, ctl_tag_range(self->ctl, pid, A32_ABI_GCC, base, base + 0x1000));
	procs_end(pid);
	ASSERT_EQ(0, ctl_info(self->ctl, &after));
	EXPECT_EQ(before.rules, after.rules);
	EXPECT_EQ(0, count_ranges(self->ctl, pid));
}

TEST_F(policy, file_rule_survives_the_process_that_made_it)
{
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		int ctl = ctl_open();

		_exit(ctl_tag(ctl, self->fd, A32_ABI_GCC) ? 1 : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_ABI(self->map, A32_ABI_GCC, A32_RULE_FILE);
}

TEST_F(policy, file_rule_survives_the_last_process_that_maps_it)
{
	pid_t pid;
	char *map;

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	pid = procs_sleeper();
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, munmap(self->map, FILE_SIZE));
	procs_end(pid);
	EXPECT_EQ(1, count_rules(self->ctl, self->fd, NULL));
	map = map_file(self->fd);
	ASSERT_TRUE(map != MAP_FAILED);
	EXPECT_ABI(map, A32_ABI_GCC, A32_RULE_FILE);
}

/* The file is tagged first, then executed. */
TEST_F(policy, file_rule_is_in_force_in_an_executed_program)
{
	struct a32_map_item map = {};
	bool found = false;
	uint32_t at = 0;
	pid_t pid;
	int fd;

	fd = open("/bin/busybox", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ctl_tag(self->ctl, fd, A32_ABI_APCS));
	pid = procs_program();
	ASSERT_LT(0, pid);
	while (!ctl_next_map(self->ctl, pid, at, &map)) {
		if (!strcmp(map.path, "/bin/busybox")) {
			found = true;
			EXPECT_EQ(A32_ABI_APCS, map.abi);
			EXPECT_EQ(A32_RULE_FILE, map.rule);
		}
		at = map.end;
	}
	EXPECT_TRUE(found);
	procs_end(pid);
	EXPECT_EQ(0, ctl_untag(self->ctl, fd));
}

TEST_F_TIMEOUT(policy, ranges_end_at_the_limit, 120)
{
	unsigned int i;
	pid_t pid = procs_sleeper();

	ASSERT_LT(0, pid);
	for (i = A32_MAX_RULES; i-- > 0;)
		ASSERT_EQ(0, ctl_tag_range(self->ctl, pid, A32_ABI_GCC, 0x100000 + i * 4,
					   0x100002 + i * 4))
			TH_LOG("range %u", i);
	EXPECT_EQ(-ENOSPC, ctl_tag_range(self->ctl, pid, A32_ABI_GCC, 0x1000, 0x1002));
	EXPECT_EQ(0, ctl_tag_range(self->ctl, pid, A32_ABI_APCS, 0x100000, 0x100002));
	EXPECT_EQ(A32_MAX_RULES, count_ranges(self->ctl, pid));
	procs_end(pid);
	EXPECT_EQ(0, count_ranges(self->ctl, pid));
}

TEST_F(policy, sysfs_shows_and_sets_the_default)
{
	static const char *const names[] = A32_ABI_NAMES;
	struct a32_info info;
	char line[64];
	uint32_t abi;

	for (abi = 0; abi < A32_ABI_NR; abi++) {
		ASSERT_EQ(0, ctl_set_default(self->ctl, abi));
		ASSERT_EQ(0, ctl_sysfs_read("default_abi", line, sizeof(line)));
		EXPECT_STREQ(names[abi], line);
	}
	for (abi = 0; abi < A32_ABI_NR; abi++) {
		snprintf(line, sizeof(line), "%s\n", names[abi]);
		ASSERT_EQ(0, ctl_sysfs_write("default_abi", line));
		ASSERT_EQ(0, ctl_info(self->ctl, &info));
		EXPECT_EQ(abi, info.default_abi);
		EXPECT_ABI(self->map, IN_FORCE(abi), A32_RULE_DEFAULT);
	}
	/* Without the newline too. */
	EXPECT_EQ(0, ctl_sysfs_write("default_abi", "gcc"));
}

TEST_F(policy, sysfs_refuses_what_is_no_abi)
{
	static const char *const bad[] = { "\n", "dwarf\n", "gc\n", "gccc\n", "GCC\n", "255\n",
		"-1\n", "default\n" };
	struct a32_info info;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, ctl_sysfs_write("default_abi", bad[i])) TH_LOG("%s", bad[i]);
		ASSERT_EQ(0, ctl_info(self->ctl, &info));
		EXPECT_EQ(DEFAULT_ABI, info.default_abi);
	}
}

TEST_F(policy, sysfs_shows_and_sets_enabled)
{
	struct a32_info info;
	char line[64];
	int on;

	for (on = 0; on < 2; on++) {
		ASSERT_EQ(0, ctl_sysfs_write("enabled", on ? "1\n" : "0\n"));
		ASSERT_EQ(0, ctl_info(self->ctl, &info));
		EXPECT_EQ(on, info.enabled);
		ASSERT_EQ(0, ctl_set_enabled(self->ctl, on));
		ASSERT_EQ(0, ctl_sysfs_read("enabled", line, sizeof(line)));
		EXPECT_STREQ(on ? "1" : "0", line);
	}
	EXPECT_EQ(-EINVAL, ctl_sysfs_write("enabled", "2\n"));
	EXPECT_EQ(-EINVAL, ctl_sysfs_write("enabled", "maybe\n"));
	EXPECT_EQ(-EINVAL, ctl_sysfs_write("enabled", "\n"));
	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	EXPECT_EQ(1, info.enabled);
}

TEST_HARNESS_MAIN
