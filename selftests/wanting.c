// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "clock.h"
#include "ctl.h"
#include "patience.h"
#include "procs.h"
#include "tablefile.h"
#include "wanting.h"

#define RING_PAGES	16

/*
 * A function that counts down r0. It is no ELF file: "auto" finds no ABI in it.
 *	0:	subs	r0, r0, #1
 *	4:	bne	0
 *	8:	bx	lr
 */
int wanting_make_file(const char *path)
{
	static const uint32_t code[WANTING_SIZE / 4] = { 0xe2500001, 0x1afffffd, 0xe12fff1e };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	if (fd < 0 || write(fd, code, sizeof(code)) == sizeof(code))
		return fd;
	close(fd);
	return -1;
}

wanting_code wanting_map_file(int fd)
{
	return (wanting_code)mmap(NULL, WANTING_SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
}

void wanting_sample(struct wanting_spinner *spinner, pid_t pid)
{
	struct perf_event_attr attr;

	perfring_cpu_clock(&attr, 500000);
	spinner->pid = pid;
	spinner->ring = perfring_open(&attr, pid, -1, RING_PAGES);
	if (!spinner->ring || perfring_enable(spinner->ring))
		printf("# no samples: %m\n");
}

void wanting_spin(struct wanting_spinner *spinner, int fd)
{
	pid_t pid = fork();
	wanting_code code;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		code = wanting_map_file(fd);
		for (;;)
			code(1000000);
	}
	wanting_sample(spinner, pid);
}

void wanting_stop(struct wanting_spinner *spinner)
{
	procs_end(spinner->pid);
	perfring_close(spinner->ring);
}

/* The next file that the module knows */
static bool next_file(int ctl, struct a32_stats *stats)
{
	stats->size = sizeof(*stats);
	stats->samples = 0;
	return !ctl_call(ctl, A32_IOC_NEXT_FILE_STATS, stats);
}

/* Samples in a file so far */
static uint64_t samples_of(int ctl, const char *path)
{
	struct a32_stats stats = {};
	uint64_t samples = 0;

	while (next_file(ctl, &stats)) {
		if (!strcmp(stats.path, path))
			samples += stats.samples;
	}
	return samples;
}

static bool is_known(int ctl, const char *path)
{
	struct a32_stats stats = {};

	while (next_file(ctl, &stats)) {
		if (!strcmp(stats.path, path))
			return true;
	}
	return false;
}

bool wanting_forget(int ctl, const char *path)
{
	uint64_t end = clock_ms() + WANTING_MS * patience();

	while (clock_ms() < end && !ctl_reset_stats(ctl)) {
		if (!is_known(ctl, path))
			return true;
		usleep(2000);
	}
	return false;
}

bool wanting_is_sampled(int ctl, const char *path)
{
	uint64_t end = clock_ms() + WANTING_MS * patience(), seen = samples_of(ctl, path);

	while (clock_ms() < end) {
		if (samples_of(ctl, path) >= seen + 5)
			return true;
		usleep(2000);
	}
	return false;
}

bool wanting_run_sampled(int ctl, int fd, const char *path)
{
	struct wanting_spinner spinner;
	bool ok;

	wanting_spin(&spinner, fd);
	ok = wanting_is_sampled(ctl, path);
	wanting_stop(&spinner);
	return ok;
}

static bool is_of(const struct a32_wanted *item, const struct stat *st)
{
	return item->ino == st->st_ino && item->major == major(st->st_dev) &&
	       item->minor == minor(st->st_dev) && item->file_size == (uint64_t)st->st_size &&
	       item->mtime_sec == st->st_mtim.tv_sec &&
	       item->mtime_nsec == (uint32_t)st->st_mtim.tv_nsec;
}

unsigned int wanting_listed(int ctl, int fd, struct a32_wanted *found)
{
	struct a32_wanted item = {};
	unsigned int nr = 0;
	struct stat st;

	fstat(fd, &st);
	while (!ctl_next_wanted(ctl, &item)) {
		if (!is_of(&item, &st))
			continue;
		nr++;
		if (found)
			*found = item;
	}
	return nr;
}

uint32_t wanting_lost(int ctl)
{
	struct a32_wanted item = {}, last = {};

	while (!ctl_next_wanted(ctl, &item))
		last = item;
	return last.lost;
}

short wanting_poll(int ctl, int ms)
{
	struct pollfd pollfd = { .fd = ctl, .events = POLLIN };

	return poll(&pollfd, 1, ms) < 0 ? -1 : pollfd.revents;
}

/* An unwind table of the file that knows nothing */
void *wanting_make_table(uint32_t *size)
{
	static const struct tablefile_row row = { 0, TABLEFILE_KIND(STOP) };

	return tablefile_write(&row, 1, WANTING_SIZE, WANTING_SIZE, size);
}

static void remove_files(void)
{
	if (system("rm -rf " WANTING_FOLDER))
		printf("# %s stays\n", WANTING_FOLDER);
}

bool wanting_begin(int *ctl, int *fd)
{
	remove_files();
	if (mkdir(WANTING_FOLDER, 0700))
		return false;
	*ctl = ctl_open();
	*fd = wanting_make_file(WANTING_FILE);
	return *ctl >= 0 && *fd >= 0;
}

void wanting_end(int ctl, int fd)
{
	ctl_untag(ctl, fd);
	ctl_unload_table(ctl, fd);
	ctl_reset_stats(ctl);
	remove_files();
}
