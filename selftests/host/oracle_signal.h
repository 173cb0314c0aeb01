/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_ORACLE_SIGNAL_H
#define A32_ORACLE_SIGNAL_H

#include <unicorn/unicorn.h>
#include "oracle_shadow.h"

/**
 * oracle_signal_deliver() - do what the kernel does to deliver a signal
 * @uc: the machine
 * @p: the program; its handler is called, and returns to its restorer
 * @r: r0 to r15 of the interrupted code
 * @cpsr: its cpsr
 * @shadow: gets the interrupted pc, and the restorer
 *
 * Return: where it goes on, bit 0 set in Thumb
 */
u32 oracle_signal_deliver(struct uc_struct *uc, const struct oracle_program *p, const u32 *r,
			  u32 cpsr, struct oracle_shadow *shadow);

/* Do what the kernel does at sigreturn() and rt_sigreturn(). Returns the same. */
u32 oracle_signal_return(struct uc_struct *uc, struct oracle_shadow *shadow);

/* Unicorn's names of r0 to r14 */
extern const int oracle_general[15];

/* Let the program use floating point. */
void oracle_signal_enable_vfp(struct uc_struct *uc);

#endif
