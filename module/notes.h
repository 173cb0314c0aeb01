/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks in mmap(), mprotect(), munmap(), mremap(), exec and fork note that a
 * range of addresses has changed. The note is acted on when the thread returns
 * to user mode, before it can run what it mapped: there the mmap_lock and
 * memory may be taken.
 */
#ifndef A32_NOTES_H
#define A32_NOTES_H

#include <linux/ptrace.h>
#include "maps.h"

/*
 * The hooks: at the entry of perf_event_mmap(vma), uprobe_mmap(vma) and
 * mremap_userfaultfd_prep(vma, ...); userfaultfd_unmap_prep(..., start, end,
 * ...); and perf_event_fork(task).
 */
void a32_notes_on_map(struct pt_regs *regs);
void a32_notes_on_unmap(struct pt_regs *regs);
void a32_notes_on_fork(struct pt_regs *regs);

/**
 * a32_notes_heal() - have the current process indexed anew
 * @am: its index, or NULL when it has none
 *
 * For a walk that found a pc in no mapping. It happens before the thread runs
 * in user mode again.
 *
 * Context: any, under RCU.
 */
void a32_notes_heal(struct a32_mm *am);

/* Wait for the last note to be acted on. The hooks are gone, and all walks. */
void a32_notes_wait(void);

#endif
