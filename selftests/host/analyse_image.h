/* SPDX-License-Identifier: GPL-2.0 */
/* An ELF file for tools/analyse.c, with what tells of its functions */
#ifndef A32_ANALYSE_IMAGE_H
#define A32_ANALYSE_IMAGE_H

#include <libelf.h>

#include "../../tools/analyse.h"

/**
 * struct span - a run of code or data, as a mapping symbol says
 * @addr: where it begins; ELF for the Arm Architecture (AAELF32), section 5.5.5
 * @kind: 'a', 't' or 'd'
 */
struct span {
	uint32_t addr;
	char kind;
};

struct name {
	uint32_t addr;
	const char *name;
};

/**
 * struct file - an ELF file, and perhaps its debug file
 * @image: what is loaded
 * @fd: the file, and its debug file or -1
 * @elf: the file
 * @debug: what has its .debug_frame and .symtab
 * @nr_seeds: number of @seed
 * @seed: what says where functions are
 * @nr_spans: number of @span
 * @span: what is code, in ascending order
 * @nr_names: number of @name
 * @name: functions, in ascending order
 */
struct file {
	struct image image;
	int fd[2];
	Elf *elf;
	Elf *debug;
	size_t nr_seeds;
	struct seed *seed;
	size_t nr_spans;
	struct span *span;
	size_t nr_names;
	struct name *name;
};

/**
 * file_open() - read a file
 * @file: the result
 * @path: the file
 * @debug: its debug file, or NULL for itself
 * @stripped: only seeds that a stripped file has
 *
 * Ends the program when it can't.
 */
void file_open(struct file *file, const char *path, const char *debug, bool stripped);

void file_close(struct file *file);

/* 'a', 't', 'd', or 0 when nothing says */
char file_kind(const struct file *file, uint32_t addr);

const char *file_name(const struct file *file, uint32_t addr);

#endif
