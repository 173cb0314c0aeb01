/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a mapped file, and what they say about an address in a chain.
 * All offsets are the file's own, without the Thumb bit.
 */
#ifndef STOCK_FILE_H
#define STOCK_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct file - one file that code was mapped from
 * @path: as the guest knows it
 * @image: its bytes; NULL for what isn't a file
 * @size: bytes
 * @loader: it is the dynamic linker
 * @start: offset of the code that is outermost in a process, see file_outermost()
 * @clone: offset of the C library's clone(), 0 in any other file
 * @clone_end: behind what a new thread runs there
 * @early: chains that ended here, for the report
 */
struct file {
	char *path;
	const uint8_t *image;
	size_t size;
	bool loader;
	uint32_t start;
	uint32_t clone;
	uint32_t clone_end;
	unsigned long early;
};

/* The file that the guest had at @path below the host's folder @root; always the same one for a path. */
struct file *file_get(const char *root, const char *path);

/* Calls @fn for each file that was asked for. */
void file_for_each(void (*fn)(struct file *file));

/* The name to show: what is behind the last '/'. */
const char *file_name(const struct file *file);

/*
 * Whether code at @offset is where a thread begins: the program's _start, that
 * of the dynamic linker, or what clone() runs in a new thread.
 */
bool file_outermost(const struct file *file, uint32_t offset);

/* Whether a call ends at @offset: an instruction that leaves this return address. */
bool file_call_before(const struct file *file, uint32_t offset);

/* Whether @offset is where a signal handler returns to. */
bool file_sigreturn(const struct file *file, uint32_t offset);

#endif /* STOCK_FILE_H */
