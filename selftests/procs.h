/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Child processes of tests.
 */
#ifndef SELFTESTS_PROCS_H
#define SELFTESTS_PROCS_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "patience.h"

/*
 * Wait until a process sleeps. Of one that execs a sleeping program, that is
 * when it is all there: close-on-exec and vfork's wake-up are too early, as
 * the new program is mapped after them.
 */
static inline bool procs_asleep(pid_t pid)
{
	char path[32], state;
	FILE *file;
	unsigned int i;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	for (i = 0; i < 2000 * patience(); i++) {
		file = fopen(path, "re");
		if (!file)
			return false;
		/* 12 (name) S */
		if (fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'S') {
			fclose(file);
			return true;
		}
		fclose(file);
		usleep(5000);
	}
	return false;
}

/* A child that sleeps until it is killed, or its parent dies. */
static inline pid_t procs_sleeper(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

/* "sleep 1000" of busybox, there and asleep. */
static inline pid_t procs_program(void)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl("/bin/busybox", "sleep", "1000", NULL);
		_exit(127);
	}
	return pid < 0 || !procs_asleep(pid) ? -1 : pid;
}

static inline void procs_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#endif /* SELFTESTS_PROCS_H */
