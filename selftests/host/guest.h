/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A Linux process for the oracle: its memory, what is mapped there, and the
 * system calls that programs need. One thread, no signals.
 */
#ifndef A32_HOST_GUEST_H
#define A32_HOST_GUEST_H

#include <unicorn/unicorn.h>
#include "oracle.h"

enum {
	GUEST_PAGE	= 4096,
	GUEST_PAGES	= 1 << 20,
	GUEST_FILES	= 64,		/* that have code */
	GUEST_FDS	= 64,
	GUEST_LOW	= 0x10000,	/* vm.mmap_min_addr */
	GUEST_HIGH	= 0xbf000000,	/* of the stack */
	GUEST_MMAP_TOP	= 0xb6f00000,
	GUEST_INTERP	= 0xb6fc0000,	/* ld.so */
	GUEST_KUSER	= 0xffff0000,	/* Documentation/arch/arm/kernel_user_helpers.rst */
};

/* In guest_memory.page; PROT_READ, PROT_WRITE and PROT_EXEC beside it */
enum { GUEST_MAPPED = 0x80 };

/**
 * struct guest_file - a file that has code
 * @path: on the host, without links
 * @data: all of it
 * @size: bytes
 * @code: for the walk; what is not in a section ".text.ABI" has no ABI
 * @counts: for it
 */
struct guest_file {
	char *path;
	u8 *data;
	u32 size;
	struct a32_code code;
	struct a32_counts counts;
};

/**
 * struct guest_memory - all addresses of the process
 * @base: where address 0 is on the host
 * @page: GUEST_MAPPED and PROT_*, for each page
 * @file: index + 1 of the file mapped there, or 0, for each page
 * @pgoff: its page in it, for each page
 * @nr_files: how many of @files
 * @files: files that have code
 * @chunk: what is mapped with PROT_EXEC, for the walk
 * @map: the same
 * @space: the same
 */
struct guest_memory {
	u8 *base;
	u8 *page;
	u8 *file;
	u32 *pgoff;
	u32 nr_files;
	struct guest_file files[GUEST_FILES];
	struct a32_chunk *chunk;
	struct a32_map *map;
	struct a32_space space;
};

void guest_memory_init(struct guest_memory *m);
void guest_memory_free(struct guest_memory *m);

/**
 * guest_memory_map() - map pages, which hold zeroes then
 * @m: the memory
 * @addr: page-aligned
 * @size: bytes, rounded up to pages
 * @prot: PROT_*
 */
void guest_memory_map(struct guest_memory *m, u32 addr, u32 size, u32 prot);
void guest_memory_unmap(struct guest_memory *m, u32 addr, u32 size);
void guest_memory_protect(struct guest_memory *m, u32 addr, u32 size, u32 prot);

/* Say that pages are those of a file from @offset on. */
void guest_memory_back(struct guest_memory *m, u32 addr, u32 size, const struct guest_file *file,
		       u32 offset);

/* Room for size bytes below @top, or 0 */
u32 guest_memory_find(const struct guest_memory *m, u32 size, u32 top);

/* Are all these bytes mapped? */
bool guest_memory_has(const struct guest_memory *m, u32 addr, u32 size);

/* Publish what is executable to the walk, after it has changed. */
void guest_memory_publish(struct guest_memory *m);

/* The file that is mapped there, and the offset in it; or NULL */
const struct guest_file *guest_memory_file(const struct guest_memory *m, u32 addr, u32 *offset);

/* Does the walk know an ABI, or a table, for the code at this address? */
bool guest_memory_is_own(const struct guest_memory *m, u32 addr);

/**
 * struct guest - a process
 * @name: the row's
 * @uc: the machine
 * @mem: its memory
 * @brk_start: where the heap begins
 * @brk: and ends
 * @root: folder that has the files it sees, or NULL for none
 * @tables: folder that has an unwind table for each file with code, or NULL
 * @variable: of its environment, or NULL
 * @fd: host file descriptors + 1, by the process's
 * @clock: nanoseconds; each look at it takes some
 * @entry: where it starts, bit 0 set in Thumb
 * @sp: at the start
 * @symbols: gets the functions of all files that have code
 * @ended: it has called exit_group()
 * @status: with this
 * @talk: show what it writes, and calls that are not there
 */
struct guest {
	const char *name;
	uc_engine *uc;
	struct guest_memory mem;
	u32 brk_start;
	u32 brk;
	const char *root;
	const char *tables;
	const char *variable;
	int fd[GUEST_FDS];
	u64 clock;
	u32 entry;
	u32 sp;
	struct oracle_program *symbols;
	bool ended;
	u32 status;
	bool talk;
};

/* Open a file of the process's: a host file descriptor, or -1 and errno */
int guest_open(struct guest *g, const char *path, int flags);

/*
 * Say that a file is mapped as code at addr, from offset on: for the walk, and
 * for its symbols.
 */
void guest_code_add(struct guest *g, int fd, u32 addr, u32 size, u32 offset);

/* Is it a program for guest_load(), rather than one of the corpus? */
bool guest_is_program(const char *path);

/* Load a program and its ld.so, and make the stack that it starts with. */
void guest_load(struct guest *g, const char *path, char *const *args);

/* The thread pointer, for user mode to read */
void guest_set_tls(struct guest *g, u32 val);

/* Do the system call that the machine is at. */
void guest_syscall(struct guest *g);

#endif
