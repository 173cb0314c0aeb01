/* SPDX-License-Identifier: GPL-2.0 */
/* ELF files for 32-bit ARM, through libelf. */
#ifndef A32_ELF_FILE_H
#define A32_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "a32table.h"
#include "image.h"

/**
 * struct elf_file - an open file
 * @path: its name
 * @fd: it, or -1: its bytes are somebody else's
 * @elf: libelf's handle
 * @size: bytes
 * @bytes: them
 * @image: its segments; none in a debug file
 * @build_id: of its note; longer ones are cut off
 * @build_id_size: 0 when it has none
 */
struct elf_file {
	char *path;
	int fd;
	Elf *elf;
	uint64_t size;
	const uint8_t *bytes;
	struct image image;
	uint8_t build_id[A32_TABLE_BUILD_ID];
	uint32_t build_id_size;
};

/**
 * elf_file_open() - open a program or library
 * @path: its name
 * @file: the result
 *
 * Return: DONE, or REFUSED once the reason is printed: it can't be read, is
 *	not for 32-bit ARM, is cut off, or has no code
 */
int elf_file_open(const char *path, struct elf_file *file);

/**
 * elf_file_open_fd() - the same for one that is open already
 * @fd: the file, open for reading; taken over, even when it is refused
 * @path: its name, for messages, and for where a debug file may be
 * @file: the result
 */
int elf_file_open_fd(int fd, const char *path, struct elf_file *file);

/**
 * elf_file_open_bytes() - the same for one that is in memory
 * @bytes: the file; stays the caller's, and there until the file is closed
 * @size: its bytes
 * @path: its name, for messages
 * @file: the result
 */
int elf_file_open_bytes(const uint8_t *bytes, size_t size, const char *path, struct elf_file *file);

/* As elf_file_open(), for a file that need not have code, only sections. */
int elf_file_open_debug(const char *path, struct elf_file *file);

void elf_file_close(struct elf_file *file);

/**
 * elf_file_section() - find a section
 * @elf: the file
 * @name: its name
 * @header: where it is
 *
 * Return: NULL when there is none that has bytes in the file
 */
Elf_Scn *elf_file_section(Elf *elf, const char *name, GElf_Shdr *header);

/*
 * Is it in a section of code? Where a file has no section headers, in an
 * executable segment.
 */
bool elf_file_is_code(const struct elf_file *file, uint32_t addr);

#endif
