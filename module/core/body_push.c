// SPDX-License-Identifier: GPL-2.0
#include "body_pass.h"

enum { PROLOGUE = 16 };	/* instructions of one */

static bool is_push_thumb(u32 h1, u32 h2)
{
	return h1 >> 8 == 0xb5 || (h1 == 0xe92d && h2 & 0x4000);
}

static bool is_push_arm(u32 w)
{
	return (w & 0xffff4000) == 0xe92d4000 || (w & 0xfffff000) == 0xe52de000;
}

u32 a32_push_behind(u32 from, bool thumb, u32 bytes)
{
	u32 at, h = 0, w, err = 0;

	for (at = from; at - from < bytes; at += thumb ? 2 : 4) {
		if (!thumb) {
			a32_load32(at, &w, &err);
		} else {
			a32_load16(at, &w, &err);
			if (w == 0xe92d)
				a32_load16(at + 2, &h, &err);
		}
		if (thumb ? is_push_thumb(w, h) : is_push_arm(w))
			return at;
	}
	return 0;
}

u32 a32_push_in_line(u32 line, u32 at, bool thumb)
{
	u32 code[A32_LOAD_LINE / 4 + 1], n, err = 0;
	const u16 *h = (const u16 *)code;

	a32_load_line(line, code, &err);
	if (unlikely(err))
		return 0;
	/* The second half may be in the next line. */
	if (thumb && h[31] == 0xe92d && at == line + 64)
		a32_load32(at, &code[A32_LOAD_LINE / 4], &err);
	if (thumb) {
		for (n = (at - line) / 2; n; n--) {
			if (is_push_thumb(h[n - 1], h[n]))
				return line + 2 * (n - 1);
		}
	} else {
		for (n = (at - line) / 4; n; n--) {
			if (is_push_arm(code[n - 1]))
				return line + 4 * (n - 1);
		}
	}
	return 0;
}

/**
 * struct making - a record that is being made
 * @sp: sp, from where it was before the push
 * @own: where own is saved, from the same; 0 for nowhere yet
 * @ra: where lr is
 */
struct making {
	s32 sp;
	s32 own;
	s32 ra;
};

static void push(struct making *m, const struct a32_insn *i, u32 own)
{
	s32 at = m->sp + i->imm;
	u32 list;

	for (list = i->list; list; list &= list - 1, at += 4) {
		if (list & -list & 1 << own && !m->own)
			m->own = at;
		if (list & -list & 1 << LR && !m->ra)
			m->ra = at;
	}
	m->sp += i->wb;
}

/* Does own point to where the ABI has it? ip is sp as it was before the push: "mov ip, sp". */
static bool completes(const struct making *m, const struct a32_insn *i, const struct a32_rule *rule)
{
	s32 cfa = rule->cfa_off + i->imm;

	if (i->op == OP_MOV)
		cfa = rule->cfa_off;
	if (i->op == OP_MOV || i->rn == SP)
		cfa += m->sp;
	return m->own == cfa + rule->off[rule->cfa_reg] && m->ra == cfa + rule->ra_off;
}

u32 a32_record_end(u32 at, bool thumb, u32 abi)
{
	const struct a32_rule *rule = a32_abi_rule(abi);
	u32 own = a32_frame_reg_number(rule->cfa_reg), n;
	struct making m = { 0 };
	struct a32_insn i;

	for (n = 0; n < PROLOGUE && a32_insn_fetch(at, thumb, &i); n++) {
		if (a32_insn_leaves(&i) || i.op == OP_CALL || i.op == OP_DEAD)
			return 0;
		if ((i.op == OP_MOV && i.rd == own && i.rm == SP) ||
		    (i.op == OP_ADD && i.rd == own && (i.rn == SP || i.rn == IP)))
			return completes(&m, &i, rule) ? at + i.len : 0;
		if (i.op == OP_STORE && i.rn == SP)
			push(&m, &i, own);
		else if (i.op == OP_ADD && i.rd == SP && i.rn == SP)
			m.sp += i.imm;
		else if (a32_insn_writes(&i) & (1 << SP | 1 << own))
			return 0;
		at += i.len;
	}
	return 0;
}
