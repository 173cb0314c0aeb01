// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "ctl.h"
#include "watch_jobs.h"

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool watch_has_changed(const struct stat *before, const struct stat *now)
{
	return before->st_dev != now->st_dev || before->st_ino != now->st_ino ||
	       before->st_size != now->st_size || !same_time(&before->st_mtim, &now->st_mtim);
}

/*
 * Inode and device are those of the file system that has the file: on an
 * overlay, or in btrfs, programs are told others.
 */
static bool is_wanted(const struct stat *st, const struct a32_wanted *wanted)
{
	const struct timespec mtime = {
		.tv_sec = wanted->mtime_sec, .tv_nsec = wanted->mtime_nsec,
	};

	if ((__u64)st->st_size != wanted->file_size || !same_time(&st->st_mtim, &mtime))
		return false;
	return st->st_dev != makedev(wanted->major, wanted->minor) ||
	       (__u32)st->st_ino == (__u32)wanted->ino;
}

/* Opening a device or a FIFO may do something: what it is, is looked at first. */
static int open_regular(const char *path, struct stat *st)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err = EACCES, readable = -1;
	char link[64];

	if (fd < 0)
		return -1;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!fstat(fd, st) && S_ISREG(st->st_mode)) {
		readable = open(link, O_RDONLY | O_CLOEXEC);
		err = errno;
	}
	close(fd);
	errno = err;
	return readable;
}

static int open_mapped(__s32 pid, __u32 start, __u32 end, struct stat *st)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%x-%x", pid, start, end);
	return open_regular(path, st);
}

/* As the process names it, which may be in another root */
static int open_named(const struct a32_wanted *wanted, struct stat *st)
{
	char path[A32_PATH_MAX + 32];
	int fd;

	if (wanted->path[0] != '/') {
		errno = ENOENT;
		return -1;
	}
	fd = open_regular(wanted->path, st);
	if ((fd >= 0 && is_wanted(st, wanted)) || !wanted->pid)
		return fd;
	if (fd >= 0)
		close(fd);
	snprintf(path, sizeof(path), "/proc/%d/root%s", wanted->pid, wanted->path);
	return open_regular(path, st);
}

static int open_wanted(const struct a32_wanted *wanted, struct stat *st)
{
	int fd = -1;

	if (wanted->pid)
		fd = open_mapped(wanted->pid, wanted->start, wanted->end, st);
	if (fd >= 0 && is_wanted(st, wanted))
		return fd;
	if (fd >= 0)
		close(fd);
	return open_named(wanted, st);
}

static bool is_known(const struct jobs *jobs, const struct stat *st)
{
	size_t i;

	for (i = 0; i < jobs->nr; i++)
		if (!watch_has_changed(&jobs->job[i].st, st))
			return true;
	for (i = 0; i < jobs->nr_refused && i < WATCH_REFUSED; i++)
		if (!watch_has_changed(&jobs->refused[i], st))
			return true;
	return false;
}

/* Takes over @fd. */
static void put(struct jobs *jobs, int fd, const struct stat *st, const char *path)
{
	struct job *job = &jobs->job[jobs->nr];

	if (watch_is_full(jobs) || is_known(jobs, st)) {
		close(fd);
		return;
	}
	jobs->nr++;
	job->fd = fd;
	job->st = *st;
	snprintf(job->path, sizeof(job->path), "%s", path);
}

const char *watch_add(struct jobs *jobs, const struct a32_wanted *wanted)
{
	struct stat st;
	int fd = open_wanted(wanted, &st);

	if (fd < 0)
		return strerror(errno);
	if (!is_wanted(&st, wanted)) {
		close(fd);
		return "it was replaced or changed meanwhile";
	}
	if (!st.st_nlink) {
		close(fd);
		return "it was removed, or is in memory only";
	}
	put(jobs, fd, &st, wanted->path);
	return NULL;
}

void watch_add_maps(struct jobs *jobs, int ctl, __s32 pid)
{
	struct a32_map_item item = { .pid = pid };
	struct stat st;
	int fd;

	while (ctl_next_map(ctl, &item) == 1) {
		if (item.abi != A32_ABI_NONE || item.rule != A32_RULE_DEFAULT ||
		    item.path[0] != '/')
			continue;
		fd = open_mapped(pid, item.start, item.end, &st);
		if (fd >= 0 && st.st_nlink)
			put(jobs, fd, &st, item.path);
		else if (fd >= 0)
			close(fd);
	}
}

void watch_done(struct jobs *jobs, bool refused)
{
	close(jobs->job[0].fd);
	if (refused)
		jobs->refused[jobs->nr_refused++ % WATCH_REFUSED] = jobs->job[0].st;
	memmove(jobs->job, jobs->job + 1, --jobs->nr * sizeof(jobs->job[0]));
}
