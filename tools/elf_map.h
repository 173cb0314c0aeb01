/* SPDX-License-Identifier: GPL-2.0 */
/* ELF files for 32-bit ARM in memory, without libelf: what can't be trusted is checked. */
#ifndef A32_ELF_MAP_H
#define A32_ELF_MAP_H

#include <elf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * struct elf_map - a file in memory
 * @size: its bytes
 * @bytes: them
 */
struct elf_map {
	size_t size;
	const __u8 *bytes;
};

/* Does a file begin as an ELF file? Whatever is behind that */
bool elf_map_begins(const char *path);

/**
 * elf_map_open - map a file
 * @fd: the file, open for reading
 *
 * One may be open at a time. Whoever can write to the file may cut it off
 * meanwhile: its end reads as zeros then.
 *
 * Returns NULL, or why it can't be read.
 */
const char *elf_map_open(int fd, struct elf_map *map);

/* Returns NULL, or why what was read of it may be none of the file. */
const char *elf_map_close(struct elf_map *map);

/* Each of these returns NULL where the file has no such bytes. */
const void *elf_map_at(const struct elf_map *map, __u64 offset, __u64 size);
const Elf32_Ehdr *elf_map_header(const struct elf_map *map);	/* or it is none of 32-bit ARM */
const Elf32_Phdr *elf_map_segments(const struct elf_map *map, const Elf32_Ehdr *header);

#endif
