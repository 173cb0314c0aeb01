/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signal frames. A handler returns to a trampoline that calls sigreturn or
 * rt_sigreturn with the interrupted registers on the stack.
 */
#ifndef A32_CORE_SIGFRAME_H
#define A32_CORE_SIGFRAME_H

#include "insn.h"

enum a32_trampoline { TRAMPOLINE_NONE, TRAMPOLINE_PLAIN, TRAMPOLINE_RT };

/* arch/arm/include/uapi/asm/unistd.h, the same numbers in EABI and OABI */
enum { NR_SIGRETURN = 119, NR_RT_SIGRETURN = 173 };

enum {
	SIGFRAME_MAGIC		= 0x5ac3c35a,	/* uc_flags of a plain frame */
	SIGFRAME_SIGNALS	= 64,		/* si_signo of an rt frame is 1 to this */
};

/* Which frame does the system call of that number want? */
static inline enum a32_trampoline a32_trampoline_by_number(u32 nr)
{
	if (nr == NR_SIGRETURN)
		return TRAMPOLINE_PLAIN;
	return nr == NR_RT_SIGRETURN ? TRAMPOLINE_RT : TRAMPOLINE_NONE;
}

/**
 * a32_trampoline() - is a return address a signal trampoline?
 * @pc: the return address, bit 0 clear
 * @thumb: the instruction set it returns to
 *
 * Knows "mov r7, #N; svc 0" in ARM, Thumb-2 and Thumb-1, "mov r7, #N; svc N"
 * in ARM (old C libraries) and the OABI "svc 0x900000 + N".
 *
 * Context: within a32_user_begin() and a32_user_end().
 */
enum a32_trampoline a32_trampoline(u32 pc, bool thumb);

/**
 * a32_trampoline_around() - is a pc in a signal trampoline, or right behind it?
 * @pc: the pc, bit 0 clear
 * @thumb: its instruction set
 * @r7: r7 there; the system call's number in all but the first instruction
 *
 * Context: within a32_user_begin() and a32_user_end().
 */
enum a32_trampoline a32_trampoline_around(u32 pc, bool thumb, u32 r7);

/* The rest of a32_trampoline_ends_at(), where @svc is right before */
bool a32_trampoline_ends_with(u32 pc, bool thumb, u32 svc);

/**
 * a32_trampoline_ends_at() - is the end of a signal trampoline right before a pc?
 * @pc: the pc, bit 0 clear
 * @thumb: its instruction set
 *
 * Context: within a32_user_begin() and a32_user_end().
 */
static inline bool a32_trampoline_ends_at(u32 pc, bool thumb)
{
	u32 svc, err = 0;

	if (thumb)
		a32_load16(pc - 2, &svc, &err);
	else
		a32_load32(pc - 4, &svc, &err);
	return unlikely(thumb ? svc == 0xdf00 : svc >> 24 == 0xef) &&
	       a32_trampoline_ends_with(pc, thumb, svc);
}

/**
 * a32_sigframe_at() - where does the kernel put a signal frame?
 * @top: sp of what is interrupted, or the end of the alternate stack
 * @kind: which frame it is
 */
u32 a32_sigframe_at(u32 top, enum a32_trampoline kind);

/* Could a signal frame begin with that word? A first look, before a32_sigframe_kind(). */
static inline bool a32_sigframe_begins(u32 word)
{
	return word - 1 < SIGFRAME_SIGNALS || word == SIGFRAME_MAGIC;
}

/**
 * a32_sigframe_kind() - which signal frame is on the stack?
 * @sp: the stack pointer
 *
 * For a return address that is known to be a trampoline, but can't be read.
 */
enum a32_trampoline a32_sigframe_kind(u32 sp);

/* What a frame of that kind at @sp has saved of a register; 0 if it can't be read */
u32 a32_sigframe_saved(u32 sp, enum a32_trampoline kind, u32 reg);

/**
 * a32_sigframe_load() - read the interrupted registers
 * @sp: the stack pointer at the trampoline
 * @kind: which frame it is
 * @r: r0 to r15 as they were interrupted
 * @cpsr: the interrupted cpsr
 *
 * Context: within a32_user_begin() and a32_user_end().
 * Return: false if there is no such frame at @sp
 */
bool a32_sigframe_load(u32 sp, enum a32_trampoline kind, u32 r[16], u32 *cpsr);

#endif
