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
