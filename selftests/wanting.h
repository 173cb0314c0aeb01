/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wanting - files whose code follows no ABI, processes that are sampled in them, and
 * whether the module lists them as wanting an unwind table.
 */
#ifndef SELFTESTS_WANTING_H
#define SELFTESTS_WANTING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../uapi/a32uwind.h"
#include "perfring.h"

#define WANTING_FOLDER	"/tmp/watch-test"
#define WANTING_FILE	WANTING_FOLDER "/file"
#define WANTING_SIZE	0x1000	/* bytes of each file */
#define WANTING_MS	20000	/* enough for samples to come */

/* A file's code: counts down. */
typedef void (*wanting_code)(unsigned int turns);

/**
 * struct wanting_spinner - a child that runs a file's code, sampled
 * @pid: the child
 * @ring: its samples, which nobody reads
 */
struct wanting_spinner {
	pid_t pid;
	struct perfring *ring;
};

/* Returns it, open, or less than 0. */
int wanting_make_file(const char *path);

wanting_code wanting_map_file(int fd);

/* A table for it; to be freed */
void *wanting_make_table(uint32_t *size);

/* Begin a case, with the device and WANTING_FILE open. Returns whether that went well. */
bool wanting_begin(int *ctl, int *fd);

/* And end it: no rule, count or file is left. */
void wanting_end(int ctl, int fd);

/* Sample a child that runs, or a new one that runs the code of a file. */
void wanting_sample(struct wanting_spinner *spinner, pid_t pid);
void wanting_spin(struct wanting_spinner *spinner, int fd);
void wanting_stop(struct wanting_spinner *spinner);

/* Wait for some more samples in a file. */
bool wanting_is_sampled(int ctl, const char *path);

/* Run a file's code until it was sampled. */
bool wanting_run_sampled(int ctl, int fd, const char *path);

/* Reset the counts until the file, which nobody has mapped any more, is forgotten. */
bool wanting_forget(int ctl, const char *path);

/* How often it is listed as it is now; @found, or NULL, is the last of them. */
unsigned int wanting_listed(int ctl, int fd, struct a32_wanted *found);

/* How many were lost so far, as the last one that is listed says */
uint32_t wanting_lost(int ctl);

/* What poll() says of POLLIN within so many ms, or -1 */
short wanting_poll(int ctl, int ms);

#endif
