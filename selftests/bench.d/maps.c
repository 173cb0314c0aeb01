// SPDX-License-Identifier: GPL-2.0
/*
 * maps WALKER
 *
 * What it costs to change a process's memory, which the module has to follow.
 * Prints "map OPERATION WALKER COST": instructions, the median of many.
 */
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "walks.h"

#define TIMES	201
#define SIZE	65536

extern char **environ;

static int self;
static void *mapped;
static double overhead;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void nothing(void)
{
}

static void map_code(void)
{
	mapped = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_PRIVATE, self, 0);
	if (mapped == MAP_FAILED)
		fail("mmap");
}

static void map_data(void)
{
	mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapped == MAP_FAILED)
		fail("mmap");
}

static void unmap(void)
{
	munmap(mapped, SIZE);
}

static void wait_for(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		fail("child");
}

static void run_fork(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	wait_for(pid);
}

static void run_exec(void)
{
	char *argv[] = { "maps", NULL };
	pid_t pid;

	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ))
		fail("spawn");
	wait_for(pid);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Each time: @before, then @fn timed, then @after */
static double median(void (*before)(void), void (*fn)(void), void (*after)(void))
{
	static double cost[TIMES];
	double start;
	int i;

	for (i = 0; i < TIMES; i++) {
		before();
		start = now();
		fn();
		cost[i] = now() - start - overhead;
		after();
	}
	qsort(cost, TIMES, sizeof(cost[0]), by_value);
	return cost[TIMES / 2];
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*before)(void), (*fn)(void), (*after)(void);
	} op[] = {
		{ "mmap", nothing, map_code, unmap },
		{ "munmap", map_code, unmap, nothing },
		{ "mmap-data", nothing, map_data, unmap },
		{ "munmap-data", map_data, unmap, nothing },
		{ "fork", nothing, run_fork, nothing },
		{ "exec", nothing, run_exec, nothing },
	};
	unsigned int i;

	if (argc < 2)
		return 0;
	self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	overhead = median(nothing, nothing, nothing);
	for (i = 0; i < sizeof(op) / sizeof(op[0]); i++)
		printf("map %s %s %.0f\n", op[i].name, argv[1],
		       median(op[i].before, op[i].fn, op[i].after));
	return 0;
}
