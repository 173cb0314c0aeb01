/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thin helpers over the ioctls, for tests. Each gives 0, or a negative errno.
 */
#ifndef SELFTESTS_CTL_H
#define SELFTESTS_CTL_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../uapi/a32uwind.h"

#define CTL_DEVICE	"/dev/a32uwind"
#define CTL_SYSFS	"/sys/class/misc/a32uwind"

static inline int ctl_open(void)
{
	return open(CTL_DEVICE, O_RDWR | O_CLOEXEC);
}

static inline int ctl_call(int ctl, unsigned long cmd, void *arg)
{
	return ioctl(ctl, cmd, arg) < 0 ? -errno : 0;
}

static inline int ctl_info(int ctl, struct a32_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return ctl_call(ctl, A32_IOC_INFO, info);
}

static inline int ctl_set_default(int ctl, uint32_t abi)
{
	struct a32_set set = { .size = sizeof(set), .value = abi };

	return ctl_call(ctl, A32_IOC_SET_DEFAULT, &set);
}

static inline int ctl_set_enabled(int ctl, uint32_t on)
{
	struct a32_set set = { .size = sizeof(set), .value = on };

	return ctl_call(ctl, A32_IOC_SET_ENABLED, &set);
}

static inline int ctl_tag_part(int ctl, int fd, uint32_t abi, uint64_t start, uint64_t end)
{
	struct a32_tag_file tag = {
		.size = sizeof(tag), .fd = fd, .abi = abi, .start = start, .end = end,
	};

	return ctl_call(ctl, A32_IOC_TAG_FILE, &tag);
}

static inline int ctl_tag(int ctl, int fd, uint32_t abi)
{
	return ctl_tag_part(ctl, fd, abi, 0, 0);
}

static inline int ctl_untag_part(int ctl, int fd, uint64_t start, uint64_t end)
{
	struct a32_tag_file tag = {
		.size = sizeof(tag), .fd = fd, .start = start, .end = end,
	};

	return ctl_call(ctl, A32_IOC_UNTAG_FILE, &tag);
}

static inline int ctl_untag(int ctl, int fd)
{
	return ctl_untag_part(ctl, fd, 0, 0);
}

static inline int ctl_tag_range(int ctl, pid_t pid, uint32_t abi, uintptr_t start, uintptr_t end)
{
	struct a32_tag_range tag = {
		.size = sizeof(tag), .pid = pid, .abi = abi, .start = start, .end = end,
	};

	return ctl_call(ctl, A32_IOC_TAG_RANGE, &tag);
}

static inline int ctl_untag_range(int ctl, pid_t pid, uintptr_t start, uintptr_t end)
{
	struct a32_tag_range tag = {
		.size = sizeof(tag), .pid = pid, .start = start, .end = end,
	};

	return ctl_call(ctl, A32_IOC_UNTAG_RANGE, &tag);
}

static inline int ctl_load_table(int ctl, int fd, const void *table, uint32_t len)
{
	struct a32_load_table load = {
		.size = sizeof(load), .fd = fd, .ptr = (uintptr_t)table, .len = len,
	};

	return ctl_call(ctl, A32_IOC_LOAD_TABLE, &load);
}

static inline int ctl_unload_table(int ctl, int fd)
{
	struct a32_load_table load = { .size = sizeof(load), .fd = fd };

	return ctl_call(ctl, A32_IOC_UNLOAD_TABLE, &load);
}

/* Set item->cursor to 0 before the first call. */
static inline int ctl_next_rule(int ctl, struct a32_rule_item *item)
{
	uint64_t cursor = item->cursor;

	memset(item, 0, sizeof(*item));
	item->size = sizeof(*item);
	item->cursor = cursor;
	return ctl_call(ctl, A32_IOC_NEXT_RULE, item);
}

/* Set item->cursor to 0 before the first call. */
static inline int ctl_next_wanted(int ctl, struct a32_wanted *item)
{
	uint64_t cursor = item->cursor;

	memset(item, 0, sizeof(*item));
	item->size = sizeof(*item);
	item->cursor = cursor;
	return ctl_call(ctl, A32_IOC_NEXT_WANTED, item);
}

/* The first range of a process that ends above an address. */
static inline int ctl_next_map(int ctl, pid_t pid, uint32_t addr, struct a32_map_item *item)
{
	memset(item, 0, sizeof(*item));
	item->size = sizeof(*item);
	item->pid = pid;
	item->start = addr;
	return ctl_call(ctl, A32_IOC_NEXT_MAP, item);
}

/* What is said about one address; -ENOENT when it is in no range. */
static inline int ctl_map_at(int ctl, pid_t pid, uintptr_t addr, struct a32_map_item *item)
{
	int ret = ctl_next_map(ctl, pid, addr, item);

	return !ret && item->start > addr ? -ENOENT : ret;
}

static inline int ctl_stats(int ctl, struct a32_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	return ctl_call(ctl, A32_IOC_STATS, stats);
}

/* Samples that have kept the stock chain since the module was loaded: with the kprobe hook only */
static inline uint64_t ctl_missed(int ctl)
{
	struct a32_info info;

	return ctl_info(ctl, &info) ? 0 : info.missed;
}

/* Chains that ended early since the counts were reset, each for a reason that is counted. */
static inline uint64_t ctl_gave_up(int ctl)
{
	struct a32_stats stats;
	uint64_t sum = 0;
	unsigned int i;

	if (ctl_stats(ctl, &stats))
		return 0;
	for (i = 0; i < A32_STOP_NR; i++) {
		if (i != A32_STOP_OUTERMOST && i != A32_STOP_MAX_STACK && i != A32_STOP_ABI_NONE)
			sum += stats.stop[i];
	}
	return sum;
}

static inline int ctl_reset_stats(int ctl)
{
	return ctl_call(ctl, A32_IOC_RESET_STATS, NULL);
}

/* One line of a sysfs file, without its newline; or a negative errno. */
static inline int ctl_sysfs_read(const char *name, char *buf, size_t size)
{
	char path[128];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), CTL_SYSFS "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, buf, size - 1);
	close(fd);
	if (len < 0)
		return -errno;
	buf[len] = 0;
	buf[strcspn(buf, "\n")] = 0;
	return 0;
}

static inline int ctl_sysfs_write(const char *name, const char *value)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), CTL_SYSFS "/%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

/*
 * All the state that a refused request must leave as it is. What the kernel
 * counts by itself (samples, processes) is no part of it.
 */
#define CTL_STATE_RULES	64

struct ctl_state {
	uint32_t default_abi;
	uint32_t enabled;
	uint32_t rules;
	uint32_t listed;
	uint32_t tables;
	struct a32_rule_item rule[CTL_STATE_RULES];
};

static inline int ctl_state(int ctl, struct ctl_state *state)
{
	struct a32_rule_item item = {};
	struct a32_info info;
	int ret;

	memset(state, 0, sizeof(*state));
	ret = ctl_info(ctl, &info);
	if (ret)
		return ret;
	state->default_abi = info.default_abi;
	state->enabled = info.enabled;
	state->rules = info.rules;
	while (!(ret = ctl_next_rule(ctl, &item))) {
		/* What was found in a file comes when somebody maps it, and is no setting. */
		item.found = 0;
		item.detect = 0;
		if (state->listed + state->tables < CTL_STATE_RULES)
			state->rule[state->listed + state->tables] = item;
		if (item.kind == A32_RULE_TABLE)
			state->tables++;
		else
			state->listed++;
	}
	return ret == -ENOENT ? 0 : ret;
}

static inline bool ctl_state_equal(int ctl, const struct ctl_state *old)
{
	struct ctl_state now;

	return !ctl_state(ctl, &now) && !memcmp(&now, old, sizeof(now));
}

#endif /* SELFTESTS_CTL_H */
