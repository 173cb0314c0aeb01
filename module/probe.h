/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls at the entry of kernel functions: by ftrace with saved registers, or
 * by kprobes where the kernel has no such ftrace.
 */
#ifndef A32_PROBE_H
#define A32_PROBE_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>

#define A32_PROBES_MAX	8

/**
 * typedef a32_probe_fn - called at a function's entry
 * @regs: its registers; r0 to r3 are its arguments, and may be changed
 *
 * Context: the function's own. Not traced.
 */
typedef void a32_probe_fn(struct pt_regs *regs);

/**
 * struct a32_probe - a function to be called at
 * @name: the function's symbol
 * @fn: what to call
 * @optional: the kernel may lack it, or not let it be probed
 * @kprobe: private
 * @ip: private; where ftrace comes from, once seen
 */
struct a32_probe {
	const char *name;
	a32_probe_fn *fn;
	bool optional;
	struct kprobe kprobe;
	unsigned long ip;
};

/**
 * struct a32_probes - functions that are probed together
 * @probe: them; the one that is called most comes first
 * @nr: how many; A32_PROBES_MAX at most
 * @hook: how: A32_HOOK_FTRACE or A32_HOOK_KPROBE
 * @ops: private
 */
struct a32_probes {
	struct a32_probe *probe;
	unsigned int nr;
	unsigned int hook;
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	struct ftrace_ops ops;
#endif
};

/**
 * a32_probes_register() - begin to be called
 * @probes: the functions; @hook is set
 *
 * Return: 0; -EOPNOTSUPP when the kernel has no such hook, or none that is safe;
 *	what the kernel says of a function that is not optional. Nothing is
 *	registered then.
 */
int a32_probes_register(struct a32_probes *probes);

/**
 * a32_probes_unregister() - end it
 * @probes: the functions
 *
 * None of them runs any more afterwards, on any CPU.
 */
void a32_probes_unregister(struct a32_probes *probes);

/* Calls of the first function that a kprobe had to skip */
unsigned long a32_probes_missed(const struct a32_probes *probes);

#endif
