/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's helpers for user space, at the top of the address space
 * (Documentation/arch/arm/kernel_user_helpers.rst). They are in no mapping of
 * a process, and above what counts as user memory.
 */
#ifndef A32_CORE_KUSER_H
#define A32_CORE_KUSER_H

#include "map.h"

enum { A32_KUSER_SIZE = 0xa0 };

static inline bool a32_kuser_has(u32 pc)
{
	return pc - A32_KUSER_START < A32_KUSER_SIZE;
}

/**
 * a32_kuser_span() - what holds at a pc in the helpers
 * @pc: the pc, bit 0 clear
 * @code: what they are to be counted as
 * @span: the result
 *
 * They make no records and no calls, so that their code decides whatever ABI
 * is given for it.
 *
 * Return: false for any other pc
 */
static inline bool a32_kuser_span(u32 pc, struct a32_code *code, struct a32_span *span)
{
	if (!a32_kuser_has(pc))
		return false;
	*span = (struct a32_span){
		.start = A32_KUSER_START, .size = A32_KUSER_SIZE, .abi = A32_ABI_AAPCS,
		.kind = A32_RULE_SPECIAL, .changes = 1, .code = code,
	};
	return true;
}

#endif
