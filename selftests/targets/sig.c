// SPDX-License-Identifier: GPL-2.0
/*
 * sig RESTORER plain|rt main|alt|down timer|udf|first|nested|forever
 *
 * Takes signals all the time, in handlers that take a while, and keeps a log of
 * what each of them interrupted. down: in a thread, whose stack is below the
 * alternate one. nested: an undefined instruction in the timer's handler.
 * forever: the handler never returns.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "node.h"
#include "page.h"

#define SIGINFO_SIZE	128		/* before the ucontext in an rt signal frame */
#define TIMER_US	1500
#define HANDLER_NS	700000
#define ALT_SIZE	65536

/* As the kernel takes it (struct sigaction in asm/signal.h). */
struct raw_sigaction {
	void *handler;
	unsigned long flags;
	void *restorer;
	uint32_t mask[2];
};

#define RAW_SA_RESTORER	0x04000000

void entry(int sig);
unsigned int first(unsigned int x);
void restorer_arm(void), restorer_arm_rt(void), restorer_oabi(void), restorer_oabi_rt(void);
void restorer_thumb1(void), restorer_thumb1_rt(void);
void restorer_thumb2(void), restorer_thumb2_rt(void);

extern struct {
	char *sp;
	uint32_t lr;
} entry_sp;

static const struct {
	const char *name;
	void (*plain)(void);
	void (*rt)(void);
} restorers[] = {
	{ "glibc", NULL, NULL },
	{ "kernel", NULL, NULL },
	{ "arm", restorer_arm, restorer_arm_rt },
	{ "thumb1", restorer_thumb1, restorer_thumb1_rt },
	{ "thumb2", restorer_thumb2, restorer_thumb2_rt },
	{ "oabi", restorer_oabi, restorer_oabi_rt },
};

struct page *page;
static bool rt, nested, forever;
static const char *source, *stack;
static int running = -1;

#ifdef __thumb__
#define UDF()	__asm__ volatile(".inst.n 0xde00" : : : "memory")
#define UDF_SIZE	2
#else
#define UDF()	__asm__ volatile(".inst 0xe7f000f0" : : : "memory")
#define UDF_SIZE	4
#endif

static inline __attribute__((always_inline)) uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

LEAF(handler_leaf, 20)

NODE unsigned int handler_work(unsigned int x)
{
	unsigned int n = 100;

	do {
		OPAQUE(n);
		x = handler_leaf(x);
	} while (--n);
	return mix(x);
}

NODE unsigned int nest(unsigned int x)
{
	x = mix(x);
	UDF();
	return mix(x);
}

static ucontext_t *interrupted(char *sp)
{
	return (ucontext_t *)(rt ? sp + SIGINFO_SIZE : sp);
}

/* A time, not a count: the machine may be slow. */
static inline __attribute__((always_inline)) bool is_over(uint64_t begin)
{
	if (forever)
		return *(volatile uint32_t *)&page->stop;
	return now() - begin > HANDLER_NS;
}

/* entry() goes on here. All signals that can come are blocked, but in nest(). */
NODE void handler(int sig)
{
	unsigned int x = sig;
	ucontext_t *uc = interrupted(entry_sp.sp);
	uint32_t slot = page->signals;
	struct page_signal *log = &page->signal[slot];

	if (slot == PAGE_SIGNALS)
		_exit(0);
	log->pc = uc->uc_mcontext.arm_pc & ~1u;
	log->resume = log->pc;
	log->ra = entry_sp.lr & ~1u;
	log->outer = running;
	log->end = 0;
	running = slot;
	log->begin = now();
	__atomic_store_n(&page->signals, slot + 1, __ATOMIC_RELEASE);

	do {
		KEEP(log);
		x = handler_work(x);
	} while (!is_over(log->begin));
	if (forever)
		_exit(0);
	if (nested && log->outer < 0)
		x = nest(x);

	KEEP(x);
	running = log->outer;
	log->end = now();
	/* Not before: the frame is what tells what was interrupted. */
	if (sig == SIGILL) {
		log->resume = log->pc + UDF_SIZE;
		uc->uc_mcontext.arm_pc += UDF_SIZE;
	}
}

NODE void on_signal(int sig, const char *restorer)
{
	struct raw_sigaction raw = { .handler = entry, .mask = { 1 << (SIGALRM - 1) } };
	struct sigaction action = { .sa_handler = entry };
	unsigned int i;

	raw.flags = (rt ? SA_SIGINFO : 0) | (strcmp(stack, "main") ? SA_ONSTACK : 0);
	action.sa_flags = raw.flags;
	sigaddset(&action.sa_mask, SIGALRM);
	if (!strcmp(restorer, "glibc")) {
		sigaction(sig, &action, NULL);
		return;
	}

	for (i = 0; strcmp(restorer, restorers[i].name); i++)
		;
	raw.restorer = rt ? restorers[i].rt : restorers[i].plain;
	if (raw.restorer)
		raw.flags |= RAW_SA_RESTORER;
	syscall(SYS_rt_sigaction, sig, &raw, NULL, sizeof(raw.mask));
}

static void start_timer(void)
{
	struct itimerval every = {
		.it_interval.tv_usec = TIMER_US, .it_value.tv_usec = TIMER_US,
	};

	setitimer(ITIMER_REAL, &every, NULL);
}

LEAF(work_leaf, 3)

NODE unsigned int work(unsigned int x)
{
	return mix(work_leaf(x));
}

NODE unsigned int fault(unsigned int x)
{
	x = mix(x);
	UDF();
	return mix(x);
}

NODE unsigned int call_first(unsigned int x)
{
	return mix(first(x));
}

NODE unsigned int middle(unsigned int x)
{
	x = work(x);
	if (*source == 'u')
		x = fault(x);
	else if (*source == 'f')
		x = call_first(x);
	return mix(x);
}

NODE unsigned int outer(unsigned int x)
{
	while (!*(volatile uint32_t *)&page->stop)
		x = mix(middle(x));
	return x;
}

NODE void *thread(void *alt)
{
	stack_t ss = { .ss_sp = alt, .ss_size = ALT_SIZE };
	sigset_t alarm;

	page->thread_ra = RETURN_ADDRESS();
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigaltstack(&ss, NULL);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	return (void *)(uintptr_t)mix(outer(2));
}

/* The main thread keeps out of the way. */
NODE void run_below(void)
{
	char alt[ALT_SIZE] __attribute__((aligned(8)));
	sigset_t alarm;
	pthread_t id;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	pthread_create(&id, NULL, thread, alt);
	pthread_join(id, NULL);
}

NODE void run_above(void)
{
	static char alt[ALT_SIZE];
	stack_t ss = { .ss_sp = alt, .ss_size = ALT_SIZE };

	sigaltstack(&ss, NULL);
	outer(1);
}

int main(int argc, char **argv)
{
	static const int signals[] = { SIGALRM, SIGILL, 0 };
	const int *sig;

	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED,
		    PAGE_FD, 0);
	if (page == MAP_FAILED || argc != 5)
		return 1;
	page->main_ra = RETURN_ADDRESS();

	rt = !strcmp(argv[2], "rt");
	stack = argv[3];
	nested = !strcmp(argv[4], "nested");
	forever = !strcmp(argv[4], "forever");
	source = forever ? "udf" : nested ? "timer" : argv[4];
	for (sig = signals; *sig; sig++) {
		OPAQUE(sig);
		on_signal(*sig, argv[1]);
	}
	page->ready = 1;

	if (!strcmp(source, "timer"))
		start_timer();
	if (!strcmp(stack, "down"))
		run_below();
	else
		run_above();
	return 0;
}
