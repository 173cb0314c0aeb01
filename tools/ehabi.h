/* SPDX-License-Identifier: GPL-2.0 */
/* What the unwind instructions of .ARM.exidx and .ARM.extab say. */
#ifndef A32_EHABI_H
#define A32_EHABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "a32table.h"

/**
 * ehabi_rule() - the rule that some unwind instructions come to
 * @code: they, "finish" may be left out
 * @size: bytes
 * @rule: the result
 *
 * They describe a frame behind the function's prologue, before its epilogue:
 * what a call there leaves to be unwound.
 *
 * Source: Exception Handling ABI for the Arm Architecture, IHI 0038, section
 * "Stack unwinding".
 *
 * Return: false when they refuse to unwind, are malformed, or say more than a
 *	rule can
 */
bool ehabi_rule(const uint8_t *code, size_t size, struct a32_table_rule *rule);

#endif
