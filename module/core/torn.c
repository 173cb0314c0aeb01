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

bool a32_torn_at_delivery(const u32 *r)
{
	u32 saved[16], cpsr;

	return a32_in_kernel() &&
	       a32_sigframe_load(r[SP], a32_sigframe_kind(r[SP]), saved, &cpsr) &&
	       is_same_pc(saved[PC], r[PC]);
}

/*
 * cpsr is written behind pc. Of a Thumb handler, bit 0 of pc tells. What may be an
 * ARM handler, with the interrupted code's cpsr, may be Thumb code as well.
 */
static bool may_be_arm_handler(const u32 *r, u32 cpsr)
{
	u32 saved[16], interrupted;

	return cpsr & PSR_THUMB && !(r[PC] & 3) &&
	       a32_sigframe_load(r[SP], a32_sigframe_kind(r[SP]), saved, &interrupted) &&
	       interrupted == cpsr;
}

/* Is there the frame that a handler has returned by, to what is in these registers? */
static bool has_returned_by(u32 at, enum a32_trampoline kind, const u32 *r, u32 *saved,
			    u32 *cpsr)
{
	return a32_sigframe_load(at, kind, saved, cpsr) && saved[SP] == r[SP] &&
	       !memcmp(&saved[CALLEE_SAVED], &r[CALLEE_SAVED], CALLEE_SAVED_NR * sizeof(*r));
}

/*
 * restore_sigframe() writes all registers up to r12, then sp, lr, pc and cpsr. The
 * frame is below sp, or at the end of the alternate stack, unless the handler has
 * changed sp in it.
 */
static bool is_half_restored(const u32 *r, u32 cpsr, enum a32_trampoline at)
{
	enum a32_trampoline kind = a32_trampoline_by_number(a32_last_syscall());
	u32 saved[16], restored, below, alternate;

	if (kind == TRAMPOLINE_NONE)
		return false;
	below = a32_sigframe_at(r[SP], kind);
	alternate = a32_sigframe_at(a32_alternate_stack(), kind);
	if (!has_returned_by(below, kind, r, saved, &restored) &&
	    !has_returned_by(alternate, kind, r, saved, &restored))
		return at == TRAMPOLINE_NONE && a32_in_syscall(r);
	if (at != TRAMPOLINE_NONE)
		return true;
	if (!is_same_pc(saved[PC], r[PC]) || saved[LR] != r[LR])
		return a32_in_syscall(r);
	return (restored ^ cpsr) & PSR_DECIDES;
}

bool a32_torn(const u32 *r, u32 cpsr, enum a32_trampoline kind)
{
	if (!a32_in_kernel())
		return false;
	if (a32_torn_at_delivery(r) || is_half_restored(r, cpsr, kind))
		return true;
	/* r7 isn't the system call's number any more, but pc is still behind it. */
	return kind == TRAMPOLINE_NONE && (a32_trampoline_ends_at(r[PC] & ~1, cpsr & PSR_THUMB) ||
					   may_be_arm_handler(r, cpsr));
}
