/* SPDX-License-Identifier: GPL-2.0 */
/* The hook of perf_callchain_user(): where a sample becomes a walk. */
#ifndef A32_HOOK_H
#define A32_HOOK_H

#include <linux/types.h>
#include "../uapi/a32uwind.h"

/* false: the kernel's own walker serves all samples */
extern bool a32_hook_enabled;

/**
 * a32_hook_init() - begin to serve samples
 * @hook: A32_HOOK_FTRACE or A32_HOOK_KPROBE
 *
 * Return: 0, or -EOPNOTSUPP or another error when the kernel can't do it
 */
int a32_hook_init(unsigned int hook);

/**
 * a32_hook_exit() - end it
 *
 * No walk is under way any more afterwards, on any CPU.
 */
void a32_hook_exit(void);

/* Samples that a kprobe had to leave to the kernel's walker */
unsigned long a32_hook_missed(void);

void a32_hook_stats(struct a32_stats *stats);
void a32_hook_reset_stats(void);

#endif
