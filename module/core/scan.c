// SPDX-License-Identifier: GPL-2.0
#include "body.h"
#include "call.h"
#include "path.h"

static const struct a32_val unknown = { VAL_UNKNOWN };

static enum a32_verdict step_over_call(struct a32_scan *s)
{
	s->behind_call = true;
	s->now.assumed = COND_ALWAYS;
	s->now.flags_known = false;
	a32_path_clobber(&s->now, A32_CALL_CLOBBERS);
	return GO_ON;
}

static bool has_passed(const struct a32_scan *s, u32 ra)
{
	const struct a32_known *known = &s->passed[a32_known_index(ra)];

	return known->ra == ra && known->tag == s->look.tag &&
	       known->rule->stop == A32_STOP_NR;
}

/*
 * What was not in memory may be, another time, and what was left to look at may
 * be more: such a result is not kept.
 */
void a32_scan_note_cut(struct a32_scan *s, u32 at)
{
	s->cut |= !at || s->look.left < A32_PROLOGUE_WINDOW / A32_PROLOGUE_COST;
}

static enum a32_verdict at_call(struct a32_scan *s, u32 len)
{
	u32 at = 1;

	if (s->has_record || s->behind_call || !a32_outcome_record(s))
		return step_over_call(s);
	if (a32_rule_has_ra_in_lr(&s->rule))
		return FOUND;
	s->record = s->rule;
	s->record_is_static = s->is_static && !s->now.depends;
	s->has_record = true;
	if (!has_passed(s, (s->now.pc + len) | s->now.thumb))
		s->evidence = a32_prologue_evidence(s->now.pc + len, s->now.thumb, s->abi,
						    s->record_ra, &s->look, &at);
	else
		s->evidence = PROLOGUE_RECORD;
	a32_scan_note_cut(s, at);
	if (s->evidence != PROLOGUE_RECORD)
		return step_over_call(s);
	s->is_record = true;
	s->behind = s->now.pc + len;
	s->record_at_calls = true;
	return FOUND;
}

static void keep_for_later(struct a32_scan *s, u32 pc)
{
	if (s->nr_later == A32_SCAN_PATHS)
		return;
	s->later[s->nr_later] = s->now;
	s->later[s->nr_later].it = a32_next_it(s->now.it);
	s->later[s->nr_later].run.end = s->now.pc;
	s->later[s->nr_later++].pc = pc;
}

/*
 * Going where a path has gone finds nothing new, unless that is a jump by a
 * table: a second time it goes elsewhere.
 */
static bool is_seen(struct a32_scan *s, u32 target)
{
	u32 key = target ^ (u32)s->now.jumps << 24, n;

	for (n = 0; n < s->nr_seen; n++) {
		if (s->seen[n] == key)
			return true;
	}
	if (s->nr_seen < A32_SCAN_SEEN)
		s->seen[s->nr_seen++] = key;
	return false;
}

static enum a32_verdict branch(struct a32_scan *s, const struct a32_insn *i, bool cond)
{
	struct a32_path *p = &s->now;

	if (i->target < s->back && p->thumb == s->starts_thumb)
		s->back = i->target;
	if (cond) {
		if (!is_seen(s, i->target))
			keep_for_later(s, i->target);
		return GO_ON;
	}
	if (a32_path_is_behind_epilogue(s))
		return a32_outcome_return(s, p->val[LR]);
	if (is_seen(s, i->target))
		return NO_WAY;
	p->pc = i->target;
	return MOVED;
}

/* Does it matter whether a conditional instruction is executed? */
static bool matters(const struct a32_insn *i)
{
	bool is_store = i->op == OP_STORE || i->op == OP_STORE_PAIR;

	if (a32_insn_writes(i) & FOLLOWED || (is_store && i->list & 1 << LR))
		return true;
	return i->op == OP_BRANCH_REG || i->op == OP_JUMP_TABLE || i->op == OP_TRAP ||
	       i->op == OP_DEAD || (i->op == OP_LOAD && i->list & 1 << PC);
}

/* exit, sigreturn, rt_sigreturn, exit_group: arch/arm/include/uapi/asm/unistd.h */
static bool never_returns(struct a32_scan *s)
{
	const struct a32_val *r7 = &s->now.val[R7];
	u32 nr = r7->kind == VAL_CONST ? (u32)r7->off : 0;

	if (a32_val_is_start(r7, R7) && s->right & 1 << R7 && !s->since_entry)
		nr = s->r[R7];
	return nr == 1 || nr == 119 || nr == 173 || nr == 248;
}

static void flags_set(struct a32_path *p)
{
	p->assumed = COND_ALWAYS;
	p->flags_known = false;
}

static enum a32_verdict execute(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_path *p = &s->now;

	if (i->flags)
		flags_set(p);
	switch (i->op) {
	case OP_MOV:
		if (i->rm == PC)
			p->val[i->rd] = (struct a32_val){
				.kind = VAL_CONST, .off = p->pc + (p->thumb ? 4 : 8),
			};
		else
			p->val[i->rd] = p->val[i->rm];
		break;
	case OP_SET:
		p->val[i->rd] = (struct a32_val){ .kind = VAL_CONST, .off = i->imm };
		break;
	case OP_SET_TOP:
		a32_path_set_top(s, i);
		break;
	case OP_ADD:
		p->val[i->rd] = p->val[i->rn];
		a32_val_add(&p->val[i->rd], i->imm);
		break;
	case OP_ADD_REG:
	case OP_SUB_REG:
		a32_path_add_reg(p, i);
		break;
	case OP_LOAD:
		a32_path_load(s, i);
		if (!(i->list & 1 << PC))
			break;
		s->leaves_bare |= a32_val_is_start(&p->val[s->own], s->own);
		return a32_leave_by_load(s, i);
	case OP_LOAD_INDEXED:
		a32_path_load_indexed(s, i);
		break;
	case OP_STORE:
	case OP_STORE_PAIR:
		if (!a32_path_store(s, i))
			return NO_WAY;
		break;
	case OP_BRANCH_REG:
		s->leaves_bare |= a32_val_is_start(&p->val[s->own], s->own);
		return a32_leave_by_register(s, i->rm);
	case OP_JUMP_TABLE:
		s->leaves_bare |= a32_val_is_start(&p->val[s->own], s->own);
		return a32_leave_by_table(s, i);
	case OP_SYSCALL:
		if (never_returns(s))
			return NO_WAY;
		p->val[0] = unknown;
		p->forked = true;
		break;
	case OP_TRAP:
		/* The one that was interrupted; else none that is gone through. */
		return p->pc == s->first ? GO_ON : NO_WAY;
	case OP_DEAD:
		return NO_WAY;
	default:
		break;
	}
	a32_path_clobber(p, i->clobber);
	return GO_ON;
}

/* Is it an access to the frame, or a step in taking it down? */
static bool uses_frame(const struct a32_scan *s, const struct a32_insn *i)
{
	u32 own = s->own;

	if (!((i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ADD) && i->rn == own) &&
	    !(i->op == OP_MOV && i->rd == SP && i->rm == own))
		return false;
	return a32_val_is_start(&s->now.val[own], own);
}

/* DDI 0406C, A8.3.1, ConditionPassed() */
static bool cond_holds(u32 cond, u32 cpsr)
{
	bool n = cpsr >> 31, z = cpsr >> 30 & 1, c = cpsr >> 29 & 1, v = cpsr >> 28 & 1;
	bool holds = true;

	switch (cond >> 1) {
	case 0:
		holds = z;
		break;
	case 1:
		holds = c;
		break;
	case 2:
		holds = n;
		break;
	case 3:
		holds = v;
		break;
	case 4:
		holds = c && !z;
		break;
	case 5:
		holds = n == v;
		break;
	case 6:
		holds = n == v && !z;
		break;
	}
	return cond & 1 ? !holds : holds;
}

/* What the flags say is not lost: until they are set again, they decide. */
static void decide(struct a32_scan *s, u32 cond)
{
	s->now.depends = true;
	s->now.assumed = cond_holds(cond, s->cpsr) ? cond : cond ^ 1;
}

/*
 * Is a conditional branch one of several instructions with a condition? Some
 * of them may have been before the start: "popeq {r4, lr}; beq elsewhere".
 */
static bool is_one_of_several(const struct a32_scan *s, u32 cond)
{
	u32 w, err = 0;

	if (s->now.thumb)
		return s->now.it;
	a32_load32(s->now.pc - 4, &w, &err);
	return !err && w >> 29 == cond >> 1;
}

/*
 * One that may be executed, or not: both ways are gone, the one where it is
 * first. Those that follow with the same condition do as it did.
 */
static enum a32_verdict conditional(struct a32_scan *s, const struct a32_insn *i, u32 cond)
{
	struct a32_path *p = &s->now;

	if (matters(i))
		p->split = !a32_insn_leaves(i);
	if (p->assumed != cond && !matters(i)) {
		a32_path_clobber(p, a32_insn_writes(i));
		if (i->flags)
			flags_set(p);
		return GO_ON;
	}
	if (p->assumed != cond && p->flags_known) {
		decide(s, cond);
		return p->assumed == cond ? execute(s, i) : GO_ON;
	}
	if (p->assumed != cond) {
		p->assumed = cond ^ 1;
		keep_for_later(s, p->pc + i->len);
		p->assumed = cond;
	}
	return execute(s, i);
}

bool a32_scan_is_old_call(const struct a32_scan *s)
{
	const struct a32_val *lr = &s->now.val[LR];

	if (s->now.thumb)
		return false;
	if (lr->kind == VAL_CONST)
		return (u32)lr->off == s->now.pc + 4;
	return a32_val_is_start(lr, LR) && s->right & 1 << LR && s->r[LR] == s->now.pc + 4 &&
	       a32_follows_mov_lr_pc(s->now.pc);
}

enum a32_verdict a32_scan_look(struct a32_scan *s, const struct a32_insn *i)
{
	u32 cond = a32_path_cond(&s->now, i);

	if (i->op == OP_NONE && cond == COND_ALWAYS) {
		a32_path_clobber(&s->now, i->clobber);
		if (i->flags)
			flags_set(&s->now);
		return GO_ON;
	}
	s->uses_frame |= uses_frame(s, i);
	if (i->op == OP_BRANCH && cond != COND_ALWAYS && s->now.flags_known &&
	    s->now.assumed == COND_ALWAYS && is_one_of_several(s, cond))
		decide(s, cond);
	if (cond != COND_ALWAYS && s->now.assumed == (cond ^ 1)) {
		if (matters(i) || a32_insn_leaves(i))
			s->now.split = !a32_insn_leaves(i);
		return GO_ON;
	}
	if (i->op == OP_CALL || (a32_insn_leaves(i) && a32_scan_is_old_call(s)))
		return at_call(s, i->len);
	if (i->op == OP_BRANCH)
		return branch(s, i, cond != COND_ALWAYS && s->now.assumed != cond);
	if (cond != COND_ALWAYS)
		return conditional(s, i, cond);
	return execute(s, i);
}

/* Has an earlier scan been here? Its rule for here gives one for the start. */
static bool joins(struct a32_scan *s)
{
	const struct a32_found *found = a32_found_at(s->look.found, s->look.tag, s->now.pc,
						     s->now.thumb);

	return found && found->rule.stop == A32_STOP_NR && !(found->rule.lost & s->wanted) &&
	       a32_outcome_known(s, &found->rule);
}

/* The code runs on to where the record is complete: that gives one for the start, too. */
static bool joins_body(struct a32_scan *s)
{
	return s->bodies && s->now.pc != s->first &&
	       a32_bodies_have(s->bodies, s->now.pc + s->to_offset, s->now.thumb) &&
	       a32_outcome_record(s);
}

static enum a32_verdict follow(struct a32_scan *s, bool *fault)
{
	u32 line = s->now.pc == s->first ? s->first / A32_LINE : U32_MAX, behind;
	struct a32_insn i;
	enum a32_verdict verdict;

	a32_run_start(s);
	while (s->budget && s->look.left) {
		s->budget--;
		s->look.left--;
		/* Code of another ABI is not gone into: it was a tail call. */
		if (s->now.pc - s->start >= s->size)
			return a32_outcome_return(s, s->now.val[LR]);
		if (joins_body(s) || (s->now.pc / A32_LINE != line && joins(s))) {
			a32_run_end(s, s->now.pc);
			return FOUND;
		}
		line = s->now.pc / A32_LINE;
		if (!a32_insn_fetch(s->now.pc, s->now.thumb, &i)) {
			*fault = true;
			return NO_WAY;
		}
		behind = s->now.pc + i.len;
		verdict = a32_scan_look(s, &i);
		if (verdict == NO_WAY)
			return verdict;
		if (verdict != GO_ON)
			a32_run_end(s, behind);
		if (verdict == FOUND)
			return verdict;
		if (verdict == MOVED) {
			a32_run_start(s);
			continue;
		}
		s->now.it = i.op == OP_IT ? i.imm : a32_next_it(s->now.it);
		s->now.pc = behind;
		a32_run_check(s, a32_insn_writes(&i) | i.list);
	}
	return NO_WAY;
}

void a32_scan_start(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	u32 r;

	s->nr_later = 0;
	s->nr_seen = 0;
	s->own = a32_frame_reg_number(a32_abi_rule(s->abi)->cfa_reg);
	s->uses_frame = false;
	s->leaves_bare = false;
	s->back = pc;
	s->behind = 0;
	s->record_at_calls = false;
	s->starts_thumb = thumb;
	s->is_static = true;
	s->is_record = false;
	memset(&s->now, 0, sizeof(s->now));
	memset(s->dirty, 0, sizeof(s->dirty));
	s->first = pc;
	s->now.pc = pc;
	s->now.thumb = thumb;
	s->now.it = it;
	s->now.assumed = COND_ALWAYS;
	for (r = 0; r < 16; r++) {
		if (s->known & 1 << r)
			s->now.val[r] = (struct a32_val){ .kind = VAL_REG, .reg = r };
	}
}

/*
 * A large function goes back to near its prologue, as interpreters do: what
 * goes on there is the same function.
 */
static bool goes_back_to_body(struct a32_scan *s)
{
	enum a32_prologue before;
	u32 at;

	if (s->back == s->first)
		return false;
	before = a32_prologue_evidence(s->back, s->starts_thumb, s->abi, s->record_ra, &s->look,
				       &at);
	a32_scan_note_cut(s, at);
	return before == PROLOGUE_RECORD;
}

/*
 * The code calls, and its end is too far to be seen. It has a record if it uses
 * the frame register as one does to get at one's own frame.
 */
static bool must_have_record(struct a32_scan *s)
{
	return s->has_record && s->evidence != PROLOGUE_OTHER &&
	       (s->uses_frame || goes_back_to_body(s));
}

enum a32_stop a32_scan_paths(struct a32_scan *s)
{
	bool fault = false, found;

	s->budget = A32_SCAN_INSNS;
	while (!(found = follow(s, &fault) == FOUND)) {
		if (!s->nr_later || !s->budget || !s->look.left)
			break;
		s->now = s->later[--s->nr_later];
		a32_run_end(s, s->now.run.end);
	}
	if (!found && must_have_record(s)) {
		s->is_record = true;
		s->now.runs = 0;
		found = true;
	}
	s->is_static &= !s->now.depends;
	if (s->is_record) {
		s->rule = s->record;
		s->is_static = s->record_is_static;
	}
	/* With more left to look at, there might have been a result. */
	s->is_static &= (found || s->look.left) && !fault && !s->cut;
	if (found)
		return A32_STOP_NR;
	return fault ? A32_STOP_CODE_FAULT : A32_STOP_UNDECIDED;
}

enum a32_stop a32_scan_caller(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	s->behind_call = true;
	s->since_entry = false;
	s->record_is_static = true;
	s->cut = false;
	a32_scan_start(s, pc, thumb, it);
	return a32_scan_paths(s);
}
