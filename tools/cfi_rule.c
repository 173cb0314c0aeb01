// SPDX-License-Identifier: GPL-2.0
/*
 * Register numbers are those of "DWARF for the Arm Architecture", IHI 0040: 0
 * to 15 are r0 to r15.
 */
#include <dwarf.h>
#include <stdbool.h>

#include "cfi_rule.h"
#include "rows.h"

enum { R7 = 7, R11 = 11, SP = 13, LR = 14 };

static bool cfa(Dwarf_Frame *frame, struct a32_table_rule *rule)
{
	Dwarf_Word reg, off;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr) || nr != 1)
		return false;
	if (ops->atom == DW_OP_bregx) {
		reg = ops->number;
		off = ops->number2;
	} else if (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) {
		reg = ops->atom - DW_OP_breg0;
		off = ops->number;
	} else {
		return false;
	}
	rule->cfa_reg = (uint8_t)reg;
	rule->cfa_off = (int32_t)off;
	return reg <= LR && !(off & 3) && (Dwarf_Sword)off == rule->cfa_off;
}

/* CFA + @off */
static bool slot(Dwarf_Sword off, int16_t *words)
{
	*words = (int16_t)(off / 4);
	return !(off & 3) && off >= -4096 * 4 && off <= 4095 * 4;
}

static bool in_register(Dwarf_Word reg, int16_t *words)
{
	*words = (int16_t)A32_TABLE_IN_REG((int)reg);
	return reg <= LR;
}

/* libdw gives all of DW_CFA_offset and DW_CFA_register as expressions. */
static bool place(const Dwarf_Op *ops, size_t nr, int16_t *words)
{
	if (nr == 1 && ops->atom == DW_OP_call_frame_cfa)
		return slot(0, words);
	if (nr == 2 && ops[0].atom == DW_OP_call_frame_cfa && ops[1].atom == DW_OP_plus_uconst)
		return slot((Dwarf_Sword)ops[1].number, words);
	if (nr == 1 && ops->atom == DW_OP_regx)
		return in_register(ops->number, words);
	if (nr == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31)
		return in_register(ops->atom - DW_OP_reg0, words);
	return false;
}

/* A frame register that an expression says is as good as lost. */
static int16_t saved(Dwarf_Frame *frame, int reg)
{
	Dwarf_Op mem[3], *ops;
	int16_t words;
	size_t nr;

	if (dwarf_frame_register(frame, reg, mem, &ops, &nr))
		return A32_TABLE_LOST;
	if (!ops)
		return A32_TABLE_SAME;
	if (!place(ops, nr, &words))
		return A32_TABLE_LOST;
	return words == A32_TABLE_IN_REG(reg) ? A32_TABLE_SAME : words;
}

/* An undefined return address is how the outermost function is marked: DWARF 4, 6.4.4. */
static enum a32_table_kind return_address(Dwarf_Frame *frame, int16_t *words)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;

	if (dwarf_frame_register(frame, LR, mem, &ops, &nr))
		return A32_TABLE_STOP;
	if (!ops)
		return in_register(LR, words) ? A32_TABLE_FRAME : A32_TABLE_STOP;
	if (!nr)
		return A32_TABLE_OUTERMOST;
	return place(ops, nr, words) ? A32_TABLE_FRAME : A32_TABLE_STOP;
}

/* In a signal trampoline it is not: there, the CFA says nothing of the caller's sp. */
static bool is_sp_cfa(Dwarf_Frame *frame)
{
	Dwarf_Op mem[3], *ops;
	size_t nr;

	if (dwarf_frame_register(frame, SP, mem, &ops, &nr))
		return false;
	return !ops || (nr == 2 && ops[0].atom == DW_OP_call_frame_cfa &&
			ops[1].atom == DW_OP_stack_value);
}

/*
 * Whoever counts from a frame register has set it, and must have saved it.
 * Assembly is annotated by hand, and JavaScriptCore's says r11 where r7 is.
 */
static bool is_consistent(const struct a32_table_rule *rule)
{
	return !(rule->cfa_reg == R7 && rule->r7 == A32_TABLE_SAME) &&
	       !(rule->cfa_reg == R11 && rule->r11 == A32_TABLE_SAME);
}

struct a32_table_rule cfi_rule(Dwarf_Frame *frame, enum a32_table_source source)
{
	struct a32_table_rule rule = rule_of_kind(A32_TABLE_FRAME, source);
	enum a32_table_kind kind;

	kind = return_address(frame, &rule.ra);
	if (kind == A32_TABLE_FRAME && !(cfa(frame, &rule) && is_sp_cfa(frame)))
		kind = A32_TABLE_STOP;
	if (kind != A32_TABLE_FRAME)
		return rule_of_kind(kind, source);
	rule.r7 = saved(frame, R7);
	rule.r11 = saved(frame, R11);
	return is_consistent(&rule) ? rule : rule_of_kind(A32_TABLE_STOP, source);
}
