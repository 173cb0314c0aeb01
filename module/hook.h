/* SPDX-License-Identifier: GPL-2.0 */
/* The hook of perf_callchain_user(): where a sample becomes a walk. */
#ifndef A32_HOOK_H
#define A32_HOOK_H

#include <linux/ptrace.h>
#include <linux/types.h>
#include "../uapi/a32uwind.h"

/* false: the kernel's own walker serves all samples. a32_hook_enable() sets it. */
extern bool a32_hook_enabled;

/**
 * a32_hook_enable() - walk chains, or leave all to the kernel's own walker
 * @enabled: which
 *
 * When it returns after false, walks that had begun are over, and counted.
 *
 * Context: process context; may sleep.
 */
void a32_hook_enable(bool enabled);

int a32_hook_init(void);

/* No walk may be under way any more. */
void a32_hook_exit(void);

/**
 * a32_hook_on_callchain() - serve a sample
 * @regs: the registers at the entry of perf_callchain_user()
 *
 * Context: any, with preemption off, from a32_hook_init() on.
 */
void a32_hook_on_callchain(struct pt_regs *regs);

#endif
