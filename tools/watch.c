// SPDX-License-Identifier: GPL-2.0
/* Tables for files as they are first seen in samples */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "msg.h"
#include "table_build.h"
#include "table_cache.h"
#include "watch_build.h"
#include "watch_jobs.h"

/**
 * struct watch - the service
 * @ctl: the module
 * @list: the last file of the module's list
 * @jobs: files that wait
 * @began: when the first of these was taken up
 * @key: what it is known by
 * @builder: who makes its table
 * @busy: a file was taken up since it was last said that nothing is left to do
 * @loaded: how many tables were loaded
 * @refused: how many files can't have one
 */
struct watch {
	int ctl;
	struct a32_wanted list;
	struct jobs jobs;
	struct timespec began;
	struct table_key key;
	struct builder builder;
	bool busy;
	unsigned int loaded;
	unsigned int refused;
};

static volatile sig_atomic_t is_over;

static void end(int signal)
{
	is_over = signal;
}

/*
 * Signals come while poll() waits, and at no other time: @waiting is the mask then. What else
 * takes long asks is_to_end().
 */
static void catch_signals(sigset_t *waiting)
{
	const struct sigaction action = { .sa_handler = end };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigprocmask(SIG_BLOCK, &ends, waiting);
	sigdelset(waiting, SIGTERM);
	sigdelset(waiting, SIGINT);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
}

static bool is_to_end(void)
{
	sigset_t pending;

	return !sigpending(&pending) &&
	       (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1);
}

static double seconds_since(const struct timespec *began)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
}

static const struct job *job_of(const struct watch *watch)
{
	return &watch->jobs.job[0];
}

static void say(const struct watch *watch, const char *what, const char *more)
{
	msg_say("%s: %s%s (%.1f s)", job_of(watch)->path, what, more,
		seconds_since(&watch->began));
}

static void give_up(struct watch *watch, const char *why)
{
	say(watch, "no table: ", why);
	watch->refused++;
	watch_done(&watch->jobs, true);
}

static bool has_changed(const struct job *job)
{
	struct stat now;

	return fstat(job->fd, &now) || watch_has_changed(&job->st, &now);
}

/* The module knows the file as it is when the table comes, whatever it was made of. */
static const char *load(struct watch *watch, const uint8_t *bytes, size_t size)
{
	int err;

	if (has_changed(job_of(watch)))
		return "it was changed meanwhile";
	err = ctl_load_table(watch->ctl, job_of(watch)->fd, bytes, (__u32)size);
	if (err)
		return ctl_why(err);
	if (!has_changed(job_of(watch)))
		return NULL;
	ctl_unload_table(watch->ctl, job_of(watch)->fd);
	return "it was changed meanwhile";
}

static void load_and_say(struct watch *watch, const uint8_t *bytes, size_t size, const char *how)
{
	const char *why = load(watch, bytes, size);
	char more[64];

	if (why) {
		give_up(watch, why);
		return;
	}
	snprintf(more, sizeof(more), ", %zu KiB", (size + 1023) / 1024);
	say(watch, how, more);
	watch->loaded++;
	watch_done(&watch->jobs, false);
}

static void begin(struct watch *watch)
{
	enum table_cached cached;
	const char *why;
	uint8_t *bytes;
	size_t size;

	clock_gettime(CLOCK_MONOTONIC, &watch->began);
	watch->busy = true;
	msg_say("%s: wants a table", job_of(watch)->path);
	why = table_cache_key_unless(job_of(watch)->fd, is_to_end, &watch->key);
	if (is_to_end())
		return;
	if (why) {
		give_up(watch, why);
		return;
	}
	cached = table_cache_find(&watch->key, &bytes, &size);
	if (cached == CACHED_TABLE)
		load_and_say(watch, bytes, size, "table from the cache");
	else if (cached == CACHED_REASON)
		give_up(watch, (char *)bytes);
	else if (!watch_build(&watch->builder, job_of(watch)->fd, job_of(watch)->path, watch->ctl))
		give_up(watch, strerror(errno));
	free(bytes);
}

static void keep(struct watch *watch, const char *why)
{
	const struct builder *builder = &watch->builder;

	/* A file that was written to meanwhile may be neither what it was nor what it is. */
	if (has_changed(job_of(watch)))
		return;
	why = why ? table_cache_refuse(&watch->key, why) :
		    table_cache_store(&watch->key, builder->bytes, builder->size);
	if (why)
		msg_fail("%s: can't be kept for the next time: %s; look at the cache",
			 job_of(watch)->path, why);
}

static void end_build(struct watch *watch)
{
	bool lasting;
	const char *why = watch_build_end(&watch->builder, &lasting);

	if (lasting)
		keep(watch, why);
	if (why)
		give_up(watch, why);
	else
		load_and_say(watch, watch->builder.bytes, watch->builder.size, "table made");
	free(watch->builder.bytes);
}

static void take_in(struct watch *watch, __u32 lost)
{
	const struct a32_wanted *item = &watch->list;
	const char *why = watch_add(&watch->jobs, item);

	if (why)
		msg_say("%s: not found: %s", item->path, why);
	if (item->lost != lost)
		msg_say("files that were forgotten before they were listed: %u; they come again",
			item->lost - lost);
}

/*
 * What the module has listed since the last time, as far as there is room: these are sampled.
 * Then what else processes have mapped that have these. Returns 0 or -errno.
 */
static int collect(struct watch *watch)
{
	__u32 lost = watch->list.lost;
	__s32 pids[WATCH_JOBS];
	size_t nr = 0, i;
	int more = 0;

	while (!watch_is_full(&watch->jobs) && nr < WATCH_JOBS) {
		more = ctl_next_wanted(watch->ctl, &watch->list);
		if (more != 1)
			break;
		take_in(watch, lost);
		lost = watch->list.lost;
		pids[nr++] = watch->list.pid;
	}
	watch->list.lost = lost;
	for (i = 0; i < nr; i++)
		if (pids[i])
			watch_add_maps(&watch->jobs, watch->ctl, pids[i]);
	return more == 1 ? 0 : more;
}

static void work(struct watch *watch)
{
	while (!watch->builder.pid && watch->jobs.nr && !is_to_end())
		begin(watch);
}

static bool is_idle(const struct watch *watch)
{
	return !watch->builder.pid && !watch->jobs.nr;
}

static void say_idle(struct watch *watch)
{
	if (watch->busy)
		msg_say("nothing is left to do");
	watch->busy = false;
}

/* Returns 0 or -errno. */
static int wait(struct watch *watch, const sigset_t *waiting)
{
	struct pollfd fds[] = {
		{ .fd = watch_is_full(&watch->jobs) ? -1 : watch->ctl, .events = POLLIN },
		{ .fd = watch->builder.pid ? watch->builder.fd : -1, .events = POLLIN },
	};

	if (ppoll(fds, 2, NULL, waiting) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[0].revents & POLLERR)
		return -EPERM;
	if (fds[1].revents && !watch_build_read(&watch->builder))
		end_build(watch);
	return 0;
}

/* Returns 0 or -errno, once a signal has come, or, with @once, nothing is left to do. */
static int serve(struct watch *watch, bool once)
{
	sigset_t waiting;
	int err;

	catch_signals(&waiting);
	err = collect(watch);
	if (!err && !once)
		msg_say("waiting for samples in files that want a table");
	while (!err && !is_over) {
		work(watch);
		if (is_idle(watch) && once)
			break;
		if (is_idle(watch))
			say_idle(watch);
		err = wait(watch, &waiting);
		if (!err)
			err = collect(watch);
	}
	return err;
}

static int run(struct watch *watch, bool once)
{
	int err = serve(watch, once);

	watch_build_stop(&watch->builder);
	if (!err)
		msg_say("ended (%s): tables loaded: %u, files without one: %u",
			is_over ? strsignal(is_over) : "nothing is left to do", watch->loaded,
			watch->refused);
	return err;
}

int command_watch(const struct args *args)
{
	static struct watch watch;
	int err;

	if (args->nr_words)
		return msg_misuse("it takes no '%s'", args->words[0]);
	if (!table_build_is_there)
		return msg_fail("this a32uwctl was built without elfutils and can't make tables; "
				"make them elsewhere and load them");
	watch.ctl = ctl_open();
	if (watch.ctl < 0)
		return REFUSED;
	setvbuf(stdout, NULL, _IOLBF, 0);
	err = run(&watch, args->given & OPT_ONCE);
	if (err)
		err = ctl_fail(watch.ctl, err, "files that want a table", "");
	close(watch.ctl);
	return err;
}
