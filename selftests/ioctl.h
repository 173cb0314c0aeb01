/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ioctl tests share: a module that has a rule of each kind, and the
 * check that a refused request left everything as it was.
 */
#ifndef SELFTESTS_IOCTL_H
#define SELFTESTS_IOCTL_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "kselftest_harness.h"
#include "ctl.h"
#include "tablefile.h"

#define IOCTL_FILE	"/tmp/ioctl-test-file"
#define IOCTL_FILE_SIZE	65536

/* An unwind table of that file */
static const struct tablefile_row ioctl_rows[] = {
	{ 0x1000, TABLEFILE_FRAME(13, 0, A32_TABLE_IN_REG(14), A32_TABLE_SAME, A32_TABLE_SAME) },
	{ 0x1004, TABLEFILE_FRAME(13, 8, -1, -2, A32_TABLE_SAME) },
	{ 0x3000, TABLEFILE_KIND(OUTERMOST) },
};

static void *ioctl_table;
static uint32_t ioctl_table_size;

FIXTURE(ioctl) {
	int ctl;
	int fd;
	int self;
	struct ctl_state state;
	struct a32_info info;
};

/* A rule of each kind is there, so that a lost one would be noticed. */
FIXTURE_SETUP(ioctl)
{
	self->ctl = ctl_open();
	ASSERT_LE(0, self->ctl);
	self->fd = open(IOCTL_FILE, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, ftruncate(self->fd, IOCTL_FILE_SIZE));
	self->self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, self->self);
	ASSERT_EQ(0, ctl_info(self->ctl, &self->info));
	ASSERT_EQ(0, ctl_tag(self->ctl, self->self, A32_ABI_GCC));
	ASSERT_EQ(0, ctl_tag_part(self->ctl, self->fd, A32_ABI_APCS, 0x1000, 0x2000));
	ASSERT_EQ(0, ctl_tag_range(self->ctl, getpid(), A32_ABI_AAPCS, 0x10000, 0x20000));
	ASSERT_EQ(0, ctl_state(self->ctl, &self->state));
	ASSERT_EQ(3, self->state.listed);
	ioctl_table = tablefile_write(ioctl_rows, ARRAY_SIZE(ioctl_rows), 0x4000, IOCTL_FILE_SIZE,
				      &ioctl_table_size);
	ASSERT_NE(NULL, ioctl_table);
}

FIXTURE_TEARDOWN(ioctl)
{
	ctl_untag(self->ctl, self->self);
	ctl_untag(self->ctl, self->fd);
	ctl_unload_table(self->ctl, self->fd);
	free(ioctl_table);
	ctl_set_default(self->ctl, self->info.default_abi);
	ctl_set_enabled(self->ctl, self->info.enabled);
	unlink(IOCTL_FILE);
}

#define EXPECT_SAME_STATE()	EXPECT_TRUE(ctl_state_equal(self->ctl, &self->state))

/* The request fails in the documented way and nothing has changed. */
#define EXPECT_REFUSED_ROW(err, row, call) do {			\
	int _ret = (call);					\
								\
	EXPECT_EQ(-(err), _ret) TH_LOG("row %d", (int)(row));	\
	EXPECT_SAME_STATE();					\
} while (0)

#define EXPECT_REFUSED(err, call)	EXPECT_REFUSED_ROW(err, 0, call)

/* Every request that takes an argument, and the size of its first version. */
static const struct request {
	const char *name;
	unsigned long cmd;
	size_t size;
} requests[] = {
	{ "INFO",		A32_IOC_INFO,		offsetof(struct a32_info, bodies) },
	{ "SET_DEFAULT",	A32_IOC_SET_DEFAULT,	sizeof(struct a32_set) },
	{ "SET_ENABLED",	A32_IOC_SET_ENABLED,	sizeof(struct a32_set) },
	{ "TAG_FILE",		A32_IOC_TAG_FILE,	sizeof(struct a32_tag_file) },
	{ "UNTAG_FILE",		A32_IOC_UNTAG_FILE,	sizeof(struct a32_tag_file) },
	{ "TAG_RANGE",		A32_IOC_TAG_RANGE,	sizeof(struct a32_tag_range) },
	{ "UNTAG_RANGE",	A32_IOC_UNTAG_RANGE,	sizeof(struct a32_tag_range) },
	{ "NEXT_RULE",		A32_IOC_NEXT_RULE,	offsetof(struct a32_rule_item, found) },
	{ "NEXT_MAP",		A32_IOC_NEXT_MAP,	offsetof(struct a32_map_item, says) },
	{ "STATS",		A32_IOC_STATS,		sizeof(struct a32_stats) },
	{ "NEXT_FILE_STATS",	A32_IOC_NEXT_FILE_STATS, sizeof(struct a32_stats) },
	{ "LOAD_TABLE",		A32_IOC_LOAD_TABLE,	sizeof(struct a32_load_table) },
	{ "UNLOAD_TABLE",	A32_IOC_UNLOAD_TABLE,	sizeof(struct a32_load_table) },
	{ "NEXT_WANTED",	A32_IOC_NEXT_WANTED,	sizeof(struct a32_wanted) },
};

/* What it takes depends on what was sampled: it may be that nothing is listed. */
static inline int served(const struct request *r, int ret)
{
	return r->cmd == A32_IOC_NEXT_WANTED && ret == -ENOENT ? 0 : ret;
}

#define for_each_request(r) \
	for (r = requests; r < requests + ARRAY_SIZE(requests); r++)

/*
 * Room for an argument with everything in it valid, followed by zeros. Those
 * that change something ask for what is already so.
 */
static uint32_t arg_words[2048];

static inline void *valid_arg(const struct request *r, int fd, uint32_t default_abi)
{
	struct a32_tag_range *range = (void *)arg_words;
	struct a32_tag_file *file = (void *)arg_words;
	struct a32_load_table *load = (void *)arg_words;
	struct a32_map_item *map = (void *)arg_words;
	struct a32_set *set = (void *)arg_words;

	memset(arg_words, 0, sizeof(arg_words));
	arg_words[0] = r->size;
	switch (r->cmd) {
	case A32_IOC_SET_DEFAULT:
		set->value = default_abi;
		break;
	case A32_IOC_SET_ENABLED:
		set->value = 1;
		break;
	case A32_IOC_TAG_FILE:
	case A32_IOC_UNTAG_FILE:
		file->fd = fd;
		file->abi = r->cmd == A32_IOC_TAG_FILE ? A32_ABI_APCS : 0;
		file->start = 0x1000;
		file->end = 0x2000;
		break;
	case A32_IOC_TAG_RANGE:
	case A32_IOC_UNTAG_RANGE:
		range->pid = getpid();
		range->abi = r->cmd == A32_IOC_TAG_RANGE ? A32_ABI_AAPCS : 0;
		range->start = 0x10000;
		range->end = 0x20000;
		break;
	case A32_IOC_LOAD_TABLE:
		load->ptr = (uintptr_t)ioctl_table;
		load->len = ioctl_table_size;
		load->fd = fd;
		break;
	case A32_IOC_UNLOAD_TABLE:
		load->fd = fd;
		break;
	case A32_IOC_NEXT_MAP:
		map->pid = getpid();
		break;
	}
	return arg_words;
}

#define VALID_ARG(r)	valid_arg(r, self->fd, self->info.default_abi)

#endif /* SELFTESTS_IOCTL_H */
