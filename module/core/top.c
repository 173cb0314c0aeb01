// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "path.h"

enum {
	NEAR_ENTRY	= 32,		/* bytes */
	SINCE_CLONE	= 3,		/* instructions until r0 has been looked at */
	NR_CLONE	= 120,		/* arch/arm/tools/syscall.tbl */
	NR_CLONE3	= 435,
};

/*
 * May the record be a caller's? This may be a frameless function called by the one
 * that has made the record, and lr leads back there. If it leads nowhere, or to who
 * has called that one, this is that one.
 */
static bool may_be_callers(const struct a32_scan *s, u32 record_ra)
{
	u32 lr = s->r[LR], ra, err = 0;
	enum a32_trampoline kind;

	a32_load32(record_ra & ~3, &ra, &err);
	if (err || lr == ra)
		return err;
	return (lr & 3) == 2 || a32_check_call(lr & ~1, lr & 1, &kind) != A32_STOP_NOT_A_CALL;
}

/*
 * Is the frame register as far from sp as the code since the prologue has made it?
 * The code may be an epilogue, which has taken its own record down already.
 */
static bool is_off_sp(struct a32_scan *s, u32 at, u32 pc, bool thumb)
{
	s32 off;

	if (!a32_since_prologue(s, at, pc, thumb, &off))
		return false;
	s->since_entry = false;
	return s->r[s->own] == s->r[SP] + off;
}

/*
 * Where the code goes to is too far to be seen, or in circles. If it has run on
 * from a prologue to here, there is a record. There is, too, if the one that the
 * frame register points at is that of the function which has its prologue before,
 * and this is no other function: it is no one's that calls.
 */
static bool is_in_body(struct a32_scan *s, u32 pc, bool thumb)
{
	const struct a32_rule *record = a32_abi_rule(s->abi);
	u32 ra = s->r[s->own] + record->cfa_off + record->ra_off, at;
	bool calls = s->has_record || s->behind_call, done, certain;
	enum a32_prologue evidence;

	if (s->evidence == PROLOGUE_OTHER)
		return false;
	s->cut = false;
	evidence = a32_prologue_find(pc, thumb, s->abi, ra, &s->look, &at);
	a32_scan_note_cut(s, at);
	if (evidence != PROLOGUE_RECORD ||
	    pc - at < a32_prologue_end(at, thumb, s->abi) - at)
		return false;
	done = a32_prologue_is_done(at, pc, thumb, s->abi, &s->look);
	certain = done || (s->uses_frame && !calls);
	if (!certain && (calls || may_be_callers(s, ra) ||
			 (s->leaves_bare && !is_off_sp(s, at, pc, thumb))))
		return false;
	a32_scan_start(s, pc, thumb, 0);
	s->now.depends = !certain;
	if (!a32_outcome_record(s))
		return false;
	s->behind = pc;
	return true;
}

/* Where the direct call has gone to that lr is from; 0 if it isn't from one */
static u32 called_directly(const struct a32_scan *s)
{
	u32 lr = s->r[LR];

	return s->right & 1 << LR && (lr & 3) != 2 ? a32_call_target(lr) : 0;
}

/* Where the call has gone to that lr is from, and by what register; PC for none */
static u32 called_entry(struct a32_scan *s, u32 *reg)
{
	u32 lr = s->r[LR], entry = called_directly(s);

	*reg = PC;
	if (entry || !(s->right & 1 << LR) || (lr & 3) == 2)
		return entry;
	*reg = a32_call_register(lr);
	/* What "blx lr" has called is gone. */
	if (*reg >= SP)
		return 0;
	entry = s->r[*reg];
	return a32_prologue_is_entry(entry & ~1, entry & 1, lr, &s->look) ? entry : 0;
}

/*
 * Does lr still hold what a call to the start of this function has put there?
 * Then all else follows from what the function has done since. A register that
 * has called it must not have been written meanwhile.
 */
static bool runs_from_entry(struct a32_scan *s, u32 pc, bool thumb)
{
	u32 reg, entry = called_entry(s, &reg);

	if (!entry || (entry & 3) == 2 || (entry & 1) != thumb)
		return false;
	return a32_since_entry(s, entry & ~1, pc, thumb) &&
	       (reg == PC || a32_val_is_start(&s->now.val[reg], reg));
}

/* Does the code run on from an address to another one, with sp as it was? */
static bool keeps_sp(u32 at, u32 pc, bool thumb)
{
	struct a32_insn i;

	while (at != pc) {
		if (pc - at > NEAR_ENTRY || !a32_insn_fetch(at, thumb, &i) ||
		    a32_insn_writes(&i) & 1 << SP ||
		    (i.cond == COND_ALWAYS && i.op != OP_LOAD && a32_insn_leaves(&i)))
			return false;
		at += i.len;
	}
	return true;
}

/*
 * Near a function's entry sp is the caller's, whatever the prologue is going to
 * push.
 */
static void note_entry(struct a32_scan *s, u32 pc, bool thumb)
{
	struct a32_rule *rule = &s->rule;
	u32 entry;

	if (!a32_rule_has_ra_in_lr(rule) || rule->cfa_reg != FRAME_SP || rule->cfa_off ||
	    rule->saved & 1 << FRAME_SP)
		return;
	entry = called_directly(s);
	if (entry && (entry & 1) == thumb && keeps_sp(entry & ~1, pc, thumb))
		rule->saved |= 1 << FRAME_SP;
}

/* What can't be read is 0, and none. */
static __always_inline bool is_behind_svc(u32 pc, const bool thumb)
{
	u32 w, err = 0, n;

	for (n = 1; n <= SINCE_CLONE; n++) {
		if (thumb)
			a32_load16(pc - 2 * n, &w, &err);
		else
			a32_load32(pc - 4 * n, &w, &err);
		if (unlikely(w == (thumb ? 0xdf00 : 0xef000000)))
			return true;
	}
	return false;
}

bool a32_top_is_behind_svc(u32 pc, bool thumb)
{
	return thumb ? is_behind_svc(pc, true) : is_behind_svc(pc, false);
}

/*
 * clone() was given the stack in r1. What clone3() was given is gone. When the
 * thread's first signal is delivered, r0 may have the signal's number already.
 */
bool a32_top_is_new_thread(const u32 *r)
{
	if (r[0] && (r[0] > SIGFRAME_SIGNALS || !a32_in_kernel()))
		return false;
	return (r[R7] == NR_CLONE && r[1] == r[SP]) || r[R7] == NR_CLONE3;
}

static enum a32_stop scan_from_top(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	enum a32_stop stop;
	bool found;

	s->has_record = false;
	s->evidence = PROLOGUE_NONE;
	s->behind_call = false;
	s->cut = false;
	s->since_entry = false;
	a32_scan_start(s, pc, thumb, it);
	s->now.flags_known = true;
	stop = a32_scan_paths(s);
	if (stop == A32_STOP_NR)
		note_entry(s, pc, thumb);
	if (stop != A32_STOP_UNDECIDED)
		return stop;
	if (is_in_body(s, pc, thumb)) {
		s->is_static &= !s->now.depends && !s->cut;
		return A32_STOP_NR;
	}
	/* Another time lr is something else, but the code is the same function's. */
	found = runs_from_entry(s, pc, thumb);
	s->is_static = found && !s->now.depends;
	return found ? A32_STOP_NR : stop;
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
