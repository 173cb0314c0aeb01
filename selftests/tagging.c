// SPDX-License-Identifier: GPL-2.0
#include "tagging.h"

#include <glob.h>
#include <stdbool.h>

#include "ctl.h"

static const char *const abi_names[] = A32_ABI_NAMES;
static const char *const stop_names[] = A32_STOP_NAMES;

/* Return: A32_ABI_NR when @table names none. */
static unsigned int table_abi(const char *table)
{
	FILE *in = fopen(table, "r");
	char name[32] = "";
	unsigned int abi;

	if (in) {
		if (fscanf(in, "abi %31s", name) != 1)
			name[0] = 0;
		fclose(in);
	}
	for (abi = 0; abi < A32_ABI_NR && strcmp(name, abi_names[abi]); abi++)
		;
	return abi;
}

static int tag_file(int ctl, const char *file, unsigned int abi)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0 || abi == A32_ABI_NR)
		return -1;
	err = ctl_tag(ctl, fd, abi);
	close(fd);
	return err;
}

static int untag_file(int ctl, const char *file, unsigned int abi)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -1;
	err = ctl_untag(ctl, fd);
	close(fd);
	return err == -ENOENT ? 0 : err;
}

typedef int file_fn(int ctl, const char *file, unsigned int abi);

static int with_each_file(int ctl, const char *dir, file_fn *fn)
{
	char pattern[512];
	glob_t found;
	size_t i;
	int err = 0;

	snprintf(pattern, sizeof(pattern), "%s/*.expect", dir);
	if (glob(pattern, 0, NULL, &found))
		return -1;
	for (i = 0; !err && i < found.gl_pathc; i++) {
		char *path = found.gl_pathv[i];
		unsigned int abi = table_abi(path);

		*strrchr(path, '.') = 0;
		err = fn(ctl, path, abi);
	}
	globfree(&found);
	return err;
}

int tagging_all(int ctl, const char *dir)
{
	int err = with_each_file(ctl, dir, tag_file);

	return err ? err : tagging_tables(ctl, dir, "*");
}

int tagging_none(int ctl, const char *dir)
{
	return with_each_file(ctl, dir, untag_file);
}

static bool is_wanted(const char *name, char **wanted)
{
	char **one;

	for (one = wanted; *one; one++) {
		if (!strcmp(*one, name))
			return true;
	}
	return one == wanted;
}

unsigned int tagging_list(const char *dir, const char *prefix, char **wanted,
			  char (*names)[TAGGING_NAME], unsigned int max)
{
	char path[512];
	unsigned int nr = 0;
	FILE *list;

	snprintf(path, sizeof(path), "%s/targets.list", dir);
	list = fopen(path, "r");
	while (list && nr < max && fscanf(list, "%63s", names[nr]) == 1) {
		if (!strncmp(names[nr], prefix, strlen(prefix)) && is_wanted(names[nr], wanted))
			nr++;
	}
	if (list)
		fclose(list);
	return nr;
}

void tagging_print_stops(int ctl, const char *name)
{
	struct a32_stats stats;
	unsigned int i;

	if (ctl < 0 || ctl_stats(ctl, &stats))
		return;
	printf("# %s: stops", name);
	for (i = 0; i < A32_STOP_NR; i++) {
		if (stats.stop[i])
			printf(" %s %llu", stop_names[i],
			       (unsigned long long)stats.stop[i]);
	}
	printf("\n");
}
