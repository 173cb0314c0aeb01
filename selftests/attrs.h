/* SPDX-License-Identifier: GPL-2.0 */
/* Attributes of events other than perf's clock. */
#ifndef SELFTESTS_ATTRS_H
#define SELFTESTS_ATTRS_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>

#include "ctl.h"
#include "perfring.h"

/* The number in a file, or -1. */
static inline int read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	int number = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%i", &number) != 1)
		number = -1;
	fclose(file);
	return number;
}

/* Every occurrence is a sample. */
static inline void every_attr(struct perf_event_attr *attr, uint32_t type, uint64_t config)
{
	perfring_cpu_clock(attr, 1);
	attr->type = type;
	attr->config = config;
}

/* @name: SYSTEM/EVENT. Return: 0, or -1 when this kernel has no such event. */
static inline int tracepoint_attr(struct perf_event_attr *attr, const char *name)
{
	char path[128];
	int id;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	id = read_number(path);
	every_attr(attr, PERF_TYPE_TRACEPOINT, id);
	return id < 0 ? -1 : 0;
}

/*
 * @pmu: "kprobe" or "uprobe"; @where: function, or file; @offset: into it;
 * @config: 1 for the return probe.
 */
static inline int probe_attr(struct perf_event_attr *attr, const char *pmu, const char *where,
			     uint64_t offset, uint64_t config)
{
	char path[128];
	int type;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmu);
	type = read_number(path);
	every_attr(attr, type, config);
	attr->config1 = (uintptr_t)where;
	attr->config2 = offset;
	return type < 0 ? -1 : 0;
}

/* Kprobes don't nest: samples of one kprobe are not seen through another. */
static inline bool hook_is_kprobe(int ctl)
{
	struct a32_info info;

	return !ctl_info(ctl, &info) && info.hook == A32_HOOK_KPROBE;
}

#endif /* SELFTESTS_ATTRS_H */
