/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes of a struct a32_rules. Its readers are walks: whoever changes it
 * makes another one, publishes that, and frees the old one.
 */
#ifndef A32_RULES_H
#define A32_RULES_H

#include "core/map.h"

/**
 * a32_rules_copy() - copy some of the first rules
 * @rules: the rules
 * @nr: how many
 *
 * Return: the copy, with room for one more; NULL without memory
 */
struct a32_rules *a32_rules_copy(const struct a32_rules *rules, u32 nr);

/**
 * a32_rules_free() - free rules after a grace period
 * @rules: what a32_rules_copy() gave, or NULL
 */
void a32_rules_free(const struct a32_rules *rules);

/**
 * a32_rules_with() - copy rules, with one more
 * @old: the rules, or NULL
 * @rule: the rule; one with the same bounds gets its ABI
 * @most: how many there may be
 *
 * Return: the copy, or an ERR_PTR() of -EEXIST, -ENOSPC or -ENOMEM
 */
struct a32_rules *a32_rules_with(const struct a32_rules *old, struct a32_abi_rule rule, u32 most);

/**
 * a32_rules_without() - copy rules, but for one
 * @old: the rules, or NULL
 * @start: where the one starts
 * @end: and ends
 *
 * Return: the copy, NULL when it was the last one, or an ERR_PTR() of -ENOENT
 *	or -ENOMEM
 */
struct a32_rules *a32_rules_without(const struct a32_rules *old, u32 start, u32 end);

#endif
