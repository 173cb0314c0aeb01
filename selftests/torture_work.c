// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include "torture_work.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl.h"
#include "kselftest.h"
#include "tagging.h"
#include "targets/page.h"

#define PAGE		4096
#define NESTED		4
#define WORK_NICE	10
#define CHAINS_NICE	5	/* more of the samples than all other work has */

/* What a worker needs in each turn */
struct work {
	volatile uint64_t *done;
	unsigned int seed;
};

static void spin(unsigned int turns)
{
	volatile unsigned int i;

	for (i = 0; i < turns; i++)
		;
}

/* fork, exec and exit: at once, after an exec, and with a second thread */
static void *sleep_on(void *arg)
{
	pause();
	return arg;
}

static void live(unsigned int how)
{
	pthread_t thread;

	switch (how) {
	case 0:
		execl("./looper", "looper", "m", "2", NULL);
		break;
	case 1:
		execl("/bin/busybox", "true", NULL);
		break;
	case 2:
		pthread_create(&thread, NULL, sleep_on, NULL);
		break;
	}
	_exit(0);
}

static void turn_programs(struct work *w)
{
	pid_t pid = fork();

	if (!pid)
		live(rand_r(&w->seed) % 4);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* What the programs of all frame ABIs share with who runs them: see targets/page.h. */
static int make_page(void)
{
	int fd = memfd_create("page", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, sizeof(struct page)))
		_exit(1);
	return fd;
}

/* Deep chains, in two threads each, that end in the midst */
static void turn_chains(struct work *w)
{
	static const char *const programs[] = {
		"targets/tree-gcc-O2", "targets/tree-apcs-O2", "targets/tree-clang14-O2",
		"targets/tree-clang19t-O2", "targets/tree-nofp-O2", "targets/tree-nofpt-Os",
	};
	const char *program = programs[rand_r(&w->seed) % ARRAY_SIZE(programs)];
	pid_t worker = getpid(), pid = fork();
	int status;

	if (!pid) {
		/* It does not end by itself. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpriority(PRIO_PROCESS, 0, CHAINS_NICE);
		if (getppid() == worker && dup2(make_page(), PAGE_FD) == PAGE_FD)
			execl(program, program, NULL);
		_exit(1);
	}
	if (pid < 0)
		return;
	usleep(rand_r(&w->seed) % 2048 * 1000);
	kill(pid, SIGKILL);
	/* One that can't be run has ended: so does the worker, which is noticed. */
	if (waitpid(pid, &status, 0) == pid && !WIFSIGNALED(status))
		_exit(1);
}

/*
 * e92d4800	push	{fp, lr}
 * e28db004	add	fp, sp, #4
 * e3a01b01	mov	r1, #1024
 * e2511001	subs	r1, r1, #1
 * 1afffffd	bne	.-4
 * e8bd8800	pop	{fp, pc}
 */
static const uint32_t counting[] = {
	0xe92d4800, 0xe28db004, 0xe3a01b01, 0xe2511001, 0x1afffffd, 0xe8bd8800,
};

/* Code that is written, run, moved, run there, and gone */
static void turn_code(struct work *w)
{
	char *page = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	char *moved;

	if (page == MAP_FAILED)
		return;
	memcpy(page + PAGE, counting, sizeof(counting));
	__builtin___clear_cache(page + PAGE, page + PAGE + sizeof(counting));
	mprotect(page + PAGE, PAGE, PROT_READ | PROT_EXEC);
	((void (*)(void))(page + PAGE))();
	moved = mremap(page + PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
	if (moved != MAP_FAILED) {
		((void (*)(void))moved)();
		munmap(moved, 2 * PAGE);
	}
	if (rand_r(&w->seed) % 2)
		mprotect(page, PAGE, PROT_READ | PROT_EXEC);
	munmap(page, 4 * PAGE);
}

static void turn_libraries(struct work *w)
{
	void *lib = dlopen("./libempty.so", RTLD_NOW);
	int (*fn)(int x);

	(void)w;
	if (!lib)
		_exit(1);
	fn = (int (*)(int))dlsym(lib, "libempty_function");
	if (fn)
		fn(1);
	dlclose(lib);
}

/* Signals on a stack of their own, each of which is interrupted by the next */
static volatile sig_atomic_t depth;

static void on_signal(int sig)
{
	spin(200);
	if (++depth < NESTED)
		raise(sig == SIGUSR1 ? SIGUSR2 : SIGUSR1);
	spin(200);
}

static void turn_signals(struct work *w)
{
	static char stack[16 * PAGE];
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&alternate, NULL);
	if (rand_r(&w->seed) % 2)
		action.sa_flags |= SA_SIGINFO;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	depth = 0;
	raise(SIGUSR1);
}

static void *thread(void *arg)
{
	spin(2000);
	return arg;
}

static void turn_threads(struct work *w)
{
	pthread_t threads[3];
	unsigned int i, nr = 0;

	(void)w;
	for (i = 0; i < 3; i++)
		nr += !pthread_create(&threads[nr], NULL, thread, NULL);
	while (nr)
		pthread_join(threads[--nr], NULL);
}

/* The module may go or be gone at any time: nothing here has to succeed. */
static void list(int ctl)
{
	struct a32_rule_item rule = {};
	struct a32_map_item map;
	uint32_t at = 0;

	while (!ctl_next_rule(ctl, &rule))
		;
	while (!ctl_next_map(ctl, getppid(), at, &map))
		at = map.end;
}

static void change(int ctl, int looper, struct work *w)
{
	/* One by one: each change of a table waits for RCU, with the device open. */
	static const char *const tables[] = { "tree-nofp-O2", "tree-nofpt-Os", "sig-nofp-O2" };
	unsigned int r = rand_r(&w->seed);
	const char *file = tables[r / 1024 % 3];
	uint32_t abi = r / 16 % A32_ABI_NR;

	switch (r % 8) {
	case 0:
		ctl_tag(ctl, looper, abi);
		break;
	case 1:
		ctl_tag_part(ctl, looper, abi, 0x20000, 0x20400);
		break;
	case 2:
		ctl_untag(ctl, looper);
		break;
	case 3:
		ctl_set_default(ctl, r & 256 ? abi : A32_ABI_AUTO);
		break;
	case 4:
		ctl_tag_range(ctl, getppid(), abi, 0x10000, 0x20000);
		ctl_untag_range(ctl, getppid(), 0x10000, 0x20000);
		break;
	case 5:
		tagging_tables(ctl, "targets", file);
		break;
	case 6:
		tagging_no_tables(ctl, "targets", file);
		break;
	default:
		list(ctl);
	}
}

static void turn_rules(struct work *w)
{
	int ctl = ctl_open(), looper;

	if (ctl < 0) {
		usleep(2000);
		return;
	}
	looper = open("./looper", O_RDONLY | O_CLOEXEC);
	change(ctl, looper, w);
	close(looper);
	close(ctl);
	/* It can't be unloaded while this has it open, which is long on a slow machine. */
	usleep(rand_r(&w->seed) % 32 * 1000);
}

static const struct {
	const char *name;
	void (*turn)(struct work *w);
} works[TORTURE_WORKERS] = {
	{ "forks and execs", turn_programs },
	{ "programs of all frame ABIs", turn_chains },
	{ "code mapped, moved and unmapped", turn_code },
	{ "libraries loaded and unloaded", turn_libraries },
	{ "nested signals", turn_signals },
	{ "threads", turn_threads },
	{ "changes of rules and tables", turn_rules },
};

static void work(unsigned int i, volatile uint64_t *done)
{
	struct work w = { .done = done, .seed = i };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* What loads the module waits for the kernel's threads, and for who has the device open. */
	setpriority(PRIO_PROCESS, 0, works[i].turn == turn_rules ? 0 : WORK_NICE);
	/* Errors of tables are no diagnostics of the test. */
	if (!freopen("/dev/null", "w", stdout))
		_exit(1);
	for (;;) {
		works[i].turn(&w);
		++*w.done;
	}
}

int torture_work_start(struct torture_worker worker[TORTURE_WORKERS])
{
	volatile uint64_t *done = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	if (done == MAP_FAILED)
		return -1;
	for (i = 0; i < TORTURE_WORKERS; i++) {
		worker[i] = (struct torture_worker){ works[i].name, fork(), &done[i] };
		if (!worker[i].pid)
			work(i, &done[i]);
		if (worker[i].pid < 0)
			return -1;
	}
	return 0;
}

unsigned int torture_work_end(struct torture_worker worker[TORTURE_WORKERS])
{
	unsigned int i, early = 0;

	for (i = 0; i < TORTURE_WORKERS; i++) {
		early += waitpid(worker[i].pid, NULL, WNOHANG) != 0;
		kill(worker[i].pid, SIGKILL);
		waitpid(worker[i].pid, NULL, 0);
	}
	return early;
}
