// SPDX-License-Identifier: GPL-2.0
#include "sigframe.h"

/* arch/arm/include/uapi/asm/unistd.h, the same numbers in EABI and OABI */
enum { NR_SIGRETURN = 119, NR_RT_SIGRETURN = 173 };

/*
 * arch/arm/kernel/signal.h and include/uapi/asm/{ucontext,sigcontext}.h:
 * struct sigframe is a ucontext, struct rt_sigframe is a siginfo of 128 bytes
 * and then the same. The sigcontext follows uc_flags, uc_link and uc_stack.
 */
enum {
	SIGINFO_SIZE		= 128,
	UC_MCONTEXT		= 20,
	MC_R0			= 12,
	MC_CPSR			= 76,
	FRAME_SIZE		= 760,
};

enum a32_trampoline a32_trampoline_by_number(u32 nr)
{
	if (nr == NR_SIGRETURN)
		return TRAMPOLINE_PLAIN;
	return nr == NR_RT_SIGRETURN ? TRAMPOLINE_RT : TRAMPOLINE_NONE;
}

static enum a32_trampoline arm(u32 pc)
{
	enum a32_trampoline kind;
	u32 w1, w2, err = 0;

	a32_load32(pc, &w1, &err);
	if (err)
		return TRAMPOLINE_NONE;
	if ((w1 & 0xffffff00) == 0xef900000)		/* svc 0x900000 + N */
		return a32_trampoline_by_number(w1 & 0xff);
	if ((w1 & 0xffffff00) != 0xe3a07000)		/* mov r7, #N */
		return TRAMPOLINE_NONE;
	a32_load32(pc + 4, &w2, &err);
	kind = a32_trampoline_by_number(w1 & 0xff);
	if (err || (w2 != 0xef000000 && w2 != (0xef900000 | (w1 & 0xff))))
		return TRAMPOLINE_NONE;
	return kind;
}

static enum a32_trampoline thumb(u32 pc)
{
	u32 h[3], err = 0;

	a32_load16(pc, &h[0], &err);
	a32_load16(pc + 2, &h[1], &err);
	if (err)
		return TRAMPOLINE_NONE;
	if (h[1] == 0xdf00 && (h[0] & 0xff00) == 0x2700)	/* movs r7, #N; svc 0 */
		return a32_trampoline_by_number(h[0] & 0xff);
	if (h[0] != 0xf04f || (h[1] & 0xff00) != 0x0700)	/* mov.w r7, #N */
		return TRAMPOLINE_NONE;
	a32_load16(pc + 4, &h[2], &err);
	return !err && h[2] == 0xdf00 ? a32_trampoline_by_number(h[1] & 0xff) : TRAMPOLINE_NONE;
}

enum a32_trampoline a32_trampoline(u32 pc, bool is_thumb)
{
	return is_thumb ? thumb(pc) : arm(pc);
}

/* OABI's svc has the number itself; r7 may have anything. */
static enum a32_trampoline behind_oabi(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc - 4, &w, &err);
	if (err || (w & 0xffffff00) != 0xef900000)
		return TRAMPOLINE_NONE;
	return a32_trampoline_by_number(w & 0xff);
}

/*
 * It is 4 + 4 bytes, in Thumb 4 + 2 or 2 + 2, and 4 in OABI. Behind the first
 * instruction r7 has the number. Behind the last one may be the first of
 * another trampoline.
 */
enum a32_trampoline a32_trampoline_around(u32 pc, bool is_thumb, u32 r7)
{
	enum a32_trampoline kind = a32_trampoline_by_number(r7);
	u32 size = is_thumb ? 2 : 4, back;

	if (!is_thumb && behind_oabi(pc) != TRAMPOLINE_NONE)
		return behind_oabi(pc);
	for (back = size; kind != TRAMPOLINE_NONE && back <= (is_thumb ? 6 : 8); back += size) {
		if (a32_trampoline(pc - back, is_thumb) == kind)
			return kind;
	}
	return a32_trampoline(pc, is_thumb);
}

bool a32_trampoline_ends_at(u32 pc, bool is_thumb)
{
	u32 insn, err = 0;

	if (is_thumb) {
		a32_load16(pc - 2, &insn, &err);
		return !err && insn == 0xdf00 && (thumb(pc - 4) || thumb(pc - 6));
	}
	a32_load32(pc - 4, &insn, &err);
	return !err && insn >> 24 == 0xef && (arm(pc - 8) || behind_oabi(pc));
}

static bool is_plain(u32 sp)
{
	u32 flags, err = 0;

	a32_load32(sp, &flags, &err);
	return !err && flags == SIGFRAME_MAGIC;
}

/* siginfo begins with the signal's number, which no magic could be. */
static bool is_rt(u32 sp)
{
	u32 signo, flags, err = 0;

	a32_load32(sp, &signo, &err);
	a32_load32(sp + SIGINFO_SIZE, &flags, &err);
	return !err && signo - 1 < SIGFRAME_SIGNALS && flags == 0;
}

enum a32_trampoline a32_sigframe_kind(u32 sp)
{
	if (sp & 7)
		return TRAMPOLINE_NONE;
	if (is_plain(sp))
		return TRAMPOLINE_PLAIN;
	return is_rt(sp) ? TRAMPOLINE_RT : TRAMPOLINE_NONE;
}

bool a32_sigframe_load(u32 sp, enum a32_trampoline kind, u32 r[16], u32 *cpsr)
{
	u32 uc = kind == TRAMPOLINE_RT ? sp + SIGINFO_SIZE : sp, err = 0, i;

	/* get_sigframe() aligns it to 8 bytes. */
	if (kind == TRAMPOLINE_NONE || a32_sigframe_kind(sp) != kind)
		return false;
	for (i = 0; i < 16; i++)
		a32_load32(uc + UC_MCONTEXT + MC_R0 + 4 * i, &r[i], &err);
	a32_load32(uc + UC_MCONTEXT + MC_CPSR, cpsr, &err);
	return !err;
}

u32 a32_sigframe_at(u32 top, enum a32_trampoline kind)
{
	return (top - FRAME_SIZE - (kind == TRAMPOLINE_RT ? SIGINFO_SIZE : 0)) & ~7;
}
