// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler.h"
#include "ctl.h"
#include "msg.h"

#define DEVICE "/dev/a32uwind"
#define SYSFS_DIR "/sys/class/misc/a32uwind"

static int fail_to_open(int err)
{
	if (err == EACCES || err == EPERM)
		msg_fail("%s: no permission; run a32uwctl as root", DEVICE);
	else if (err == ENOENT && !access(SYSFS_DIR, F_OK))
		msg_fail("%s is missing although the module is loaded; mount devtmpfs on /dev",
			 DEVICE);
	else if (err == ENOENT || err == ENXIO || err == ENODEV)
		msg_fail("%s is missing: the module is not loaded; %s", DEVICE,
			 "modprobe a32uwind, or insmod a32uwind.ko");
	else if (err == ENOTTY)
		msg_fail("%s is no device; remove it and load the module again", DEVICE);
	else
		msg_fail("%s: %s; see dmesg", DEVICE, strerror(err));
	return -1;
}

int ctl_try_open(void)
{
	struct stat st;
	int ctl;

	ctl = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (ctl < 0)
		return -errno;
	if (fstat(ctl, &st) || !S_ISCHR(st.st_mode)) {
		close(ctl);
		return -ENOTTY;
	}
	return ctl;
}

int ctl_open(void)
{
	int ctl = ctl_try_open();

	return ctl < 0 ? fail_to_open(-ctl) : ctl;
}

static int call(int ctl, unsigned long request, void *arg)
{
	return ioctl(ctl, request, arg) < 0 ? -errno : 0;
}

static int call_next(int ctl, unsigned long request, void *arg)
{
	int err = call(ctl, request, arg);

	if (err == -ENOENT)
		return 0;
	return err ? err : 1;
}

int ctl_info(int ctl, struct a32_info *info)
{
	*info = (struct a32_info){ .size = sizeof(*info) };
	return call(ctl, A32_IOC_INFO, info);
}

int ctl_set_default(int ctl, __u32 abi)
{
	struct a32_set set = { .size = sizeof(set), .value = abi };

	return call(ctl, A32_IOC_SET_DEFAULT, &set);
}

int ctl_tag_file(int ctl, int fd, __u32 abi, const struct range *part)
{
	struct a32_tag_file tag = {
		.size = sizeof(tag), .fd = fd, .abi = abi,
		.start = part->start, .end = part->end,
	};

	return call(ctl, A32_IOC_TAG_FILE, &tag);
}

int ctl_untag_file(int ctl, int fd, const struct range *part)
{
	struct a32_tag_file tag = {
		.size = sizeof(tag), .fd = fd,
		.start = part->start, .end = part->end,
	};

	return call(ctl, A32_IOC_UNTAG_FILE, &tag);
}

int ctl_untag_stale(int ctl)
{
	struct a32_tag_file tag = {
		.size = sizeof(tag), .fd = -1, .flags = A32_UNTAG_STALE,
	};

	return call(ctl, A32_IOC_UNTAG_FILE, &tag);
}

int ctl_tag_range(int ctl, __s32 pid, __u32 abi, const struct range *range)
{
	struct a32_tag_range tag = {
		.size = sizeof(tag), .pid = pid, .abi = abi,
		.start = (__u32)range->start, .end = (__u32)range->end,
	};

	return call(ctl, A32_IOC_TAG_RANGE, &tag);
}

int ctl_untag_range(int ctl, __s32 pid, const struct range *range)
{
	struct a32_tag_range tag = {
		.size = sizeof(tag), .pid = pid,
		.start = (__u32)range->start, .end = (__u32)range->end,
	};

	return call(ctl, A32_IOC_UNTAG_RANGE, &tag);
}

int ctl_load_table(int ctl, int fd, const void *table, __u32 size)
{
	struct a32_load_table load = {
		.size = sizeof(load), .fd = fd, .ptr = (uintptr_t)table, .len = size,
	};

	return call(ctl, A32_IOC_LOAD_TABLE, &load);
}

int ctl_unload_table(int ctl, int fd)
{
	struct a32_load_table load = { .size = sizeof(load), .fd = fd };

	return call(ctl, A32_IOC_UNLOAD_TABLE, &load);
}

int ctl_stats(int ctl, struct a32_stats *stats)
{
	*stats = (struct a32_stats){ .size = sizeof(*stats) };
	return call(ctl, A32_IOC_STATS, stats);
}

int ctl_reset_stats(int ctl)
{
	return call(ctl, A32_IOC_RESET_STATS, NULL);
}

/* A cursor that stands still would be a listing without an end. */
int ctl_next_rule(int ctl, struct a32_rule_item *item)
{
	__u64 cursor = item->cursor;
	int more;

	*item = (struct a32_rule_item){ .size = sizeof(*item), .cursor = cursor };
	more = call_next(ctl, A32_IOC_NEXT_RULE, item);
	item->path[A32_PATH_MAX - 1] = '\0';
	return more == 1 && item->cursor == cursor ? -EPROTO : more;
}

int ctl_next_map(int ctl, struct a32_map_item *item)
{
	__u32 start = item->end;
	int more;

	*item = (struct a32_map_item){
		.size = sizeof(*item), .pid = item->pid, .start = start,
	};
	more = call_next(ctl, A32_IOC_NEXT_MAP, item);
	item->path[A32_PATH_MAX - 1] = '\0';
	return more == 1 && item->end <= start ? -EPROTO : more;
}

int ctl_next_file_stats(int ctl, struct a32_stats *item)
{
	__u64 cursor = item->cursor;
	int more;

	*item = (struct a32_stats){ .size = sizeof(*item), .cursor = cursor };
	more = call_next(ctl, A32_IOC_NEXT_FILE_STATS, item);
	item->path[A32_PATH_MAX - 1] = '\0';
	return more == 1 && item->cursor == cursor ? -EPROTO : more;
}

int ctl_next_wanted(int ctl, struct a32_wanted *item)
{
	__u64 cursor = item->cursor;
	int more;

	*item = (struct a32_wanted){ .size = sizeof(*item), .cursor = cursor };
	more = call_next(ctl, A32_IOC_NEXT_WANTED, item);
	item->path[A32_PATH_MAX - 1] = '\0';
	return more == 1 && item->cursor == cursor ? -EPROTO : more;
}

static const struct {
	int err;
	const char *why;
} reasons[] = {
	{ EINVAL, "the module refuses the ABI or the bounds; see 'a32uwctl help tag'" },
	{ EACCES, "not a regular file that may be read; give a program or a library" },
	{ ESRCH, "no such process, or none with user memory; look for it with ps" },
	{ EBADMSG, "the unwind table is damaged; build it again" },
	{ ESTALE, "the table is for a file of another size; build one for this" },
	{ EFBIG, "no room for more unwind tables; unload some, or raise table_memory" },
	{ ENOENT, "there is no such rule; see 'a32uwctl list'" },
	{ EEXIST, "the range overlaps another rule; see 'a32uwctl list' and untag that one first" },
	{ ENOSPC, "it has as many rules as it can have; untag some" },
	{ ENOMEM, "the kernel is out of memory; try again" },
	{ EPERM, "this needs CAP_PERFMON or CAP_SYS_ADMIN; run a32uwctl as root" },
	{ EPROTO, "the module's listing stands still; load the module of this tool's version" },
};

static const char *why_of(int err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].err == err)
			return reasons[i].why;
	return NULL;
}

const char *ctl_why(int err)
{
	const char *why = why_of(-err);

	return why ? why : strerror(-err);
}

static int fail_version(int ctl, const char *what, const char *more)
{
	char version[32] = "its version unknown";
	struct a32_info info;

	if (!ctl_info(ctl, &info))
		snprintf(version, sizeof(version), "version %u", info.version);
	return msg_fail("%s: the module (%s) does not know what this tool (version %u) asks; %s%s",
			what, version, A32_VERSION, "use both of one version", more);
}

int ctl_fail(int ctl, int err, const char *what, const char *more)
{
	const char *why = why_of(-err);

	if (err == -ENOTTY || err == -E2BIG)
		return fail_version(ctl, what, more);
	if (!why)
		return msg_fail("%s: %s; see dmesg%s", what, strerror(-err), more);
	return msg_fail("%s: %s%s", what, why, more);
}
