/* SPDX-License-Identifier: GPL-2.0 */
/* What to do about chains that end in a file for some reason. */
#ifndef A32_MEND_H
#define A32_MEND_H

#include <stdbool.h>

#include "a32uwind.h"

/**
 * struct mend_file - what has a say in it
 * @path: the file's name, as the module has it
 * @exists: there is a file of that name
 * @pid: the process that has it by that name, which is another file's here, or none's: in a
 *	container, say; else 0
 * @has_table: it has an unwind table
 * @tagged: the ABI of a rule on it or a part of it; A32_ABI_DEFAULT: there is none
 * @default_abi: what holds then
 * @found: what its own functions speak for; A32_ABI_DEFAULT: it can't be read
 */
struct mend_file {
	const char *path;
	bool exists;
	__s32 pid;
	bool has_table;
	__u32 tagged;
	__u32 default_abi;
	__u32 found;
};

/**
 * mend - what would have such chains go on
 * @stop: what they end for: enum a32_stop
 *
 * Returns a command, or a text that begins with "nothing" when there is none;
 * to be freed.
 */
char *mend(const struct mend_file *file, __u32 stop);

/* It is a command, and would do something. */
bool mend_is_command(const char *text);

#endif
