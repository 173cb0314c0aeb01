/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a mapped file, and what they say about an address in a chain.
 * All offsets are the file's own, without the Thumb bit unless it is said.
 */
#ifndef STOCK_FILE_H
#define STOCK_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_symbol;
struct reach;

/* Where chains ended early */
struct end {
	uint32_t offset;
	unsigned long nr;
};

/**
 * struct file - one file that code was mapped from
 * @path: as the guest knows it
 * @image: its bytes; NULL for what isn't a file
 * @size: bytes
 * @loader: it is the dynamic linker
 * @start: offset of the code that is outermost in a process: see file_outermost()
 * @start_end: behind it
 * @clone: offset of the C library's clone(), 0 in any other file
 * @clone_end: behind what a new thread runs there
 * @symbols: functions that it defines for others, by name
 * @nr_symbols: how many
 * @dynsym: offset of all symbols
 * @dynstr: offset of their names
 * @plt_rel: offset of the PLT's relocations
 * @nr_plt_rel: how many
 * @exidx: offset of the index of exception tables
 * @nr_exidx: entries in it
 * @reaches: flow.c's
 * @nr_reaches: how many
 * @ends: for the report
 * @nr_ends: how many
 * @early: chains that ended here
 */
struct file {
	char *path;
	const uint8_t *image;
	size_t size;
	bool loader;
	uint32_t start;
	uint32_t start_end;
	uint32_t clone;
	uint32_t clone_end;
	struct elf_symbol *symbols;
	size_t nr_symbols;
	uint32_t dynsym;
	uint32_t dynstr;
	uint32_t plt_rel;
	size_t nr_plt_rel;
	uint32_t exidx;
	size_t nr_exidx;
	struct reach **reaches;
	size_t nr_reaches;
	struct end *ends;
	size_t nr_ends;
	unsigned long early;
};

/* The file that the guest had at @path, below the host's folder @root; one for each path. */
struct file *file_get(const char *root, const char *path);

/* Calls @fn for each file that was asked for. */
void file_for_each(void (*fn)(struct file *file));

/* The name to show: what is behind the last '/'. */
const char *file_name(const struct file *file);

/* @size bytes, or NULL when the file doesn't have them. */
const void *file_at(const struct file *file, uint32_t offset, size_t size);

/* 0 when the file doesn't have it. */
uint32_t file_half(const struct file *file, uint32_t offset);
uint32_t file_word(const struct file *file, uint32_t offset);

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
