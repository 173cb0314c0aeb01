/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Torn registers: the kernel writes a thread's registers one by one when it sets up
 * a signal handler, and when that returns. A sample in between has some from before
 * and some from after.
 */
#ifndef A32_CORE_TORN_H
#define A32_CORE_TORN_H

#include "sigframe.h"

/**
 * a32_torn_at_delivery() - has a handler its stack, but not its pc?
 * @r: the sampled registers
 *
 * setup_return() in arch/arm/kernel/signal.c writes r0 and sp, then lr, pc and cpsr.
 * The signal frame at sp is complete by then, and tells which pc is the old one.
 *
 * Context: within a32_user_begin() and a32_user_end().
 */
bool a32_torn_at_delivery(const u32 *r);

/**
 * a32_torn() - may sampled registers be torn?
 * @r: the registers
 * @cpsr: of them
 * @kind: the trampoline that they are in
 *
 * Context: within a32_user_begin() and a32_user_end().
 */
bool a32_torn(const u32 *r, u32 cpsr, enum a32_trampoline kind);

#endif
