/* SPDX-License-Identifier: GPL-2.0 */
/* torture_work - processes that change all that a chain depends on, while they are sampled */
#ifndef SELFTESTS_TORTURE_WORK_H
#define SELFTESTS_TORTURE_WORK_H

#include <stdint.h>
#include <sys/types.h>

/* Programs are run, code is mapped, libraries are loaded, and so on: see torture_work.c. */
#define TORTURE_WORKERS	7

/**
 * struct torture_worker - one process
 * @name: what it does, and counts
 * @pid: the process
 * @done: how often it did that so far
 */
struct torture_worker {
	const char *name;
	pid_t pid;
	const volatile uint64_t *done;
};

/* Start one of each. Return: 0, or -1 */
int torture_work_start(struct torture_worker worker[TORTURE_WORKERS]);

/* Kill them and wait. Return: how many had ended before, which none should. */
unsigned int torture_work_end(struct torture_worker worker[TORTURE_WORKERS]);

#endif /* SELFTESTS_TORTURE_WORK_H */
