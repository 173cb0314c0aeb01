// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include "clock.h"
#include "patience.h"
#include "sampled.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RING_PAGES	256
/* For what never comes: a machine that has other things to do takes many seconds, too. */
#define READY_MS	100000
#define END_MS		100000

/* Waits for the parent, so that the event sees the exec. */
static void child(const char *dir, char *const argv[], int page, int go)
{
	char path[PATH_MAX], c;

	snprintf(path, sizeof(path), "%s/%s", dir, argv[0]);
	if (dup2(page, PAGE_FD) != PAGE_FD || read(go, &c, 1) != 1)
		_exit(126);
	execv(path, argv);
	_exit(127);
}

static int map_page(struct sampled *self)
{
	int fd = memfd_create("page", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, sizeof(*self->page)))
		return -1;
	self->page = mmap(NULL, sizeof(*self->page), PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);
	return self->page == MAP_FAILED ? -1 : fd;
}

static int wait_ready(struct sampled *self)
{
	uint64_t end = clock_ms() + READY_MS * patience();

	while (!__atomic_load_n(&self->page->ready, __ATOMIC_ACQUIRE)) {
		if (waitpid(self->pid, NULL, WNOHANG) || clock_ms() > end)
			return -1;
		usleep(2000);
	}
	return 0;
}

static void kill_child(struct sampled *self)
{
	kill(self->pid, SIGKILL);
	waitpid(self->pid, NULL, 0);
}

static int open_ring(struct sampled *self, const struct perf_event_attr *attr)
{
	struct perf_event_attr own = *attr;

	own.disabled = 1;
	own.enable_on_exec = 1;
	own.inherit = 1;
	self->ring = perfring_open(&own, self->pid, -1, RING_PAGES);
	return self->ring ? 0 : -1;
}

/*
 * Until the program has mapped all that it runs, its mappings are others than
 * those that its samples are judged by. The first are even of the image before:
 * the event is enabled in the midst of exec(), when there is new memory, but no
 * new registers yet.
 */
static void ignore(const struct perfring_sample *sample, void *arg)
{
	(void)sample;
	(void)arg;
}

int sampled_start(struct sampled *self, const char *dir, char *const argv[],
		  const struct perf_event_attr *attr)
{
	const char *what = "no shared page";
	int page, go[2];

	memset(self, 0, sizeof(*self));
	page = map_page(self);
	if (page < 0 || pipe(go))
		goto err;

	fflush(stdout);
	self->pid = fork();
	if (!self->pid)
		child(dir, argv, page, go[0]);
	close(page);
	close(go[0]);

	what = "no event";
	if (open_ring(self, attr))
		goto err_kill;
	what = "the program doesn't get ready";
	if (write(go[1], "", 1) != 1 || wait_ready(self))
		goto err_ring;
	perfring_read(self->ring, ignore, NULL);
	what = "no tables";
	self->expect = expect_load(dir, self->pid);
	if (!self->expect)
		goto err_ring;
	close(go[1]);
	return 0;

err_ring:
	perfring_close(self->ring);
err_kill:
	kill_child(self);
	close(go[1]);
err:
	printf("# %s: %s: %m\n", argv[0], what);
	return -1;
}

void sampled_read(struct sampled *self, unsigned int ms, perfring_fn fn,
		  void *arg)
{
	uint64_t end = clock_ms() + ms;

	while (clock_ms() < end) {
		perfring_wait(self->ring, 20);
		perfring_read(self->ring, fn, arg);
	}
}

void sampled_stop(struct sampled *self, perfring_fn fn, void *arg)
{
	__atomic_store_n(&self->page->stop, 1, __ATOMIC_RELEASE);
	perfring_disable(self->ring);
	perfring_read(self->ring, fn, arg);
}

int sampled_end(struct sampled *self)
{
	uint64_t end = clock_ms() + END_MS * patience();
	int status = -1;
	pid_t gone;

	do {
		usleep(2000);
		gone = waitpid(self->pid, &status, WNOHANG);
	} while (!gone && clock_ms() < end);
	if (!gone)
		kill_child(self);

	perfring_close(self->ring);
	expect_free(self->expect);
	munmap(self->page, sizeof(*self->page));
	return status;
}
