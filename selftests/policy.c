// SPDX-License-Identifier: GPL-2.0
/*
 * Which rule is in force at an address: range over part over file over
 * default, at once and in every process.
 */
#include "policy.h"

TEST_F(policy, without_a_rule_the_default_is_in_force)
{
	EXPECT_ABI(self->map, DEFAULT_ABI, A32_RULE_DEFAULT);
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_APCS));
	EXPECT_ABI(self->map, A32_ABI_APCS, A32_RULE_DEFAULT);
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	EXPECT_ABI(self->map, A32_ABI_NONE, A32_RULE_DEFAULT);
}

TEST_F(policy, file_rule_is_in_force_for_every_abi)
{
	uint32_t abi;

	for (abi = 0; abi < A32_ABI_NR; abi++) {
		ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, abi));
		EXPECT_ABI(self->map, IN_FORCE(abi), A32_RULE_FILE);
		EXPECT_ABI(self->map + FILE_SIZE - 2, IN_FORCE(abi), A32_RULE_FILE);
		EXPECT_EQ(1, count_rules(self->ctl, self->fd, NULL));
	}
}

TEST_F(policy, file_rule_is_in_force_for_a_later_mapping)
{
	char *later;

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	later = mmap(NULL, 0x3000, PROT_READ | PROT_EXEC, MAP_SHARED, self->fd, 0x5000);
	ASSERT_TRUE(later != MAP_FAILED);
	EXPECT_ABI(later, A32_ABI_GCC, A32_RULE_FILE);
}

TEST_F(policy, more_specific_rule_wins)
{
	uintptr_t base = (uintptr_t)self->map;

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x2000, 0x4000));
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_AAPCS, base + 0x3000,
				   base + 0x5000));

	EXPECT_ABI(self->map + 0x1ffe, A32_ABI_GCC, A32_RULE_FILE);
	EXPECT_ABI(self->map + 0x2000, A32_ABI_APCS, A32_RULE_PART);
	EXPECT_ABI(self->map + 0x2ffe, A32_ABI_APCS, A32_RULE_PART);
	EXPECT_ABI(self->map + 0x3000, A32_ABI_AAPCS, A32_RULE_RANGE);
	EXPECT_ABI(self->map + 0x4000, A32_ABI_AAPCS, A32_RULE_RANGE);
	EXPECT_ABI(self->map + 0x4ffe, A32_ABI_AAPCS, A32_RULE_RANGE);
	EXPECT_ABI(self->map + 0x5000, A32_ABI_GCC, A32_RULE_FILE);
}

/* The order in which rules are made is of no matter. */
TEST_F(policy, less_specific_rule_made_later_does_not_win)
{
	uintptr_t base = (uintptr_t)self->map;

	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_AAPCS, base + 0x3000,
				   base + 0x5000));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x2000, 0x4000));
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));

	EXPECT_ABI(self->map, A32_ABI_GCC, A32_RULE_FILE);
	EXPECT_ABI(self->map + 0x2000, A32_ABI_APCS, A32_RULE_PART);
	EXPECT_ABI(self->map + 0x3000, A32_ABI_AAPCS, A32_RULE_RANGE);
}

TEST_F(policy, untagging_uncovers_the_next_rule)
{
	uintptr_t base = (uintptr_t)self->map;

	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x2000, 0x4000));
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_AAPCS, base + 0x2000,
				   base + 0x4000));
	EXPECT_ABI(self->map + 0x3000, A32_ABI_AAPCS, A32_RULE_RANGE);

	ASSERT_EQ(0, ctl_untag_range(self->ctl, getpid(), base + 0x2000, base + 0x4000));
	EXPECT_ABI(self->map + 0x3000, A32_ABI_APCS, A32_RULE_PART);
	ASSERT_EQ(0, ctl_untag_part(self->ctl, self->fd, 0x2000, 0x4000));
	EXPECT_ABI(self->map + 0x3000, A32_ABI_GCC, A32_RULE_FILE);
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_ABI(self->map + 0x3000, DEFAULT_ABI, A32_RULE_DEFAULT);
}

TEST_F(policy, untagging_the_file_removes_its_parts)
{
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x2000, 0x4000));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_AAPCS, 0x6000, 0x7000));
	EXPECT_EQ(3, count_rules(self->ctl, self->fd, NULL));
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_EQ(0, count_rules(self->ctl, self->fd, NULL));
	EXPECT_ABI(self->map + 0x2000, DEFAULT_ABI, A32_RULE_DEFAULT);
	EXPECT_EQ(-ENOENT, ctl_untag(self->ctl, self->fd));
}

TEST_F(policy, untagging_the_file_removes_parts_that_stand_alone)
{
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x2000, 0x4000));
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_EQ(0, count_rules(self->ctl, self->fd, NULL));
	EXPECT_ABI(self->map + 0x2000, DEFAULT_ABI, A32_RULE_DEFAULT);
}

TEST_F(policy, part_splits_a_mapping_to_the_halfword)
{
	struct a32_map_item map;
	uintptr_t base = (uintptr_t)self->map;

	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x2002, 0x3ffe));
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), base + 0x2000, &map));
	EXPECT_EQ(base + 0x2002, map.end);
	EXPECT_EQ(A32_RULE_DEFAULT, map.rule);
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), base + 0x3000, &map));
	EXPECT_EQ(base + 0x2002, map.start);
	EXPECT_EQ(base + 0x3ffe, map.end);
	EXPECT_EQ(0x2002, map.offset);
	EXPECT_EQ(A32_ABI_APCS, map.abi);
	EXPECT_EQ(A32_RULE_PART, map.rule);
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), base + 0x3ffe, &map));
	EXPECT_EQ(base + 0x3ffe, map.start);
	EXPECT_EQ(0x3ffe, map.offset);
	EXPECT_EQ(A32_RULE_DEFAULT, map.rule);
}

/* Offsets are the file's, whatever part of it is mapped where. */
TEST_F(policy, part_is_found_in_a_mapping_with_an_offset)
{
	char *later;

	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x4800, 0x5800));
	later = mmap(NULL, 0x2000, PROT_READ | PROT_EXEC, MAP_PRIVATE, self->fd, 0x4000);
	ASSERT_TRUE(later != MAP_FAILED);
	EXPECT_ABI(later + 0x7fe, DEFAULT_ABI, A32_RULE_DEFAULT);
	EXPECT_ABI(later + 0x800, A32_ABI_APCS, A32_RULE_PART);
	EXPECT_ABI(later + 0x17fe, A32_ABI_APCS, A32_RULE_PART);
	EXPECT_ABI(later + 0x1800, DEFAULT_ABI, A32_RULE_DEFAULT);
}

TEST_F(policy, neighbouring_parts_keep_their_own_abi)
{
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x1000, 0x1100));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, 0x1100, 0x1102));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_AAPCS, 0x1102, 0x1200));
	EXPECT_ABI(self->map + 0x10fe, A32_ABI_APCS, A32_RULE_PART);
	EXPECT_ABI(self->map + 0x1100, A32_ABI_GCC, A32_RULE_PART);
	EXPECT_ABI(self->map + 0x1102, A32_ABI_AAPCS, A32_RULE_PART);
}

TEST_F(policy, part_with_abi_none_hides_the_file_rule)
{
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_NONE, 0x2000, 0x3000));
	EXPECT_ABI(self->map + 0x2000, A32_ABI_NONE, A32_RULE_PART);
	EXPECT_ABI(self->map + 0x3000, A32_ABI_GCC, A32_RULE_FILE);
}

TEST_F(policy, retagging_replaces_the_rule)
{
	uintptr_t base = (uintptr_t)self->map;
	struct a32_info before, after;

	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x2000, 0x3000));
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_APCS, base, base + 0x1000));
	ASSERT_EQ(0, ctl_info(self->ctl, &before));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_GCC, 0x2000, 0x3000));
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_AAPCS, base, base + 0x1000));
	ASSERT_EQ(0, ctl_info(self->ctl, &after));
	EXPECT_EQ(before.rules, after.rules);
	EXPECT_ABI(self->map + 0x2000, A32_ABI_GCC, A32_RULE_PART);
	EXPECT_ABI(self->map, A32_ABI_AAPCS, A32_RULE_RANGE);
}

TEST_F(policy, rule_is_in_force_in_a_running_process_at_once)
{
	pid_t pid = procs_sleeper();

	ASSERT_LT(0, pid);
	EXPECT_ABI_OF(pid, self->map, DEFAULT_ABI, A32_RULE_DEFAULT);
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_GCC));
	EXPECT_ABI_OF(pid, self->map, A32_ABI_GCC, A32_RULE_FILE);
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0, 0x1000));
	EXPECT_ABI_OF(pid, self->map, A32_ABI_APCS, A32_RULE_PART);
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_ABI_OF(pid, self->map, A32_ABI_NONE, A32_RULE_DEFAULT);
	procs_end(pid);
}

TEST_F(policy, range_rule_is_of_its_process_only)
{
	uintptr_t base = (uintptr_t)self->map;
	pid_t pid = procs_sleeper();

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, ctl_tag_range(self->ctl, pid, A32_ABI_GCC, base, base + 0x1000));
	EXPECT_ABI_OF(pid, self->map, A32_ABI_GCC, A32_RULE_RANGE);
	EXPECT_ABI(self->map, DEFAULT_ABI, A32_RULE_DEFAULT);
	procs_end(pid);
}

/* A JIT asks before its code is there. */
TEST_F(policy, range_rule_waits_for_the_mapping)
{
	uintptr_t base = (uintptr_t)self->map;

	ASSERT_EQ(0, munmap(self->map, FILE_SIZE));
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_GCC, base + 0x1000, base + 0x2000));
	ASSERT_EQ(self->map, mmap(self->map, FILE_SIZE, PROT_READ | PROT_EXEC,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	EXPECT_ABI(self->map, DEFAULT_ABI, A32_RULE_DEFAULT);
	EXPECT_ABI(self->map + 0x1000, A32_ABI_GCC, A32_RULE_RANGE);
	EXPECT_ABI(self->map + 0x2000, DEFAULT_ABI, A32_RULE_DEFAULT);
}

TEST_HARNESS_MAIN
