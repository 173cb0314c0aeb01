/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the policy tests share: a file of eight pages that can be mapped
 * executable, and the check of which rule is in force at an address.
 */
#ifndef SELFTESTS_POLICY_H
#define SELFTESTS_POLICY_H

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

#include "kselftest_harness.h"
#include "ctl.h"
#include "procs.h"

#define FILE_SIZE	0x8000
#define FILE_PATH	"/tmp/policy-test-file"
#define OTHER_PATH	"/tmp/policy-test-other"

/* What a rule comes to: the test's file is no ELF file, "auto" finds none. */
#define IN_FORCE(abi)	((abi) == A32_ABI_AUTO ? A32_ABI_NONE : (abi))

/* Not what any file is tagged with here, so that it can be told apart. */
#define DEFAULT_ABI	A32_ABI_AAPCS_R7

static inline int make_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	/* bx lr, all over. */
	uint32_t words[FILE_SIZE / 4];
	size_t i;

	if (fd < 0)
		return fd;
	for (i = 0; i < FILE_SIZE / 4; i++)
		words[i] = 0xe12fff1e;
	if (write(fd, words, sizeof(words)) != sizeof(words)) {
		close(fd);
		return -1;
	}
	return fd;
}

static inline char *map_file(int fd)
{
	return mmap(NULL, FILE_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
}

/* The number of rules that are listed of one file. */
static inline unsigned int count_rules(int ctl, int fd, struct a32_rule_item *last)
{
	struct a32_rule_item item = {};
	unsigned int count = 0;
	struct stat st;

	fstat(fd, &st);
	while (!ctl_next_rule(ctl, &item)) {
		if (item.kind == A32_RULE_RANGE || item.ino != st.st_ino)
			continue;
		count++;
		if (last)
			*last = item;
	}
	return count;
}

FIXTURE(policy) {
	int ctl;
	int fd;
	char *map;
	uint32_t default_abi;
	uint32_t rules;
};

FIXTURE_SETUP(policy)
{
	struct a32_info info;

	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	self->default_abi = info.default_abi;
	self->rules = info.rules;
	self->fd = make_file(FILE_PATH);
	ASSERT_LE(0, self->fd);
	self->map = map_file(self->fd);
	ASSERT_TRUE(self->map != MAP_FAILED);
	ASSERT_EQ(0, ctl_set_default(self->ctl, DEFAULT_ABI));
}

/* What a test tags, it untags through the file, or with the process. */
FIXTURE_TEARDOWN(policy)
{
	struct a32_info info;

	ctl_untag(self->ctl, self->fd);
	ctl_set_default(self->ctl, self->default_abi);
	ctl_info(self->ctl, &info);
	EXPECT_GE(self->rules + 1, info.rules)
		TH_LOG("rules are left");
	unlink(FILE_PATH);
	unlink(OTHER_PATH);
}

#define EXPECT_ABI_OF(pid, addr, want_abi, want_rule) do {		\
	struct a32_map_item _map = {};					\
									\
	EXPECT_EQ(0, ctl_map_at(self->ctl, pid, (uintptr_t)(addr), &_map));	\
	EXPECT_EQ(want_abi, _map.abi)					\
		TH_LOG("abi of %s+%#lx", #addr, (long)((char *)(addr) - self->map));	\
	EXPECT_EQ(want_rule, _map.rule)					\
		TH_LOG("rule of %s+%#lx", #addr, (long)((char *)(addr) - self->map));	\
} while (0)

#define EXPECT_ABI(addr, abi, rule)	EXPECT_ABI_OF(getpid(), addr, abi, rule)

#endif /* SELFTESTS_POLICY_H */
