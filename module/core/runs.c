// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "path.h"

void a32_run_start(struct a32_scan *s)
{
	s->now.run.start = s->now.pc;
	s->now.run.thumb = s->now.thumb;
}

/* Without room for it, the code is not told of. */
void a32_run_end(struct a32_scan *s, u32 end)
{
	struct a32_path *p = &s->now;

	p->run.end = end;
	if (p->run.start != end && p->runs < A32_SCAN_RUNS)
		s->done[p->runs++] = p->run;
}

static u32 changed(const struct a32_path *p)
{
	if (p->split || p->forked)
		return FOLLOWED;
	return (a32_val_is_start(&p->val[R7], R7) ? 0 : 1 << R7) |
	       (a32_val_is_start(&p->val[R11], R11) ? 0 : 1 << R11) |
	       (a32_val_is_start(&p->val[SP], SP) ? 0 : 1 << SP) |
	       (a32_val_is_start(&p->val[LR], LR) ? 0 : 1 << LR) | p->copied;
}

/* What sp has been loaded with is known, but not now: it is from the end of the frame. */
static u32 sp_of(const struct a32_scan *s)
{
	const struct a32_val *v = &s->now.val[SP];

	if (v->kind == VAL_REG)
		return a32_path_address(s, v);
	return v->kind == VAL_MEM ? U32_MAX : 0;
}

/* A new run begins here when what an instruction has written makes a difference. */
void a32_run_check(struct a32_scan *s, u32 written)
{
	struct a32_run now = s->now.run;
	u32 ways = s->now.split | s->now.forked << 1 | s->now.copied << 2;

	if (!(written & FOLLOWED) && ways == s->now.ways)
		return;
	s->now.ways = ways;
	now.changed = changed(&s->now);
	now.sp = sp_of(s);
	if (now.changed == s->now.run.changed && now.sp == s->now.run.sp)
		return;
	a32_run_end(s, s->now.pc);
	s->now.run = now;
	a32_run_start(s);
}

/*
 * Does the rule of the start hold in a run? It does with all registers that it
 * takes from the frame unchanged, if they are among those that are followed.
 * What it takes from memory is there until the epilogue has gone past it: step()
 * takes nothing from below sp.
 */
static bool holds(const struct a32_scan *s, const struct a32_run *run)
{
	const struct a32_rule *rule = &s->rule;
	u32 needs = 1 << a32_frame_reg_number(rule->cfa_reg);
	enum a32_frame_reg reg;
	u32 cfa = s->r[a32_frame_reg_number(rule->cfa_reg)] + rule->cfa_off;

	if (rule->held & FRAME_RA)
		needs |= 1 << rule->ra_off;
	for (reg = FRAME_R7; reg <= FRAME_R11; reg++) {
		if (rule->saved & 1 << reg)
			continue;
		if (rule->held & 1 << reg)
			needs |= 1 << rule->off[reg];
		else if (!(rule->lost & 1 << reg))
			needs |= 1 << a32_frame_reg_number(reg);
	}
	return !(needs & ~FOLLOWED) && !(run->changed & needs) && run->sp <= cfa - rule->low;
}

void a32_scan_keep(struct a32_scan *s, u32 pc, struct a32_found *found,
		   struct a32_code *code)
{
	struct a32_found it = { .tag = s->look.tag, .code = code, .rule = s->rule };
	const struct a32_run *run;

	for (run = s->done; run < s->done + s->now.runs; run++) {
		if (holds(s, run) && !a32_follows_trap(run->start, run->thumb))
			a32_found_add(found, &it, run->start, run->end,
				      run->thumb ? PLACE_THUMB : PLACE_ARM);
	}
	a32_block_keep(s, pc, found, &it);
}
