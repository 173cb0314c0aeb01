// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded into a program, interrupts it all along its run and asks the
 * meter what a sample there costs: its first entry, and at the next tick its
 * whole chain. At its end prints
 *	topmost NAME SAMPLES MEAN MEDIAN P99 MAX	analysis of a pc in the program
 *	early NAME SAMPLES MEAN				the same, of the first samples only
 *	late NAME SAMPLES MEAN				of the last quarter
 *	sample NAME SAMPLES MEAN ENTRIES		whole chains
 * in instructions, to the file that $TOPMOST names; NAME is $TOPMOST_NAME.
 */
#define _GNU_SOURCE
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "walks.h"

#define INTERVAL_NS	24989		/* prime, and instructions */
#define EARLY		1000		/* samples */
#define SAMPLES_MAX	65536

static int meter = -1;
static timer_t timer;
static uint32_t text_start, text_end;
static double one_entry;		/* no analysis */
static float extra[SAMPLES_MAX];
static unsigned int nr, wholes;
static double whole, entries;
static int whole_next;

static int program_text(struct dl_phdr_info *info, size_t size, void *arg)
{
	int i;

	(void)size;
	(void)arg;
	/* The program is the first. */
	for (i = 0; i < info->dlpi_phnum; i++) {
		const Elf32_Phdr *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
			text_start = info->dlpi_addr + p->p_vaddr;
			text_end = text_start + p->p_memsz;
		}
	}
	return 1;
}

/* The kernel puts r0 to pc one after the other, beginning with arm_r0. */
static double cost(struct meter *m, const mcontext_t *mc, uint32_t room)
{
	memcpy(m->r, &mc->arm_r0, sizeof(m->r));
	m->cpsr = mc->arm_cpsr;
	m->room = room;
	/* Once: a second walk could know what the first one has found out. */
	m->loops = 1;
	return meter_cost(meter, m);
}

static void measure(const mcontext_t *mc)
{
	static struct meter m;

	if (mc->arm_pc < text_start || mc->arm_pc >= text_end || nr == SAMPLES_MAX)
		return;
	whole_next = !whole_next;
	if (!whole_next) {
		extra[nr++] = cost(&m, mc, 1) - one_entry;
		return;
	}
	whole += cost(&m, mc, METER_ENTRIES);
	entries += m.nr;
	wholes++;
}

/* A timer that ran on meanwhile could interrupt the same instruction for ever. */
static void set_timer(void)
{
	struct itimerspec next = { .it_value.tv_nsec = INTERVAL_NS };

	if (timer_settime(timer, 0, &next, NULL))
		fail("timer");
}

static void on_tick(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	measure(&((ucontext_t *)context)->uc_mcontext);
	set_timer();
}

static int by_value(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return x < y ? -1 : x > y;
}

static double mean(unsigned int from, unsigned int to)
{
	double sum = 0;
	unsigned int i;

	for (i = from; i < to; i++)
		sum += extra[i];
	return sum / (to - from);
}

__attribute__((destructor)) static void report(void)
{
	const char *name = getenv("TOPMOST_NAME");
	double all;
	FILE *out;

	signal(SIGUSR2, SIG_IGN);
	if (meter < 0 || nr < 2 * EARLY || !wholes)
		return;
	out = fopen(getenv("TOPMOST"), "ae");
	if (!out)
		fail("topmost");
	fprintf(out, "early %s %u %.1f\n", name, EARLY, mean(0, EARLY));
	fprintf(out, "late %s %u %.1f\n", name, nr / 4, mean(nr - nr / 4, nr));
	all = mean(0, nr);
	qsort(extra, nr, sizeof(extra[0]), by_value);
	fprintf(out, "topmost %s %u %.1f %.0f %.0f %.0f\n", name, nr, all,
		extra[nr / 2], extra[nr - 1 - nr / 100], extra[nr - 1]);
	fprintf(out, "sample %s %u %.1f %.2f\n", name, wholes, whole / wholes, entries / wholes);
	fclose(out);
}

/* This file follows no ABI: a chain from it is its pc, and nothing is analysed. */
static void calibrate(void)
{
	struct meter m = { .cpsr = PSR_USER, .room = 1, .loops = 1024 };

	m.r[PC] = (uintptr_t)calibrate & ~3;
	one_entry = meter_cost(meter, &m);
}

__attribute__((constructor)) static void start(void)
{
	struct sigaction action = {
		.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO | SA_RESTART,
	};
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2 };

	if (!getenv("TOPMOST"))
		return;
	unsetenv("LD_PRELOAD");
	meter = meter_open();
	dl_iterate_phdr(program_text, NULL);
	calibrate();
	if (sigaction(SIGUSR2, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &timer))
		fail("timer");
	set_timer();
}
