// SPDX-License-Identifier: GPL-2.0
#include "call.h"

bool a32_follows_mov_lr_pc(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc - 4, &w, &err);
	return !err && (w & 0x0fffffff) == 0x01a0e00f;
}

enum a32_stop a32_check_call(u32 pc, bool thumb, enum a32_trampoline *kind)
{
	u32 h1, before, behind, err = 0, end = 0;
	bool call;

	if (thumb) {
		a32_load16(pc - 4, &h1, &err);
		a32_load16(pc - 2, &before, &err);
		a32_load16(pc, &behind, &end);
		call = a32_is_thumb_call(h1, before);
	} else {
		a32_load32(pc - 4, &before, &err);
		a32_load32(pc, &behind, &end);
		call = a32_is_arm_call(before) || a32_follows_mov_lr_pc(pc - 4);
	}
	if (likely(call && !err && !a32_like_trampoline(behind, thumb)))
		return A32_STOP_NR;
	/* Each load where nothing is costs a fault. */
	if (err && end)
		return A32_STOP_CODE_FAULT;
	*kind = a32_trampoline(pc, thumb);
	if (*kind != TRAMPOLINE_NONE || (call && !err))
		return A32_STOP_NR;
	return err ? A32_STOP_CODE_FAULT : A32_STOP_NOT_A_CALL;
}

u32 a32_call_target(u32 ra)
{
	struct a32_insn i;
	u32 w, h2, err = 0;

	if (ra & 1) {
		a32_load16((ra & ~1) - 4, &w, &err);
		a32_load16((ra & ~1) - 2, &h2, &err);
		a32_insn_thumb((ra & ~1) - 4, w, h2, &i);
	} else {
		a32_load32(ra - 4, &w, &err);
		a32_insn_arm(ra - 4, w, &i);
	}
	return !err && i.op == OP_CALL ? i.target : 0;
}

u32 a32_call_register(u32 ra)
{
	u32 w, err = 0;

	if (ra & 1) {
		a32_load16((ra & ~1) - 2, &w, &err);
		return !err && (w & 0xff87) == 0x4780 ? w >> 3 & 15 : PC;
	}
	a32_load32(ra - 4, &w, &err);
	return !err && (w & 0x0ffffff0) == 0x012fff30 ? w & 15 : PC;
}

/*
 * Until the VFP is switched on for a thread, its instructions trap, and while
 * that is seen to pc is already behind the one that has not run yet
 * (arch/arm/kernel/entry-armv.S, __und_usr). Only those that move sp matter,
 * and a pc in the middle of one. A uprobe's breakpoint traps in the same way,
 * and there is no telling what the probed instruction does.
 */
bool a32_follows_trap(u32 pc, bool thumb)
{
	u32 w, h, err = 0;

	if (thumb) {
		a32_load16(pc - 2, &h, &err);
		a32_load16(pc - 4, &w, &err);
		if (a32_thumb_is_wide(w))
			return (w & 0xffbf) == 0xed2d || (w & 0xffbf) == 0xecbd;
		return (h & 0xec00) == 0xec00;
	}
	a32_load32(pc - 4, &w, &err);
	if (a32_insn_is_uprobe(w))
		return true;
	return (w & 0x0fbf0e00) == 0x0d2d0a00 || (w & 0x0fbf0e00) == 0x0cbd0a00;
}
