// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "callee.h"
#include "kuser.h"
#include "sigframe.h"
#include "step.h"
#include "table.h"
#include "torn.h"
#include "uretprobe.h"

#define GO_ON		A32_STOP_NR	/* no reason to stop */

/* Of code without an ABI */
static const struct a32_rule no_abi = { .stop = A32_STOP_ABI_NONE };

static struct a32_counts *counts(struct a32_walk *w)
{
	return &w->where->counts[w->index];
}

static void account(struct a32_walk *w)
{
	counts(w)->frames += w->nr - w->accounted;
	w->accounted = w->nr;
}

static __always_inline void emit(struct a32_walk *w, u32 addr, struct a32_code *code)
{
	if (unlikely(code != w->where)) {
		if (w->where)
			account(w);
		w->where = code;
	}
	w->entry[w->nr++] = addr;
}

/* Make w->span the one around addr. */
static bool enter_span(struct a32_walk *w, u32 addr)
{
	return likely(a32_span_has(&w->span, addr)) ||
	       a32_space_span(w->space, addr, &w->span);
}

static enum a32_stop step(struct a32_walk *w, const struct a32_rule *rule)
{
	enum a32_stop stop;

	stop = a32_step_read(a32_frame_at(w, w->depth), rule, w->depth ? NULL : w->r,
			     a32_frame_at(w, w->depth + 1));
	if (likely(stop == GO_ON))
		w->depth++;
	return stop;
}

/* Keep what a scan has found, if it is true for every walk. */
static void make_found(struct a32_walk *w, u32 pc, enum a32_place place)
{
	struct a32_found it = { .tag = w->tag, .code = w->span.code, .rule = w->scan.rule };

	if (w->span.changes || w->tag == A32_TAG_NONE || !w->scan.is_static)
		return;
	if (w->span.table && it.rule.stop == GO_ON) {
		a32_table_keep(&w->span, pc, place & 1, w->found, &it);
		return;
	}
	a32_found_add(w->found, &it, pc, pc + 2, place);
	if (it.rule.stop == GO_ON)
		a32_scan_keep(&w->scan, pc, w->found, w->span.code);
}

static bool top_is_thumb(const struct a32_walk *w)
{
	return w->cpsr & PSR_THUMB;
}

/* setup_return() leaves a Thumb handler's bit 0 in the pc. */
static u32 top_pc(const struct a32_walk *w)
{
	return w->r[PC] & ~1;
}

/* By MiB of addresses: a file's code is in few of them. */
static __always_inline struct a32_body_hint *body_hint(struct a32_walk *w, u32 pc)
{
	return &w->body[pc >> 20 & (A32_BODY_HINTS - 1)];
}

/* Is the sampled pc in the body of a function, in a file that was asked? */
static __always_inline bool is_in_body(const struct a32_walk *w, const struct a32_body_hint *hint,
				       u32 pc)
{
	return unlikely(w->body_tag == w->tag) &&
	       a32_body_has(hint, w->tag, pc, top_is_thumb(w));
}

/* What is known of the sampled pc, from its file or from earlier walks */
static const struct a32_found *top_found(struct a32_walk *w)
{
	u32 pc = top_pc(w);
	const struct a32_body_hint *hint = body_hint(w, pc);

	return is_in_body(w, hint, pc) ? &hint->found :
	       a32_found_at(w->found, w->tag, pc, top_is_thumb(w));
}

/* Is it in a body, in a file that was not asked by now? */
static bool find_body(struct a32_walk *w, u32 pc)
{
	struct a32_body_hint *hint = body_hint(w, pc);

	if (!w->span.bodies || w->tag == A32_TAG_NONE)
		return false;
	a32_body_hint(w->span.bodies, &w->span, w->tag, hint);
	w->body_tag = w->tag;
	if (!is_in_body(w, hint, pc))
		return false;
	w->top = hint->found.rule;
	return true;
}

/* What a sampled frame's code says, in w->scan */
static enum a32_stop scan_top(struct a32_walk *w, u32 pc, bool thumb)
{
	struct a32_scan *s = &w->scan;

	a32_callee_scan_in(s, &w->span);
	s->bodies = w->span.bodies;
	s->to_offset = w->span.to_offset;
	s->known = 0xffff & ~(1 << PC);
	s->right = s->known;
	s->r = w->r;
	s->cpsr = w->cpsr;
	return a32_scan_top(s, pc, thumb, a32_itstate(w->cpsr));
}

/* What the file's table says of it, likewise */
static enum a32_stop look_up_top(struct a32_walk *w, u32 pc, bool thumb)
{
	bool behind_svc = a32_top_is_behind_svc(pc, thumb);
	struct a32_scan *s = &w->scan;

	if (behind_svc && a32_top_is_new_thread(w->r)) {
		s->is_static = false;
		return A32_STOP_UNDECIDED;
	}
	s->is_static = a32_table_at_top(&w->span, pc, w->r, w->interrupted, &s->rule);
	if (!s->is_static)
		w->r = w->interrupted;
	/* Another time, it is a new thread. */
	s->is_static &= !behind_svc;
	return s->rule.stop;
}

/* A sampled pc that is seen for the first time */
static enum a32_stop find_top_rule(struct a32_walk *w, u32 pc, enum a32_trampoline *kind)
{
	bool mapped = a32_space_span(w->space, pc, &w->span) ||
		      a32_kuser_span(pc, w->nowhere, &w->span);
	bool thumb = top_is_thumb(w), is_sampled = w->r != w->interrupted;
	struct a32_scan *s = &w->scan;
	enum a32_stop stop;

	emit(w, pc, mapped ? w->span.code : w->nowhere);
	if (!mapped)
		return A32_STOP_NO_MAPPING;
	if (!thumb && pc & 2)
		return A32_STOP_MISALIGNED;
	if (find_body(w, pc))
		return GO_ON;
	*kind = a32_trampoline_around(pc, thumb, w->r[R7]);
	if (is_sampled && a32_torn(w->r, w->cpsr, *kind)) {
		*kind = TRAMPOLINE_NONE;
		return A32_STOP_UNDECIDED;
	}
	if (*kind != TRAMPOLINE_NONE)
		return GO_ON;
	s->is_static = true;
	s->wanted = 0;
	if (w->span.abi == A32_ABI_NONE && !w->span.table) {
		a32_want_table(w->span.code);
		stop = A32_STOP_ABI_NONE;
	} else {
		bool behind_trap = is_sampled && a32_follows_trap(pc, thumb);
		bool is_ahead = behind_trap && a32_pc_is_ahead(w->r);

		stop = w->span.table ? look_up_top(w, pc, thumb) : scan_top(w, pc, thumb);
		s->is_static &= !behind_trap;
		if (is_ahead)
			stop = A32_STOP_UNDECIDED;
	}
	/* While the probe is handled, more is known: see a32_uprobe_insn(). */
	if (stop != GO_ON && !thumb && a32_uprobe_at(pc))
		s->is_static = false;
	/* Another time, it is in the trampoline's system call. */
	if (s->is_static && a32_trampoline_ends_at(pc, thumb))
		s->is_static = false;
	if (stop != GO_ON)
		s->rule = (struct a32_rule){ .stop = stop };
	make_found(w, pc, thumb);
	w->top = s->rule;
	return stop;
}

static noinline enum a32_stop enter_interrupted(struct a32_walk *w, enum a32_trampoline kind);

static void enter_top(struct a32_walk *w, u32 pc)
{
	struct a32_frame *frame = &w->frame[0];

	w->depth = 0;
	frame->r[FRAME_R7] = w->r[R7];
	frame->r[FRAME_R11] = w->r[R11];
	frame->r[FRAME_SP] = w->r[SP];
	frame->pc = pc | top_is_thumb(w);
	frame->proven = A32_FRAME_PROVEN | 1 << FRAME_SP;
}

static noinline enum a32_stop top_uretprobe(struct a32_walk *w);

static noinline enum a32_stop see_top(struct a32_walk *w, u32 pc)
{
	enum a32_trampoline kind = TRAMPOLINE_NONE;
	enum a32_stop stop;

	/* setup_return() writes cpsr behind pc. No handler begins within an IT block. */
	if (w->r[PC] & 1)
		w->cpsr = (w->cpsr & ~PSR_IT) | PSR_THUMB;
	if (unlikely(a32_uretprobe_is_trampoline(w, pc | top_is_thumb(w))))
		return top_uretprobe(w);
	stop = find_top_rule(w, pc, &kind);
	w->rule = &w->top;
	enter_top(w, pc);
	return kind == TRAMPOLINE_NONE ? stop : enter_interrupted(w, kind);
}

/* The first frame: all registers are known, but not how far its function is. */
static __always_inline enum a32_stop enter_known_top(struct a32_walk *w,
						     const struct a32_found *found)
{
	u32 pc = top_pc(w);

	emit(w, pc, found->code);
	w->rule = &found->rule;
	enter_top(w, pc);
	return found->rule.stop;
}

static enum a32_stop top_rule(struct a32_walk *w)
{
	const struct a32_found *found = top_found(w);

	return likely(found) ? enter_known_top(w, found) : see_top(w, top_pc(w));
}

static enum a32_place place_of_caller(u32 ra)
{
	return ra & 1 ? PLACE_CALL_THUMB : PLACE_CALL;
}

/* On its way back from a probed function: the caller is the first frame. */
static noinline enum a32_stop top_uretprobe(struct a32_walk *w)
{
	if (a32_uretprobe_undo_top(w))
		return top_rule(w);
	a32_space_span(w->space, top_pc(w), &w->span);
	emit(w, top_pc(w), w->span.code);
	return A32_STOP_URETPROBE;
}

/*
 * The rule of a caller that is seen for the first time. Its record is
 * complete, if it makes one.
 */
static enum a32_stop find_rule(struct a32_walk *w)
{
	struct a32_frame *frame = a32_frame_at(w, w->depth);
	const struct a32_rule *record = a32_abi_rule(w->span.abi);
	enum a32_frame_reg reg = record->cfa_reg;
	bool proven = frame->proven & 1 << reg || a32_callee_recover(w, reg);
	bool has_record = proven && frame->r[reg];
	enum a32_prologue evidence = PROLOGUE_NONE;
	enum a32_stop stop;
	u32 at;

	w->rule = record;
	if (has_record && w->span.bodies && a32_body_calls(&w->span, frame->pc))
		return GO_ON;
	w->scan.look.keeps = !w->span.changes;
	if (has_record)
		evidence = a32_prologue_evidence(frame->pc & ~1, frame->pc & 1, w->span.abi,
						 frame->r[reg] + record->cfa_off + record->ra_off,
						 &w->scan.look, &at);
	if (evidence == PROLOGUE_RECORD)
		return GO_ON;
	w->scan.wanted = 0;
	stop = a32_callee_scan(w, w->depth, &w->span, has_record, evidence);
	if (stop == GO_ON && !w->scan.is_record) {
		make_found(w, frame->pc & ~1, place_of_caller(frame->pc));
		w->top = w->scan.rule;
		w->rule = &w->top;
	}
	if (stop == GO_ON)
		return GO_ON;
	if (!proven)
		return A32_STOP_UNPROVEN;
	/* AAPCS32 section 6.2.1.4: zero ends the chain of records. */
	return has_record ? stop : A32_STOP_OUTERMOST;
}

/* Through a trampoline: the interrupted frame is one like the sampled one. */
static noinline enum a32_stop enter_interrupted(struct a32_walk *w, enum a32_trampoline kind)
{
	if (w->nr == w->room)
		return A32_STOP_MAX_STACK;
	if (++w->sig_depth > A32_SIG_DEPTH)
		return A32_STOP_SIG_DEPTH;
	w->r = w->interrupted;
	if (!a32_sigframe_load(a32_frame_at(w, w->depth)->r[FRAME_SP], kind, w->interrupted,
			       &w->cpsr))
		return A32_STOP_BAD_SIGFRAME;
	return top_rule(w);
}

static void make_known(struct a32_walk *w, const struct a32_rule *rule)
{
	u32 ra = a32_frame_at(w, w->depth)->pc;
	struct a32_known *known = &w->known[a32_known_index(ra)];

	if (!w->span.changes && w->tag != A32_TAG_NONE && rule != &w->top)
		*known = (struct a32_known){ ra, w->tag, rule, w->span.code };
}

/* Is a register of the last frame right, or can it be found? */
static bool find_register(struct a32_walk *w, enum a32_frame_reg reg)
{
	if (likely(a32_frame_at(w, w->depth)->proven & 1 << reg))
		return true;
	return reg == FRAME_SP ? a32_callee_recover_sp(w) : a32_callee_recover(w, reg);
}

/*
 * A caller whose rule is a record's or a table's. Zero in the frame register
 * ends the chain of records, but a table knows better where that is.
 */
static __always_inline enum a32_stop follow(struct a32_walk *w, const struct a32_rule *rule)
{
	if (unlikely(rule->stop != GO_ON))
		return rule->stop;
	if (unlikely(!find_register(w, rule->cfa_reg)))
		return A32_STOP_UNPROVEN;
	w->rule = rule;
	if (unlikely(!a32_frame_at(w, w->depth)->r[rule->cfa_reg]))
		return rule->saved & FRAME_NEAR_SP ? A32_STOP_OUTERMOST : A32_STOP_NO_PROGRESS;
	return GO_ON;
}

static enum a32_stop look_up_caller(struct a32_walk *w, u32 pc)
{
	const struct a32_rule *rule = a32_table_of_caller(&w->span, pc);

	enum a32_stop stop;

	make_known(w, rule);
	stop = follow(w, rule);
	if (stop == GO_ON)
		a32_table_run(w);
	return stop;
}

static enum a32_stop enter(struct a32_walk *w);

/* A caller whose return address is not known: check it, and emit it. */
static noinline enum a32_stop enter_caller(struct a32_walk *w)
{
	u32 ra = a32_frame_at(w, w->depth)->pc, pc = ra & ~1;
	enum a32_trampoline kind = TRAMPOLINE_NONE;
	enum a32_stop stop;

	/* _start and clone() clear lr: they have no caller. */
	if (!pc)
		return A32_STOP_OUTERMOST;
	if (unlikely(a32_uretprobe_is_trampoline(w, ra)))
		return a32_uretprobe_undo(w) ? enter(w) : A32_STOP_URETPROBE;
	/* ARM code is aligned to words. */
	if ((ra & 3) == 2)
		return A32_STOP_MISALIGNED;
	/* A call that does not return may be the last instruction mapped. */
	if (!enter_span(w, pc - 1))
		return A32_STOP_NO_MAPPING;
	if (w->span.code->special == SPECIAL_SIGPAGE) {
		/* No page of it need be there before a handler has returned. */
		emit(w, pc, w->span.code);
		kind = a32_sigframe_kind(a32_frame_at(w, w->depth)->r[FRAME_SP]);
		return enter_interrupted(w, kind);
	}
	stop = a32_check_call(pc, ra & 1, &kind);
	if (stop != GO_ON)
		return stop;
	emit(w, pc, w->span.code);
	if (kind != TRAMPOLINE_NONE)
		return enter_interrupted(w, kind);
	if (w->span.table)
		return look_up_caller(w, pc);
	if (w->span.abi == A32_ABI_NONE) {
		make_known(w, &no_abi);
		a32_want_table(w->span.code);
		return A32_STOP_ABI_NONE;
	}
	stop = find_rule(w);
	if (stop == GO_ON)
		make_known(w, w->rule);
	return stop;
}

/* A caller that is known: it needs its frame register, and nothing else. */
static enum a32_stop enter_known(struct a32_walk *w, const struct a32_known *known)
{
	emit(w, known->ra & ~1, known->code);
	return follow(w, known->rule);
}

/* Is a frame register of the last frame right? */
static bool has_register(struct a32_walk *w, enum a32_frame_reg reg)
{
	if (reg == FRAME_SP)
		return a32_callee_has_sp(w, w->depth);
	return a32_frame_at(w, w->depth)->proven & 1 << reg;
}

/*
 * Most of a chain: records in one file, whose return addresses are known. The
 * checks are those of step() and enter_known(), in a form that keeps all in
 * registers. The first frame that is anything else is left to them.
 */
static __always_inline void run_known(struct a32_walk *w, const struct a32_rule *rule, u32 own)
{
	const s32 low = rule->low, ra_at = low + rule->ra_off, own_at = low + rule->off[own];
	const s32 to_record = rule->cfa_off - low;
	const u32 saved = rule->saved, tag = w->tag, behind = w->depth - w->nr;
	const struct a32_frame *frame = a32_frame_at(w, w->depth);
	const struct a32_known *known = w->known;
	const struct a32_code *code = w->where;
	u32 record = frame->r[own] + to_record, sp = frame->r[FRAME_SP], n = w->nr;

	while (n != w->room) {
		const struct a32_known *k;
		struct a32_frame *next;
		u32 ra, fp;

		if (unlikely(record & 3))
			break;
		if (unlikely(record < sp))
			break;
		/* On a fault ra is 0, which is never known. */
		a32_load32_pair(record, ra_at, &ra, own_at, &fp);
		k = &known[a32_known_index(ra)];
		if (unlikely(k->ra != ra))
			break;
		if (unlikely(k->tag != tag))
			break;
		if (unlikely(k->rule != rule))
			break;
		if (unlikely(k->code != code))
			break;
		if (unlikely(!fp))
			break;
		w->entry[n++] = ra & ~1;
		next = a32_frame_at(w, n + behind);
		sp = record + low;
		record = fp + to_record;
		next->r[own] = fp;
		next->r[FRAME_SP] = sp;
		next->pc = ra;
		next->proven = saved;
	}
	w->nr = n;
	w->depth = n + behind;
}

static noinline void run_known_r7(struct a32_walk *w, const struct a32_rule *rule)
{
	run_known(w, rule, FRAME_R7);
}

static noinline void run_known_r11(struct a32_walk *w, const struct a32_rule *rule)
{
	run_known(w, rule, FRAME_R11);
}

/* The caller whose return address step() has read */
static __always_inline enum a32_stop enter(struct a32_walk *w)
{
	u32 ra = a32_frame_at(w, w->depth)->pc;
	const struct a32_known *known;
	const struct a32_found *found;
	enum a32_stop stop;

	known = &w->known[a32_known_index(ra)];
	if (likely(known->ra == ra && known->tag == w->tag)) {
		stop = enter_known(w, known);
		if (unlikely(stop != GO_ON))
			return stop;
		if (!(w->rule->saved & FRAME_NEAR_SP))
			a32_table_run(w);
		else if (w->rule->cfa_reg == FRAME_R7)
			run_known_r7(w, w->rule);
		else
			run_known_r11(w, w->rule);
		return GO_ON;
	}
	found = a32_found_at(w->found, w->tag, ra & ~1, place_of_caller(ra));
	if (found && has_register(w, found->rule.cfa_reg)) {
		emit(w, ra & ~1, found->code);
		w->rule = &found->rule;
		return found->rule.stop;
	}
	return enter_caller(w);
}

/* One entry further: from a frame whose rule is known to its caller's rule */
static __always_inline enum a32_stop next_frame(struct a32_walk *w)
{
	enum a32_stop stop;

	if (unlikely(w->nr == w->room))
		return A32_STOP_MAX_STACK;
	stop = step(w, w->rule);
	if (unlikely(stop != GO_ON))
		return stop;
	return enter(w);
}

/*
 * A rule that is known, but sp and lr may be others' already: see
 * a32_torn_at_delivery(). A record is where it is.
 */
static __always_inline bool is_torn(const struct a32_walk *w, const struct a32_rule *rule)
{
	u32 sp = w->r[SP], word, err = 0;

	if ((rule->cfa_reg != FRAME_SP && !rule->held) || sp & 7)
		return false;
	a32_load32(sp, &word, &err);
	return unlikely(a32_sigframe_begins(word)) && a32_torn_at_delivery(w->r);
}

static __always_inline void begin(struct a32_walk *w)
{
	w->accounted = 0;
	w->nr = 0;
	w->where = NULL;
	w->span.size = 0;
	w->span.lookup_size = 0;
	w->sig_depth = 0;
	w->scan.look.left = A32_WALK_INSNS;
	w->scan.passed = w->known;
	w->scan.look.found = w->found;
	w->scan.look.tag = w->tag;
}

/* What is behind the first frame */
static __always_inline enum a32_stop finish(struct a32_walk *w, enum a32_stop stop,
					    unsigned int flags)
{
	struct a32_counts *last;

	counts(w)->samples++;
	while (stop == GO_ON)
		stop = next_frame(w);
	a32_user_end(flags);
	last = counts(w);
	last->frames += w->nr - w->accounted;
	last->stop[stop]++;
	return stop;
}

static noinline enum a32_stop walk_from_new_top(struct a32_walk *w)
{
	unsigned int flags;

	begin(w);
	flags = a32_user_begin();
	return finish(w, see_top(w, top_pc(w)), flags);
}

static __always_inline enum a32_stop walk_from_known_top(struct a32_walk *w,
							 const struct a32_found *found)
{
	unsigned int flags;
	enum a32_stop stop;

	begin(w);
	/* It reads no user memory: what begin() has set stays in registers. */
	stop = enter_known_top(w, found);
	flags = a32_user_begin();
	if (is_torn(w, &found->rule))
		stop = A32_STOP_UNDECIDED;
	return finish(w, stop, flags);
}

/* Of code without an ABI nothing need be read. */
static noinline enum a32_stop stop_at_top(struct a32_walk *w, const struct a32_found *found,
					  u32 pc)
{
	struct a32_counts *counts = &found->code->counts[w->index];
	enum a32_stop stop = found->rule.stop;

	w->entry[0] = pc;
	w->nr = 1;
	counts->samples++;
	counts->frames++;
	counts->stop[stop]++;
	return stop;
}

enum a32_stop a32_walk(struct a32_walk *w)
{
	const struct a32_found *found;
	u32 pc = top_pc(w);

	/* Read before all that it stands for. */
	w->tag = smp_load_acquire(&w->space->tag);
	if (is_in_body(w, body_hint(w, pc), pc)) {
		found = &body_hint(w, pc)->found;
	} else {
		u32 line = a32_found_line(pc, top_is_thumb(w));

		found = &w->found[a32_found_index(line)];
		if (unlikely(!a32_found_has(found, w->tag, line, pc))) {
			found = a32_found_further(found, w->tag, line, pc);
			if (!found)
				return walk_from_new_top(w);
		}
	}
	if (unlikely(found->rule.stop != GO_ON))
		return stop_at_top(w, found, pc);
	return walk_from_known_top(w, found);
}
