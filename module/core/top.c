// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "path.h"

enum {
	ENTRY_RUN	= 2048,		/* bytes from a function's entry that are run through */
	SINCE_CLONE	= 3,		/* instructions until r0 has been looked at */
	NR_CLONE	= 120,		/* arch/arm/tools/syscall.tbl */
	NR_CLONE3	= 435,
};

/*
 * May the record be a caller's? Either the code is an epilogue, which has taken
 * its own down; that would go on to leave the function. Or this is a frameless
 * function called by the one that has made the record, and lr leads back there.
 * If it leads nowhere, or to who has called that one, this is that one.
 */
static bool may_be_callers(const struct a32_scan *s, u32 record_ra)
{
	u32 lr = s->r[LR], ra, err = 0;
	enum a32_trampoline kind;

	if (s->leaves_bare)
		return true;
	a32_load32(record_ra & ~3, &ra, &err);
	if (err || lr == ra)
		return err;
	return (lr & 3) == 2 || a32_check_call(lr & ~1, lr & 1, &kind) != A32_STOP_NOT_A_CALL;
}

/*
 * The code neither calls nor returns any more: a loop for ever, or one whose
 * end is too far. If it has run on from a prologue to here, there is a record.
 * There is, too, if the one that the frame register points at is that of the
 * function which has its prologue before, and this is no other function.
 */
static bool loops_in_body(struct a32_scan *s, u32 pc, bool thumb)
{
	const struct a32_rule *record = a32_abi_rule(s->abi);
	u32 ra = s->r[s->own] + record->cfa_off + record->ra_off, at;
	enum a32_prologue evidence;
	bool certain;

	if (s->has_record || s->behind_call)
		return false;
	evidence = a32_prologue_evidence(pc, thumb, s->abi, ra, &s->look, &at);
	a32_scan_note_cut(s, at);
	if (evidence != PROLOGUE_RECORD ||
	    pc - at < a32_prologue_end(at, thumb, s->abi) - at)
		return false;
	certain = s->uses_frame || a32_prologue_is_done(at, pc, thumb, s->abi);
	if (!certain && may_be_callers(s, ra))
		return false;
	a32_scan_start(s, pc, thumb, 0);
	s->now.depends = !certain;
	return a32_outcome_record(s);
}

/* Run through the code from a function's entry to an address that it runs straight on to. */
static bool run_to(struct a32_scan *s, u32 entry, u32 pc, bool thumb)
{
	struct a32_insn i;
	bool cond;

	a32_scan_start(s, entry, thumb, 0);
	while (s->now.pc != pc) {
		if (pc - s->now.pc > ENTRY_RUN || !s->look.left ||
		    !a32_insn_fetch(s->now.pc, thumb, &i))
			return false;
		s->look.left--;
		cond = a32_path_cond(&s->now, &i) != COND_ALWAYS;
		if (!(cond && a32_insn_leaves(&i)) &&
		    (a32_scan_look(s, &i) != GO_ON || s->now.assumed != COND_ALWAYS))
			return false;
		s->now.it = i.op == OP_IT ? i.imm : a32_next_it(s->now.it);
		s->now.pc += i.len;
	}
	return true;
}

/*
 * Does lr still hold what a direct call to the start of this function has put
 * there? Then all else follows from what the function has done since.
 */
static bool runs_from_entry(struct a32_scan *s, u32 pc, bool thumb)
{
	u32 lr = s->r[LR], entry;

	if (!(s->right & 1 << LR) || (lr & 3) == 2)
		return false;
	entry = a32_call_target(lr);
	return entry && (entry & 1) == thumb && run_to(s, entry & ~1, pc, thumb) &&
	       a32_outcome_since_entry(s);
}

static bool is_svc(u32 pc, bool thumb)
{
	u32 w, err = 0;

	if (thumb)
		a32_load16(pc, &w, &err);
	else
		a32_load32(pc, &w, &err);
	return !err && w == (thumb ? 0xdf00 : 0xef000000);
}

bool a32_top_is_behind_svc(u32 pc, bool thumb)
{
	u32 len = thumb ? 2 : 4, n;

	for (n = 1; n <= SINCE_CLONE; n++) {
		if (is_svc(pc - n * len, thumb))
			return true;
	}
	return false;
}

/* clone() was given the stack in r1. What clone3() was given is gone. */
bool a32_top_is_new_thread(const u32 *r)
{
	if (r[0])
		return false;
	return (r[R7] == NR_CLONE && r[1] == r[SP]) || r[R7] == NR_CLONE3;
}

static enum a32_stop scan_from_top(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	enum a32_stop stop;

	s->has_record = false;
	s->evidence = PROLOGUE_NONE;
	s->behind_call = false;
	s->cut = false;
	a32_scan_start(s, pc, thumb, it);
	s->now.flags_known = true;
	stop = a32_scan_paths(s);
	if (stop != A32_STOP_UNDECIDED)
		return stop;
	if (loops_in_body(s, pc, thumb)) {
		s->is_static &= !s->now.depends && !s->cut;
		return A32_STOP_NR;
	}
	if (runs_from_entry(s, pc, thumb))
		stop = A32_STOP_NR;
	/* Another time, lr is something else. */
	s->is_static = false;
	return stop;
}

enum a32_stop a32_scan_top(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	bool behind_svc = a32_top_is_behind_svc(pc, thumb);
	enum a32_stop stop = A32_STOP_UNDECIDED;

	if (!behind_svc || !a32_top_is_new_thread(s->r))
		stop = scan_from_top(s, pc, thumb, it);
	/* Another time, it is a new thread. */
	s->is_static &= !behind_svc;
	return stop;
}
