// SPDX-License-Identifier: GPL-2.0
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse_cfi.h"

static const uint8_t number[CFI_REGS] = { LR, R7, R11 };

static int read_register(const Dwarf_Op *op, int32_t *off)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg15) {
		*off = (int32_t)op->number;
		return op->atom - DW_OP_breg0;
	}
	if (op->atom == DW_OP_bregx) {
		*off = (int32_t)op->number2;
		return op->number;
	}
	return -1;
}

static void read_cfa(Dwarf_Frame *frame, struct cfi *cfi)
{
	Dwarf_Op *ops;
	size_t nr;

	cfi->cfa_reg = -1;
	if (!dwarf_frame_cfa(frame, &ops, &nr) && nr == 1)
		cfi->cfa_reg = read_register(ops, &cfi->cfa_off);
}

static struct place read_place(Dwarf_Frame *frame, int reg)
{
	Dwarf_Op mem[3], *ops;
	struct place p = { .kind = PLACE_OTHER };
	size_t nr;

	if (dwarf_frame_register(frame, reg, mem, &ops, &nr))
		return p;
	if (!nr) {
		p.kind = ops ? PLACE_UNDEFINED : PLACE_SAME;
	} else if (ops[0].atom == DW_OP_call_frame_cfa && nr == 1) {
		p.kind = PLACE_SLOT;
	} else if (ops[0].atom == DW_OP_call_frame_cfa && nr == 2 &&
		   ops[1].atom == DW_OP_plus_uconst) {
		p.kind = PLACE_SLOT;
		p.n = (int32_t)ops[1].number;
	} else if (nr == 1 && ops[0].atom == DW_OP_regx) {
		p = (struct place){ PLACE_REG, (int32_t)ops[0].number };
	} else if (nr == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg15) {
		p = (struct place){ PLACE_REG, ops[0].atom - DW_OP_reg0 };
	}
	return p;
}

bool cfi_read(Dwarf_CFI *dwarf, uint32_t addr, struct cfi *cfi)
{
	Dwarf_Frame *frame;
	Dwarf_Addr start, end;
	int i;

	if (dwarf_cfi_addrframe(dwarf, addr, &frame))
		return false;
	dwarf_frame_info(frame, &start, &end, NULL);
	*cfi = (struct cfi){ .start = start, .end = end };
	read_cfa(frame, cfi);
	for (i = 0; i < CFI_REGS; i++)
		cfi->reg[i] = read_place(frame, number[i]);
	free(frame);
	return true;
}

static bool cfa_agrees(const struct cfi *cfi, const struct a32_table_rule *rule,
		       const struct state *s)
{
	const struct value *v = &s->reg[cfi->cfa_reg];

	if (cfi->cfa_reg == rule->cfa_reg)
		return cfi->cfa_off == rule->cfa_off;
	return v->kind == VALUE_CFA && v->n == -cfi->cfa_off;
}

static bool is_entry(const struct value *v, int reg)
{
	return v->kind == VALUE_ENTRY && v->n == reg;
}

static bool slot_has(const struct state *s, int32_t off, int reg)
{
	int i;

	for (i = 0; i < s->nr_slots; i++) {
		if (s->slot[i].off == off)
			return is_entry(&s->slot[i].value, reg);
	}
	return false;
}

static enum verdict place_verdict(const struct place *p, int reg, int16_t where,
				  const struct state *s)
{
	switch (p->kind) {
	case PLACE_SAME:
		if (is_entry(&s->reg[reg], reg))
			return AGREE;
		break;
	case PLACE_SLOT:
		if (where * 4 == p->n || slot_has(s, p->n, reg))
			return AGREE;
		break;
	case PLACE_REG:
		if (is_entry(&s->reg[p->n], reg))
			return AGREE;
		break;
	case PLACE_UNDEFINED:
		return reg == LR ? DIFFER : AGREE;
	}
	return where == A32_TABLE_LOST ? LOST : DIFFER;
}

/* LLVM says that a register is saved some instructions before it is. */
static bool is_early(const struct cfi *cfi, const struct state *s)
{
	const struct value *sp = &s->reg[SP];
	int i;

	for (i = 0; i < CFI_REGS; i++) {
		if (cfi->reg[i].kind == PLACE_SLOT && sp->kind == VALUE_CFA &&
		    cfi->reg[i].n < sp->n)
			return true;
	}
	return false;
}

enum verdict cfi_verdict(const struct cfi *cfi, const struct a32_table_rule *rule,
			 const struct state *s)
{
	int16_t where[CFI_REGS] = { rule->ra, rule->r7, rule->r11 };
	enum verdict verdict = AGREE, v;
	int i;

	if (rule->kind == A32_TABLE_NO_DATA)
		return NO_DATA;
	if (rule->kind == A32_TABLE_STOP)
		return STOP;
	if (rule->kind == A32_TABLE_OUTERMOST)
		return cfi->reg[CFI_RA].kind == PLACE_UNDEFINED ? AGREE : DIFFER;
	if (cfi->cfa_reg < 0 || !cfa_agrees(cfi, rule, s))
		return DIFFER;
	for (i = 0; i < CFI_REGS; i++) {
		v = place_verdict(&cfi->reg[i], number[i], where[i], s);
		if (v > verdict)
			verdict = v;
	}
	return verdict == DIFFER && is_early(cfi, s) ? CFI_EARLY : verdict;
}

static const char *const names[] = { "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9",
				     "r10", "r11", "ip", "sp", "lr", "pc" };

void cfi_print(const struct cfi *cfi, char *text, size_t size)
{
	static const char *const titles[] = { "ra", "r7", "r11" };
	size_t at;
	int i;

	if (cfi->cfa_reg < 0)
		at = snprintf(text, size, "cfa expression");
	else
		at = snprintf(text, size, "cfa %s%+d", names[cfi->cfa_reg], cfi->cfa_off);
	for (i = 0; i < CFI_REGS && at < size; i++) {
		const struct place *p = &cfi->reg[i];

		at += snprintf(text + at, size - at, " %s ", titles[i]);
		if (at >= size)
			break;
		if (p->kind == PLACE_SLOT)
			at += snprintf(text + at, size - at, "c%+d", p->n);
		else
			at += snprintf(text + at, size - at, "%s",
				       p->kind == PLACE_SAME ? "same" :
				       p->kind == PLACE_REG ? names[p->n] :
				       p->kind == PLACE_UNDEFINED ? "undefined" : "?");
	}
}

static void print_where(char *text, size_t size, int16_t where)
{
	if (where == A32_TABLE_SAME)
		snprintf(text, size, "same");
	else if (where == A32_TABLE_LOST)
		snprintf(text, size, "lost");
	else if (where >= A32_TABLE_IN_REG(0))
		snprintf(text, size, "%s", names[where - A32_TABLE_IN_REG(0)]);
	else
		snprintf(text, size, "c%+d", where * 4);
}

void cfi_print_rule(const struct a32_table_rule *rule, char *text, size_t size)
{
	static const char *const kinds[] = { "", "outermost", "stop", "no data" };
	char ra[16], r7[16], r11[16];

	if (rule->kind != A32_TABLE_FRAME) {
		snprintf(text, size, "%s", kinds[rule->kind]);
		return;
	}
	print_where(ra, sizeof(ra), rule->ra);
	print_where(r7, sizeof(r7), rule->r7);
	print_where(r11, sizeof(r11), rule->r11);
	snprintf(text, size, "cfa %s%+d ra %s r7 %s r11 %s", names[rule->cfa_reg], rule->cfa_off,
		 ra, r7, r11);
}
