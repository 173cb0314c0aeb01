/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_MSG_H
#define A32_MSG_H

#include "compiler.h"

enum exit_status {
	DONE	= 0,
	REFUSED	= 1,
	MISUSED	= 2,
};

/* Names the subcommand, as "table" with its part "build", in every later message; NULL: none. */
void msg_set_command(const char *name, const char *part);

/* Says something in one line on stdout. */
__printf(1, 2) void msg_say(const char *fmt, ...);

/**
 * msg_fail - say in one line on stderr what failed, why, and what to do
 * Returns REFUSED.
 */
__printf(1, 2) int msg_fail(const char *fmt, ...);

/**
 * msg_misuse - the same for a malformed command line, and point at the help
 * Returns MISUSED.
 */
__printf(1, 2) int msg_misuse(const char *fmt, ...);

/* What to do about a file that can't be opened: @err may tell, else it is @otherwise. */
const char *msg_todo(int err, const char *otherwise);

__noreturn void msg_no_memory(void);

#endif
