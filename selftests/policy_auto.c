// SPDX-License-Identifier: GPL-2.0
/*
 * "auto": what the module finds out of files. The truth is the compiler that
 * each file of targets/ was built with: its table names the ABI.
 */
#include <glob.h>

#include "policy.h"

#define TARGETS		"targets/"
#define LIB_MAX		0x10000

FIXTURE(auto) {
	int ctl;
	uint32_t default_abi;
	int fd;
	char *map;
};

FIXTURE_SETUP(auto)
{
	struct a32_info info;

	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	ASSERT_EQ(0, ctl_info(self->ctl, &info));
	self->default_abi = info.default_abi;
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_AUTO));
	self->fd = -1;
}

FIXTURE_TEARDOWN(auto)
{
	if (self->fd >= 0)
		ctl_untag(self->ctl, self->fd);
	ctl_set_default(self->ctl, self->default_abi);
	unlink(FILE_PATH);
	unlink(OTHER_PATH);
}

static char *map_code(int fd)
{
	return mmap(NULL, LIB_MAX, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
}

static char *map_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *map = map_code(fd);

	close(fd);
	return map;
}

static int copy(const char *from, const char *to, int flags)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0700);
	char buf[4096];
	ssize_t len;

	while ((len = read(in, buf, sizeof(buf))) > 0) {
		if (write(out, buf, len) != len)
			break;
	}
	close(in);
	if (!len)
		return out;
	close(out);
	return -1;
}

#define EXPECT_FOUND_BY(kind, addr, want, how) do {			\
	struct a32_map_item _map = {};					\
									\
	EXPECT_EQ(0, ctl_map_at(self->ctl, getpid(), (uintptr_t)(addr), &_map));	\
	EXPECT_EQ(A32_ABI_AUTO, _map.says) TH_LOG("%s", _map.path);	\
	EXPECT_EQ(want, _map.found) TH_LOG("%s", _map.path);		\
	EXPECT_EQ((want) == A32_ABI_MIXED ? A32_ABI_NONE : (want), _map.abi)	\
		TH_LOG("%s", _map.path);				\
	EXPECT_EQ(how, _map.detect) TH_LOG("%s", _map.path);		\
	EXPECT_EQ(kind, _map.rule) TH_LOG("%s", _map.path);		\
	EXPECT_EQ(0, _map.reserved);					\
} while (0)

#define EXPECT_FOUND(addr, want) \
	EXPECT_FOUND_BY(A32_RULE_DEFAULT, addr, want, A32_DETECT_DONE)
#define EXPECT_NOT_FOUND(addr, how) \
	EXPECT_FOUND_BY(A32_RULE_DEFAULT, addr, A32_ABI_NONE, how)

static uint32_t abi_of_table(const char *path)
{
	static const char *const names[] = A32_ABI_NAMES;
	FILE *in = fopen(path, "re");
	char name[32] = "";
	uint32_t abi;

	if (!in)
		return A32_ABI_NR;
	if (fscanf(in, "abi %31s", name) != 1)
		name[0] = 0;
	fclose(in);
	for (abi = 0; abi < A32_ABI_NR && strcmp(name, names[abi]); abi++)
		;
	return abi;
}

TEST_F(auto, finds_what_each_target_was_built_with)
{
	uint32_t abi, seen = 0;
	glob_t found;
	size_t i;

	ASSERT_EQ(0, glob(TARGETS "*.expect", 0, NULL, &found));
	for (i = 0; i < found.gl_pathc; i++) {
		abi = abi_of_table(found.gl_pathv[i]);
		ASSERT_GT(A32_ABI_NR, abi) TH_LOG("%s", found.gl_pathv[i]);
		/* What unwind tables are for has a few frames, of those that need one. */
		if (abi == A32_ABI_NONE)
			continue;
		*strrchr(found.gl_pathv[i], '.') = 0;
		EXPECT_FOUND(map_path(found.gl_pathv[i]), abi);
		seen |= 1 << abi;
	}
	/* All four were there. */
	EXPECT_EQ(1 << A32_ABI_APCS | 1 << A32_ABI_AAPCS | 1 << A32_ABI_GCC | 1 << A32_ABI_AAPCS_R7,
		  seen);
	globfree(&found);
}

TEST_F(auto, finds_halves_of_two_abis_mixed)
{
	EXPECT_FOUND(map_path(TARGETS "libblend-gcc-clang19.so"), A32_ABI_MIXED);
	EXPECT_FOUND(map_path(TARGETS "libblend-apcs-clang19t.so"), A32_ABI_MIXED);
	EXPECT_FOUND(map_path(TARGETS "libblend-clang19-clang14t.so"), A32_ABI_MIXED);
}

/* Debian builds without frame pointers; busybox is static. */
TEST_F(auto, finds_none_in_the_distribution)
{
	EXPECT_FOUND(map_path("/bin/busybox"), A32_ABI_NONE);
	EXPECT_FOUND(map_path("/lib/libc.so.6"), A32_ABI_NONE);
	EXPECT_FOUND(map_path("/lib/libstdc++.so.6"), A32_ABI_NONE);
	EXPECT_FOUND(map_path("/usr/bin/perf"), A32_ABI_NONE);
	EXPECT_FOUND(map_path("/lib/ld-linux-armhf.so.3"), A32_ABI_NONE);
}

/* One code in module and tool */
TEST_F(auto, the_tool_says_the_same)
{
	static const char *const names[] = A32_ABI_NAMES;
	struct a32_map_item map;
	char line[512], name[32];
	glob_t found;
	size_t i;
	FILE *in;

	ASSERT_EQ(0, glob(TARGETS "*.so", 0, NULL, &found));
	ASSERT_EQ(0, glob("/lib/*.so*", GLOB_APPEND, NULL, &found));
	ASSERT_EQ(0, glob("/usr/bin/perf", GLOB_APPEND, NULL, &found));
	for (i = 0; i < found.gl_pathc; i++) {
		ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), (uintptr_t)map_path(found.gl_pathv[i]),
					&map));
		snprintf(line, sizeof(line), "a32uwctl detect %s", found.gl_pathv[i]);
		in = popen(line, "re");
		ASSERT_NE(NULL, in);
		ASSERT_NE(NULL, fgets(line, sizeof(line), in));
		ASSERT_EQ(1, fscanf(in, "%31s", name)) TH_LOG("%s", found.gl_pathv[i]);
		ASSERT_EQ(0, pclose(in));
		EXPECT_STREQ(map.found == A32_ABI_MIXED ? "mixed" : names[map.found], name)
			TH_LOG("%s", found.gl_pathv[i]);
	}
	EXPECT_LT(20, i);
	globfree(&found);
}

TEST_F(auto, memory_without_a_file_is_none)
{
	char *anon = mmap(NULL, LIB_MAX, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open(TARGETS "libhop-gcc.so", O_RDONLY);

	/* Not even when it has what would be gcc's in a file. */
	ASSERT_TRUE(anon != MAP_FAILED);
	ASSERT_LT(0, read(fd, anon, LIB_MAX));
	EXPECT_NOT_FOUND(anon, A32_DETECT_NO_FILE);
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_AUTO, (uintptr_t)anon,
				   (uintptr_t)anon + LIB_MAX));
	EXPECT_FOUND_BY(A32_RULE_RANGE, anon, A32_ABI_NONE, A32_DETECT_NO_FILE);
}

TEST_F(auto, pages_of_the_kernel_are_not_of_it)
{
	struct a32_map_item map = {};

	while (!ctl_next_map(self->ctl, getpid(), map.end, &map)) {
		if (map.path[0] != '[')
			continue;
		/* The vdso has an ABI, so that its code is looked at. */
		if (strcmp(map.path, "[vdso]"))
			EXPECT_EQ(A32_ABI_NONE, map.says);
		EXPECT_EQ(A32_RULE_SPECIAL, map.rule);
		EXPECT_EQ(A32_DETECT_NO_FILE, map.detect);
	}
}

static char *map_bytes(const void *bytes, size_t size)
{
	int fd = open(FILE_PATH, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	char *map = map_code(fd);

	if (write(fd, bytes, size) != (ssize_t)size)
		return NULL;
	/* The first mapping may have been looked at before it was written. */
	munmap(map, LIB_MAX);
	map = map_code(fd);
	close(fd);
	return map;
}

TEST_F(auto, what_is_no_arm_program_says_so)
{
	static const char script[] = "#!/bin/sh\n";
	uint8_t bytes[0x6000] = {};
	int fd = open(TARGETS "libhop-gcc.so", O_RDONLY);
	ssize_t size = read(fd, bytes, sizeof(bytes));

	ASSERT_LT(0x1000, size);
	EXPECT_NOT_FOUND(map_bytes(script, sizeof(script)), A32_DETECT_NOT_ELF);
	EXPECT_NOT_FOUND(map_bytes("", 0), A32_DETECT_NOT_ELF);
	EXPECT_NOT_FOUND(map_bytes(bytes, 51), A32_DETECT_TRUNCATED);
	EXPECT_NOT_FOUND(map_bytes(bytes, 60), A32_DETECT_TRUNCATED);
	EXPECT_NOT_FOUND(map_bytes(bytes, 0x400), A32_DETECT_TRUNCATED);
	/* Sizes differ: the time of a change is no finer than a tick. */
	EXPECT_FOUND(map_bytes(bytes, size), A32_ABI_GCC);
	bytes[4] = 2;		/* ELFCLASS64 */
	EXPECT_NOT_FOUND(map_bytes(bytes, size + 2), A32_DETECT_NOT_ARM);
	bytes[4] = 1;
	bytes[5] = 2;		/* ELFDATA2MSB */
	EXPECT_NOT_FOUND(map_bytes(bytes, size + 3), A32_DETECT_NOT_ARM);
	bytes[5] = 1;
	bytes[18] = 62;		/* EM_X86_64 */
	EXPECT_NOT_FOUND(map_bytes(bytes, size + 4), A32_DETECT_NOT_ARM);
	bytes[18] = 40;
	bytes[44] = 0;		/* e_phnum */
	EXPECT_NOT_FOUND(map_bytes(bytes, size + 5), A32_DETECT_NO_CODE);
}

TEST_F(auto, a_changed_file_is_looked_at_again)
{
	char *map;

	self->fd = copy(TARGETS "libhop-gcc.so", FILE_PATH, O_TRUNC);
	ASSERT_LE(0, self->fd);
	map = map_code(self->fd);
	EXPECT_FOUND(map, A32_ABI_GCC);
	EXPECT_FOUND(map_code(self->fd), A32_ABI_GCC);
	munmap(map, LIB_MAX);
	close(self->fd);

	self->fd = copy(TARGETS "libhop-clang19t.so", FILE_PATH, O_TRUNC);
	ASSERT_LE(0, self->fd);
	EXPECT_FOUND(map_code(self->fd), A32_ABI_AAPCS_R7);
	close(self->fd);

	close(copy(TARGETS "libhop-apcs.so", OTHER_PATH, 0));
	ASSERT_EQ(0, rename(OTHER_PATH, FILE_PATH));
	self->fd = open(FILE_PATH, O_RDONLY | O_CLOEXEC);
	EXPECT_FOUND(map_code(self->fd), A32_ABI_APCS);
}

TEST_F(auto, nothing_is_read_that_no_rule_asks_for)
{
	struct a32_map_item item;
	char *map;

	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	self->fd = copy(TARGETS "libhop-gcc.so", FILE_PATH, O_TRUNC);
	ASSERT_LE(0, self->fd);
	map = map_code(self->fd);
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), (uintptr_t)map, &item));
	EXPECT_EQ(A32_ABI_NONE, item.abi);
	EXPECT_EQ(A32_ABI_NONE, item.says);
	EXPECT_EQ(A32_DETECT_NOT_YET, item.detect);
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_APCS));
	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_AUTO));
	ASSERT_EQ(0, ctl_map_at(self->ctl, getpid(), (uintptr_t)map, &item));
	EXPECT_EQ(A32_ABI_APCS, item.abi);
	EXPECT_EQ(A32_DETECT_NOT_YET, item.detect);
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_FOUND(map, A32_ABI_GCC);
}

/* In this process and in another one that does nothing meanwhile */
TEST_F(auto, default_that_becomes_auto_holds_at_once)
{
	struct a32_map_item item;
	char *map;
	pid_t pid;

	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	self->fd = copy(TARGETS "libhop-clang19.so", FILE_PATH, O_TRUNC);
	map = map_code(self->fd);
	pid = procs_sleeper();
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, munmap(map, LIB_MAX));
	ASSERT_EQ(0, ctl_sysfs_write("default_abi", "auto\n"));
	ASSERT_EQ(0, ctl_map_at(self->ctl, pid, (uintptr_t)map, &item));
	EXPECT_EQ(A32_ABI_AAPCS, item.abi);
	procs_end(pid);
}

TEST_F(auto, a_rule_can_say_it_of_a_file_a_part_and_a_range)
{
	uintptr_t base;
	char *map;

	ASSERT_EQ(0, ctl_set_default(self->ctl, A32_ABI_NONE));
	self->fd = copy(TARGETS "libhop-gcc.so", FILE_PATH, O_TRUNC);
	map = map_code(self->fd);
	base = (uintptr_t)map;
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_AUTO, 0x400, 0x800));
	EXPECT_FOUND_BY(A32_RULE_PART, map + 0x400, A32_ABI_GCC, A32_DETECT_DONE);
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_AUTO, base, base + 0x1000));
	EXPECT_FOUND_BY(A32_RULE_RANGE, map, A32_ABI_GCC, A32_DETECT_DONE);
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_AUTO));
	EXPECT_FOUND_BY(A32_RULE_FILE, map + 0x1000, A32_ABI_GCC, A32_DETECT_DONE);
	ASSERT_EQ(0, ctl_untag_range(self->ctl, getpid(), base, base + 0x1000));
}

TEST_F(auto, listing_says_what_was_found_of_a_file_that_nobody_maps)
{
	struct a32_rule_item item;

	self->fd = copy(TARGETS "libblend-gcc-clang19.so", FILE_PATH, O_TRUNC);
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_AUTO));
	ASSERT_EQ(1, count_rules(self->ctl, self->fd, &item));
	EXPECT_EQ(A32_ABI_AUTO, item.abi);
	EXPECT_EQ(A32_ABI_MIXED, item.found);
	EXPECT_EQ(A32_DETECT_DONE, item.detect);
}

/* What is more specific is not looked up in the file. */
TEST_F(auto, a_rule_of_ones_own_wins)
{
	self->fd = open(TARGETS "libhop-gcc.so", O_RDONLY | O_CLOEXEC);
	self->map = map_code(self->fd);
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_APCS));
	EXPECT_ABI(self->map, A32_ABI_APCS, A32_RULE_FILE);
	ASSERT_EQ(0, ctl_tag(self->ctl, self->fd, A32_ABI_NONE));
	EXPECT_ABI(self->map, A32_ABI_NONE, A32_RULE_FILE);
	ASSERT_EQ(0, ctl_untag(self->ctl, self->fd));
	EXPECT_FOUND(self->map, A32_ABI_GCC);
}

TEST_F(auto, what_it_finds_is_no_abi_to_tag_with)
{
	self->fd = open(TARGETS "libhop-gcc.so", O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(-EINVAL, ctl_tag(self->ctl, self->fd, A32_ABI_MIXED));
	EXPECT_EQ(-EINVAL, ctl_set_default(self->ctl, A32_ABI_MIXED));
}

TEST_HARNESS_MAIN
