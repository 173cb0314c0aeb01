// SPDX-License-Identifier: GPL-2.0
#include "callee.h"
#include "uretprobe.h"

enum {
	ARGUMENTS_MAX	= 20,	/* pushed above a record: see a32_abi_rule() */
};

bool a32_uretprobe_is_page(const struct a32_walk *w, u32 pc)
{
	struct a32_span span;

	return a32_space_span(w->space, pc, &span) && span.code->special == SPECIAL_UPROBES;
}

/*
 * A probe belongs to the call that began with sp at its stack. All calls that
 * were probed later on that stack began below, or have taken its place (tail
 * calls), so the latest one at the place is the right one. Those that longjmp()
 * has left behind are still in the list: ARM's arch_uretprobe_is_alive() drops
 * none. So the order says nothing, and the kernel's own word for the return
 * address of a tail call, which goes by the order, isn't taken.
 */
static bool find(struct a32_walk *w, u32 stack, u32 above, u32 *ra)
{
	u32 nr = a32_uretprobes(w->returns, A32_RETURNS), i;

	for (i = 0; i < nr; i++) {
		const struct a32_return *r = &w->returns[i];

		if (r->is_tail || r->stack - stack > above)
			continue;
		*ra = r->ra;
		return true;
	}
	return false;
}

/*
 * prepare_uretprobe() puts the trampoline into lr before the call is in the
 * list. The function has not run then, and pc is at its breakpoint.
 */
static bool is_being_prepared(struct a32_walk *w)
{
	u32 pc = a32_frame_at(w, 0)->pc;

	return w->depth == 1 && !(pc & 1) && a32_uprobe_at(pc);
}

bool a32_uretprobe_undo(struct a32_walk *w)
{
	struct a32_frame *frame = a32_frame_at(w, w->depth);
	u32 above = frame->proven & 1 << FRAME_SP ? 0 : ARGUMENTS_MAX, ra;

	if (is_being_prepared(w) || !find(w, frame->r[FRAME_SP], above, &ra) || ra == frame->pc)
		return false;
	frame->pc = ra;
	return true;
}

bool a32_uretprobe_undo_top(struct a32_walk *w)
{
	u32 ra;

	if (!find(w, w->r[SP], 0, &ra) || ra == w->r[PC])
		return false;
	if (w->r != w->interrupted)
		memcpy(w->interrupted, w->r, sizeof(w->interrupted));
	w->interrupted[PC] = ra & ~1;
	w->cpsr = ra & 1 ? w->cpsr | PSR_THUMB : w->cpsr & ~PSR_THUMB;
	w->r = w->interrupted;
	return true;
}
