// SPDX-License-Identifier: GPL-2.0
#include "callee.h"
#include "torn.h"

enum {
	CALLEE_SAVED	= 4,		/* r4 and those behind it, */
	CALLEE_SAVED_NR	= 8,		/* up to r11 */
};

#define PSR_DECIDES	(0xf0000000 | PSR_IT | PSR_THUMB)	/* what code goes by */

static bool is_same_pc(u32 a, u32 b)
{
	return !((a ^ b) & ~1);
}

/* A function of its own: room for all registers costs where it is not used, too. */
static noinline bool can_be_read(u32 at, enum a32_trampoline kind)
{
	u32 saved[16], cpsr;

	return a32_sigframe_load(at, kind, saved, &cpsr);
}

/* @frame: what is at sp */
static bool is_at_delivery(const u32 *r, enum a32_trampoline frame)
{
	return is_same_pc(a32_sigframe_saved(r[SP], frame, PC), r[PC]) &&
	       can_be_read(r[SP], frame);
}

bool a32_torn_at_delivery(const u32 *r)
{
	enum a32_trampoline frame = a32_sigframe_kind(r[SP]);

	return frame != TRAMPOLINE_NONE && a32_in_kernel() && is_at_delivery(r, frame);
}

/*
 * cpsr is written behind pc. Of a Thumb handler, bit 0 of pc tells. What may be an
 * ARM handler, with the interrupted code's cpsr, may be Thumb code as well.
 */
static noinline bool may_be_arm_handler(const u32 *r, u32 cpsr, enum a32_trampoline frame)
{
	u32 saved[16], interrupted;

	return cpsr & PSR_THUMB && !(r[PC] & 3) &&
	       a32_sigframe_load(r[SP], frame, saved, &interrupted) && interrupted == cpsr;
}

/* Is there the frame that a handler has returned by, to what is in these registers? */
static bool has_returned_by(u32 at, enum a32_trampoline kind, const u32 *r, u32 *saved,
			    u32 *cpsr)
{
	return a32_sigframe_load(at, kind, saved, cpsr) && saved[SP] == r[SP] &&
	       !memcmp(&saved[CALLEE_SAVED], &r[CALLEE_SAVED], CALLEE_SAVED_NR * sizeof(*r));
}

/* Likewise: below sp, or at the end of the alternate stack */
static bool has_returned(enum a32_trampoline kind, const u32 *r, u32 *saved, u32 *cpsr)
{
	u32 alternate = a32_alternate_stack();

	if (has_returned_by(a32_sigframe_at(r[SP], kind), kind, r, saved, cpsr))
		return true;
	return alternate &&
	       has_returned_by(a32_sigframe_at(alternate, kind), kind, r, saved, cpsr);
}

/*
 * restore_sigframe() writes all registers up to r12, then sp, lr, pc and cpsr. The
 * frame is still there, unless the handler has changed sp in it.
 */
static noinline bool is_half_restored(const u32 *r, u32 cpsr, enum a32_trampoline at,
				      enum a32_trampoline kind)
{
	u32 saved[16], restored;

	if (!has_returned(kind, r, saved, &restored))
		return at == TRAMPOLINE_NONE && a32_in_syscall(r);
	if (at != TRAMPOLINE_NONE)
		return true;
	if (!is_same_pc(saved[PC], r[PC]) || saved[LR] != r[LR])
		return a32_in_syscall(r);
	return (restored ^ cpsr) & PSR_DECIDES;
}

bool a32_torn(const u32 *r, u32 cpsr, enum a32_trampoline kind)
{
	enum a32_trampoline frame, returned;

	if (!a32_in_kernel())
		return false;
	frame = a32_sigframe_kind(r[SP]);
	if (unlikely(frame != TRAMPOLINE_NONE) &&
	    (is_at_delivery(r, frame) ||
	     (kind == TRAMPOLINE_NONE && may_be_arm_handler(r, cpsr, frame))))
		return true;
	returned = a32_trampoline_by_number(a32_last_syscall());
	if (unlikely(returned != TRAMPOLINE_NONE) && is_half_restored(r, cpsr, kind, returned))
		return true;
	/* r7 isn't the system call's number any more, but pc is still behind it. */
	return kind == TRAMPOLINE_NONE && a32_trampoline_ends_at(r[PC] & ~1, cpsr & PSR_THUMB);
}
