// SPDX-License-Identifier: GPL-2.0
#include <linux/device.h>
#include <linux/kstrtox.h>
#include <linux/sysfs.h>
#include "dev.h"
#include "file.h"
#include "hook.h"
#include "policy.h"

static const char * const abi_names[] = A32_ABI_NAMES;
static const char * const stop_names[] = A32_STOP_NAMES;
static_assert(ARRAY_SIZE(abi_names) == A32_ABI_NR);
static_assert(ARRAY_SIZE(stop_names) == A32_STOP_NR);

static ssize_t default_abi_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", abi_names[READ_ONCE(a32_policy_default)]);
}

static ssize_t default_abi_store(struct device *dev, struct device_attribute *attr,
				 const char *buf, size_t count)
{
	int abi = sysfs_match_string(abi_names, buf);

	if (abi < 0)
		return -EINVAL;
	a32_policy_set_default(abi);
	return count;
}
static DEVICE_ATTR_RW(default_abi);

static ssize_t enabled_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(a32_hook_enabled));
}

static ssize_t enabled_store(struct device *dev, struct device_attribute *attr,
			     const char *buf, size_t count)
{
	bool enabled;
	int err = kstrtobool(buf, &enabled);

	if (err)
		return err;
	a32_hook_enable(enabled);
	return count;
}
static DEVICE_ATTR_RW(enabled);

static ssize_t hook_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", a32_hook_kind == A32_HOOK_FTRACE ? "ftrace" : "kprobe");
}
static DEVICE_ATTR_RO(hook);

static ssize_t stats_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct a32_stats stats;
	ssize_t len;
	int r;

	a32_file_totals(&stats);
	len = sysfs_emit(buf, "samples %llu\nframes %llu\n", stats.samples, stats.frames);
	for (r = 0; r < A32_STOP_NR; r++)
		len += sysfs_emit_at(buf, len, "%s %llu\n", stop_names[r], stats.stop[r]);
	len += sysfs_emit_at(buf, len, "missed %lu\n", a32_hook_missed());
	return len;
}

/* It goes through all files: not for everybody to do all the time */
static DEVICE_ATTR_ADMIN_RO(stats);

static struct attribute *a32_sysfs_attrs[] = {
	&dev_attr_default_abi.attr,
	&dev_attr_enabled.attr,
	&dev_attr_hook.attr,
	&dev_attr_stats.attr,
	NULL,
};

static const struct attribute_group a32_sysfs_group = { .attrs = a32_sysfs_attrs };

const struct attribute_group *a32_sysfs_groups[] = { &a32_sysfs_group, NULL };
