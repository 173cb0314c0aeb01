/* SPDX-License-Identifier: GPL-2.0 */
/* What stands before a return address. */
#ifndef A32_CORE_CALL_H
#define A32_CORE_CALL_H

#include "sigframe.h"
#include "../../uapi/a32uwind.h"

/**
 * a32_check_call() - is there a call right before a return address?
 * @pc: the return address, bit 0 clear
 * @thumb: its instruction set
 * @kind: set when it is a signal trampoline, else left alone. One needs no
 *	call before it, and is one even behind a call that does not return.
 *
 * Context: within a32_user_begin() and a32_user_end().
 * Return: A32_STOP_NR for yes, A32_STOP_NOT_A_CALL or A32_STOP_CODE_FAULT
 */
enum a32_stop a32_check_call(u32 pc, bool thumb, enum a32_trampoline *kind);

/* BL, BLX to Thumb and BLX to a register */
static inline bool a32_is_arm_call(u32 w)
{
	return (w & 0x0f000000) == 0x0b000000 || (w & 0xfe000000) == 0xfa000000 ||
	       (w & 0x0ffffff0) == 0x012fff30;
}

/* BL, BLX to ARM code and BLX to a register, by the two halfwords before */
static inline bool a32_is_thumb_call(u32 h1, u32 h2)
{
	return ((h1 & 0xf800) == 0xf000 && (h2 & 0xc000) == 0xc000) || (h2 & 0xff87) == 0x4780;
}

/* Could a trampoline, "mov r7, #N", begin with this? A cheap first look. */
static inline bool a32_like_trampoline(u32 behind, bool thumb)
{
	if (thumb)
		return behind == 0xf04f || (behind & 0xff00) == 0x2700;
	return behind >> 24 == 0xe3 && (behind & 0xfffff000) == 0xe3a07000;
}

/**
 * a32_call_is_plain() - is there a call for sure, and no trampoline?
 * @ra: the return address; bit 0 set in Thumb
 *
 * A cheaper form of a32_check_call() that says yes of nearly all calls. What
 * can't be read is 0, and no call.
 *
 * Context: within a32_user_begin() and a32_user_end().
 */
static __always_inline bool a32_call_is_plain(u32 ra)
{
	u32 h1, before, behind, err = 0;

	if (ra & 1) {
		a32_load16(ra - 5, &h1, &err);
		a32_load16(ra - 3, &before, &err);
		a32_load16(ra - 1, &behind, &err);
		return a32_is_thumb_call(h1, before) && !a32_like_trampoline(behind, true);
	}
	if (ra & 2)
		return false;
	a32_load32_pair(ra - 4, 0, &before, 4, &behind);
	return a32_is_arm_call(before) && !a32_like_trampoline(behind, false);
}

/**
 * a32_follows_mov_lr_pc() - is a jump in ARM code a call?
 * @pc: its address
 *
 * "mov lr, pc" before it is how ARMv4 calls through a register, and how clang
 * calls what doesn't return, with "b", for some cores.
 */
bool a32_follows_mov_lr_pc(u32 pc);

/**
 * a32_follows_trap() - may a sample at an address be from before it?
 * @pc: the address, bit 0 clear
 * @thumb: its instruction set
 *
 * What stands before may have trapped, and not have run yet: a VFP instruction
 * that moves sp, or a uprobe's breakpoint.
 */
bool a32_follows_trap(u32 pc, bool thumb);

/**
 * a32_call_target() - where does the call before a return address go?
 * @ra: the return address; bit 0 set in Thumb
 *
 * Return: the target, bit 0 set in Thumb; 0 for a call through a register
 */
u32 a32_call_target(u32 ra);

/**
 * a32_call_register() - does the call before a return address go where a
 *	register says?
 * @ra: the return address; bit 0 set in Thumb
 *
 * Return: its number, PC for none: blx alone tells
 */
u32 a32_call_register(u32 ra);

#endif
