/* SPDX-License-Identifier: GPL-2.0 */
/*
 * looping - run the looper (see looper.h) and judge the chains sampled from it.
 */
#ifndef SELFTESTS_LOOPING_H
#define SELFTESTS_LOOPING_H

#include <sys/types.h>

#include "looper.h"
#include "perfring.h"

#define LOOPING_PIDS	1024

/**
 * struct looping - what was sampled from the loopers that were started
 * @samples: samples with a pc of the looper
 * @exact: whose chain is the true one, entry by entry
 * @alone: and has one entry, as there was no call yet
 * @short_: whose chain is a true prefix
 * @wrong: all others
 * @user: samples that hit user code
 * @user_exact: and are exact
 * @first: loopers that were sampled in user code
 * @first_exact: whose first such sample is exact
 * @nr: entries in @pids
 * @pids: the loopers; others are not looked at
 * @seen: whether one was sampled in user code
 */
struct looping {
	unsigned int samples;
	unsigned int exact;
	unsigned int alone;
	unsigned int short_;
	unsigned int wrong;
	unsigned int user;
	unsigned int user_exact;
	unsigned int first;
	unsigned int first_exact;
	unsigned int nr;
	pid_t pids[LOOPING_PIDS];
	bool seen[LOOPING_PIDS];
};

/* Start a looper; the call returns before it has run. */
pid_t looping_start(struct looping *self, const char *mode, unsigned int ms);
/* Wait for it, or end it early. Return: its exit status, -1 when killed. */
int looping_wait(pid_t pid);
void looping_end(pid_t pid);

/* Wait until one runs its own code. */
void looping_past_exec(pid_t pid);

enum looping_verdict { LOOPING_FOREIGN, LOOPING_EXACT, LOOPING_SHORT, LOOPING_WRONG };

/**
 * looping_judge() - is this the chain of its first entry
 * @ips: user entries
 * @nr: how many
 *
 * Return: LOOPING_FOREIGN when it doesn't start in the looper.
 */
enum looping_verdict looping_judge(const uint64_t *ips, unsigned int nr);

/* A perfring_fn; @arg is the struct looping. */
void looping_sample(const struct perfring_sample *sample, void *arg);

/* The counts, as a TAP diagnostic. */
void looping_print(const struct looping *self, const char *what);

/*
 * Tag, or untag, the looper's file as what it is. Return: as ctl_tag().
 */
int looping_tag(int ctl);
int looping_untag(int ctl);

#endif /* SELFTESTS_LOOPING_H */
