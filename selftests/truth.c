// SPDX-License-Identifier: GPL-2.0
#include "truth.h"

#include "ctl.h"

#define PRINT_MAX	10

struct mapping {
	uint32_t start;
	uint32_t end;
	uint64_t offset;
	char path[4096];
};

/* Not a mapping of the process: the kernel's own page, shown in every maps. */
#define VECTORS		0xffff0000

/* [heap] and [stack] are names for anonymous memory. */
static void name(char *path)
{
	if (!*path || !strcmp(path, "[heap]") || !strcmp(path, "[stack]"))
		memcpy(path, "[anon]", sizeof("[anon]"));
}

/* The next executable mapping. */
static int next(FILE *maps, struct mapping *m)
{
	char line[4200], perms[5];
	int at;

	while (fgets(line, sizeof(line), maps)) {
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%x-%x %4s %llx %*s %*s %n", &m->start, &m->end, perms,
			   (unsigned long long *)&m->offset, &at) != 4)
			continue;
		if (perms[2] != 'x' || m->start == VECTORS)
			continue;
		snprintf(m->path, sizeof(m->path), "%s", line + at);
		name(m->path);
		return 1;
	}
	return 0;
}

static FILE *open_maps(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	return fopen(path, "re");
}

static const char *tail(const char *path)
{
	size_t len = strlen(path);

	return len < A32_PATH_MAX ? path : path + len - (A32_PATH_MAX - 1);
}

/* A listed range may end inside the mapping, or go on past it in the same file. */
static int differs(const struct mapping *m, uint32_t at, const struct a32_map_item *item)
{
	if (item->start > at || item->end <= at)
		return 1;
	if (strcmp(item->path, tail(m->path)))
		return 1;
	return m->path[0] == '/' && item->offset != m->offset + ((int64_t)item->start - m->start);
}

static int compare_one(int ctl, pid_t pid, const struct mapping *m, int bad)
{
	struct a32_map_item item;
	uint32_t at;

	for (at = m->start; at < m->end; at = item.end) {
		int ret = ctl_next_map(ctl, pid, at, &item);

		if (!ret && !differs(m, at, &item))
			continue;
		if (bad < PRINT_MAX)
			printf("# %x-%x +%llx %s: at %x listed (%d) %x-%x +%llx %s\n",
			       m->start, m->end, (unsigned long long)m->offset, m->path, at, ret,
			       item.start, item.end, (unsigned long long)item.offset, item.path);
		return 1;
	}
	return 0;
}

/* The bytes in all that is listed; ranges must be sorted, and not overlap. */
static uint64_t listed_bytes(int ctl, pid_t pid, int *bad)
{
	struct a32_map_item item;
	uint64_t bytes = 0;
	uint32_t at = 0;

	while (!ctl_next_map(ctl, pid, at, &item)) {
		if (item.start < at || item.end <= item.start) {
			printf("# listed out of order: %x-%x after %x\n", item.start, item.end, at);
			(*bad)++;
			break;
		}
		if (item.start != VECTORS)
			bytes += item.end - item.start;
		at = item.end;
	}
	return bytes;
}

int truth_compare(int ctl, pid_t pid)
{
	FILE *maps = open_maps(pid);
	static struct mapping m;
	uint64_t bytes = 0, listed;
	int bad = 0;

	if (!maps) {
		printf("# no maps of %d\n", pid);
		return 1;
	}
	while (next(maps, &m)) {
		bytes += m.end - m.start;
		bad += compare_one(ctl, pid, &m, bad);
	}
	fclose(maps);
	listed = listed_bytes(ctl, pid, &bad);
	if (listed != bytes) {
		printf("# %llu bytes are executable, %llu are listed\n", (unsigned long long)bytes,
		       (unsigned long long)listed);
		bad++;
	}
	return bad;
}

int truth_count(pid_t pid)
{
	FILE *maps = open_maps(pid);
	static struct mapping m;
	int count = 0;

	if (!maps)
		return -1;
	while (next(maps, &m))
		count++;
	fclose(maps);
	return count;
}
