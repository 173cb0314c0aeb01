// SPDX-License-Identifier: GPL-2.0
#include "call.h"
#include "scan.h"

static const struct a32_val unknown = { VAL_UNKNOWN };

#define APCS_PUSH	64	/* bytes that an APCS prologue pushes, and some more */
#define TABLE_ENTRIES	3	/* the smallest jump tables that compilers make */
#define STACK_NEAR	0x10000	/* bytes above sp */

/* What becomes of a path with the next instruction */
enum verdict { GO_ON, MOVED, FOUND, NO_WAY };

static u32 address(const struct a32_scan *s, const struct a32_val *v)
{
	return s->r[v->reg] + v->off;
}

static u32 *dirty_word(struct a32_scan *s, u32 at)
{
	return &s->dirty[at / 4 % A32_SCAN_DIRTY / 32];
}

static u32 dirty_bit(u32 at)
{
	return 1u << at / 4 % 32;
}

/* Other memory than the stack's nearest would only be mistaken for it. */
static void mark_dirty(struct a32_scan *s, u32 at)
{
	if (at - s->r[SP] < STACK_NEAR)
		*dirty_word(s, at) |= dirty_bit(at);
}

/*
 * The value in a slot: what the path stored there, or what was there before.
 * Below sp was nothing.
 */
static struct a32_val slot_value(struct a32_scan *s, struct a32_val slot)
{
	u32 i = s->now.stores, at = address(s, &slot);

	while (i-- > 0) {
		if (s->store[i].at == at)
			return s->store[i].val;
	}
	if (at < s->r[SP] || *dirty_word(s, at) & dirty_bit(at))
		return unknown;
	slot.kind = VAL_MEM;
	return slot;
}

static bool fetch(const struct a32_scan *s, u32 pc, struct a32_insn *i)
{
	u32 w, h2 = 0, err = 0;

	if (!s->now.thumb) {
		a32_load32(pc, &w, &err);
		a32_insn_arm(pc, w, i);
		return !err;
	}
	a32_load16(pc, &w, &err);
	if (a32_thumb_is_wide(w))
		a32_load16(pc + 2, &h2, &err);
	a32_insn_thumb(pc, w, h2, i);
	return !err;
}

static void add(struct a32_val *v, s32 imm)
{
	if (v->kind == VAL_REG || v->kind == VAL_CONST)
		v->off += imm;
	else
		v->kind = VAL_UNKNOWN;
}

static void add_reg(struct a32_path *p, const struct a32_insn *i)
{
	struct a32_val v = p->val[i->rn], w = p->val[i->rm];

	if (w.kind == VAL_CONST) {
		add(&v, i->op == OP_ADD_REG ? w.off : -w.off);
	} else if (v.kind == VAL_CONST && i->op == OP_ADD_REG) {
		add(&w, v.off);
		v = w;
	} else {
		v = unknown;
	}
	p->val[i->rd] = v;
}

static void clobber(struct a32_path *p, u32 regs)
{
	for (; regs; regs &= regs - 1)
		p->val[__builtin_ctz(regs)] = unknown;
}

/* A word among the code, of a "ldr r, [pc, #n]" */
static struct a32_val literal(const struct a32_scan *s, u32 pc, s32 imm)
{
	u32 w, err = 0;

	pc = s->now.thumb ? (pc + 4) & ~3 : pc + 8;
	a32_load32((pc + imm) & ~3, &w, &err);
	return err ? unknown : (struct a32_val){ VAL_CONST, 0, w };
}

/* Is a register's value known, and not only where it comes from? */
static bool is_number(struct a32_scan *s, const struct a32_val *v, u32 *number)
{
	if (v->kind == VAL_CONST || v->kind == VAL_DATA) {
		*number = v->off;
		s->is_static &= v->kind == VAL_CONST;
	} else if (v->kind == VAL_REG) {
		*number = address(s, v);
		s->is_static = false;
	}
	return v->kind == VAL_CONST || v->kind == VAL_DATA || v->kind == VAL_REG;
}

static bool is_start_value(const struct a32_val *v, u32 reg)
{
	return v->kind == VAL_REG && v->reg == reg && v->off == 0;
}

/* A word of data, as it is now */
static struct a32_val word_at(struct a32_scan *s, const struct a32_val *base, u32 off)
{
	u32 at, w, err = 0;

	if (base->kind != VAL_CONST && base->kind != VAL_REG)
		return unknown;
	at = base->kind == VAL_CONST ? (u32)base->off : address(s, base);
	a32_load32((at + off) & ~3, &w, &err);
	return err ? unknown : (struct a32_val){ VAL_DATA, 0, w };
}

static void load(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_val *val = s->now.val, slot = val[i->rn];
	u32 list, r;

	add(&slot, i->imm);
	if (!(i->list & 1 << i->rn))
		add(&val[i->rn], i->wb);
	for (list = i->list; list; list &= list - 1) {
		r = __builtin_ctz(list);
		if (i->rn == PC)
			val[r] = literal(s, s->now.pc, i->imm);
		else if (slot.kind == VAL_REG)
			val[r] = slot_value(s, slot);
		else
			val[r] = word_at(s, &slot, 0);
		slot.off += 4;
	}
}

/* From a table, perhaps of jump targets; see to_table(). */
static void load_indexed(struct a32_scan *s, const struct a32_insn *i)
{
	s->now.val[i->rd] = word_at(s, &s->now.val[i->rn], 4 * (s->now.tables++ % TABLE_ENTRIES));
}

static bool stored(const struct a32_scan *s, u32 at)
{
	u32 i;

	for (i = 0; i < s->now.stores; i++) {
		if (s->store[i].at == at)
			return true;
	}
	return false;
}

#define FOLLOWED	(1 << R7 | 1 << R11 | 1 << SP | 1 << LR)

/* Only what the caller needs back is worth a note, and what overwrites it. */
static bool worth_a_note(const struct a32_scan *s, const struct a32_val *slot, u32 reg)
{
	const struct a32_val *v = &s->now.val[reg];

	if (v->kind == VAL_REG && FOLLOWED & 1 << v->reg)
		return true;
	return stored(s, address(s, slot));
}

static bool store_reg(struct a32_scan *s, const struct a32_val *slot, u32 reg)
{
	struct a32_path *p = &s->now;

	if (slot->kind != VAL_REG)
		return true;
	if (!worth_a_note(s, slot, reg)) {
		mark_dirty(s, address(s, slot));
		return true;
	}
	if (p->stores == A32_SCAN_STORES)
		return false;
	s->store[p->stores].at = address(s, slot);
	s->store[p->stores++].val = p->val[reg];
	return true;
}

static bool store(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_val slot = s->now.val[i->rn];
	u32 list;

	add(&slot, i->imm);
	if (i->op == OP_STORE_PAIR && !store_reg(s, &slot, i->rd))
		return false;
	if (i->op == OP_STORE_PAIR)
		slot.off += 4;
	for (list = i->op == OP_STORE ? i->list : 1u << i->rm; list; list &= list - 1) {
		if (!store_reg(s, &slot, __builtin_ctz(list)))
			return false;
		slot.off += 4;
	}
	add(&s->now.val[i->rn], i->wb);
	return true;
}

static void note_low(struct a32_rule *rule, s32 off)
{
	if (-off > rule->low)
		rule->low = -off;
}

/* Say where the caller's value of a frame register is. */
static void place(struct a32_scan *s, const struct a32_val *v, enum a32_frame_reg reg, u32 cfa)
{
	struct a32_rule *rule = &s->rule;

	if (is_start_value(v, a32_frame_reg_number(reg)))
		return;
	if (v->kind != VAL_MEM || !(s->right & 1 << v->reg)) {
		rule->lost |= 1 << reg;
		return;
	}
	rule->saved |= 1 << reg;
	s->is_static &= v->reg == s->base;
	rule->off[reg] = address(s, v) - cfa;
	note_low(rule, rule->off[reg]);
}

/* longjmp() and its like load sp and lr from anywhere. */
static bool is_stack(const struct a32_val *v)
{
	return v->reg >= 4 && v->reg != IP;
}

static bool place_ra(struct a32_scan *s, const struct a32_val *v, u32 cfa)
{
	struct a32_rule *rule = &s->rule;

	if (is_start_value(v, LR)) {
		rule->ra_in_lr = 1;
		return true;
	}
	if (v->kind != VAL_MEM || !is_stack(v) || !(s->right & 1 << v->reg))
		return false;
	s->is_static &= v->reg == s->base;
	rule->ra_off = address(s, v) - cfa;
	note_low(rule, rule->ra_off);
	return true;
}

/* As all registers are known, sp serves to count from where no other does. */
static bool place_cfa(struct a32_scan *s, const struct a32_val *v, u32 *cfa)
{
	struct a32_rule *rule = &s->rule;

	if (v->kind != VAL_REG || !(s->right & 1 << v->reg))
		return false;
	*cfa = address(s, v);
	*rule = (struct a32_rule){ .cfa_reg = FRAME_SP, .cfa_off = *cfa - s->r[SP] };
	s->base = v->reg;
	s->is_static = true;
	if (v->reg == R7 || v->reg == R11) {
		rule->cfa_reg = v->reg == R7 ? FRAME_R7 : FRAME_R11;
		rule->cfa_off = v->off;
	} else if (v->reg != SP) {
		s->is_static = false;
	}
	return true;
}

/* AAPCS32 section 6.1.1: a call keeps r4 to r11 and sp. */
#define CALL_CLOBBERS	(1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << IP | 1 << LR)

static enum verdict step_over_call(struct a32_scan *s)
{
	s->behind_call = true;
	s->now.assumed = COND_ALWAYS;
	s->now.flags_known = false;
	clobber(&s->now, CALL_CLOBBERS);
	return GO_ON;
}

/* The rule of the record that the frame register points at here */
static bool read_record(struct a32_scan *s)
{
	const struct a32_rule *abi = a32_abi_rule(s->abi);
	enum a32_frame_reg own = abi->cfa_reg, other = !own;
	const struct a32_val *other_val = &s->now.val[a32_frame_reg_number(other)];
	struct a32_val cfa_val = s->now.val[a32_frame_reg_number(own)], slot;
	u32 cfa;

	add(&cfa_val, abi->cfa_off);
	if (!place_cfa(s, &cfa_val, &cfa))
		return false;
	s->rule.saved = FRAME_NEAR_SP;
	slot = cfa_val;
	slot.off += abi->ra_off;
	slot = slot_value(s, slot);
	if (!place_ra(s, &slot, cfa))
		return false;
	slot = cfa_val;
	slot.off += abi->off[own];
	slot = slot_value(s, slot);
	place(s, &slot, own, cfa);
	if (s->rule.lost)
		return false;
	if (!s->rule.ra_in_lr || !is_start_value(other_val, a32_frame_reg_number(other)))
		s->rule.lost |= 1 << other;
	s->record_ra = cfa + abi->ra_off;
	return true;
}

static bool has_passed(const struct a32_scan *s, u32 ra)
{
	const struct a32_known *known = &s->passed[a32_known_index(ra)];

	return known->ra == ra && known->tag == s->tag && known->rule;
}

/*
 * The record is yet to be made. Where it will be says little of the CFA: a
 * vararg function pushes its arguments above it.
 */
static enum verdict lr_is_live(struct a32_scan *s)
{
	s->rule.cfa_reg = FRAME_SP;
	s->rule.cfa_off = 0;
	s->rule.low = 0;
	s->rule.saved &= ~FRAME_NEAR_SP;
	return FOUND;
}

static enum verdict at_call(struct a32_scan *s, u32 len)
{
	u32 at;

	if (s->has_record || s->behind_call || !read_record(s))
		return step_over_call(s);
	if (s->rule.ra_in_lr)
		return lr_is_live(s);
	s->record = s->rule;
	s->record_is_static = s->is_static;
	s->has_record = true;
	if (!has_passed(s, (s->now.pc + len) | s->now.thumb))
		s->evidence = a32_prologue_evidence(s->now.pc + len, s->now.thumb, s->abi,
						    s->record_ra, &s->left, &at);
	else
		s->evidence = PROLOGUE_RECORD;
	if (s->evidence != PROLOGUE_RECORD)
		return step_over_call(s);
	s->is_record = true;
	return FOUND;
}

/*
 * The APCS epilogue reloads sp itself, from the slot below lr's:
 * "ldm sp, {fp, sp, pc}". The CFA is above the saved pc then.
 */
static struct a32_val cfa_at_return(const struct a32_scan *s, const struct a32_val *ra)
{
	struct a32_val sp = s->now.val[SP];

	if (sp.kind == VAL_MEM && ra->kind == VAL_MEM && is_stack(ra) &&
	    address(s, &sp) == address(s, ra) - 4) {
		sp = *ra;
		sp.kind = VAL_REG;
		sp.off += 8;
	}
	return sp;
}

static enum verdict at_return(struct a32_scan *s, struct a32_val ra)
{
	struct a32_val cfa_val = cfa_at_return(s, &ra);
	u32 cfa;

	if (!place_cfa(s, &cfa_val, &cfa) || !place_ra(s, &ra, cfa))
		return NO_WAY;
	s->rule.saved |= 1 << FRAME_SP;
	place(s, &s->now.val[R7], FRAME_R7, cfa);
	place(s, &s->now.val[R11], FRAME_R11, cfa);
	s->is_record = s->has_record && !s->rule.ra_in_lr &&
		       cfa + s->rule.ra_off == s->record_ra;
	return FOUND;
}

/* Go on at an address that the code holds as a constant; bit 0 says Thumb. */
static enum verdict to_constant(struct a32_scan *s, u32 addr)
{
	s->now.pc = addr & ~1;
	s->now.thumb = addr & 1;
	s->now.it = 0;
	return MOVED;
}

static bool is_return_address(u32 ra)
{
	enum a32_trampoline kind;

	return (ra & 3) != 2 && a32_check_call(ra & ~1, ra & 1, &kind) == A32_STOP_NR;
}

/*
 * An epilogue has been gone through: what follows is not this function's. It
 * has restored the frame register, and lr from beside it (lr alone may hold
 * anything); that of gcc's leaves has restored nothing but r11.
 */
static bool is_behind_epilogue(const struct a32_scan *s)
{
	const struct a32_rule *abi = a32_abi_rule(s->abi);
	const struct a32_val *own = &s->now.val[s->own], *lr = &s->now.val[LR];

	if (own->kind != VAL_MEM)
		return false;
	if (lr->kind != VAL_MEM)
		return s->abi == A32_ABI_GCC && is_start_value(lr, LR);
	return address(s, lr) - address(s, own) == (u32)(abi->ra_off - abi->off[abi->cfa_reg]);
}

/*
 * Is a jump to a register a tail call? The caller's registers are as at a
 * return then, with the return address in lr. Where nothing was restored on
 * the way, clang's ARM code may also mean a computed goto; gcc has "mov pc, rm"
 * for that, and so has Thumb code.
 */
static bool is_tail_call(const struct a32_scan *s)
{
	return is_behind_epilogue(s) || s->now.thumb || s->abi != A32_ABI_AAPCS;
}

/*
 * Or is it a return, though not through lr? If it is not, what is jumped to
 * tells whether it is a tail call.
 */
static enum verdict to_other_register(struct a32_scan *s, const struct a32_val *v)
{
	u32 addr = 0, err = 0;

	if (v->kind == VAL_MEM)
		a32_load32(address(s, v) & ~3, &addr, &err);
	else if (!is_number(s, v, &addr))
		return is_tail_call(s) ? at_return(s, s->now.val[LR]) : NO_WAY;
	if (err)
		return NO_WAY;
	if (!is_return_address(addr))
		return is_tail_call(s) ? at_return(s, s->now.val[LR]) : to_constant(s, addr);
	return v->kind == VAL_MEM && is_stack(v) ? at_return(s, *v) : NO_WAY;
}

static enum verdict to_register(struct a32_scan *s, u32 rm)
{
	struct a32_val *v = &s->now.val[rm];

	if (rm == PC)					/* bx pc, in Thumb PLT entries */
		return to_constant(s, (s->now.pc + (s->now.thumb ? 4 : 8)) & ~3);
	if (rm == LR || is_start_value(v, LR))
		return at_return(s, *v);
	return to_other_register(s, v);
}

/*
 * One of the targets of a jump table is as good as another. One after the
 * other, because the first may lead back to the same table.
 */
static enum verdict to_table(struct a32_scan *s, const struct a32_insn *i)
{
	const struct a32_val *a = &s->now.val[i->rn], *b = &s->now.val[i->rm];
	u32 at = i->target, w, n = s->now.tables++ % TABLE_ENTRIES;
	u32 thumb = s->now.thumb, err = 0;

	switch (i->imm) {
	case TABLE_CODE:
		return to_constant(s, at + 4 * n);
	case TABLE_LOADED:
		if (!is_number(s, a, &at))
			return NO_WAY;
		fallthrough;
	case TABLE_WORDS:
		a32_load32((at & ~3) + 4 * n, &w, &err);
		return err ? NO_WAY : to_constant(s, w);
	case TABLE_HALVES:
		a32_load16(at + 2 * n, &w, &err);
		return err ? NO_WAY : to_constant(s, (at + 2 * w) | thumb);
	case TABLE_BYTES:
		a32_load16((at + n) & ~1, &w, &err);
		w = w >> 8 * ((at + n) & 1) & 0xff;
		return err ? NO_WAY : to_constant(s, (at + 2 * w) | thumb);
	case TABLE_NONE:
		return is_number(s, b, &at) ? to_constant(s, at | thumb) : NO_WAY;
	case TABLE_SUM:
		if (is_number(s, a, &at) && is_number(s, b, &w))
			return to_constant(s, (at + w) | thumb);
	}
	return NO_WAY;
}

/*
 * Into pc: a return pops it. A PLT entry loads it from the GOT with ip, and a
 * veneer from the word behind itself.
 */
static enum verdict to_loaded(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_val *v = &s->now.val[PC];

	if (i->rn == PC)
		return v->kind == VAL_CONST ? to_constant(s, v->off) : NO_WAY;
	if (i->rn == IP)
		return at_return(s, s->now.val[LR]);
	return at_return(s, *v);
}

/* DDI 0406C, A2.5.2, ITAdvance() */
static u8 next_it(u8 it)
{
	return it & 7 ? (it & 0xe0) | (it << 1 & 0x1f) : 0;
}

static void keep_for_later(struct a32_scan *s, u32 pc)
{
	if (s->nr_later == A32_SCAN_PATHS)
		return;
	s->later[s->nr_later] = s->now;
	s->later[s->nr_later].it = next_it(s->now.it);
	s->later[s->nr_later++].pc = pc;
}

/* Going where a path has gone finds nothing new. */
static bool is_seen(struct a32_scan *s, u32 target)
{
	u32 n;

	for (n = 0; n < s->nr_seen; n++) {
		if (s->seen[n] == target)
			return true;
	}
	if (s->nr_seen < A32_SCAN_SEEN)
		s->seen[s->nr_seen++] = target;
	return false;
}

static enum verdict branch(struct a32_scan *s, const struct a32_insn *i, bool cond)
{
	struct a32_path *p = &s->now;

	if (cond) {
		if (!is_seen(s, i->target))
			keep_for_later(s, i->target);
		return GO_ON;
	}
	if (is_behind_epilogue(s))
		return at_return(s, p->val[LR]);
	if (is_seen(s, i->target))
		return NO_WAY;
	p->pc = i->target;
	return MOVED;
}

/* The registers that an instruction writes, but for where it goes */
static u32 written(const struct a32_insn *i)
{
	u32 regs = i->clobber;

	switch (i->op) {
	case OP_LOAD:
		return regs | i->list | (i->wb ? 1 << i->rn : 0);
	case OP_STORE:
	case OP_STORE_PAIR:
		return regs | (i->wb ? 1 << i->rn : 0);
	case OP_SYSCALL:
		return regs | 1;
	case OP_MOV: case OP_SET: case OP_SET_TOP: case OP_LOAD_INDEXED:
	case OP_ADD: case OP_ADD_REG: case OP_SUB_REG:
		return regs | 1 << i->rd;
	default:
		return regs;
	}
}

/* Does it matter whether a conditional instruction is executed? */
static bool matters(const struct a32_insn *i)
{
	bool is_store = i->op == OP_STORE || i->op == OP_STORE_PAIR;

	if (written(i) & FOLLOWED || (is_store && i->list & 1 << LR))
		return true;
	return i->op == OP_BRANCH_REG || i->op == OP_JUMP_TABLE || i->op == OP_TRAP ||
	       i->op == OP_DEAD || (i->op == OP_LOAD && i->list & 1 << PC);
}

/* exit, sigreturn, rt_sigreturn, exit_group: arch/arm/include/uapi/asm/unistd.h */
static bool never_returns(struct a32_scan *s)
{
	const struct a32_val *r7 = &s->now.val[R7];
	u32 nr = r7->kind == VAL_CONST ? (u32)r7->off : 0;

	if (is_start_value(r7, R7) && s->right & 1 << R7)
		nr = s->r[R7];
	return nr == 1 || nr == 119 || nr == 173 || nr == 248;
}

static void flags_set(struct a32_path *p)
{
	p->assumed = COND_ALWAYS;
	p->flags_known = false;
}

static enum verdict execute(struct a32_scan *s, const struct a32_insn *i)
{
	struct a32_path *p = &s->now;

	if (i->flags)
		flags_set(p);
	switch (i->op) {
	case OP_MOV:
		if (i->rm == PC)
			p->val[i->rd] = unknown;
		else
			p->val[i->rd] = p->val[i->rm];
		break;
	case OP_SET:
		p->val[i->rd] = (struct a32_val){ VAL_CONST, 0, i->imm };
		break;
	case OP_SET_TOP:
		if (p->val[i->rd].kind == VAL_CONST)
			p->val[i->rd].off = (p->val[i->rd].off & 0xffff) | (u32)i->imm << 16;
		else
			p->val[i->rd] = unknown;
		break;
	case OP_ADD:
		p->val[i->rd] = p->val[i->rn];
		add(&p->val[i->rd], i->imm);
		break;
	case OP_ADD_REG:
	case OP_SUB_REG:
		add_reg(p, i);
		break;
	case OP_LOAD:
		load(s, i);
		if (i->list & 1 << PC)
			return to_loaded(s, i);
		break;
	case OP_LOAD_INDEXED:
		load_indexed(s, i);
		break;
	case OP_STORE:
	case OP_STORE_PAIR:
		if (!store(s, i))
			return NO_WAY;
		break;
	case OP_BRANCH_REG:
		return to_register(s, i->rm);
	case OP_JUMP_TABLE:
		return to_table(s, i);
	case OP_SYSCALL:
		if (never_returns(s))
			return NO_WAY;
		p->val[0] = unknown;
		break;
	case OP_TRAP:
		/* The one that was interrupted; else none that is gone through. */
		return p->pc == s->first ? GO_ON : NO_WAY;
	case OP_DEAD:
		return NO_WAY;
	default:
		break;
	}
	clobber(p, i->clobber);
	return GO_ON;
}

/* Is it an access to the frame, or a step in taking it down? */
static bool uses_frame(const struct a32_scan *s, const struct a32_insn *i)
{
	u32 own = s->own;

	if (!((i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_ADD) && i->rn == own) &&
	    !(i->op == OP_MOV && i->rd == SP && i->rm == own))
		return false;
	return is_start_value(&s->now.val[own], own);
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

/*
 * One that may be executed, or not: both ways are gone, the one where it is
 * first. Those that follow with the same condition do as it did.
 */
static enum verdict conditional(struct a32_scan *s, const struct a32_insn *i, u32 cond)
{
	struct a32_path *p = &s->now;

	if (p->assumed == (cond ^ 1))
		return GO_ON;
	if (p->assumed != cond && !matters(i)) {
		clobber(p, written(i));
		if (i->flags)
			flags_set(p);
		return GO_ON;
	}
	if (p->assumed != cond && p->flags_known) {
		s->is_static = false;
		p->assumed = cond_holds(cond, s->cpsr) ? cond : cond ^ 1;
		return p->assumed == cond ? execute(s, i) : GO_ON;
	}
	if (p->assumed != cond) {
		p->assumed = cond ^ 1;
		keep_for_later(s, p->pc + i->len);
		p->assumed = cond;
	}
	return execute(s, i);
}

static enum verdict look(struct a32_scan *s, const struct a32_insn *i)
{
	u32 cond = i->cond != COND_ALWAYS || !s->now.it ? i->cond : s->now.it >> 4;

	if (i->op == OP_NONE && cond == COND_ALWAYS) {
		clobber(&s->now, i->clobber);
		if (i->flags)
			flags_set(&s->now);
		return GO_ON;
	}
	s->uses_frame |= uses_frame(s, i);
	if (i->op == OP_CALL)
		return at_call(s, i->len);
	if (i->op == OP_BRANCH)
		return branch(s, i, cond != COND_ALWAYS);
	if (cond != COND_ALWAYS)
		return conditional(s, i, cond);
	return execute(s, i);
}

static enum verdict follow(struct a32_scan *s, bool *fault)
{
	struct a32_insn i;
	enum verdict verdict;

	while (s->budget && s->left) {
		s->budget--;
		s->left--;
		/* Code of another ABI is not gone into: it was a tail call. */
		if (s->now.pc - s->start >= s->size)
			return at_return(s, s->now.val[LR]);
		if (!fetch(s, s->now.pc, &i)) {
			*fault = true;
			return NO_WAY;
		}
		verdict = look(s, &i);
		if (verdict == MOVED)
			continue;
		if (verdict != GO_ON)
			return verdict;
		s->now.it = i.op == OP_IT ? i.imm : next_it(s->now.it);
		s->now.pc += i.len;
	}
	return NO_WAY;
}

static void start(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	u32 r;

	s->nr_later = 0;
	s->nr_seen = 0;
	s->own = a32_frame_reg_number(a32_abi_rule(s->abi)->cfa_reg);
	s->uses_frame = false;
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
			s->now.val[r] = (struct a32_val){ VAL_REG, r, 0 };
	}
	/* The APCS prologue has a copy of sp in ip; it has to be seen as one. */
	if (s->known & 1 << IP && s->r[IP] - s->r[SP] < APCS_PUSH)
		s->now.val[IP] = (struct a32_val){ VAL_REG, SP, s->r[IP] - s->r[SP] };
}

/*
 * The code calls, and its end is too far to be seen. Its beginning may tell,
 * or it uses the frame register as one does to get at one's own frame.
 */
static bool must_have_record(const struct a32_scan *s)
{
	if (!s->has_record || s->evidence == PROLOGUE_OTHER)
		return false;
	return s->uses_frame || s->evidence >= PROLOGUE_LIKELY;
}

/*
 * The code neither calls nor returns any more: a loop for ever, or one whose
 * end is too far. If it has run on from a prologue to here, there is a record.
 */
static bool loops_in_body(struct a32_scan *s, u32 pc, bool thumb)
{
	u32 at;

	if (s->has_record || s->behind_call ||
	    a32_prologue_before(pc, thumb, s->abi, &s->left, &at) != PROLOGUE_RECORD ||
	    !a32_prologue_is_done(at, pc, thumb, s->abi))
		return false;
	start(s, pc, thumb, 0);
	return read_record(s);
}

static enum a32_stop scan(struct a32_scan *s)
{
	bool fault = false, found;

	s->budget = A32_SCAN_INSNS;
	while (!(found = follow(s, &fault) == FOUND)) {
		if (!s->nr_later || !s->budget || !s->left)
			break;
		s->now = s->later[--s->nr_later];
	}
	if (!found && must_have_record(s)) {
		s->is_record = true;
		found = true;
	}
	if (s->is_record) {
		s->rule = s->record;
		s->is_static = s->record_is_static;
	}
	/* With more left to look at, there might have been a result. */
	s->is_static &= found || s->left;
	if (found)
		return A32_STOP_NR;
	return fault ? A32_STOP_CODE_FAULT : A32_STOP_UNDECIDED;
}

enum a32_stop a32_scan_top(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	enum a32_stop stop;

	s->has_record = false;
	s->evidence = PROLOGUE_NONE;
	s->behind_call = false;
	start(s, pc, thumb, it);
	s->now.flags_known = true;
	stop = scan(s);
	return stop == A32_STOP_UNDECIDED && loops_in_body(s, pc, thumb) ? A32_STOP_NR : stop;
}

enum a32_stop a32_scan_caller(struct a32_scan *s, u32 pc, bool thumb, u32 it)
{
	s->behind_call = true;
	start(s, pc, thumb, it);
	return scan(s);
}
