// SPDX-License-Identifier: GPL-2.0
#include "memory.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_to(const char *path, const char *value)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return;
	fputs(value, file);
	fclose(file);
}

/* Objects in the slabs that CPUs have at hand count as in use. */
static void shrink_caches(void)
{
	glob_t found;
	size_t i;

	write_to("/proc/sys/vm/drop_caches", "3");
	if (glob("/sys/kernel/slab/kmalloc-*/shrink", 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++)
		write_to(found.gl_pathv[i], "1");
	globfree(&found);
}

/* What is freed but not flushed from all CPUs yet is listed, too. */
static long count_areas(void)
{
	FILE *file = fopen("/proc/vmallocinfo", "re");
	char line[256];
	long nr = 0;

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		nr += !strstr(line, "unpurged");
	fclose(file);
	return nr;
}

/* kmalloc-64 1234 1280 64 ...: objects in use come first */
static int read_caches(struct memory *memory)
{
	FILE *file = fopen("/proc/slabinfo", "re");
	char line[256];

	if (!file)
		return -1;
	memory->nr = 0;
	while (memory->nr < MEMORY_CACHES && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "kmalloc-%20s %ld", memory->cache[memory->nr].name,
			   &memory->cache[memory->nr].objects) == 2)
			memory->nr++;
	}
	fclose(file);
	return memory->nr ? 0 : -1;
}

int memory_read(struct memory *memory)
{
	/* What is freed by RCU and by workqueues takes a while. */
	sleep(1);
	shrink_caches();
	sleep(1);
	memory->areas = count_areas();
	return memory->areas < 0 || read_caches(memory) ? -1 : 0;
}

long memory_grown(const struct memory *before, const struct memory *after, const char **name)
{
	long most = 0, grown;
	unsigned int i;

	*name = "-";
	for (i = 0; i < after->nr && i < before->nr; i++) {
		grown = after->cache[i].objects - before->cache[i].objects;
		if (grown > most && !strcmp(after->cache[i].name, before->cache[i].name)) {
			most = grown;
			*name = after->cache[i].name;
		}
	}
	return most;
}
