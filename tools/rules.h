/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_RULES_H
#define A32_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "a32uwind.h"

struct rules {
	size_t nr;
	struct a32_rule_item *items;
};

/* Reads the module's rules. Returns 0 or -errno; rules_free() after either. */
int rules_read(int ctl, struct rules *rules);

/**
 * struct rules_file - an open file, to be found among the rules
 * @st: what stat() says
 * @path: its name, or ""
 */
struct rules_file {
	struct stat st;
	char path[4096];
};

/* Returns 0 or -errno. */
int rules_identify(int fd, struct rules_file *file);

/* Is this rule, or table, in force for the file? */
bool rules_is_about(const struct a32_rule_item *item, const struct rules_file *file);

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
