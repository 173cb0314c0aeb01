// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "closure.h"
#include "msg.h"
#include "text.h"

/**
 * struct mapping - a line of /proc/PID/maps
 * @range: "START-END", as in the names in /proc/PID/map_files: without leading zeros
 * @executable: PROT_EXEC
 * @name: the file's name, or ""
 */
struct mapping {
	char range[64];
	bool executable;
	const char *name;
};

static bool parse_line(char *line, struct mapping *mapping)
{
	unsigned long start, end;
	char permissions[8];
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %n", &start, &end, permissions, &at) != 3 || !at)
		return false;
	snprintf(mapping->range, sizeof(mapping->range), "%lx-%lx", start, end);
	mapping->executable = strchr(permissions, 'x');
	mapping->name = line + at;
	return true;
}

static bool same_file(const char *a, const char *b)
{
	struct stat st_a, st_b;

	return !stat(a, &st_a) && !stat(b, &st_b) && st_a.st_dev == st_b.st_dev &&
	       st_a.st_ino == st_b.st_ino;
}

/*
 * What is mapped is behind the link in map_files, which root alone may follow.
 * Its own name, in the process's root or here, is better to read, when that is
 * the same file.
 */
static char *path_of(int pid, const struct mapping *mapping)
{
	char *link = text_format("/proc/%d/map_files/%s", pid, mapping->range);
	char *there = text_format("/proc/%d/root%s", pid, mapping->name);
	char *path;

	if (same_file(mapping->name, link))
		path = text_format("%s", mapping->name);
	else if (same_file(there, link) || access(link, F_OK))
		path = text_format("%s", there);
	else
		path = text_format("%s", link);
	free(there);
	free(link);
	return path;
}

static bool is_gone(const char *name)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(name), mark_len = sizeof(mark) - 1;

	return len > mark_len && !strcmp(name + len - mark_len, mark);
}

static void add_mapping(struct closure *closure, int pid, const struct mapping *mapping)
{
	char *path = path_of(pid, mapping);
	const char *why;
	size_t member;

	why = closure_add_file(closure, mapping->name, path, "mapped", &member);
	if (why) {
		msg_fail("%s, mapped by process %d: %s; chains end there", mapping->name, pid, why);
		closure->failed++;
	}
	free(path);
}

static void tell_gone(struct closure *closure, int pid, const struct mapping *mapping)
{
	msg_fail("%s, mapped by process %d: the file was replaced or removed; restart the process",
		 mapping->name, pid);
	closure->failed++;
}

/* Code in files only: "[vdso]", "/memfd:..." and what has no name are made at run time. */
static bool is_file(const struct mapping *mapping)
{
	return mapping->executable && *mapping->name == '/' &&
	       strncmp(mapping->name, "/memfd:", 7) && strncmp(mapping->name, "/dev/", 5);
}

static int add_lines(struct closure *closure, int pid, FILE *maps)
{
	struct mapping mapping;
	char *line = NULL;
	size_t room = 0, nr = 0;

	while (getline(&line, &room, maps) > 0) {
		if (!parse_line(line, &mapping) || !is_file(&mapping))
			continue;
		nr++;
		if (is_gone(mapping.name))
			tell_gone(closure, pid, &mapping);
		else
			add_mapping(closure, pid, &mapping);
	}
	free(line);
	return nr ? DONE : msg_fail("process %d runs code of no file; is it a kernel thread?", pid);
}

int closure_add_process(struct closure *closure, int pid)
{
	char *name = text_format("/proc/%d/maps", pid);
	FILE *maps = fopen(name, "re");
	int err;

	if (!maps)
		err = msg_fail("process %d: %s; %s", pid,
			       errno == ENOENT ? "there is none of that number" : strerror(errno),
			       msg_todo(errno, "look for it with ps"));
	else
		err = add_lines(closure, pid, maps);
	if (maps)
		fclose(maps);
	free(name);
	return err;
}
