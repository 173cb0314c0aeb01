// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <unicorn/unicorn.h>
#include "oracle_it.h"
#include "oracle_kernel.h"
#include "oracle_linux.h"
#include "oracle_signal.h"

enum { PSR_THUMB = 1 << 5 };

/**
 * struct run - a program that is running
 * @p: the program
 * @uc: the machine
 * @image: its own copy of the program
 * @stack: its stack
 * @high: the one above
 * @stacks: calls made
 * @kernel: the kernel
 * @how: what is asked for
 * @until: instructions left before the next signal; 0 for none
 * @in_handler: a signal is being handled
 * @go_on_at: why the machine was stopped: go on there, bit 0 set in Thumb; or 0
 * @it: where it is in an IT block
 * @counts: the figures
 * @returns: calls that the kernel has a uretprobe for
 * @walk: the walk
 * @known: what earlier walks have found
 */
struct run {
	struct oracle_program *p;
	uc_engine *uc;
	u8 *image;
	u8 *stack;
	u8 *high;
	struct oracle_stacks stacks;
	struct oracle_kernel kernel;
	const struct oracle_how *how;
	u32 until;
	bool in_handler;
	u32 go_on_at;
	struct oracle_it it;
	struct oracle_counts *counts;
	struct a32_host_returns returns;
	struct a32_walk walk;
	struct a32_known known[A32_KNOWN];
	struct a32_found found[A32_FOUND];
};

static void uc_must(uc_err err, const char *what)
{
	if (err)
		oracle_die("%s: %s", what, uc_strerror(err));
}

static struct a32_counts elsewhere;
static struct a32_code nowhere = { .counts = &elsewhere };

/* Entries that the program's files, and what is in none, have been told of, ever */
static u64 accounted(const struct run *run)
{
	u64 sum = elsewhere.frames;
	u32 i;

	for (i = 0; i < run->p->nr_sections; i++)
		sum += run->p->counts[i].frames;
	return sum;
}

enum oracle_verdict oracle_judge(const struct oracle_chain *truth, const struct oracle_chain *got)
{
	if (got->nr > truth->nr ||
	    memcmp(got->entry, truth->entry, got->nr * sizeof(got->entry[0])))
		return ORACLE_WRONG;
	return got->nr == truth->nr ? ORACLE_EXACT : ORACLE_SHORT;
}

static void walk(struct run *run, const u32 *r, u32 cpsr, struct oracle_sample *s,
		 struct oracle_chain *got)
{
	struct a32_walk *w = &run->walk;
	u64 misaligned = a32_memory.misaligned, before = accounted(run);

	*s = (struct oracle_sample){ .pc = r[PC], .thumb = cpsr & PSR_THUMB, .walk = w };
	w->space = &run->p->space;
	w->entry = got->entry;
	w->room = ORACLE_ENTRIES;
	w->nowhere = &nowhere;
	w->index = 0;
	w->r = r;
	w->cpsr = oracle_it_cpsr(&run->it, cpsr);
	if (run->how->cold) {
		memset(run->known, 0, sizeof(run->known));
		memset(run->found, 0, sizeof(run->found));
		memset(&w->scan.look, 0, sizeof(w->scan.look));
	}
	memcpy(s->r, r, sizeof(s->r));
	s->cpsr = w->cpsr;
	w->known = run->known;
	w->found = run->found;
	oracle_shadow_list_probed(run->stacks.now, &run->returns);
	a32_host_returns = &run->returns;
	s->stop = a32_walk(w);
	a32_host_returns = NULL;
	got->nr = w->nr;
	if (accounted(run) - before != got->nr)
		oracle_die("%s: %#x: %u of %u entries counted", run->p->name, r[PC],
			   (u32)(accounted(run) - before), got->nr);
	if (a32_memory.misaligned != misaligned)
		oracle_die("%s: %#x: misaligned read", run->p->name, r[PC]);
}

static void count(struct run *run, struct oracle_sample *s, const struct oracle_chain *truth,
		  const struct oracle_chain *got)
{
	s->truth = truth;
	s->walked = got;
	run->counts->boundaries++;
	run->counts->verdict[s->verdict]++;
	if (run->how->report && s->verdict != ORACLE_EXACT)
		run->how->report(run->p, s);
}

static void sample(struct run *run, const u32 *r, u32 cpsr)
{
	struct oracle_chain truth, got, stock;
	struct oracle_sample s;

	walk(run, r, cpsr, &s, &got);
	oracle_shadow_chain(run->stacks.now, r[PC], &truth);
	oracle_stock_walk(r, &stock);
	run->counts->stock_exact += oracle_judge(&truth, &stock) == ORACLE_EXACT;
	s.verdict = oracle_judge(&truth, &got);
	count(run, &s, &truth, &got);
}

/* Of two chains that it may have, it has to be one. */
static void count_held(struct run *run)
{
	struct oracle_stacks *stacks = &run->stacks;
	u32 i;

	for (i = 0; i < stacks->nr_held; i++) {
		struct oracle_held *held = &stacks->held[i];
		enum oracle_verdict before = oracle_judge(&held->before, &held->walked);

		held->sample.verdict = oracle_judge(&held->after, &held->walked);
		if (before < held->sample.verdict)
			held->sample.verdict = before;
		count(run, &held->sample, &held->before, &held->walked);
	}
	stacks->nr_held = 0;
}

static bool signal_due(struct run *run)
{
	if (!run->until || run->in_handler || run->it.state || --run->until)
		return false;
	run->until = run->how->signals;
	return true;
}

/*
 * Thumb-1 has no other jump that goes far: clang uses BL within a function that
 * has begun with "push {.., lr}".
 */
static void forget_far_jump(struct run *run, u32 pc, bool thumb)
{
	struct oracle_shadow *shadow = run->stacks.now;
	const struct oracle_symbol *sym;
	u32 h, err = 0;

	if (!thumb || !shadow->maybe || pc == shadow->behind)
		return;
	sym = oracle_program_symbol(run->p, pc);
	if (!sym || pc == sym->start || shadow->behind - 1 - sym->start >= sym->size)
		return;
	a32_load16(sym->start, &h, &err);
	if ((h & 0xff00) == 0xb500)
		shadow->maybe = false;
}

static void at_instruction(uc_engine *uc, u64 address, u32 size, void *data)
{
	struct run *run = data;
	struct oracle_held *held;
	u32 r[16], cpsr;
	bool thumb;

	(void)size;
	oracle_read_registers(uc, r, &cpsr);
	r[PC] = address;
	thumb = cpsr & PSR_THUMB;
	oracle_it_enter(&run->it, r[PC]);
	if (oracle_stacks_switching(&run->stacks, r[PC])) {
		held = oracle_stacks_hold(&run->stacks, r[PC], thumb, r[SP]);
		walk(run, r, cpsr, &held->sample, &held->walked);
		return;
	}
	if (r[PC] == UPROBES)
		return;
	oracle_stacks_follow(&run->stacks, r[PC], r[SP]);
	count_held(run);
	forget_far_jump(run, r[PC], thumb);
	oracle_shadow_step(run->stacks.now, r[PC], thumb, r[SP]);
	oracle_kernel_probe(uc, run->p, r, run->stacks.now);
	sample(run, r, cpsr);
	if (signal_due(run)) {
		run->in_handler = true;
		run->stacks.now->maybe = false;
		run->go_on_at = oracle_signal_deliver(uc, run->p, r, cpsr, run->stacks.now);
		uc_emu_stop(uc);
		return;
	}
	oracle_it_follow(&run->it, r[PC], thumb);
}

static void at_interrupt(uc_engine *uc, u32 intno, void *data)
{
	struct run *run = data;
	u32 nr = 0;

	if (intno != 2)
		oracle_die("%s: exception %u", run->p->name, intno);
	uc_must(uc_reg_read(uc, UC_ARM_REG_R7, &nr), "r7");
	if (nr != KERNEL_NR_SIGRETURN && nr != KERNEL_NR_RT_SIGRETURN) {
		oracle_kernel_call(&run->kernel, uc, &run->stacks);
		return;
	}
	if (!run->in_handler)
		oracle_die("%s: return from no signal", run->p->name);
	run->go_on_at = oracle_signal_return(uc, run->stacks.now);
	run->in_handler = false;
	uc_emu_stop(uc);
}

static void set_up(struct run *run)
{
	u32 sp = STACK_TOP - 64;
	uc_hook hook;

	uc_must(uc_open(UC_ARCH_ARM, UC_MODE_ARM, &run->uc), "open");
	uc_must(uc_ctl_set_cpu_model(run->uc, UC_CPU_ARM_CORTEX_A15), "cpu");
	uc_must(uc_mem_map_ptr(run->uc, run->p->start, run->p->size, UC_PROT_ALL, run->image),
		"map the program");
	uc_must(uc_mem_map_ptr(run->uc, STACK_TOP - STACK_SIZE, STACK_SIZE,
			       UC_PROT_ALL, run->stack), "map the stack");
	uc_must(uc_mem_map_ptr(run->uc, HIGH_STACK, HIGH_SIZE, UC_PROT_READ | UC_PROT_WRITE,
			       run->high), "map the stack above");
	uc_must(uc_reg_write(run->uc, UC_ARM_REG_SP, &sp), "sp");
	uc_must(uc_hook_add(run->uc, &hook, UC_HOOK_CODE, at_instruction, run, 1, 0), "hook");
	uc_must(uc_hook_add(run->uc, &hook, UC_HOOK_INTR, at_interrupt, run, 1, 0), "hook");
	oracle_signal_enable_vfp(run->uc);
	a32_memory = (struct a32_host_memory){ 0 };
	a32_host_region_add(STACK_TOP - STACK_SIZE, STACK_SIZE, run->stack);
	a32_host_region_add(run->p->start, run->p->size, run->image);
	a32_host_region_add(HIGH_STACK, HIGH_SIZE, run->high);
	oracle_kernel_map(run->uc);
}

static u32 next_pc(struct run *run)
{
	u32 r[16], cpsr;

	oracle_read_registers(run->uc, r, &cpsr);
	return r[PC] | (cpsr & PSR_THUMB ? 1 : 0);
}

bool oracle_run(struct oracle_program *p, const struct oracle_how *how,
		struct oracle_counts *counts)
{
	struct run *run;
	u32 pc = p->entry;
	uc_err err;

	*counts = (struct oracle_counts){ 0 };
	if (p->guest)
		return oracle_linux_run(p, how, counts);
	run = calloc(1, sizeof(*run));
	*run = (struct run){
		.p = p, .how = how, .until = p->handler && p->restorer ? how->signals : 0,
		.counts = counts, .image = aligned_alloc(4096, p->size),
		.stack = aligned_alloc(4096, STACK_SIZE),
		.high = aligned_alloc(4096, HIGH_SIZE),
	};
	memcpy(run->image, p->image, p->size);
	memset(run->stack, 0, STACK_SIZE);
	memset(run->high, 0, HIGH_SIZE);
	oracle_stacks_init(&run->stacks, p);
	set_up(run);
	/*
	 * Unicorn 2.0.1 does not always stop at once when it is asked to. To
	 * deliver signals, go on one instruction at a time instead.
	 */
	do {
		run->go_on_at = 0;
		err = uc_emu_start(run->uc, pc, p->exit, 0, run->until ? 1 : 0);
		pc = run->go_on_at ? run->go_on_at : next_pc(run);
	} while (!err && (pc & ~1) != p->exit);
	if (err)
		fprintf(stderr, "oracle: %s: ended at %#x: %s\n", p->name, next_pc(run),
			uc_strerror(err));
	uc_close(run->uc);
	free(run->high);
	free(run->stack);
	free(run->image);
	free(run);
	return !err;
}
