/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_TARGETS_H
#define A32_TARGETS_H

#include <stdbool.h>
#include <sys/types.h>

#include "parse.h"

/**
 * struct target - a file, or a part of one, named on the command line
 * @text: as written
 * @fd: the file, open for reading
 * @device: where the file is
 * @inode: and which one there
 * @part: 0 and 0 for the whole file
 */
struct target {
	const char *text;
	int fd;
	dev_t device;
	ino_t inode;
	struct range part;
};

struct targets {
	int nr;
	struct target *items;
};

/**
 * targets_open - open all of the files, or none
 * @within: refuse parts that reach behind the file's end
 *
 * Returns DONE, or MISUSED or REFUSED once the reason is printed.
 */
int targets_open(struct targets *targets, char **texts, int nr, bool within);

bool targets_same_file(const struct target *a, const struct target *b);

/* Is target @nr a file that one of those before it is, or is a part of? */
bool targets_same_file_before(const struct targets *targets, int nr);

void targets_close(struct targets *targets);

#endif
