// SPDX-License-Identifier: GPL-2.0
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "core/walk.h"
#include "file.h"
#include "hook.h"
#include "maps.h"
#include "policy.h"
#include "probe.h"
#include "stats.h"

bool a32_hook_enabled = true;

/**
 * struct level - what one walk works with
 * @walk: the walk
 * @index: a32_counts_index()
 * @known: for the walk
 * @found: for the walk
 * @last: registers that perf_callchain_user() gets instead of the thread's
 *
 * One per CPU and level. perf lets one callchain at a time in at each level
 * (get_callchain_entry()), and it keeps preemption off meanwhile, so nobody
 * else uses it until perf_callchain_user() has returned.
 */
struct level {
	struct a32_walk walk;
	unsigned int index;
	struct pt_regs last;
	struct a32_known known[A32_KNOWN];
	struct a32_found found[A32_FOUND];
};

static struct level *levels;		/* a32_counts_nr() of them */
static struct a32_counts *counts;

static void account(struct a32_walk *walk, struct a32_code *code, u32 frames)
{
	struct level *level = container_of(walk, struct level, walk);

	a32_code_file(code)->counts[level->index].frames += frames;
}

static void count(const struct level *level, enum a32_stop stop)
{
	const struct a32_walk *walk = &level->walk;
	struct a32_counts *c = &counts[level->index];

	c->samples++;
	c->frames += walk->nr;
	c->stop[stop]++;
	if (walk->from)
		a32_code_file(walk->from)->counts[level->index].samples++;
	if (walk->where)
		a32_code_file(walk->where)->counts[level->index].stop[stop]++;
}

static enum a32_stop walk(struct a32_walk *walk, struct a32_mm *am)
{
	struct a32_space space;
	unsigned int flags;
	enum a32_stop stop;

	a32_maps_space(am, &space);
	walk->space = &space;
	flags = a32_user_begin();
	stop = a32_walk(walk);
	a32_user_end(flags);
	if (unlikely(stop == A32_STOP_NO_MAPPING && walk->nr == 1 && walk->r[PC] < TASK_SIZE))
		a32_maps_heal(am);
	return stop;
}

static enum a32_stop no_index(struct a32_walk *walk)
{
	walk->entry[0] = walk->r[PC];
	walk->nr = 1;
	walk->from = NULL;
	walk->where = NULL;
	a32_maps_heal(NULL);
	return A32_STOP_NO_INDEX;
}

/*
 * perf_callchain_user(entry, regs) is about to run. All entries but the last
 * are stored for it; the last is the pc of the registers that it is given,
 * with a frame pointer that it can't follow: it stores that pc and returns.
 */
static void on_callchain(struct pt_regs *regs)
{
	struct perf_callchain_entry_ctx *ctx = (void *)regs->ARM_r0;
	const struct pt_regs *user = (void *)regs->ARM_r1;
	struct level *level = &levels[a32_counts_index()];
	struct a32_walk *w = &level->walk;
	struct a32_mm *am;
	enum a32_stop stop;

	if (!READ_ONCE(a32_hook_enabled) || !current->mm || ctx->contexts_maxed ||
	    ctx->nr >= ctx->max_stack)
		return;
	w->entry = &ctx->entry->ip[ctx->entry->nr];
	w->room = ctx->max_stack - ctx->nr;
	memcpy(w->r, user->uregs, sizeof(w->r));
	/* setup_return() leaves a Thumb handler's bit 0 in it. */
	w->r[PC] &= ~1;
	w->cpsr = user->ARM_cpsr;
	am = a32_maps_find(current->mm);
	stop = likely(am) ? walk(w, am) : no_index(w);
	count(level, stop);

	ctx->entry->nr += w->nr - 1;
	ctx->nr += w->nr - 1;
	level->last.ARM_pc = w->entry[w->nr - 1];
	level->last.ARM_cpsr = w->cpsr;
	regs->ARM_r1 = (unsigned long)&level->last;
}

static struct a32_probe probe = { "perf_callchain_user", on_callchain };
static struct a32_probes probes = { .probe = &probe, .nr = 1 };

int a32_hook_init(unsigned int hook)
{
	unsigned int i;
	int err = -ENOMEM;

	levels = kvcalloc(a32_counts_nr(), sizeof(*levels), GFP_KERNEL);
	counts = kvcalloc(a32_counts_nr(), sizeof(*counts), GFP_KERNEL);
	if (!levels || !counts)
		goto err_free;
	for (i = 0; i < a32_counts_nr(); i++) {
		levels[i].index = i;
		levels[i].walk.known = levels[i].known;
		levels[i].walk.found = levels[i].found;
		levels[i].walk.account = account;
	}
	probes.hook = hook;
	err = a32_probes_register(&probes);
	if (!err)
		return 0;
err_free:
	kvfree(counts);
	kvfree(levels);
	return err;
}

void a32_hook_exit(void)
{
	a32_probes_unregister(&probes);
	kvfree(counts);
	kvfree(levels);
}

unsigned long a32_hook_missed(void)
{
	return a32_probes_missed(&probes);
}

void a32_hook_stats(struct a32_stats *stats)
{
	a32_stats_sum(counts, stats);
}

void a32_hook_reset_stats(void)
{
	a32_stats_reset(counts);
}
