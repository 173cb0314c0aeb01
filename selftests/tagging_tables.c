// SPDX-License-Identifier: GPL-2.0
/* Unwind tables for the programs of targets/, from what targets/rows.awk wrote */
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "ctl.h"
#include "tablefile.h"
#include "tagging.h"

#define MAX_ROWS	4096
#define FIELDS		5

static int16_t place(const char *text)
{
	if (!strcmp(text, "lr"))
		return A32_TABLE_IN_REG(14);
	if (!strcmp(text, "same"))
		return A32_TABLE_SAME;
	if (!strcmp(text, "lost"))
		return A32_TABLE_LOST;
	return strtol(text, NULL, 10);
}

static int parse_rule(struct a32_table_rule *rule, const char *text)
{
	char kind[16] = "", f[FIELDS][16];
	int nr;

	nr = sscanf(text, "%15s %15s %15s %15s %15s %15s", kind, f[0], f[1], f[2], f[3], f[4]);
	if (!strcmp(kind, "frame") && nr == 1 + FIELDS)
		*rule = (struct a32_table_rule)TABLEFILE_FRAME(atoi(f[0]), atoi(f[1]), place(f[2]),
							      place(f[3]), place(f[4]));
	else if (!strcmp(kind, "stop"))
		*rule = (struct a32_table_rule)TABLEFILE_KIND(STOP);
	else if (!strcmp(kind, "no_data"))
		*rule = (struct a32_table_rule)TABLEFILE_KIND(NO_DATA);
	else
		return -1;
	return 0;
}

/* Return: number of rows, or -1. */
static int read_rows(const char *path, struct tablefile_row *row)
{
	FILE *in = fopen(path, "r");
	char line[128];
	int nr = 0, at;

	if (!in)
		return -1;
	while (nr < MAX_ROWS && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%x %n", &row[nr].offset, &at) != 1 ||
		    parse_rule(&row[nr].rule, line + at))
			break;
		nr++;
	}
	at = !feof(in);
	fclose(in);
	return at ? -1 : nr;
}

static int load(int ctl, const char *file, const char *rows)
{
	static struct tablefile_row row[MAX_ROWS];
	int fd = open(file, O_RDONLY | O_CLOEXEC), nr = read_rows(rows, row), err = -EINVAL;
	struct stat st;
	uint32_t size;
	void *table;

	if (fd < 0 || nr <= 0 || fstat(fd, &st))
		return err;
	table = tablefile_write(row, nr, row[nr - 1].offset + 2, st.st_size, &size);
	if (table)
		err = ctl_load_table(ctl, fd, table, size);
	free(table);
	close(fd);
	return err;
}

static int unload(int ctl, const char *file, const char *rows)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = ctl_unload_table(ctl, fd);
	close(fd);
	return err == -ENOENT ? 0 : err;
}

static int with_each_table(int ctl, const char *dir, const char *files,
			   int (*fn)(int ctl, const char *file, const char *rows))
{
	char pattern[512], file[512];
	glob_t found;
	size_t i;
	int err = 0;

	snprintf(pattern, sizeof(pattern), "%s/%s.rows", dir, files);
	if (glob(pattern, 0, NULL, &found))
		return -ENOENT;
	for (i = 0; !err && i < found.gl_pathc; i++) {
		snprintf(file, sizeof(file), "%s", found.gl_pathv[i]);
		*strrchr(file, '.') = 0;
		err = fn(ctl, file, found.gl_pathv[i]);
		if (err)
			printf("# the table of %s: error %d\n", file, err);
	}
	globfree(&found);
	return err;
}

int tagging_tables(int ctl, const char *dir, const char *files)
{
	return with_each_table(ctl, dir, files, load);
}

int tagging_no_tables(int ctl, const char *dir, const char *files)
{
	return with_each_table(ctl, dir, files, unload);
}
