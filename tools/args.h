/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_ARGS_H
#define A32_ARGS_H

#include <stdbool.h>
#include <stdio.h>

/* Above what getopt_long() returns by itself. */
enum {
	OPT_JSON	= 1 << 8,
	OPT_PID		= 1 << 9,
	OPT_RANGE	= 1 << 10,
	OPT_RESET	= 1 << 11,
	OPT_STALE	= 1 << 12,
	OPT_HELP	= 1 << 13,
	OPT_VERSION	= 1 << 14,
	OPT_OUTPUT	= 1 << 15,
	OPT_DEBUG	= 1 << 16,
	OPT_SOURCE	= 1 << 17,
	OPT_SYSROOT	= 1 << 18,
	OPT_ONCE	= 1 << 19,
};

/**
 * struct args - a command line taken apart
 * @given: OPT_* bits of the options that occur in it
 * @pid: the argument of --pid, as written
 * @range: the argument of --range, as written
 * @output: the argument of --output
 * @debug: the argument of --debug
 * @source: the argument of --source, as written
 * @sysroot: the argument of --sysroot
 * @nr_words: number of @words
 * @words: what is no option, in order; NULL behind the last one
 */
struct args {
	unsigned int given;
	const char *pid;
	const char *range;
	const char *output;
	const char *debug;
	const char *source;
	const char *sysroot;
	int nr_words;
	char **words;
};

static inline bool args_json(const struct args *args)
{
	return args->given & OPT_JSON;
}

/* Returns DONE, or MISUSED once the reason is printed. */
int args_parse(int argc, char **argv, struct args *args);

/* Name, without dashes, of the lowest option in @mask. */
const char *args_option_name(unsigned int mask);

/* One help line for each option in @mask. */
void args_print_options(unsigned int mask);

#endif
