/* SPDX-License-Identifier: GPL-2.0 */
/* Files that wait for their table: found, open, and each of them once. */
#ifndef A32_WATCH_JOBS_H
#define A32_WATCH_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "a32uwind.h"

#define WATCH_JOBS	256	/* files that wait; each is open */
#define WATCH_REFUSED	1024	/* files that are known to have no table */

/**
 * struct job - a file
 * @fd: it, open for reading
 * @st: what it was when it was opened
 * @path: its name
 */
struct job {
	int fd;
	struct stat st;
	char path[A32_PATH_MAX];
};

/**
 * struct jobs - all of them
 * @nr: of @job
 * @job: the first one is being done
 * @nr_refused: how many were refused; the last WATCH_REFUSED are kept in mind
 * @refused: what they were
 */
struct jobs {
	size_t nr;
	struct job job[WATCH_JOBS];
	size_t nr_refused;
	struct stat refused[WATCH_REFUSED];
};

/* Has a file become another one? Its name is not looked at. */
bool watch_has_changed(const struct stat *before, const struct stat *now);

/**
 * watch_add() - find a file that the module has listed, and queue it
 * @jobs: the queue
 * @wanted: the file
 *
 * Return: NULL, or why it can't be found
 */
const char *watch_add(struct jobs *jobs, const struct a32_wanted *wanted);

/**
 * watch_add_maps() - queue what else a process has mapped and has no table
 * @jobs: the queue
 * @ctl: the module
 * @pid: the process
 *
 * What calls is sampled later than what is called, or never where the program
 * is over by then. What the queue has no room for is left for that.
 */
void watch_add_maps(struct jobs *jobs, int ctl, __s32 pid);

static inline bool watch_is_full(const struct jobs *jobs)
{
	return jobs->nr == WATCH_JOBS;
}

/**
 * watch_done() - drop the first job
 * @jobs: the queue
 * @refused: it can't have a table: it isn't queued another time
 */
void watch_done(struct jobs *jobs, bool refused);

#endif
