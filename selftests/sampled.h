/* SPDX-License-Identifier: GPL-2.0 */
/* sampled - a program of targets/ that runs under a perf event. */
#ifndef _SAMPLED_H
#define _SAMPLED_H

#include "expect.h"
#include "perfring.h"
#include "targets/page.h"

/**
 * struct sampled - one run
 * @pid: the program, its main thread
 * @page: what it shares with the test
 * @ring: its samples since it was ready
 * @expect: the tables of what it has mapped; edges are up to the caller
 */
struct sampled {
	pid_t pid;
	struct page *page;
	struct perfring *ring;
	struct expect *expect;
};

/**
 * sampled_start() - run a program until it says it is ready
 * @dir: where the program and the tables are
 * @argv: its arguments; argv[0] is its name in @dir
 * @attr: the event; enable_on_exec and inherit are set here
 *
 * Return: 0, or -1 with a line on stdout and nothing left behind.
 */
int sampled_start(struct sampled *self, const char *dir, char *const argv[],
		  const struct perf_event_attr *attr);

/* Read samples for @ms. */
void sampled_read(struct sampled *self, unsigned int ms, perfring_fn fn,
		  void *arg);

/* Stop the program and read the rest. */
void sampled_stop(struct sampled *self, perfring_fn fn, void *arg);

/* Return: 0 when the program ended by itself and without an error. */
int sampled_end(struct sampled *self);

#endif /* _SAMPLED_H */
