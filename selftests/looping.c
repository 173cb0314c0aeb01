// SPDX-License-Identifier: GPL-2.0
#include "looping.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "ctl.h"
#include "patience.h"

#define PATH		"./looper"
#define PRINT_MAX	8

static pid_t start(const char *mode, unsigned int ms)
{
	char text[16];
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	/* A test that fails leaves nothing behind. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(text, sizeof(text), "%u", ms);
	execl(PATH, "looper", mode, text, NULL);
	_exit(127);
}

pid_t looping_start(struct looping *self, const char *mode, unsigned int ms)
{
	pid_t pid;

	if (self->nr == LOOPING_PIDS)
		return -1;
	pid = start(mode, ms);
	if (pid > 0)
		self->pids[self->nr++] = pid;
	return pid;
}

void looping_past_exec(pid_t pid)
{
	char link[32], path[256] = "";
	unsigned int i;

	snprintf(link, sizeof(link), "/proc/%d/exe", pid);
	for (i = 0; i < 1000 * patience() && !strstr(path, "/looper"); i++) {
		usleep(10000);
		if (readlink(link, path, sizeof(path) - 1) < 0)
			return;
	}
	/* What exec does after that, and the looper's own start */
	usleep(200000);
}

int looping_wait(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

void looping_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The latest first: ids come around again. */
static int find(const struct looping *self, pid_t pid)
{
	int i;

	for (i = self->nr; i-- > 0;) {
		if (self->pids[i] == pid)
			break;
	}
	return i;
}

static unsigned int section(uint64_t addr)
{
	return addr >> 16;
}

static bool is_looper(uint64_t addr)
{
	return section(addr) >= LOOPER_START && section(addr) <= LOOPER_LEAF;
}

/*
 * The functions call each other in the order of their sections, so that of the
 * pc says how deep it is, whatever its frame is at that instruction.
 */
enum looping_verdict looping_judge(const uint64_t *ips, unsigned int nr)
{
	unsigned int depth, i;

	if (!nr || !is_looper(ips[0]))
		return LOOPING_FOREIGN;
	depth = section(ips[0]) - LOOPER_START + 1;
	for (i = 0; i < nr && i < depth; i++) {
		if (section(ips[i]) != LOOPER_START + depth - 1 - i)
			return LOOPING_WRONG;
	}
	if (i != nr)
		return LOOPING_WRONG;
	return nr < depth ? LOOPING_SHORT : LOOPING_EXACT;
}

static void print(const struct perfring_sample *sample)
{
	unsigned int i;

	printf("# pid %u %s pc %#llx:", sample->pid, sample->user_mode ? "user" : "kernel",
	       (unsigned long long)sample->ip);
	for (i = 0; i < sample->user_nr && i < 8; i++)
		printf(" %#llx", (unsigned long long)sample->user[i]);
	printf("\n");
}

/*
 * A chain without an entry is a fault when user code was hit. The kernel is
 * sampled before there is user code too, in fork and exec.
 */
void looping_sample(const struct perfring_sample *sample, void *arg)
{
	enum looping_verdict verdict = looping_judge(sample->user, sample->user_nr);
	struct looping *self = arg;
	int which = find(self, sample->pid);
	bool exact = verdict == LOOPING_EXACT;

	if (which < 0)
		return;
	if (!sample->user_nr && sample->user_mode && is_looper(sample->ip))
		verdict = LOOPING_SHORT;
	if (verdict == LOOPING_FOREIGN)
		return;

	self->samples++;
	self->exact += exact;
	self->alone += exact && sample->user_nr == 1;
	self->short_ += verdict == LOOPING_SHORT;
	self->wrong += verdict == LOOPING_WRONG;
	if (!exact && self->samples - self->exact <= PRINT_MAX)
		print(sample);
	if (!sample->user_mode)
		return;
	self->user++;
	self->user_exact += exact;
	if (self->seen[which])
		return;
	self->seen[which] = true;
	self->first++;
	self->first_exact += exact;
}

void looping_print(const struct looping *self, const char *what)
{
	printf("# %s: %u samples, %u exact, %u short, %u wrong\n", what, self->samples,
	       self->exact, self->short_, self->wrong);
	printf("# %s: user code: %u of %u exact; first of a process: %u of %u exact\n", what,
	       self->user_exact, self->user, self->first_exact, self->first);
}

int looping_tag(int ctl)
{
	int fd = open(PATH, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = ctl_tag(ctl, fd, A32_ABI_APCS);
	close(fd);
	return ret;
}

int looping_untag(int ctl)
{
	int fd = open(PATH, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = ctl_untag(ctl, fd);
	close(fd);
	return ret;
}
