/* SPDX-License-Identifier: GPL-2.0 */
/* handled - judges samples of the sig-* programs, which take signals all the time. */
#ifndef _HANDLED_H
#define _HANDLED_H

#include "sampled.h"

/*
 * Where a sample lies: in a handler, with it and what it interrupted both in
 * function bodies; the same before any handler has returned through the
 * [sigpage]; elsewhere in a handler; outside; in a trampoline; in libc.
 */
enum handled_place {
	HANDLER_BODY,
	HANDLER_FIRST,
	HANDLER_EDGE,
	OUTSIDE,
	TRAMPOLINE,
	FOREIGN,
	HANDLED_PLACES,
};

/**
 * struct handled - samples of one run
 * @run: the run
 * @sigpage: handlers return through the kernel's own page
 * @stock: the samples are the stock walker's
 * @count: verdicts
 * @unknown: samples of which nothing is known
 * @shown: those that were printed
 */
struct handled {
	struct sampled run;
	bool sigpage;
	bool stock;
	unsigned int count[HANDLED_PLACES][EXPECT_VERDICT_NR];
	unsigned int unknown;
	unsigned int shown[HANDLED_PLACES][EXPECT_VERDICT_NR];
};

/**
 * handled_start() - run a program in a scenario
 * @sc: what targets/sig.c is to do: restorer, sigframe, stack, source
 * @attr: the event
 *
 * Return: as sampled_start()
 */
int handled_start(struct handled *self, const char *dir, const char *program,
		  const char *const sc[4], const struct perf_event_attr *attr);

/* Once it runs: what it needs to be judged. Return: 0, or -1. */
int handled_prepare(struct handled *self, const char *dir, const char *stack);

/* A perfring_fn; @arg is the struct handled. */
void handled_judge(const struct perfring_sample *sample, void *arg);

void handled_print(const struct handled *self, int ctl, const char *name);

#endif /* _HANDLED_H */
