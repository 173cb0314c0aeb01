// SPDX-License-Identifier: GPL-2.0
#include "sigframe.h"

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

/* OABI's svc has the number itself; r7 may have anything. */
static enum a32_trampoline of_oabi(u32 w)
{
	return unlikely((w & 0xffffff00) == 0xef900000) ? a32_trampoline_by_number(w & 0xff) :
							  TRAMPOLINE_NONE;
}

static noinline enum a32_trampoline arm_with_mov(u32 pc, u32 w1)
{
	u32 w2, err = 0;

	a32_load32(pc + 4, &w2, &err);
	if (err || (w2 != 0xef000000 && w2 != (0xef900000 | (w1 & 0xff))))
		return TRAMPOLINE_NONE;
	return a32_trampoline_by_number(w1 & 0xff);
}

static noinline enum a32_trampoline thumb_with_mov(u32 pc, u32 h1)
{
	u32 h2, h3, err = 0;

	a32_load16(pc + 2, &h2, &err);
	if (err)
		return TRAMPOLINE_NONE;
	if (h1 != 0xf04f)
		return h2 == 0xdf00 ? a32_trampoline_by_number(h1 & 0xff) : TRAMPOLINE_NONE;
	a32_load16(pc + 4, &h3, &err);
	return !err && (h2 & 0xff00) == 0x0700 && h3 == 0xdf00 ?
	       a32_trampoline_by_number(h2 & 0xff) : TRAMPOLINE_NONE;
}

/* Hardly any code is one, which the first word tells. What can't be read is 0. */
static __always_inline enum a32_trampoline arm(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc, &w, &err);
	if (unlikely((w & 0xffffff00) == 0xe3a07000))		/* mov r7, #N; svc */
		return arm_with_mov(pc, w);
	return of_oabi(w);
}

static __always_inline enum a32_trampoline thumb(u32 pc)
{
	u32 h, err = 0;

	a32_load16(pc, &h, &err);
	if (likely((h & 0xff00) != 0x2700 && h != 0xf04f))	/* movs, mov.w r7, #N; svc 0 */
		return TRAMPOLINE_NONE;
	return thumb_with_mov(pc, h);
}

enum a32_trampoline a32_trampoline(u32 pc, bool is_thumb)
{
	return is_thumb ? thumb(pc) : arm(pc);
}

/*
 * It is 4 + 4 bytes, in Thumb 4 + 2 or 2 + 2, and 4 in OABI. Behind the first
 * instruction r7 has the number. Behind the last one may be the first of
 * another trampoline.
 */
static noinline bool is_behind_start(u32 pc, bool is_thumb, enum a32_trampoline kind)
{
	u32 size = is_thumb ? 2 : 4, back;

	for (back = size; back <= (is_thumb ? 6 : 8); back += size) {
		if (a32_trampoline(pc - back, is_thumb) == kind)
			return true;
	}
	return false;
}

enum a32_trampoline a32_trampoline_around(u32 pc, bool is_thumb, u32 r7)
{
	enum a32_trampoline kind;
	u32 before, err = 0;

	if (!is_thumb) {
		a32_load32(pc - 4, &before, &err);
		kind = of_oabi(before);
		if (unlikely(kind != TRAMPOLINE_NONE))
			return kind;
	}
	kind = a32_trampoline_by_number(r7);
	if (unlikely(kind != TRAMPOLINE_NONE) && is_behind_start(pc, is_thumb, kind))
		return kind;
	return a32_trampoline(pc, is_thumb);
}

bool a32_trampoline_ends_with(u32 pc, bool is_thumb, u32 svc)
{
	if (is_thumb)
		return thumb(pc - 4) || thumb(pc - 6);
	return arm(pc - 8) || of_oabi(svc);
}

/* What can't be read is 0, which no frame begins with. */
enum a32_trampoline a32_sigframe_kind(u32 sp)
{
	u32 word, flags, err = 0;

	if (sp & 7)
		return TRAMPOLINE_NONE;
	a32_load32(sp, &word, &err);
	if (likely(!a32_sigframe_begins(word)))
		return TRAMPOLINE_NONE;
	if (word == SIGFRAME_MAGIC)
		return TRAMPOLINE_PLAIN;
	/* siginfo begins with the signal's number, which no magic could be. */
	a32_load32(sp + SIGINFO_SIZE, &flags, &err);
	return !err && !flags ? TRAMPOLINE_RT : TRAMPOLINE_NONE;
}

static u32 mcontext_at(u32 sp, enum a32_trampoline kind)
{
	return (kind == TRAMPOLINE_RT ? sp + SIGINFO_SIZE : sp) + UC_MCONTEXT;
}

u32 a32_sigframe_saved(u32 sp, enum a32_trampoline kind, u32 reg)
{
	u32 saved, err = 0;

	a32_load32(mcontext_at(sp, kind) + MC_R0 + 4 * reg, &saved, &err);
	return saved;
}

bool a32_sigframe_load(u32 sp, enum a32_trampoline kind, u32 r[16], u32 *cpsr)
{
	u32 mcontext = mcontext_at(sp, kind), err = 0, i;

	/* get_sigframe() aligns it to 8 bytes. */
	if (kind == TRAMPOLINE_NONE || a32_sigframe_kind(sp) != kind)
		return false;
	for (i = 0; i < 16; i++)
		a32_load32(mcontext + MC_R0 + 4 * i, &r[i], &err);
	a32_load32(mcontext + MC_CPSR, cpsr, &err);
	return !err;
}

u32 a32_sigframe_at(u32 top, enum a32_trampoline kind)
{
	return (top - FRAME_SIZE - (kind == TRAMPOLINE_RT ? SIGINFO_SIZE : 0)) & ~7;
}
