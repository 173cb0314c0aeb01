// SPDX-License-Identifier: GPL-2.0
#include "body_step.h"
#include "rule.h"

enum {
	DATA_ROUNDS	= 4,
	STEPS		= 1 << 20,	/* for a window: real code takes a tenth of that */
	NOTED		= 8,		/* halfwords of four instructions: see note_it_block() */
};

static struct a32_body_node *node_at(struct a32_body_work *work, u32 at)
{
	return &work->node[at / 2];
}

/* What an instruction says of those behind it is noted there, gone through or not. */
static void forget(struct a32_body_work *work)
{
	u32 n, i;

	for (n = 0; n < work->nr; n++) {
		for (i = work->insn[n]; i <= work->insn[n] + NOTED && i < A32_BODY_WINDOW / 2; i++)
			work->node[i] = (struct a32_body_node){};
	}
	work->nr = 0;
	work->nr_todo = 0;
}

/* Go to an instruction, or once more where sp has turned out to differ. */
static bool go_to(struct a32_body_work *work, u32 at, s32 sp)
{
	struct a32_body_node *node;

	if (at >= work->size || body_is_data(work, at))
		return true;
	/* Of a table that is none. */
	if (at & (work->thumb ? 1 : 3))
		return false;
	node = node_at(work, at);
	if (node->flags & BODY_SEEN) {
		if (node->sp == sp || node->sp == BODY_SP_UNKNOWN)
			return true;
		sp = BODY_SP_UNKNOWN;
	} else {
		if (work->nr == A32_BODY_INSNS)
			return false;
		work->insn[work->nr++] = at / 2;
	}
	if (work->nr_todo == 2 * A32_BODY_INSNS)
		return false;
	node->sp = sp;
	node->flags |= BODY_SEEN;
	work->todo[work->nr_todo++] = at / 2;
	return true;
}

static void note(struct a32_body_node *node, const struct body_step *step)
{
	bool plain = step->runs_on && !step->calls && step->end == BODY_ON && !step->nr;

	node->flags &= ~(BODY_TURNS | BODY_WIDE | BODY_BARRED | BODY_ENDS);
	if (step->len == 4)
		node->flags |= BODY_WIDE;
	if (!plain)
		node->flags |= BODY_TURNS;
	if (step->end == BODY_ODD)
		node->flags |= BODY_BARRED;
	if (step->end == BODY_OUT)
		node->flags |= BODY_ENDS;
}

/* So many steps more? What code is made of to take time has no bodies. */
static bool spend(struct a32_body_work *work, u32 steps)
{
	if (work->left < steps) {
		work->left = 0;
		return false;
	}
	work->left -= steps;
	return true;
}

/* All ways from the start. Return false when there is too much of them. */
static bool go_through(struct a32_body_work *work, u32 start, s32 sp)
{
	struct body_step step;
	u32 at, n;

	if (!go_to(work, start, sp))
		return false;
	while (work->nr_todo) {
		at = 2 * work->todo[--work->nr_todo];
		body_step(work, at, &step);
		/* A table's entries cost as much as instructions do. */
		if (!spend(work, 1 + step.nr))
			return false;
		note(node_at(work, at), &step);
		for (n = 0; n < step.nr; n++) {
			if (!go_to(work, body_target(work, &step, n), step.sp))
				return false;
		}
		if (step.runs_on && !go_to(work, at + step.len, step.sp))
			return false;
	}
	return true;
}

/* Has something been gone through that turned out to be data? */
static bool met_data(const struct a32_body_work *work)
{
	u32 n;

	for (n = 0; n < work->nr; n++) {
		if (body_is_data(work, 2 * work->insn[n]))
			return true;
	}
	return false;
}

static bool has(struct a32_body_work *work, u32 at, u32 flag)
{
	return at < work->size && !body_is_data(work, at) &&
	       (node_at(work, at)->flags & (BODY_SEEN | flag)) == (BODY_SEEN | flag);
}

/* Does one of the instructions that may be next have it? Behind a call only if @behind_calls. */
static bool leads_to(struct a32_body_work *work, u32 at, u32 flag, bool behind_calls)
{
	u32 flags = node_at(work, at)->flags, n;
	struct body_step step;

	if (!(flags & BODY_TURNS))
		return has(work, at + (flags & BODY_WIDE ? 4 : 2), flag);
	body_step(work, at, &step);
	if (!spend(work, step.nr))
		return false;
	for (n = 0; n < step.nr; n++) {
		if (has(work, body_target(work, &step, n), flag))
			return true;
	}
	return step.runs_on && (behind_calls || !step.calls) && has(work, at + step.len, flag);
}

/* Give a flag to all that leads to one that has it. Return as go_through(). */
static bool spread_back(struct a32_body_work *work, u32 flag, bool behind_calls)
{
	bool more = true;
	u32 n;

	while (more) {
		more = false;
		for (n = work->nr; n--;) {
			u32 at = 2 * work->insn[n];

			if (!spend(work, 1))
				return false;
			if (node_at(work, at)->flags & (flag | BODY_BARRED) ||
			    !leads_to(work, at, flag, behind_calls))
				continue;
			node_at(work, at)->flags |= flag;
			more = true;
		}
	}
	return true;
}

static void make_live(struct a32_body_work *work, u32 at)
{
	if (!has(work, at, 0) || node_at(work, at)->flags & (BODY_LIVE | BODY_BARRED))
		return;
	node_at(work, at)->flags |= BODY_LIVE;
	work->todo[work->nr_todo++] = at / 2;
}

/* What can be got to from the start by nothing that is barred */
static void spread_live(struct a32_body_work *work, u32 start)
{
	struct body_step step;
	u32 at, n;

	make_live(work, start);
	while (work->nr_todo) {
		at = 2 * work->todo[--work->nr_todo];
		body_step(work, at, &step);
		for (n = 0; n < step.nr; n++)
			make_live(work, body_target(work, &step, n));
		if (step.runs_on)
			make_live(work, at + step.len);
	}
}

/* A way out that no instruction that is left leads to doesn't count. */
static void drop_dead(struct a32_body_work *work)
{
	u32 n;

	for (n = 0; n < work->nr; n++) {
		struct a32_body_node *node = &work->node[work->insn[n]];

		if (!(node->flags & BODY_LIVE))
			node->flags = (node->flags & ~BODY_ENDS) | BODY_BARRED;
	}
}

static void mark_body(struct a32_body_work *work, void (*mark)(void *arg, u32 at), void *arg)
{
	const u32 all = BODY_LIVE | BODY_ENDS;
	u32 n;

	for (n = 0; n < work->nr; n++) {
		u32 flags = work->node[work->insn[n]].flags;

		if ((flags & (all | BODY_HIDDEN)) == all)
			mark(arg, 2 * work->insn[n]);
	}
}

static void find_body(struct a32_body_work *work, u32 start, s32 sp,
		      void (*mark)(void *arg, u32 at), void *arg)
{
	u32 n;

	for (n = 0; n < DATA_ROUNDS; n++) {
		forget(work);
		if (!go_through(work, start, sp))
			return;
		if (met_data(work))
			continue;
		if (!spread_back(work, BODY_BARRED, false))
			return;
		spread_live(work, start);
		drop_dead(work);
		if (spread_back(work, BODY_ENDS, true))
			mark_body(work, mark, arg);
		return;
	}
}

void a32_body_window(struct a32_body_work *work, u32 end,
		     void (*mark)(void *arg, u32 at), void *arg)
{
	const struct a32_rule *rule = a32_abi_rule(work->abi);
	u32 at, body;
	s32 sp;

	work->own = a32_frame_reg_number(rule->cfa_reg);
	work->ra_at = rule->cfa_off + rule->ra_off;
	work->own_at = rule->cfa_off + rule->off[rule->cfa_reg];
	memset(work->data, 0, sizeof(work->data));
	memset(work->node, 0, sizeof(work->node));
	work->nr = 0;
	work->left = STEPS;
	for (at = 0; at < end && work->left; at += work->thumb ? 2 : 4) {
		body = body_prologue(work, at, &sp);
		if (body)
			find_body(work, body, sp, mark, arg);
	}
}
