/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_RULES_H
#define A32_RULES_H

#include <stddef.h>

#include "a32uwind.h"

struct rules {
	size_t nr;
	struct a32_rule_item *items;
};

/* Reads the module's rules. Returns 0 or -errno; rules_free() after either. */
int rules_read(int ctl, struct rules *rules);

/**
 * rules_restore - give a file the rules that it had
 * @rules: what rules_read() found
 * @fd: the file, open for reading
 *
 * For a moment the file has no rules. Returns 0 or -errno.
 */
int rules_restore(int ctl, const struct rules *rules, int fd);

void rules_free(struct rules *rules);

#endif
