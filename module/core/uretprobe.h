/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return probes: a uretprobe makes its function return to a trampoline of the
 * kernel's, which knows where the function has really been called from. For
 * walk.c only.
 */
#ifndef A32_CORE_URETPROBE_H
#define A32_CORE_URETPROBE_H

#include "walk.h"

#define A32_PAGE	4096

/* Is a page's first word where probed functions return to? */
bool a32_uretprobe_is_page(const struct a32_walk *w, u32 pc);

/**
 * a32_uretprobe_is_trampoline() - is it where probed functions return to?
 * @w: the walk
 * @pc: an address
 *
 * It is the first word of the mapping [uprobes], in ARM code
 * (kernel/events/uprobes.c, __create_xol_area() and get_trampoline_vaddr()).
 */
static inline bool a32_uretprobe_is_trampoline(const struct a32_walk *w, u32 pc)
{
	return unlikely(!(pc % A32_PAGE)) && a32_uretprobe_is_page(w, pc);
}

/**
 * a32_uretprobe_undo() - give the frame at w->depth its true return address
 * @w: the walk; that frame's pc is the trampoline, its sp the CFA of the
 *	function that was probed
 *
 * Return: false when it isn't known; nothing has changed then
 */
bool a32_uretprobe_undo(struct a32_walk *w);

/**
 * a32_uretprobe_undo_top() - make a walk begin behind the trampoline
 * @w: the walk; the pc of its registers is the trampoline
 *
 * The function has returned, and its caller's registers are all there.
 *
 * Return: false when it isn't known where to; nothing has changed then
 */
bool a32_uretprobe_undo_top(struct a32_walk *w);

#endif
