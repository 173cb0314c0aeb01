// SPDX-License-Identifier: GPL-2.0
#include "path.h"

static void note_low(struct a32_rule *rule, s32 off)
{
	if (-off > rule->low)
		rule->low = -off;
}

/* Say where the caller's value of a frame register is. */
static void place(struct a32_scan *s, const struct a32_val *v, enum a32_frame_reg reg, u32 cfa)
{
	struct a32_rule *rule = &s->rule;

	if (a32_val_is_start(v, a32_frame_reg_number(reg)))
		return;
	if (v->kind != VAL_MEM || !(s->right & 1 << v->reg)) {
		rule->lost |= 1 << reg;
		return;
	}
	rule->saved |= 1 << reg;
	s->is_static &= v->reg == s->base;
	rule->off[reg] = a32_path_address(s, v) - cfa;
	note_low(rule, rule->off[reg]);
}

static bool place_ra(struct a32_scan *s, const struct a32_val *v, u32 cfa)
{
	struct a32_rule *rule = &s->rule;

	if (a32_val_is_start(v, LR)) {
		rule->ra_in_lr = 1;
		return true;
	}
	if (v->kind != VAL_MEM || !a32_val_is_stack(v) || !(s->right & 1 << v->reg))
		return false;
	s->is_static &= v->reg == s->base;
	rule->ra_off = a32_path_address(s, v) - cfa;
	note_low(rule, rule->ra_off);
	return true;
}

/* As all registers are known, sp serves to count from where no other does. */
static bool place_cfa(struct a32_scan *s, const struct a32_val *v, u32 *cfa)
{
	struct a32_rule *rule = &s->rule;

	if (v->kind != VAL_REG || !(s->right & 1 << v->reg))
		return false;
	*cfa = a32_path_address(s, v);
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

/* The rule of the record that the frame register points at here */
bool a32_outcome_record(struct a32_scan *s)
{
	const struct a32_rule *abi = a32_abi_rule(s->abi);
	enum a32_frame_reg own = abi->cfa_reg, other = !own;
	const struct a32_val *other_val = &s->now.val[a32_frame_reg_number(other)];
	struct a32_val cfa_val = s->now.val[a32_frame_reg_number(own)], slot;
	u32 cfa;

	a32_val_add(&cfa_val, abi->cfa_off);
	if (!place_cfa(s, &cfa_val, &cfa))
		return false;
	s->rule.saved = FRAME_NEAR_SP;
	slot = cfa_val;
	slot.off += abi->ra_off;
	slot = a32_path_slot(s, slot);
	if (!place_ra(s, &slot, cfa))
		return false;
	slot = cfa_val;
	slot.off += abi->off[own];
	slot = a32_path_slot(s, slot);
	place(s, &slot, own, cfa);
	if (s->rule.lost)
		return false;
	if (!s->rule.ra_in_lr || !a32_val_is_start(other_val, a32_frame_reg_number(other)))
		s->rule.lost |= 1 << other;
	s->record_ra = cfa + abi->ra_off;
	return true;
}

/*
 * The APCS epilogue reloads sp itself, from the slot below lr's:
 * "ldm sp, {fp, sp, pc}". The CFA is above the saved pc then.
 */
static struct a32_val cfa_at_return(const struct a32_scan *s, const struct a32_val *ra)
{
	struct a32_val sp = s->now.val[SP];

	if (sp.kind == VAL_MEM && ra->kind == VAL_MEM && a32_val_is_stack(ra) &&
	    a32_path_address(s, &sp) == a32_path_address(s, ra) - 4) {
		sp = *ra;
		sp.kind = VAL_REG;
		sp.off += 8;
	}
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
	s->is_record = s->has_record && !s->rule.ra_in_lr &&
		       cfa + s->rule.ra_off == s->record_ra;
	return FOUND;
}
