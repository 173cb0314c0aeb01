// SPDX-License-Identifier: GPL-2.0
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "core/walk.h"
#include "file.h"
#include "hook.h"
#include "maps.h"
#include "notes.h"
#include "stats.h"

#define FRAME_TAIL_SIZE	12

bool a32_hook_enabled = true;

/**
 * struct level - what one walk works with
 * @walk: the walk
 * @known: for the walk
 * @found: for the walk
 * @last: registers that perf_callchain_user() gets instead of the thread's
 *
 * One per CPU and level. perf lets one callchain at a time in at each level of a
 * CPU (get_callchain_entry()), and a BPF program, if preempted, stays on its
 * CPU, so nobody else uses it until perf_callchain_user() has returned. (But for
 * get_recursion_context() of 6.12: of two such programs both may get in. They
 * share perf's buffer then, too, and either's chain may be the other's.)
 */
struct level {
	struct a32_walk walk;
	struct pt_regs last;
	struct a32_known known[A32_KNOWN];
	struct a32_found found[A32_FOUND];
};

static struct level **levels;		/* a32_counts_nr() of them */

static void walk(struct a32_walk *w, struct a32_mm *am)
{
	enum a32_stop stop;

	w->space = &am->space;
	stop = a32_walk(w);
	if (unlikely(stop == A32_STOP_NO_MAPPING && w->nr == 1 && w->r[PC] < TASK_SIZE))
		a32_notes_heal(am);
}

static void no_index(struct a32_walk *w, struct a32_mm *am)
{
	struct a32_counts *counts = &w->nowhere->counts[w->index];

	w->entry[0] = w->r[PC] & ~1;
	w->nr = 1;
	counts->samples++;
	counts->frames++;
	counts->stop[A32_STOP_NO_INDEX]++;
	a32_notes_heal(am);
}

/*
 * perf_callchain_user(entry, regs) is about to run. All entries but the last
 * are stored for it; the last is the pc of the registers that it is given.
 * It stores that pc, and finds a frame pointer that leads nowhere: just above
 * NULL by the size of a struct frame_tail (arch/arm/kernel/perf_callchain.c).
 */
void a32_hook_on_callchain(struct pt_regs *regs)
{
	struct perf_callchain_entry_ctx *ctx = (void *)regs->ARM_r0;
	const struct pt_regs *user = (void *)regs->ARM_r1;
	struct perf_callchain_entry *chain;
	struct mm_struct *mm = current->mm;
	struct a32_walk *w;
	struct level *level;
	struct a32_mm *am;
	u32 more;

	if (!READ_ONCE(a32_hook_enabled) || !mm || ctx->contexts_maxed ||
	    ctx->nr >= ctx->max_stack)
		return;
	level = levels[a32_counts_index()];
	w = &level->walk;
	chain = ctx->entry;
	w->entry = &chain->ip[chain->nr];
	w->room = ctx->max_stack - ctx->nr;
	w->r = (const u32 *)user->uregs;
	w->cpsr = user->ARM_cpsr;
	am = a32_maps_find(mm);
	if (likely(am && !atomic_read(&am->missed)))
		walk(w, am);
	else
		no_index(w, am);

	more = w->nr - 1;
	chain->nr += more;
	ctx->nr += more;
	level->last.ARM_pc = w->entry[more];
	regs->ARM_r1 = (unsigned long)&level->last;
}

void a32_hook_enable(bool enabled)
{
	WRITE_ONCE(a32_hook_enabled, enabled);
	/* Hooks run with preemption off. */
	if (!enabled)
		synchronize_rcu();
}

static struct level *level_new(unsigned int index)
{
	struct level *level = kvzalloc(sizeof(*level), GFP_KERNEL);

	if (!level)
		return NULL;
	level->walk.index = index;
	level->walk.nowhere = &a32_file_nowhere->code;
	level->walk.known = level->known;
	level->walk.found = level->found;
	level->last.ARM_fp = FRAME_TAIL_SIZE;
	level->last.ARM_cpsr = USR_MODE;
	return level;
}

int a32_hook_init(void)
{
	unsigned int i;

	levels = kvcalloc(a32_counts_nr(), sizeof(*levels), GFP_KERNEL);
	if (!levels)
		return -ENOMEM;
	for (i = 0; i < a32_counts_nr(); i++) {
		levels[i] = level_new(i);
		if (!levels[i])
			goto err_free;
	}
	return 0;
err_free:
	a32_hook_exit();
	return -ENOMEM;
}

void a32_hook_exit(void)
{
	unsigned int i;

	for (i = 0; levels && i < a32_counts_nr(); i++)
		kvfree(levels[i]);
	kvfree(levels);
}
