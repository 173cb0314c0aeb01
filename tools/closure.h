/* SPDX-License-Identifier: GPL-2.0 */
/* The files that programs are run from: all that the dynamic linker would load. */
#ifndef A32_CLOSURE_H
#define A32_CLOSURE_H

#include <stdbool.h>
#include <sys/types.h>

#include "elf_needs.h"
#include "library_dirs.h"

/**
 * struct member - a file
 * @name: what it is called in its system, links followed
 * @path: what it is opened by here
 * @origin: how it got here: "given", "mapped", "interpreter of FILE", ...
 * @device: where it is
 * @inode: and which one there
 * @needs: what it wants loaded
 */
struct member {
	char *name;
	char *path;
	char *origin;
	dev_t device;
	ino_t inode;
	struct elf_needs needs;
};

/**
 * struct closure - files
 * @root: of the system that they are in: "" for the running one
 * @dirs: its libraries
 * @nr: number of @items
 * @items: each once
 * @missing: libraries that were needed and not found
 * @met: programs and libraries in folders, each as often as it was met
 * @failed: how many could not be found or read, once that is printed
 */
struct closure {
	const char *root;
	struct library_dirs dirs;
	size_t nr;
	struct member *items;
	struct text_list missing;
	size_t met;
	size_t failed;
};

void closure_start(struct closure *closure, const char *root);

/* Adds a program or library and what it needs; of a folder, all that are in it. */
void closure_add(struct closure *closure, const char *name);

/*
 * Adds the files that a process runs code of. Returns DONE, or REFUSED once the
 * reason is printed.
 */
int closure_add_process(struct closure *closure, int pid);

/**
 * closure_add_file - add one file, without what it needs
 * @name: what it is called, links followed
 * @path: what it is opened by
 * @origin: how it got here
 * @member: its index, when NULL is returned
 *
 * Takes over none of these. Returns NULL, or why it can't be.
 */
const char *closure_add_file(struct closure *closure, const char *name, const char *path,
			     const char *origin, size_t *member);

void closure_end(struct closure *closure);

#endif
