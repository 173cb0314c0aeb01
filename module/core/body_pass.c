// SPDX-License-Identifier: GPL-2.0
#include "body_pass.h"
#include "call.h"

enum {
	TABLE_MAX	= 256,	/* entries of a jump table */
	AFTER_SVC	= 20,	/* bytes from a system call on: perhaps a new thread's */
	STEP_COST	= 8,	/* words seen to at a glance that cost as much as one that is not */
	LITERAL_FAR	= 4 + 4095,
	GOES_MAX	= 48,	/* times that one function is gone on through */
};

/* It is of the body if what is there says so. */
static void note_doubtful(struct a32_pass *p, u32 at)
{
	if (p->nr_again < A32_BODY_AGAIN && a32_pass_covers(p, at))
		p->again[p->nr_again++] = at;
}

static void widen(struct a32_pass *p, u32 start, u32 end)
{
	if (start < p->low)
		p->low = start;
	if (end > p->high)
		p->high = end;
}

/* What is from @start to @end is of the body. */
static void hold(struct a32_pass *p, u32 start, u32 end)
{
	u32 *map = p->guess ? p->maybe : p->held;
	u32 at, n;

	if ((s32)(end - start) <= 0)
		return;
	if (p->guess)
		a32_pass_widen_guess(p, start, end - 2);
	else
		widen(p, start, end);
	for (at = start - p->base, n = end - p->base; at < n; at = (at & -64) + 64) {
		u32 mask = U32_MAX << at / 2 % 32;

		if (n - (at & -64) < 64)
			mask &= ~(U32_MAX << n / 2 % 32);
		map[at / 64] |= mask;
		p->stop[at / 64] |= mask;
	}
}

/* What has been guessed is true. */
static void settle_guess(struct a32_pass *p)
{
	u32 n, last = (p->guess_high - p->base) / 64;

	for (n = (p->guess_low - p->base) / 64; n <= last; n++) {
		p->held[n] |= p->maybe[n];
		p->maybe[n] = 0;
	}
	widen(p, p->guess_low, p->guess_high + 2);
	p->reach = p->top;
	p->guess = false;
}

void a32_pass_settle(struct a32_pass *p)
{
	u32 n;

	if (p->guess)
		settle_guess(p);
	for (n = 0; n < p->nr_targets; n++)
		a32_pass_note(p, p->target[n]);
	p->nr_targets = 0;
	p->doubt = false;
}

/* Does a branch to @target say that what branches is of the body? */
static bool leads_to_body(const struct a32_pass *p, u32 target)
{
	u32 at = target - p->base;

	if (!a32_pass_covers(p, target))
		return false;
	if (p->guess)
		return a32_pass_has(p->held, at);
	return a32_pass_has(p->held, at) || a32_pass_has(p->note, at) ||
	       target - p->start < p->sure - p->start;
}

void a32_pass_branch_in_doubt(struct a32_pass *p, u32 target)
{
	if (leads_to_body(p, target))
		a32_pass_settle(p);
	if (!p->doubt || p->guess)
		a32_pass_note(p, target);
	else if (p->nr_targets < A32_BODY_TARGETS)
		p->target[p->nr_targets++] = target;
}

/* The target of an entry; false at the end of what can be told */
static bool table_entry(const struct a32_pass *p, const struct a32_insn *i, u32 n, u32 *to)
{
	u32 err = 0;

	switch (i->imm) {
	case TABLE_BYTES:
	case TABLE_HALVES:
		return a32_insn_table_entry(i, n, to);
	case TABLE_CODE:
		a32_load32(i->target + 4 * n, to, &err);
		if (err || *to >> 24 != 0xea)
			return false;
		*to = i->target + 4 * n;
		return true;
	case TABLE_WORDS:
		a32_load32((i->target & ~3) + 4 * n, to, &err);
		if (p->thumb)
			*to &= ~1;
		return !err && (p->thumb || !(*to & 3)) && a32_pass_covers(p, *to);
	}
	return false;
}

/* clang's ARM code has a table's address from right before: "add rn, pc, #0" */
static bool find_table(const struct a32_pass *p, struct a32_insn *i)
{
	struct a32_insn before;

	if (p->thumb || !a32_insn_fetch(p->pc - 4, false, &before) || before.op != OP_SET ||
	    before.rd != i->rn)
		return false;
	i->target = before.imm;
	i->imm = TABLE_WORDS;
	return true;
}

/*
 * A table ends where code begins that it leads to. Its highest target may be behind
 * the end of the function: compilers fill in what is never jumped to.
 */
static void note_table(struct a32_pass *p, struct a32_insn *i)
{
	u32 size = i->imm == TABLE_BYTES ? 1 : i->imm == TABLE_HALVES ? 2 : 4;
	u32 n, to, end = U32_MAX, top = 0;

	if (i->imm == TABLE_LOADED && !find_table(p, i))
		return;
	for (n = 0; n < TABLE_MAX && i->target + n * size < end && table_entry(p, i, n, &to); n++) {
		if (to > i->target && to < end && i->imm != TABLE_CODE)
			end = to;
		if (to > top) {
			if (top)
				a32_pass_note(p, top);
			top = to;
		} else if (to != top) {
			a32_pass_note(p, to);
		}
	}
	a32_pass_spend(p, n / 2);
	if (top && i->imm == TABLE_CODE)
		a32_pass_note(p, top);
	else if (top)
		note_doubtful(p, top);
}

/* Does it give the frame register back to the caller, or get at the frame by it? */
static bool uses_frame(const struct a32_pass *p, const struct a32_insn *i)
{
	if (i->op == OP_LOAD && i->list & 1 << p->own)
		return i->rn == SP || i->rn == p->own;
	if (i->op == OP_MOV)
		return i->rd == SP && i->rm == p->own;
	return (i->op == OP_ADD || i->op == OP_LOAD || i->op == OP_STORE) && i->rn == p->own;
}

enum outcome {
	RUNS_ON,	/* to the next instruction */
	ENDS,		/* behind it nothing is known */
	OTHERS,		/* what is in doubt is not of the body */
};

/* Is p->pc one of the instructions that the last IT makes conditional? */
static bool is_in_it(const struct a32_pass *p)
{
	u32 at = p->it, h, n, err = 0;

	if (!at || p->pc - at > A32_IT_BYTES)
		return false;
	a32_load16(at, &h, &err);
	for (n = __builtin_ctz(h | 16), at += 2; n < 4 && at != p->pc; n++) {
		a32_load16(at, &h, &err);
		at += a32_thumb_is_wide(h) ? 4 : 2;
	}
	return n < 4 && !err;
}

static enum outcome look_branch(struct a32_pass *p, u32 target, bool cond)
{
	a32_pass_branch(p, target);
	return cond ? RUNS_ON : p->doubt && !p->guess ? OTHERS : ENDS;
}

/* An instruction that may matter, at p->pc */
static enum outcome look(struct a32_pass *p, struct a32_insn *i)
{
	bool cond = i->cond != COND_ALWAYS || is_in_it(p);
	enum outcome ends;

	if (i->op == OP_BRANCH)
		return look_branch(p, i->target, cond);
	if (p->doubt && uses_frame(p, i))
		a32_pass_settle(p);
	ends = p->doubt ? OTHERS : ENDS;
	if (p->doubt && a32_insn_stores_lr(i))
		return OTHERS;
	switch (i->op) {
	case OP_IT:
		p->it = p->pc;
		return RUNS_ON;
	case OP_SYSCALL:
		if (p->nr_svcs == A32_BODY_SVCS)
			return ends;
		p->svc[p->nr_svcs++] = p->pc;
		return RUNS_ON;
	case OP_JUMP_TABLE:
		if (!p->doubt || p->guess)
			note_table(p, i);
		return cond ? RUNS_ON : p->doubt && !p->guess ? OTHERS : ENDS;
	case OP_LOAD:
		if (i->rn == PC)
			a32_pass_note_data(p, (p->thumb ? (p->pc + 4) & ~3 : p->pc + 8) + i->imm);
		break;
	case OP_TRAP:
	case OP_DEAD:
		return ends;
	}
	if (a32_insn_leaves(i))
		return cond ? RUNS_ON : ends;
	if (a32_insn_writes(i) & 1 << p->own || a32_insn_changes_stack(i))
		return ends;
	return RUNS_ON;
}

/* Return how the way goes on; p->pc is behind the instruction but for OTHERS. */
static enum outcome step(struct a32_pass *p)
{
	enum outcome outcome;
	struct a32_insn i;
	bool call;

	a32_pass_spend(p, STEP_COST);
	if (!a32_insn_fetch(p->pc, p->thumb, &i))
		return OTHERS;
	call = i.op == OP_CALL ||
	       (!p->thumb && a32_insn_leaves(&i) && a32_follows_mov_lr_pc(p->pc));
	outcome = call ? RUNS_ON : look(p, &i);
	if (outcome == OTHERS)
		return outcome;
	p->pc += i.len;
	if (call)
		a32_pass_call(p, p->pc);
	return outcome == ENDS && a32_pass_goes_on(p, p->pc) ? RUNS_ON : outcome;
}

/*
 * Run on from p->pc. A call may not come back, and behind it another function may
 * begin, or code that is run through before the prologue or behind the epilogue. It is
 * of the body if it uses the frame, goes on to where the body does, or calls.
 */
static void run(struct a32_pass *p)
{
	enum outcome outcome = RUNS_ON;

	p->start = p->pc;
	p->sure = p->pc;
	p->it = 0;
	p->nr_targets = 0;
	while (outcome == RUNS_ON) {
		a32_pass_skip(p);
		if (!p->left || !a32_pass_covers(p, p->pc))
			break;
		if (a32_pass_has(p->stop, p->pc - p->base)) {
			if (a32_pass_has(p->held, p->pc - p->base))
				a32_pass_settle(p);
			break;
		}
		outcome = step(p);
	}
	if (!p->doubt || (p->guess && outcome != OTHERS))
		p->sure = p->pc;
	hold(p, p->start, p->sure);
	if (p->doubt && !p->guess && (outcome == OTHERS || !p->left))
		note_doubtful(p, p->sure);
	if ((!p->doubt || p->guess) && !p->left && outcome == RUNS_ON)
		a32_pass_note(p, p->pc);
}

/* Go on to the first place that the body goes to and that isn't held. */
static bool next(struct a32_pass *p)
{
	u32 last = (p->top - p->base) / 64 / 32, k, n, w;

	for (k = 0; k <= last; k++) {
		for (; p->pending[k]; p->pending[k] &= p->pending[k] - 1) {
			n = 32 * k + __builtin_ctz(p->pending[k]);
			w = p->note[n] & ~(p->held[n] | p->maybe[n]);
			if (!w)
				continue;
			p->pc = p->base + 64 * n + 2 * __builtin_ctz(w);
			/* Once, whatever comes of it */
			p->note[n] &= ~(w & -w);
			return true;
		}
	}
	return false;
}

static void run_all(struct a32_pass *p)
{
	while (p->left && next(p)) {
		p->doubt = false;
		run(p);
	}
}

static void note_used(struct a32_pass *p, u32 at)
{
	/* Data is not farther than that (DDI 0406C, A8.8.64). */
	if (p->used < at + LITERAL_FAR)
		p->used = at + LITERAL_FAR;
}

static void forget_guess(struct a32_pass *p)
{
	u32 n, last = (p->guess_high - p->base) / 64;

	note_used(p, p->guess_high);
	for (n = (p->guess_low - p->base) / 64; n <= last; n++) {
		p->note[n] = 0;
		p->maybe[n] = 0;
		p->stop[n] = p->held[n] | p->data[n];
	}
	memset(p->pending, 0, sizeof(p->pending));
	p->top = p->reach;
	p->guess = false;
}

/*
 * Behind a call there is code that nothing else leads to, and that does not say by itself
 * what it is of. If any code that it leads to is of the body, so is it.
 */
static void follow_guess(struct a32_pass *p)
{
	while (p->left && next(p)) {
		p->doubt = p->guess;
		run(p);
	}
	if (p->guess && p->left)
		forget_guess(p);
}

static void guess(struct a32_pass *p, u32 at)
{
	p->guess = true;
	p->guess_low = at;
	p->guess_high = at;
	a32_pass_note(p, at);
	follow_guess(p);
}

static void run_doubtful(struct a32_pass *p)
{
	u32 n, i;

	for (n = 0; n < p->nr_again && p->left; n++) {
		guess(p, p->again[n]);
		run_all(p);
	}
	for (i = 0; n < p->nr_again; n++, i++)
		p->again[i] = p->again[n];
	p->nr_again = i;
}

/* Behind a system call it may be a new thread that goes on. */
static void leave_out_svcs(struct a32_pass *p)
{
	u32 n, at;

	for (n = 0; n < p->nr_svcs; n++) {
		for (at = p->svc[n]; at != p->svc[n] + AFTER_SVC && a32_pass_covers(p, at); at += 2)
			p->held[(at - p->base) / 64] &= ~(1u << (at - p->base) / 2 % 32);
	}
}

void a32_pass_go(struct a32_pass *p, u32 steps)
{
	p->left = steps;
	if (p->guess)
		follow_guess(p);
	run_all(p);
	if (p->left)
		run_doubtful(p);
	leave_out_svcs(p);
	note_used(p, p->top > p->high ? p->top : p->high);
	p->done = p->left || ++p->goes == GOES_MAX;
}
