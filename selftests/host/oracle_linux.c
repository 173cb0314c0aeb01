// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "guest.h"
#include "oracle_calls.h"
#include "oracle_it.h"
#include "oracle_linux.h"
#include "oracle_signal.h"

enum { PSR_THUMB = 1 << 5, PERF_DEPTH = 127 };

/**
 * struct run - a Linux program that is running
 * @p: the program
 * @g: its process
 * @how: what is asked for
 * @counts: the figures
 * @calls: calls made
 * @it: where it is in an IT block
 * @every: walk at one of that many instructions; 0 for none
 * @until: instructions before the next walk
 * @seed: of @until
 * @walk: the walk
 * @known: what earlier walks have found
 * @found: the same
 */
struct run {
	struct oracle_program *p;
	struct guest *g;
	const struct oracle_how *how;
	struct oracle_counts *counts;
	struct oracle_calls calls;
	struct oracle_it it;
	u32 every;
	u32 until;
	u32 seed;
	struct a32_walk walk;
	struct a32_known known[A32_KNOWN];
	struct a32_found found[A32_FOUND];
};

static struct a32_counts elsewhere;
static struct a32_code nowhere = { .counts = &elsewhere };

static bool is_own(const struct run *run, const struct oracle_chain *chain, u32 i)
{
	/* A call that does not return may be the last one of its file or section. */
	return guest_memory_is_own(&run->g->mem, chain->entry[i] - (i ? 1 : 0));
}

/* The kernel's helpers have no ABI either, but the walk goes on to who has called them. */
static u32 first_of_files(const struct oracle_chain *truth)
{
	return truth->nr > 1 && truth->entry[0] >= GUEST_KUSER ? 1 : 0;
}

/* How many entries the chain has up to the first one without an ABI */
static u32 reach(const struct run *run, const struct oracle_chain *truth)
{
	u32 i = first_of_files(truth);

	while (i < truth->nr && is_own(run, truth, i))
		i++;
	return i < truth->nr ? i + 1 : i;
}

/* Is there nothing but what starts programs behind that? */
static bool is_all(const struct run *run, const struct oracle_chain *truth, u32 nr)
{
	u32 first = first_of_files(truth);

	if (nr == first + 1 && !is_own(run, truth, first))
		return false;
	for (; nr < truth->nr; nr++) {
		if (is_own(run, truth, nr))
			return false;
	}
	return true;
}

static enum oracle_verdict judge(const struct run *run, const struct oracle_chain *truth,
				 const struct oracle_chain *got, enum a32_stop stop)
{
	enum oracle_verdict verdict = oracle_judge(truth, got);
	u32 end = reach(run, truth);

	if (verdict != ORACLE_SHORT || got->nr != end || stop != A32_STOP_ABI_NONE)
		return verdict;
	return is_all(run, truth, end) ? ORACLE_EXACT : ORACLE_FOREIGN;
}

/* The kernel's own walker does not know where ABIs end: it has to have the same. */
static bool stock_is_exact(const struct run *run, const u32 *r, const struct oracle_chain *truth)
{
	struct oracle_chain stock;
	u32 end = reach(run, truth);

	oracle_stock_walk(r, &stock);
	if (stock.nr > PERF_DEPTH)
		stock.nr = PERF_DEPTH;
	return oracle_judge(truth, &stock) != ORACLE_WRONG && stock.nr >= end &&
	       is_all(run, truth, end);
}

static bool is_seen(const struct run *run, u32 pc, bool thumb)
{
	return a32_found_at(run->found, run->g->mem.space.tag, pc,
			    thumb ? PLACE_THUMB : PLACE_ARM);
}

/* Entries that the files have been told of, ever */
static u64 accounted(const struct run *run)
{
	u64 sum = elsewhere.frames;
	u32 i;

	for (i = 0; i < run->g->mem.nr_files; i++)
		sum += run->g->mem.files[i].counts.frames;
	return sum;
}

static void prepare(struct run *run, struct oracle_sample *s, struct oracle_chain *got)
{
	struct a32_walk *w = &run->walk;

	if (run->how->cold) {
		memset(run->known, 0, sizeof(run->known));
		memset(run->found, 0, sizeof(run->found));
		memset(&w->scan.look, 0, sizeof(w->scan.look));
	}
	w->space = &run->g->mem.space;
	w->entry = got->entry;
	w->room = PERF_DEPTH;
	w->nowhere = &nowhere;
	w->index = 0;
	w->r = s->r;
	w->cpsr = s->cpsr;
	w->known = run->known;
	w->found = run->found;
}

static void walk(struct run *run, struct oracle_sample *s, struct oracle_chain *got)
{
	u64 misaligned = a32_memory.misaligned, before = accounted(run);

	prepare(run, s, got);
	run->counts->seen += is_seen(run, s->pc, s->thumb);
	s->stop = a32_walk(&run->walk);
	got->nr = run->walk.nr;
	if (accounted(run) - before != got->nr)
		oracle_die("%s: %#x: %u of %u entries counted", run->p->name, s->pc,
			   (u32)(accounted(run) - before), got->nr);
	if (a32_memory.misaligned != misaligned)
		oracle_die("%s: %#x: misaligned read", run->p->name, s->pc);
}

static void count(struct run *run, const struct oracle_sample *s)
{
	struct oracle_counts *counts = run->counts;

	counts->boundaries++;
	counts->verdict[s->verdict]++;
	counts->stock_exact += stock_is_exact(run, s->r, s->truth);
	if (run->how->pcs)
		fprintf(run->how->pcs, "%x\n", s->pc | s->thumb);
	if (run->how->report && (s->verdict == ORACLE_SHORT || s->verdict == ORACLE_WRONG))
		run->how->report(run->p, s);
}

static void sample(struct run *run, u32 pc)
{
	struct oracle_chain truth, got;
	struct oracle_sample s = {
		.pc = pc, .truth = &truth, .walked = &got, .walk = &run->walk,
	};
	u32 cpsr;

	oracle_read_registers(run->g->uc, s.r, &cpsr);
	s.r[PC] = pc;
	s.thumb = cpsr & PSR_THUMB;
	s.cpsr = oracle_it_cpsr(&run->it, cpsr);
	walk(run, &s, &got);
	oracle_calls_chain(&run->calls, pc, PERF_DEPTH, &truth);
	s.verdict = judge(run, &truth, &got, s.stop);
	count(run, &s);
}

/* At random, not each so many: no loop of the program may be in step with it. */
static u32 next_gap(struct run *run)
{
	if (run->every < 2)
		return run->every;
	run->seed ^= run->seed << 13;
	run->seed ^= run->seed >> 17;
	run->seed ^= run->seed << 5;
	return 1 + run->seed % (2 * run->every - 1);
}

static void at_instruction(uc_engine *uc, u64 address, u32 size, void *data)
{
	struct run *run = data;
	u32 pc = address, insn;

	(void)size;
	if (run->g->ended)
		return;
	run->counts->executed++;
	if (!run->every)
		return;
	insn = oracle_calls_step(&run->calls, uc, pc);
	if (run->it.state)
		oracle_it_enter(&run->it, pc);
	if (!--run->until) {
		run->until = next_gap(run);
		sample(run, pc);
	}
	if (insn & INSN_IT)
		oracle_it_follow(&run->it, pc, true);
}

static void at_interrupt(uc_engine *uc, u32 intno, void *data)
{
	struct run *run = data;
	u32 pc = 0;

	if (intno == 2) {
		guest_syscall(run->g);
		return;
	}
	uc_reg_read(uc, UC_ARM_REG_PC, &pc);
	oracle_die("%s: exception %u near %#x", run->p->name, intno, pc);
}

static void uc_must(uc_err err, const char *what)
{
	if (err)
		oracle_die("%s: %s", what, uc_strerror(err));
}

void guest_set_tls(struct guest *g, u32 val)
{
	/* TPIDRURO: c13, c0, 3 */
	uc_arm_cp_reg reg = { .cp = 15, .crn = 13, .crm = 0, .opc1 = 0, .opc2 = 3, .val = val };

	uc_must(uc_reg_write(g->uc, UC_ARM_REG_CP_REG, &reg), "thread pointer");
	reg.sec = 1;
	uc_must(uc_reg_write(g->uc, UC_ARM_REG_CP_REG, &reg), "thread pointer");
}

static void set_up(struct run *run)
{
	struct guest *g = run->g;
	uc_hook hook;

	uc_must(uc_open(UC_ARCH_ARM, UC_MODE_ARM, &g->uc), "open");
	uc_must(uc_ctl_set_cpu_model(g->uc, UC_CPU_ARM_CORTEX_A15), "cpu");
	uc_must(uc_mem_map_ptr(g->uc, GUEST_LOW, STACK_TOP - GUEST_LOW, UC_PROT_ALL,
			       g->mem.base + GUEST_LOW), "map memory");
	uc_must(uc_mem_map_ptr(g->uc, GUEST_KUSER, GUEST_PAGE, UC_PROT_ALL,
			       g->mem.base + GUEST_KUSER), "map the kernel's page");
	uc_must(uc_hook_add(g->uc, &hook, UC_HOOK_CODE, at_instruction, run, 1, 0), "hook");
	uc_must(uc_hook_add(g->uc, &hook, UC_HOOK_INTR, at_interrupt, run, 1, 0), "hook");
	oracle_signal_enable_vfp(g->uc);
	uc_must(uc_reg_write(g->uc, UC_ARM_REG_SP, &g->sp), "sp");
	a32_memory = (struct a32_host_memory){ .flat = g->mem.base, .page = g->mem.page };
}

struct guest *oracle_linux_new(void)
{
	struct guest *g = calloc(1, sizeof(*g));

	if (!g)
		oracle_die("out of memory");
	guest_memory_init(&g->mem);
	return g;
}

void oracle_linux_free(struct guest *g)
{
	guest_memory_free(&g->mem);
	free(g);
}

/* A fresh process; what oracle_show_all() needs of it stays until the next run. */
static void start(struct oracle_program *p, const struct oracle_how *how)
{
	struct guest *g;

	oracle_linux_free(p->guest);
	g = oracle_linux_new();
	p->guest = g;
	p->image = g->mem.base;
	p->size = -GUEST_PAGE;
	p->nr_symbols = 0;
	g->name = p->name;
	g->root = how->root;
	g->tables = how->list ? NULL : how->tables;
	g->variable = how->variable;
	g->symbols = p;
	g->talk = how->talk;
	g->fd[0] = open("/dev/null", O_RDONLY | O_CLOEXEC) + 1;
	g->fd[1] = g->fd[0];
	g->fd[2] = g->fd[0];
	guest_load(g, p->path, how->args);
}

static void close_files(struct guest *g)
{
	u32 i;

	/* The first three are one. */
	for (i = 2; i < GUEST_FDS; i++) {
		if (g->fd[i])
			close(g->fd[i] - 1);
	}
}

static bool report_end(const struct guest *g, uc_err err)
{
	if (err)
		fprintf(stderr, "oracle: %s: %s\n", g->name, uc_strerror(err));
	else if (!g->ended || g->status)
		fprintf(stderr, "oracle: %s: ended with status %u\n", g->name, g->status);
	return !err && g->ended && !g->status;
}

/* One run of the program, with a walk at one of @every instructions, or none */
static bool execute(struct oracle_program *p, const struct oracle_how *how, u32 every,
		    struct oracle_counts *counts)
{
	struct run *run = calloc(1, sizeof(*run));
	struct guest *g;
	bool good;

	if (!run)
		oracle_die("out of memory");
	*counts = (struct oracle_counts){ 0 };
	start(p, how);
	g = p->guest;
	*run = (struct run){
		.p = p, .g = g, .how = how, .counts = counts, .every = every, .seed = 2463534242,
		.until = 1,
	};
	oracle_calls_init(&run->calls);
	set_up(run);
	good = report_end(g, uc_emu_start(g->uc, g->entry, 0, 0, 0));
	uc_close(g->uc);
	close_files(g);
	oracle_calls_free(&run->calls);
	free(run);
	return good;
}

static void print_files(const struct guest *g)
{
	u32 i;

	for (i = 0; i < g->mem.nr_files; i++)
		puts(g->mem.files[i].path);
}

bool oracle_linux_run(struct oracle_program *p, const struct oracle_how *how,
		      struct oracle_counts *counts)
{
	u64 executed;

	if (how->list) {
		if (!execute(p, how, 0, counts))
			return false;
		print_files(p->guest);
		return true;
	}
	if (!how->walks)
		return execute(p, how, 1, counts);
	if (!execute(p, how, 0, counts))
		return false;
	executed = counts->executed;
	/* Rounded up: not more than was asked for */
	return execute(p, how, (executed + how->walks - 1) / how->walks, counts);
}
