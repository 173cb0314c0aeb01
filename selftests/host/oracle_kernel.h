/* SPDX-License-Identifier: GPL-2.0 */
/* What a program gets from the kernel, beside signals */
#ifndef A32_ORACLE_KERNEL_H
#define A32_ORACLE_KERNEL_H

#include <unicorn/unicorn.h>
#include "oracle_stacks.h"

enum {
	KERNEL_NR_EXIT		= 1,	/* arch/arm/tools/syscall.tbl */
	KERNEL_NR_SIGRETURN	= 119,
	KERNEL_NR_CLONE		= 120,
	KERNEL_NR_RT_SIGRETURN	= 173,
};

/**
 * struct oracle_kernel - the kernel's part of a running program
 * @in_child: the thread that clone() has made runs, and its parent waits for it
 * @parent: the parent's r0 to r14
 */
struct oracle_kernel {
	bool in_child;
	u32 parent[15];
};

/**
 * oracle_kernel_probe() - at a function's entry, take its return address over
 * @uc: the machine
 * @p: the program; if the function is none of its probes, nothing is done
 * @r: r0 to r15; lr becomes the trampoline's
 * @shadow: its last call is the one of that function
 *
 * Probes are on ARM code, and called by it: the kernel doesn't do others.
 */
void oracle_kernel_probe(struct uc_struct *uc, const struct oracle_program *p, u32 *r,
			 struct oracle_shadow *shadow);

/* Map the page of helpers below the top of memory, and the one for uretprobes. */
void oracle_kernel_map(struct uc_struct *uc);

/**
 * oracle_kernel_call() - a system call that is no return from a signal
 * @k: the kernel
 * @uc: the machine; its pc is behind the svc
 * @stacks: a new thread begins on its own
 *
 * Nothing but clone() and exit() does anything. A thread's exit() returns, as
 * its parent: the code behind it has to go on as that.
 */
void oracle_kernel_call(struct oracle_kernel *k, struct uc_struct *uc,
			struct oracle_stacks *stacks);

#endif
