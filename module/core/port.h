/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What core/ needs from where it runs. In the kernel, user memory is read
 * with user access opened once for the whole walk (module/uaccess.h); in the
 * host tests it is the emulator's memory.
 */
#ifndef A32_CORE_PORT_H
#define A32_CORE_PORT_H

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include <linux/types.h>
#include "../uaccess.h"

/* The index, also where the check that it is below @size is only foreseen */
#define a32_index_nospec(index, size) array_index_nospec(index, size)
#else
#include "../../selftests/host/port.h"
#endif

/**
 * a32_uprobe_insn() - what stands where a breakpoint of uprobes is
 * @pc: its address
 * @w: the instruction (ARM)
 *
 * It is known while the probe at the current thread's pc is being handled.
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 */
bool a32_uprobe_insn(u32 pc, u32 *w);

/**
 * struct a32_return - a call that a uretprobe waits for the end of
 * @stack: sp when it began
 * @ra: the return address that it was given; bit 0 set in Thumb
 * @is_tail: it was a tail call out of a probed function, so that @ra was the
 *	trampoline, and here is what the kernel takes the true one for
 */
struct a32_return {
	u32 stack;
	u32 ra;
	bool is_tail;
};

/**
 * a32_uretprobes() - list those calls of the current thread
 * @list: the result, the latest one first
 * @room: entries that fit
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 * Return: how many; 0, too, when it can't be told
 */
u32 a32_uretprobes(struct a32_return *list, u32 room);

struct a32_code;

/**
 * a32_want_table() - a chain ends for want of an unwind table
 * @code: where; it follows no ABI
 *
 * Not for each chain: an address that is known to have no ABI has been here.
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 */
void a32_want_table(struct a32_code *code);

#endif
