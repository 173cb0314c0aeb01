// SPDX-License-Identifier: GPL-2.0
/*
 * Are chains true on this machine? The programs of program_code.S are run, each from a file of its
 * own that nobody else sees (a memfd), with a rule or table on that file where this user may make
 * one, and sampled as perf does it. Whatever ends the doctor, neither stays behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ctl.h"
#include "doctor.h"
#include "file_stats.h"
#include "json.h"
#include "names.h"
#include "perfring.h"
#include "program.h"

#define PERIOD_NS	250000
#define ENOUGH		1000	/* samples of each program */
#define AT_MOST_MS	3000
#define FEW		20	/* fewer say nothing */
#define RING_PAGES	64

/**
 * struct run - one program's
 * @name: its file's; no other run has that name
 * @fd: the file
 * @pid: the process
 * @go: what it waits on before it becomes the program
 * @error: it writes there why it can't
 * @guard: the process that drops the rule
 * @alive: which it does once nobody can write there any more
 * @verdicts: samples, by enum verdict
 */
struct run {
	const struct program *program;
	char name[48];
	int fd;
	pid_t pid;
	int go[2];
	int error[2];
	pid_t guard;
	int alive[2];
	unsigned int verdicts[CHAIN_VERDICTS];
};

static void judge(const struct perfring_sample *sample, void *arg)
{
	const __u64 *chain = (const __u64 *)sample->user;
	struct run *run = arg;

	if (sample->pid == (uint32_t)run->pid)
		run->verdicts[program_judge(run->program, chain, sample->user_nr)]++;
}

static unsigned int nr_samples(const struct run *run)
{
	return run->verdicts[CHAIN_EXACT] + run->verdicts[CHAIN_SHORT] + run->verdicts[CHAIN_WRONG];
}

static int make_file(struct run *run)
{
	const struct program *program = run->program;

	snprintf(run->name, sizeof(run->name), "a32uwctl-%d-%s", (int)getpid(), program->name);
	run->fd = memfd_create(run->name, MFD_CLOEXEC);
	if (run->fd < 0)
		return -errno;
	if (write(run->fd, program->file, *program->size) != (ssize_t)*program->size)
		return errno ? -errno : -EIO;
	return 0;
}

/* Returns 0, or -errno when the program is followed as the module does it by itself. */
static int make_rule(const struct doctor *doctor, const struct run *run)
{
	static const struct range whole;
	const struct program *program = run->program;

	if (doctor->ctl < 0)
		return doctor->ctl;
	if (program->table)
		return ctl_load_table(doctor->ctl, run->fd, program->table, *program->table_size);
	return ctl_tag_file(doctor->ctl, run->fd, program->abi, &whole);
}

static void drop_rule(const struct doctor *doctor, const struct run *run)
{
	static const struct range whole;

	if (run->program->table)
		ctl_unload_table(doctor->ctl, run->fd);
	else
		ctl_untag_file(doctor->ctl, run->fd, &whole);
}

static void guard(const struct doctor *doctor, const struct run *run)
{
	sigset_t all;
	char c;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	close(run->alive[1]);
	while (read(run->alive[0], &c, 1) < 0 && errno == EINTR)
		;
	drop_rule(doctor, run);
	_exit(0);
}

/* Whatever ends this program, SIGKILL included, closes its files. */
static int start_guard(const struct doctor *doctor, struct run *run)
{
	if (pipe2(run->alive, O_CLOEXEC))
		return -errno;
	fflush(stdout);
	run->guard = fork();
	if (!run->guard)
		guard(doctor, run);
	close(run->alive[0]);
	if (run->guard > 0)
		return 0;
	close(run->alive[1]);
	return -errno;
}

static void end_guard(const struct run *run)
{
	close(run->alive[1]);
	waitpid(run->guard, NULL, 0);
}

static void child(const struct run *run)
{
	char *argv[] = { (char *)run->name, NULL }, *envp[] = { NULL };
	char c;
	int err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(run->go[1]);
	if (read(run->go[0], &c, 1) != 1)
		_exit(1);
	fexecve(run->fd, argv, envp);
	err = errno;
	_exit(write(run->error[1], &err, sizeof(err)) != sizeof(err));
}

static int start(struct run *run)
{
	if (pipe2(run->go, O_CLOEXEC))
		return -errno;
	if (pipe2(run->error, O_CLOEXEC)) {
		close(run->go[0]);
		close(run->go[1]);
		return -errno;
	}
	fflush(stdout);
	run->pid = fork();
	if (!run->pid)
		child(run);
	/* go[0] stays open: to write to it must not end this program when the other has ended. */
	close(run->error[1]);
	return run->pid < 0 ? -errno : 0;
}

/* Lets the program run. Returns 0, or -errno when it can't. */
static int release(const struct run *run)
{
	int err;

	if (write(run->go[1], "", 1) != 1)
		return -errno;
	return read(run->error[0], &err, sizeof(err)) == sizeof(err) ? -err : 0;
}

static void stop(const struct run *run)
{
	if (run->pid > 0) {
		kill(run->pid, SIGKILL);
		waitpid(run->pid, NULL, 0);
	}
	close(run->go[0]);
	close(run->go[1]);
	close(run->error[0]);
}

static struct perfring *open_ring(const struct run *run)
{
	struct perf_event_attr attr;

	perfring_cpu_clock(&attr, PERIOD_NS);
	attr.exclude_kernel = 1;
	attr.enable_on_exec = 1;
	return perfring_open(&attr, run->pid, -1, RING_PAGES);
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int sample_it(struct run *run)
{
	struct perfring *ring = open_ring(run);
	long end = now_ms() + AT_MOST_MS;
	int err;

	if (!ring)
		return -errno;
	err = release(run);
	while (!err && nr_samples(run) < ENOUGH && now_ms() < end) {
		perfring_wait(ring, 50);
		perfring_read(ring, judge, run);
	}
	perfring_close(ring);
	return err;
}

static int run_it(struct run *run)
{
	int err = start(run);

	if (err)
		return err;
	err = sample_it(run);
	stop(run);
	return err;
}

/* Why most of the short ones ended; "" when that is not visible. */
static const char *why_short(const struct doctor *doctor, const struct run *run)
{
	struct file_stats files = { 0 };
	const struct a32_stats *file;
	const char *why = "";
	size_t i;

	if (doctor->ctl < 0 || file_stats_read(doctor->ctl, &files))
		files.nr = 0;
	for (i = 0; i < files.nr; i++) {
		file = &files.items[i];
		if (strstr(file->path, run->name) && file_stats_ended(file))
			why = name_stop(file_stats_main_stop(file));
	}
	file_stats_free(&files);
	return why;
}

static enum finding judge_run(const struct run *run, const char **todo)
{
	const unsigned int *verdicts = run->verdicts;
	unsigned int all = nr_samples(run);

	*todo = "";
	if (all < FEW) {
		*todo = "raise sysctl kernel.perf_event_max_sample_rate";
		return FOUND_FAIL;
	}
	if (verdicts[CHAIN_WRONG]) {
		*todo = "do what is said above, load the module anew; if it stays so, report it";
		return FOUND_FAIL;
	}
	if (!verdicts[CHAIN_SHORT])
		return FOUND_OK;
	*todo = "see 'Why chains end' in guide.rst";
	return verdicts[CHAIN_SHORT] * 100 > all ? FOUND_FAIL : FOUND_OK;
}

static void say_run(struct doctor *doctor, const struct run *run, const char *check)
{
	const unsigned int *verdicts = run->verdicts;
	const char *why = verdicts[CHAIN_SHORT] ? why_short(doctor, run) : "";
	const char *todo;
	enum finding finding = judge_run(run, &todo);
	json_t *object;

	object = doctor_say(doctor, finding, check, todo,
			    "%u samples of a known program: %u exact, %u short%s%s%s, %u wrong",
			    nr_samples(run), verdicts[CHAIN_EXACT], verdicts[CHAIN_SHORT],
			    *why ? " (mostly " : "", why, *why ? ")" : "", verdicts[CHAIN_WRONG]);
	json_put_count(object, "exact", verdicts[CHAIN_EXACT]);
	json_put_count(object, "short", verdicts[CHAIN_SHORT]);
	json_put_count(object, "wrong", verdicts[CHAIN_WRONG]);
	if (*why)
		json_put_name(object, "why_short", why);
}

static void say_no_run(struct doctor *doctor, const char *check, int err)
{
	const char *todo = "see dmesg";

	if (err == -EACCES || err == -EPERM)
		todo = geteuid() ? "do what is said of paranoid, or run it as root" :
				   "set sysctl vm.memfd_noexec=0 where there is one";

	doctor_say(doctor, FOUND_FAIL, check, todo, "the known program can't be sampled: %s",
		   strerror(-err));
}

/* @err: of what was to be run; @rule: of its rule or table */
static void say(struct doctor *doctor, const struct run *run, int err, int rule)
{
	char name[32];

	snprintf(name, sizeof(name), "chains.%s", run->program->name);
	if (err)
		say_no_run(doctor, name, err);
	else if (!rule || !run->program->table)
		say_run(doctor, run, name);
	else
		doctor_say(doctor, FOUND_WARN, name, "run it as root",
			   "not sampled: no unwind table can be loaded (%s)", strerror(-rule));
}

/* Who reads what is said may be gone: that comes after all is as it was. */
static void check(struct doctor *doctor, const struct program *program)
{
	struct run run = { .program = program };
	int err, rule = 0;

	err = make_file(&run);
	if (!err)
		err = start_guard(doctor, &run);
	if (!err) {
		rule = make_rule(doctor, &run);
		if (!rule || !program->table)
			err = run_it(&run);
		end_guard(&run);
	}
	if (run.fd >= 0)
		close(run.fd);
	say(doctor, &run, err, rule);
}

void doctor_chains(struct doctor *doctor)
{
	const struct program *program;

	if (!programs->name) {
		doctor_say(doctor, FOUND_WARN, "chains", "run it on the board",
			   "not sampled: this tool is not for 32-bit ARM");
		return;
	}
	if (!doctor->is_loaded) {
		doctor_say(doctor, FOUND_WARN, "chains", "load the module, and run this again",
			   "not sampled: without the module, they are the kernel's own");
		return;
	}
	for (program = programs; program->name; program++)
		check(doctor, program);
}
