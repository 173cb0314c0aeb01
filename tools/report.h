/* SPDX-License-Identifier: GPL-2.0 */
/* What was done with files, one a line, and why. */
#ifndef A32_REPORT_H
#define A32_REPORT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "json.h"

enum action {
	ACTION_BUILT,	/* a table was made, and is in force or written */
	ACTION_LOADED,	/* a table that there was is in force now */
	ACTION_TAGGED,
	ACTION_KEPT,	/* done before */
	ACTION_LEFT,	/* there is nothing to be done */
	ACTION_FAILED,
	ACTION_NR,
};

/**
 * struct deed - what was done with a file
 * @action: that
 * @abi: what it was found to be, or ABI_UNKNOWN
 * @name: the file
 * @origin: how it was found, or NULL
 * @why: the reason
 */
struct deed {
	enum action action;
	__u32 abi;
	const char *name;
	const char *origin;
	const char *why;
};

#define ABI_UNKNOWN ((__u32)-1)

/**
 * struct report - all of them
 * @json: they are collected here; NULL when they are printed as they come
 * @nr: how many there were of each
 */
struct report {
	json_t *json;
	size_t nr[ACTION_NR];
};

/* Of no file at all, there is no table, and what is printed is on standard error. */
void report_start(struct report *report, bool json);
void report_add(struct report *report, const struct deed *deed);

/* @failed: how many files could not even be found. Returns an exit status. */
int report_end(struct report *report, size_t failed);

#endif
