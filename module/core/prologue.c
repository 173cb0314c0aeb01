// SPDX-License-Identifier: GPL-2.0
#include "prologue.h"

enum { PROLOGUE_INSNS = 10 };	/* from the save of lr to the frame register's setting */

/*
 * Pushes of lr. Other stores of it are no sign: lr serves as any register once
 * it is saved.
 */
static bool saves_lr_arm(u32 w)
{
	return (w & 0xffff4000) == 0xe92d4000 || (w & 0xfffff000) == 0xe52de000;
}

/* Nothing goes on behind these: b, bx, and whatever sets pc */
static bool leaves_arm(u32 w)
{
	return (w & 0xff000000) == 0xea000000 || (w & 0xfffffff0) == 0xe12fff10 ||
	       (w & 0xfe108000) == 0xe8108000 || (w & 0xfc10f000) == 0xe410f000 ||
	       (w & 0xfc00f000) == 0xe000f000;
}

static bool saves_lr_thumb(u32 h1, u32 h2)
{
	if ((h1 & 0xff00) == 0xb500)
		return true;
	if (h1 == 0xe92d)
		return h2 & 0x4000;
	if (h1 == 0xf84d)
		return (h2 & 0xff00) == 0xed00;
	return h1 == 0xe96d && (h2 >> 12 == LR || (h2 >> 8 & 15) == LR);
}

static bool leaves_thumb(u32 h1, u32 h2)
{
	if ((h1 & 0xff87) == 0x4700 || (h1 & 0xff00) == 0xbd00 || (h1 & 0xf800) == 0xe000 ||
	    (h1 & 0xff87) == 0x4687 || (h1 & 0xfff0) == 0xe8d0)
		return true;
	if (h1 == 0xe8bd)
		return h2 & 0x8000;
	if ((h1 & 0xff70) == 0xf850)
		return h2 >> 12 == PC;
	return (h1 & 0xf800) == 0xf000 && (h2 & 0xd000) == 0x9000;
}

static bool fetch(u32 pc, bool thumb, struct a32_insn *i)
{
	u32 w, h2 = 0, err = 0;

	if (thumb) {
		a32_load16(pc, &w, &err);
		a32_load16(pc + 2, &h2, &err);
		a32_insn_thumb(pc, w, h2, i);
	} else {
		a32_load32(pc, &w, &err);
		a32_insn_arm(pc, w, i);
	}
	return !err;
}

/* Is the frame register set from sp, or in APCS from ip, by what follows? */
static bool sets_frame(u32 pc, bool thumb, u32 abi)
{
	u32 reg = a32_frame_reg_number(a32_abi_rule(abi)->cfa_reg), n;
	struct a32_insn i;

	for (n = 0; n < PROLOGUE_INSNS && fetch(pc, thumb, &i); n++) {
		if (i.op == OP_ADD && i.rd == reg && (i.rn == SP || i.rn == IP))
			return true;
		if (i.op == OP_MOV && i.rd == reg && i.rm == SP)
			return true;
		if (i.op == OP_BRANCH || i.op == OP_CALL)
			return false;
		pc += i.len;
	}
	return false;
}

enum a32_prologue a32_prologue_before(u32 pc, bool thumb, u32 abi, u32 *left)
{
	u32 size = thumb ? 2 : 4, n, w = 0, behind = 0, err = 0;
	u32 max = *left < A32_PROLOGUE_WINDOW / A32_PROLOGUE_COST ?
		  *left * A32_PROLOGUE_COST : A32_PROLOGUE_WINDOW;
	enum a32_prologue found = PROLOGUE_RECORD, result = PROLOGUE_NONE;

	for (n = 0; n < max && !err; n++) {
		pc -= size;
		behind = w;
		if (thumb)
			a32_load16(pc, &w, &err);
		else
			a32_load32(pc, &w, &err);
		if (thumb ? leaves_thumb(w, behind) : leaves_arm(w))
			found = PROLOGUE_LIKELY;
		if (thumb ? saves_lr_thumb(w, behind) : saves_lr_arm(w)) {
			result = sets_frame(pc, thumb, abi) ? found : PROLOGUE_OTHER;
			break;
		}
	}
	*left -= n / A32_PROLOGUE_COST;
	return result;
}

bool a32_prologue_at(u32 pc, bool thumb, u32 abi)
{
	struct a32_insn i;
	u32 n;

	for (n = 0; n < PROLOGUE_INSNS && fetch(pc, thumb, &i); n++) {
		if (i.op == OP_STORE && i.list & 1 << LR)
			return sets_frame(pc, thumb, abi);
		if (i.op == OP_CALL || i.op == OP_DEAD || (i.op == OP_BRANCH && i.cond == COND_ALWAYS))
			return false;
		pc += i.len;
	}
	return false;
}
