// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "handled.h"
#include "tagging.h"

#define SHOW		2

/* A restorer is a mov and a svc, of 4 bytes each at most. */
#define TRAMPOLINE_SIZE	8

static const char *const place_names[HANDLED_PLACES] = {
	"handler-body", "handler-first", "handler-edge", "outside", "trampoline", "foreign",
};

/* @open: what follows is not known */
struct chain {
	unsigned int nr;
	uint32_t entry[EXPECT_MAX];
	bool open;
};

static bool is_running(const struct page_signal *log, uint64_t time)
{
	return log->begin <= time && (!log->end || time <= log->end);
}

/* The innermost handler that ran at @time, or -1. */
static int running_at(const struct page *page, uint64_t time)
{
	int i;

	for (i = page->signals - 1; i >= 0; i--) {
		if (is_running(&page->signal[i], time))
			break;
	}
	return i;
}

/* The first handler that took note of itself after @time; or the last one. */
static int next_after(const struct page *page, uint64_t time)
{
	unsigned int i;

	for (i = 0; i + 1 < page->signals && page->signal[i].begin <= time; i++)
		;
	return i;
}

/* The last one that had ended by @time, or -1. */
static int last_before(const struct page *page, uint64_t time)
{
	int i, found = -1;

	for (i = 0; i < (int)page->signals; i++) {
		const struct page_signal *log = &page->signal[i];

		if (log->end && log->end <= time &&
		    (found < 0 || log->end >= page->signal[found].end))
			found = i;
	}
	return found;
}

static void append(struct handled *self, struct chain *chain, uint32_t pc,
		   const char *root)
{
	unsigned int nr;

	nr = expect_chain(self->run.expect, pc, root, NULL, 0, chain->entry + chain->nr);
	/*
	 * Interrupted in a PLT entry with several callers, or in the vdso: any of
	 * them may follow.
	 */
	if (!nr && (expect_class(self->run.expect, pc) != EXPECT_FOREIGN ||
		    expect_is_vdso(self->run.expect, pc)))
		chain->open = true;
	if (!nr)
		chain->entry[chain->nr + nr++] = pc;
	chain->nr += nr;
}

/* What handler run @i goes back to, at @pc, and all that is outside of that. */
static void append_outside(struct handled *self, struct chain *chain, int i,
			   uint32_t pc, const char *base)
{
	const struct page *page = self->run.page;
	int outer = page->signal[i].outer;

	if (outer < 0) {
		append(self, chain, pc, base);
		return;
	}
	expect_root(self->run.expect, "handler", page->signal[outer].ra);
	append(self, chain, pc, "handler");
	append_outside(self, chain, outer, page->signal[outer].pc, base);
}

/* @ended: the handler has set where it goes back to. */
static void handler_chain(struct handled *self, struct chain *chain, uint32_t pc,
			  int i, bool ended, const char *base)
{
	const struct page_signal *log = &self->run.page->signal[i];

	chain->nr = 0;
	chain->open = false;
	expect_root(self->run.expect, "handler", log->ra);
	append(self, chain, pc, "handler");
	append_outside(self, chain, i, ended ? log->resume : log->pc, base);
}

static enum expect_verdict compare(const struct chain *want,
				   const struct perfring_sample *sample)
{
	return expect_compare(want->entry, want->nr, sample->user, sample->user_nr);
}

/* Is it right as far as is known, and goes on from there? */
static bool is_beyond(const struct chain *want, const struct perfring_sample *sample)
{
	return want->open && sample->user_nr > want->nr &&
	       expect_compare(want->entry, want->nr, sample->user, want->nr) == EXPECT_EXACT;
}

static void count(struct handled *self, const struct perfring_sample *sample,
		  enum handled_place place, const struct chain *want)
{
	enum expect_verdict verdict = compare(want, sample);

	if (verdict == EXPECT_WRONG && is_beyond(want, sample)) {
		self->unknown++;
		return;
	}
	self->count[place][verdict]++;
	if (verdict == EXPECT_EXACT || (verdict == EXPECT_SHORT && place != HANDLER_BODY) ||
	    self->shown[place][verdict]++ >= SHOW)
		return;
	printf("# %s chain, %s, %s mode; expected, sampled:\n", expect_verdict_names[verdict],
	       place_names[place], sample->user_mode ? "user" : "kernel");
	expect_print(self->run.expect, want->entry, want->nr, sample->user,
		     sample->user_nr);
}

/* Code that only runs while its handler is in the log. */
static bool is_logged(const struct handled *self, uint32_t pc)
{
	static const char *const names[] = { "handler_work", "handler_leaf", "nest" };
	char symbol[128];
	unsigned int i;

	expect_symbol(self->run.expect, pc, symbol, sizeof(symbol));
	for (i = 0; i < 3; i++) {
		if (strstr(symbol, names[i]))
			return true;
	}
	return false;
}

/*
 * Where shorter chains are as good: the first return through the [sigpage] is
 * what puts it into the page table, and the module doesn't fault pages in.
 */
static bool is_first(const struct handled *self, uint64_t time)
{
	const struct page *page = self->run.page;
	unsigned int i;

	for (i = 0; self->sigpage && i < page->signals; i++) {
		if (page->signal[i].end && page->signal[i].end <= time)
			return false;
	}
	return self->sigpage;
}

/* Not where a frame record is made or given up. */
static bool is_settled(const struct expect *expect, uint32_t pc)
{
	enum expect_class class = expect_class(expect, pc);

	return class == EXPECT_BODY || class == EXPECT_FRAMELESS;
}

/* Its way on is through a udf, behind which nothing says that the code goes on. */
static bool leads_to_trap(const struct expect *expect, uint32_t pc)
{
	char symbol[128];

	expect_symbol(expect, pc, symbol, sizeof(symbol));
	return strstr(symbol, "nest+");
}

static void in_handler(struct handled *self, const struct perfring_sample *sample,
		       const char *base)
{
	const struct page *page = self->run.page;
	const struct expect *expect = self->run.expect;
	uint32_t pc = sample->user[0];
	int maybe[] = {
		running_at(page, sample->time), next_after(page, sample->time),
		last_before(page, sample->time),
	};
	enum handled_place place = HANDLER_EDGE;
	struct chain want;
	unsigned int i;

	if (maybe[0] >= 0 && is_logged(self, pc)) {
		if (is_settled(expect, pc) && !leads_to_trap(expect, pc) &&
		    is_settled(expect, page->signal[maybe[0]].pc))
			place = is_first(self, sample->time) ? HANDLER_FIRST : HANDLER_BODY;
		handler_chain(self, &want, pc, maybe[0], false, base);
		count(self, sample, place, &want);
		return;
	}

	for (i = 0; i < 6; i++) {
		if (maybe[i / 2] < 0)
			continue;
		handler_chain(self, &want, pc, maybe[i / 2], i % 2, base);
		if (compare(&want, sample) != EXPECT_WRONG || is_beyond(&want, sample))
			break;
	}
	count(self, sample, place, &want);
}

/* Run @i when pc lies in its trampoline, or -1. */
static int trampoline_of(const struct page *page, uint32_t pc, uint64_t time)
{
	int i = last_before(page, time);

	if (i >= 0 && pc >= page->signal[i].ra &&
	    pc <= page->signal[i].ra + TRAMPOLINE_SIZE)
		return i;
	return -1;
}

void handled_judge(const struct perfring_sample *sample, void *arg)
{
	struct handled *self = arg;
	const char *base = sample->tid == sample->pid ? "main" : "thread";
	struct chain want = { 0 };
	uint32_t pc;
	int run;

	if (!sample->user_nr)
		return;
	if (self->stock)
		perfring_clear_thumb_bits(sample);
	pc = sample->user[0];
	run = trampoline_of(self->run.page, pc, sample->time);
	if (run >= 0) {
		want.entry[want.nr++] = pc;
		append_outside(self, &want, run, self->run.page->signal[run].resume, base);
		count(self, sample, TRAMPOLINE, &want);
	} else if (expect_class(self->run.expect, pc) == EXPECT_FOREIGN) {
		want.entry[want.nr++] = pc;
		want.open = expect_is_foreign(self->run.expect, sample->user, sample->user_nr);
		count(self, sample, FOREIGN, &want);
	} else if (expect_chain(self->run.expect, pc, "handler", NULL, 0, want.entry)) {
		in_handler(self, sample, base);
	} else if (expect_chain(self->run.expect, pc, base, NULL, 0, want.entry)) {
		append(self, &want, pc, base);
		count(self, sample, OUTSIDE, &want);
	} else {
		self->unknown++;
	}
}

int handled_prepare(struct handled *self, const char *dir, const char *stack)
{
	struct expect *expect = self->run.expect;
	struct page *page = self->run.page;

	if (expect_read_edges(expect, dir, "sig.edges") || expect_resolve(expect))
		return -1;
	while (!strcmp(stack, "down") && !__atomic_load_n(&page->thread_ra, __ATOMIC_ACQUIRE))
		usleep(1000);
	return expect_root(expect, "main", page->main_ra) ||
	       expect_root(expect, "thread", page->thread_ra);
}

int handled_start(struct handled *self, const char *dir, const char *program,
		  const char *const sc[4], const struct perf_event_attr *attr)
{
	char *argv[] = {
		(char *)program, (char *)sc[0], (char *)sc[1], (char *)sc[2],
		(char *)sc[3], NULL,
	};

	self->sigpage = !strcmp(sc[0], "kernel");
	return sampled_start(&self->run, dir, argv, attr);
}

void handled_print(const struct handled *self, int ctl, const char *name)
{
	unsigned int place;

	printf("# %s: signals %u unknown %u\n", name, self->run.page->signals,
	       self->unknown);
	for (place = 0; place < HANDLED_PLACES; place++) {
		const unsigned int *count = self->count[place];

		printf("# %s: %s exact %u short %u wrong %u\n", name, place_names[place],
		       count[EXPECT_EXACT], count[EXPECT_SHORT], count[EXPECT_WRONG]);
	}
	tagging_print_stops(ctl, name);
}
