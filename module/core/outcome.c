// SPDX-License-Identifier: GPL-2.0
#include "path.h"

enum {
	ABOVE_LR	= 64,		/* bytes from behind the saved lr to the CFA, at most */
	SLOT_FAR	= 32764,	/* bytes from the CFA to a slot, at most */
};

bool a32_rule_note_slot(struct a32_rule *rule, u32 slot, u32 cfa, s16 *off)
{
	s32 apart = slot - cfa;

	if (apart < -SLOT_FAR || apart > SLOT_FAR || apart & 3)
		return false;
	*off = apart;
	if (-apart > rule->low)
		rule->low = -apart;
	return true;
}

/* Is it in a register that the frame has as it was at the start? */
static bool is_held(const struct a32_scan *s, const struct a32_val *v)
{
	return s->known & 1 << 0 && v->kind == VAL_REG && v->reg != SP && !v->off;
}

/* Say where the caller's value of a frame register is. */
static void place(struct a32_scan *s, const struct a32_val *v, enum a32_frame_reg reg, u32 cfa)
{
	struct a32_rule *rule = &s->rule;

	if (a32_val_is_start(v, a32_frame_reg_number(reg)))
		return;
	if (is_held(s, v)) {
		rule->held |= 1 << reg;
		rule->off[reg] = v->reg;
		return;
	}
	if (v->kind != VAL_MEM || !(s->right & 1 << v->reg) ||
	    !a32_rule_note_slot(rule, a32_path_address(s, v), cfa, &rule->off[reg])) {
		rule->lost |= 1 << reg;
		return;
	}
	rule->saved |= 1 << reg;
	s->is_static &= v->reg == s->base;
}

static bool place_ra(struct a32_scan *s, const struct a32_val *v, u32 cfa)
{
	struct a32_rule *rule = &s->rule;

	if (is_held(s, v)) {
		rule->held |= FRAME_RA;
		rule->ra_off = v->reg;
		return true;
	}
	if (v->kind != VAL_MEM || !a32_val_is_stack(s, v) || !(s->right & 1 << v->reg))
		return false;
	s->is_static &= v->reg == s->base;
	return a32_rule_note_slot(rule, a32_path_address(s, v), cfa, &rule->ra_off);
}

/* Bytes pushed since ip was set to sp, right before, as in an APCS prologue; 0 for none */
static u32 pushed_below_ip(u32 pc)
{
	enum { MOV_IP_SP = 0xe1a0c00d, PUSHES = 3 };
	u32 n, w, err = 0, bytes = 0;

	for (n = 1; n <= PUSHES; n++) {
		a32_load32(pc - 4 * n, &w, &err);
		if (err)
			return 0;
		if (w == MOV_IP_SP)
			return bytes;
		if ((w & 0xffff0000) != 0xe92d0000)	/* push */
			return 0;
		bytes += 4 * hweight16(w & 0xffff);
	}
	return 0;
}

/* Does the code say how far a register is from sp, so that it is there each time? */
static bool is_fixed(const struct a32_scan *s, u32 reg)
{
	u32 apart = s->r[reg] - s->r[SP];

	return s->abi == A32_ABI_APCS && !s->starts_thumb && reg == IP && apart &&
	       apart == pushed_below_ip(s->first);
}

/* As all registers are known, sp serves to count from where no other does. */
static bool place_cfa(struct a32_scan *s, const struct a32_val *v, u32 *cfa)
{
	struct a32_rule *rule = &s->rule;

	if (v->kind != VAL_REG || !(s->right & 1 << v->reg))
		return false;
	*cfa = a32_path_address(s, v);
	*rule = (struct a32_rule){
		.cfa_reg = FRAME_SP, .stop = A32_STOP_NR, .cfa_off = *cfa - s->r[SP],
	};
	s->base = v->reg;
	s->is_static = true;
	if (v->reg == R7 || v->reg == R11) {
		rule->cfa_reg = v->reg == R7 ? FRAME_R7 : FRAME_R11;
		rule->cfa_off = v->off;
	} else if (v->reg != SP) {
		s->is_static = is_fixed(s, v->reg);
	}
	return true;
}

/*
 * The record is yet to be made. Where it will be says little of the CFA: a
 * vararg function pushes its arguments above it. Nor does where sp is later, if
 * the rule there has been counted from it like this.
 */
static void count_from_sp(struct a32_rule *rule)
{
	rule->cfa_reg = FRAME_SP;
	rule->cfa_off = 0;
	rule->low = 0;
	rule->saved &= ~FRAME_NEAR_SP;
}

static struct a32_val slot_at(struct a32_scan *s, struct a32_val cfa_val, s32 off)
{
	cfa_val.off += off;
	return a32_path_slot(s, cfa_val, s->own);
}

/*
 * The rule at the start that comes of the one here: what that counts from, and
 * finds there, is known in terms of the start.
 */
static bool pull_back(struct a32_scan *s, const struct a32_rule *here, u32 *cfa)
{
	struct a32_val cfa_val = s->now.val[a32_frame_reg_number(here->cfa_reg)], val;
	enum a32_frame_reg reg;

	a32_val_add(&cfa_val, here->cfa_off);
	if (!place_cfa(s, &cfa_val, cfa))
		return false;
	val = here->held & FRAME_RA ? s->now.val[here->ra_off] :
				      slot_at(s, cfa_val, here->ra_off);
	if (!place_ra(s, &val, *cfa))
		return false;
	s->rule.saved |= here->saved & (1 << FRAME_SP | FRAME_NEAR_SP);
	s->rule.lost = here->lost;
	for (reg = FRAME_R7; reg <= FRAME_R11; reg++) {
		if (here->lost & 1 << reg)
			continue;
		val = s->now.val[a32_frame_reg_number(reg)];
		if (here->saved & 1 << reg)
			val = slot_at(s, cfa_val, here->off[reg]);
		else if (here->held & 1 << reg)
			val = s->now.val[here->off[reg]];
		place(s, &val, reg, *cfa);
	}
	if (s->rule.held & FRAME_RA && !(s->rule.saved & ~FRAME_NEAR_SP))
		count_from_sp(&s->rule);
	return true;
}

/* The rule of the record that the frame register points at here */
bool a32_outcome_record(struct a32_scan *s)
{
	const struct a32_rule *abi = a32_abi_rule(s->abi);
	enum a32_frame_reg own = abi->cfa_reg, other = !own;
	u32 number = a32_frame_reg_number(other), cfa;

	if (!pull_back(s, abi, &cfa) || s->rule.lost & 1 << own)
		return false;
	if (s->rule.held & FRAME_RA && !a32_rule_has_ra_in_lr(&s->rule))
		return false;
	if (s->rule.held & FRAME_RA && a32_val_is_start(&s->now.val[number], number))
		s->rule.lost = 0;
	s->record_ra = cfa + abi->ra_off;
	return true;
}

/*
 * What the code takes down by its frame register, and where the record would be,
 * is the record. That the two are at one place says nothing if the code counts
 * from sp: the register may hold anything, and a pointer to there as well.
 */
static void compare_with_record(struct a32_scan *s, u32 cfa)
{
	s->is_record = s->has_record && !(s->rule.held & FRAME_RA) && s->base == s->own &&
		       cfa + s->rule.ra_off == s->record_ra;
}

/* The rule that comes of one that is known to hold here */
bool a32_outcome_known(struct a32_scan *s, const struct a32_rule *here)
{
	u32 cfa;

	if (!pull_back(s, here, &cfa))
		return false;
	compare_with_record(s, cfa);
	return true;
}

/*
 * The APCS epilogue reloads sp itself, from the slot below lr's:
 * "ldm sp, {fp, sp, pc}". It points above the saved pc then, and above the
 * arguments that a vararg function has pushed. Code that aligns its stack may do
 * the same, and how far it is up differs from call to call.
 */
static struct a32_val cfa_at_return(struct a32_scan *s, const struct a32_val *ra)
{
	struct a32_val sp = s->now.val[SP];
	u32 at = a32_path_address(s, &sp), cfa, err = 0;

	if (sp.kind != VAL_MEM || ra->kind != VAL_MEM || !a32_val_is_stack(s, ra) ||
	    at != a32_path_address(s, ra) - 4)
		return sp;
	a32_load32(at & ~3, &cfa, &err);
	if (err || cfa - (at + 8) > ABOVE_LR)
		return sp;
	sp = *ra;
	sp.kind = VAL_REG;
	sp.off += cfa - (at + 4);
	s->now.depends |= s->abi != A32_ABI_APCS;
	return sp;
}

enum a32_verdict a32_outcome_return(struct a32_scan *s, struct a32_val ra)
{
	struct a32_val cfa_val = cfa_at_return(s, &ra);
	u32 cfa;

	if (!place_cfa(s, &cfa_val, &cfa) || !place_ra(s, &ra, cfa))
		return NO_WAY;
	s->rule.saved |= 1 << FRAME_SP;
	place(s, &s->now.val[R7], FRAME_R7, cfa);
	place(s, &s->now.val[R11], FRAME_R11, cfa);
	compare_with_record(s, cfa);
	return FOUND;
}
