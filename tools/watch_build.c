// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../module/core/table.h"
#include "msg.h"
#include "table_build.h"
#include "watch_build.h"
#include "write_file.h"

#define CPU_SECONDS	1800	/* for one file */
/* The largest need of Debian's files is 10 times their size. */
#define BASE_MEMORY	(64ULL << 20)
#define MEMORY_FACTOR	32

/* linux/ioprio.h is not everywhere. */
#define IOPRIO_PROCESS	1
#define IOPRIO_IDLE	(3 << 13)

static void limit(int what, rlim_t most)
{
	const struct rlimit rlimit = { .rlim_cur = most, .rlim_max = most };

	if (setrlimit(what, &rlimit))
		_exit(REFUSED);
}

static rlim_t memory_of(int fd)
{
	rlim_t half = (rlim_t)sysconf(_SC_PHYS_PAGES) / 2 * (rlim_t)sysconf(_SC_PAGESIZE), most;
	struct stat st;

	if (fstat(fd, &st))
		_exit(REFUSED);
	most = BASE_MEMORY + MEMORY_FACTOR * (rlim_t)st.st_size;
	return most < half ? most : half;
}

/* Not every kernel has all of these; it is the limits that matter. */
static void step_back(void)
{
	const struct sched_param param = { 0 };

	setpriority(PRIO_PROCESS, 0, 19);
	sched_setscheduler(0, SCHED_IDLE, &param);
	syscall(SYS_ioprio_set, IOPRIO_PROCESS, 0, IOPRIO_IDLE);
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { { 0 } };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &head, none))
		_exit(REFUSED);
}

__noreturn static void child(int fd, const char *path, int out)
{
	uint8_t *bytes;
	size_t size;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	step_back();
	limit(RLIMIT_AS, memory_of(fd));
	limit(RLIMIT_CPU, CPU_SECONDS);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_CORE, 0);
	drop_capabilities();
	/* What is said of a file goes the same way as its table. */
	if (dup2(out, STDERR_FILENO) < 0 || table_build_fd(fd, path, &bytes, &size) ||
	    !write_all(out, bytes, size))
		_exit(REFUSED);
	_exit(DONE);
}

bool watch_build(struct builder *builder, int fd, const char *path, int ctl)
{
	int ends[2];

	*builder = (struct builder){ .fd = -1 };
	if (pipe2(ends, O_CLOEXEC))
		return false;
	fflush(stdout);
	builder->pid = fork();
	if (!builder->pid) {
		close(ctl);
		close(ends[0]);
		child(fd, path, ends[1]);
	}
	close(ends[1]);
	if (builder->pid > 0) {
		builder->fd = ends[0];
		return true;
	}
	close(ends[0]);
	builder->pid = 0;
	return false;
}

static void grow(struct builder *builder)
{
	if (builder->size < builder->room)
		return;
	builder->room = builder->room * 2 + 65536;
	builder->bytes = realloc(builder->bytes, builder->room);
	if (!builder->bytes)
		msg_no_memory();
}

bool watch_build_read(struct builder *builder)
{
	ssize_t got;

	if (builder->size > A32_TABLE_SIZE_MAX)
		return false;
	grow(builder);
	got = read(builder->fd, builder->bytes + builder->size, builder->room - builder->size);
	if (got < 0 && errno == EINTR)
		return true;
	if (got <= 0)
		return false;
	builder->size += (size_t)got;
	return true;
}

/* "a32uwctl watch: FILE: REASON; WHAT TO DO" is what was said. */
static const char *reason_in(struct builder *builder)
{
	static char reason[256];
	char *text = (char *)builder->bytes, *start;
	size_t i;

	for (i = 0; i < builder->size && text[i] != '\n'; i++)
		;
	if (i == builder->size || !i)
		return "it was not understood";
	text[i] = '\0';
	start = strstr(text, ": ");
	start = start ? strstr(start + 2, ": ") : NULL;
	snprintf(reason, sizeof(reason), "%s", start ? start + 2 : text);
	return reason;
}

static const char *why(struct builder *builder, int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return "making it takes too long";
	if (WIFSIGNALED(status))
		return "making it failed";
	if (WEXITSTATUS(status))
		return reason_in(builder);
	if (builder->size > A32_TABLE_SIZE_MAX ||
	    !a32_table_check(builder->bytes, (uint32_t)builder->size))
		return "what was made is no table";
	return NULL;
}

/* Of who ended by himself: a signal may come for other reasons. */
static bool is_lasting(int status)
{
	return WIFEXITED(status) || WTERMSIG(status) == SIGXCPU;
}

static int wait_for(struct builder *builder)
{
	int status = -1;

	close(builder->fd);
	while (waitpid(builder->pid, &status, 0) < 0 && errno == EINTR)
		;
	builder->pid = 0;
	return status;
}

const char *watch_build_end(struct builder *builder, bool *lasting)
{
	int status = wait_for(builder);

	*lasting = is_lasting(status);
	return why(builder, status);
}

void watch_build_stop(struct builder *builder)
{
	if (!builder->pid)
		return;
	kill(builder->pid, SIGKILL);
	wait_for(builder);
	free(builder->bytes);
}
