// SPDX-License-Identifier: GPL-2.0
/*
 * torn [-d DIR] [-n SAMPLES] [NAME...]
 *
 * Samples the kernel at each of its instructions that set up a signal handler, and
 * that go back from it: it writes the thread's registers one by one there, and in
 * between some are from before and some from after. A chain may be short then, but
 * never show what wasn't there. The samples are those of kprobes, one at each
 * instruction. With NAMEs, of other programs than usual.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attrs.h"
#include "clock.h"
#include "handled.h"
#include "kselftest.h"
#include "patience.h"
#include "reload.h"
#include "tagging.h"

#define MAX_PROBES	1024
#define MIN_PROBES	32
#define RING_PAGES	8
#define ROUND_MS	200
#define LIMIT_MS	20000
#define NOTE_MS		1000

static const char *dir = "targets";
static unsigned int enough = 5000;
static int ctl = -1;

static struct perfring *probes[MAX_PROBES];
static unsigned int nr_probes;

/* By an unwind table, by records of ARM and Thumb code */
static const char *const programs[] = { "sig-nofpt-O2", "sig-gcc-O2", "sig-clang19t-O2" };

#define PROGRAMS	(sizeof(programs) / sizeof(programs[0]))

/*
 * As in targets/sig.c. The trampoline's instruction set is another one than the
 * program's in some.
 */
static const char *const scenarios[][4] = {
	{ "glibc", "rt", "main", "udf" },
	{ "arm", "plain", "main", "timer" },
	{ "thumb2", "rt", "main", "timer" },
	{ "thumb1", "plain", "alt", "nested" },
};

#define SCENARIOS	(sizeof(scenarios) / sizeof(scenarios[0]))

/*
 * arch/arm/kernel/signal.c: who writes the registers, or its caller where the compiler
 * has put it into that
 */
static const char *const functions[][2] = {
	{ "setup_return", "do_work_pending" },
	{ "restore_sigframe", "sys_sigreturn" },
	{ "restore_sigframe", "sys_rt_sigreturn" },
};

/* Bytes up to the symbol behind it; 0 when there is no such function. */
static unsigned long size_of(const char *function)
{
	unsigned long at = 0, next = 0, addr;
	char name[128], type, line[512];
	FILE *file;

	for (int pass = 0; pass < 2; pass++) {
		file = fopen("/proc/kallsyms", "re");
		while (file && fgets(line, sizeof(line), file)) {
			if (sscanf(line, "%lx %c %127s", &addr, &type, name) != 3 ||
			    tolower(type) != 't')
				continue;
			if (!pass && !strcmp(name, function))
				at = addr;
			else if (pass && addr > at && (!next || addr < next))
				next = addr;
		}
		if (file)
			fclose(file);
	}
	return at && next ? next - at : 0;
}

/*
 * Where Thumb instructions begin can't be told from their addresses, and a kprobe in
 * the middle of one breaks the kernel. The module's vermagic has it (asm/vermagic.h).
 */
static bool is_thumb_kernel(void)
{
	int fd = open(RELOAD_MODULE, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *module;
	bool found;

	if (fd < 0 || fstat(fd, &st))
		ksft_exit_fail_msg("no %s: %m\n", RELOAD_MODULE);
	module = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (module == MAP_FAILED)
		ksft_exit_fail_msg("can't read %s: %m\n", RELOAD_MODULE);
	close(fd);
	found = memmem(module, st.st_size, " thumb2 ", 8);
	munmap(module, st.st_size);
	return found;
}

/* Those instructions that kprobes refuse are left out. */
static int add_probes(const char *function)
{
	unsigned long size = size_of(function), offset;
	struct perf_event_attr attr;

	for (offset = 0; offset < size && nr_probes < MAX_PROBES; offset += 4) {
		if (probe_attr(&attr, "kprobe", function, offset, 0))
			return -1;
		probes[nr_probes] = perfring_open(&attr, -1, -1, RING_PAGES);
		nr_probes += !!probes[nr_probes];
	}
	return size ? 0 : -1;
}

static void start_probes(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (i && !strcmp(functions[i][0], functions[i - 1][0]) && size_of(functions[i][0]))
			continue;
		if (add_probes(functions[i][0]))
			add_probes(functions[i][1]);
	}
}

struct torn {
	struct handled handled;
	unsigned int samples;
};

/*
 * The handler that was set up then has not taken note of itself by the time the sample
 * can be read: the next one to do so is that handler.
 */
static void await_handler(const struct page *page, uint64_t time)
{
	uint64_t end = clock_ms() + NOTE_MS * patience();
	unsigned int nr;

	do {
		nr = __atomic_load_n(&page->signals, __ATOMIC_ACQUIRE);
		if (nr && page->signal[nr - 1].begin > time)
			break;
		usleep(1000);
	} while (clock_ms() < end);
}

static void judge(const struct perfring_sample *sample, void *arg)
{
	struct torn *self = arg;

	if (sample->pid != (uint32_t)self->handled.run.pid)
		return;
	self->samples++;
	await_handler(self->handled.run.page, sample->time);
	handled_judge(sample, &self->handled);
}

static void read_probes(struct torn *self)
{
	unsigned int i;

	for (i = 0; i < nr_probes; i++)
		perfring_read(probes[i], judge, self);
}

static void enable_probes(int (*set)(struct perfring *ring))
{
	unsigned int i;

	for (i = 0; i < nr_probes; i++)
		set(probes[i]);
}

static unsigned int all(const struct handled *self, enum expect_verdict verdict)
{
	unsigned int place, sum = 0;

	for (place = 0; place < HANDLED_PLACES; place++)
		sum += self->count[place][verdict];
	return sum;
}

static bool is_good(const struct torn *self)
{
	const struct handled *handled = &self->handled;

	/* Most of the instructions write no register. */
	return self->samples >= enough && !all(handled, EXPECT_WRONG) &&
	       all(handled, EXPECT_EXACT) > all(handled, EXPECT_SHORT);
}

static void run(const char *program, const char *const sc[4])
{
	struct torn self = { };
	struct sampled *sampled = &self.handled.run;
	struct perf_event_attr attr;
	uint64_t end;
	char name[128];
	bool good;

	snprintf(name, sizeof(name), "%.63s %s %s %s %s", program, sc[0], sc[1], sc[2], sc[3]);
	every_attr(&attr, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	ctl_reset_stats(ctl);
	if (handled_start(&self.handled, dir, program, sc, &attr)) {
		ksft_test_result_fail("%s\n", name);
		return;
	}
	good = !handled_prepare(&self.handled, dir, sc[2]);
	end = clock_ms() + LIMIT_MS * patience();
	while (good && self.samples < enough && clock_ms() < end) {
		enable_probes(perfring_enable);
		usleep(ROUND_MS * 1000);
		/* They fill faster than they are read. */
		enable_probes(perfring_disable);
		read_probes(&self);
	}
	handled_print(&self.handled, ctl, name);
	printf("# %s: %u samples\n", name, self.samples);
	__atomic_store_n(&sampled->page->stop, 1, __ATOMIC_RELEASE);
	ksft_test_result(!sampled_end(sampled) && good && is_good(&self), "%s\n", name);
}

int main(int argc, char **argv)
{
	const char *const *names;
	unsigned int i, j, nr;
	int opt;

	while ((opt = getopt(argc, argv, "d:n:")) != -1) {
		if (opt == 'd')
			dir = optarg;
		else if (opt == 'n')
			enough = strtoul(optarg, NULL, 0);
		else
			return 2;
	}
	ksft_print_header();
	ctl = ctl_open();
	if (ctl < 0)
		ksft_exit_skip("no %s: load the module first\n", CTL_DEVICE);
	if (hook_is_kprobe(ctl))
		ksft_exit_skip("kprobes don't nest: hook=kprobe can't see these\n");
	if (is_thumb_kernel())
		ksft_exit_skip("where a Thumb kernel's instructions begin is not known\n");
	if (tagging_all(ctl, dir))
		ksft_exit_fail_msg("can't tag what is in %s: %m\n", dir);
	start_probes();
	if (nr_probes < MIN_PROBES)
		ksft_exit_skip("this kernel lets no kprobe in where it writes registers\n");
	printf("# %u probes\n", nr_probes);
	names = argc > optind ? (const char *const *)&argv[optind] : programs;
	nr = argc > optind ? argc - optind : PROGRAMS;
	ksft_set_plan(nr * SCENARIOS);
	for (i = 0; i < nr; i++) {
		for (j = 0; j < SCENARIOS; j++)
			run(names[i], scenarios[j]);
	}
	for (i = 0; i < nr_probes; i++)
		perfring_close(probes[i]);
	ksft_finished();
}
