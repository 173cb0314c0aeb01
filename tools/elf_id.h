/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_ELF_ID_H
#define A32_ELF_ID_H

#include <stdbool.h>

#include "a32table.h"

/**
 * struct elf_id - what tells an ELF file from others
 * @file_size: bytes of the file
 * @build_id_size: bytes of @build_id; 0 for none
 * @build_id: of its note
 * @code_crc: CRC-32 of its executable segments, as in struct a32_table_header
 */
struct elf_id {
	__u64 file_size;
	__u32 build_id_size;
	__u8 build_id[A32_TABLE_BUILD_ID];
	__u32 code_crc;
};

/**
 * elf_id_read - find out what identifies a file
 * @fd: the file, open for reading
 *
 * Returns NULL, or why it has none: it is no ELF file of 32-bit ARM, say.
 */
const char *elf_id_read(int fd, struct elf_id *id);

/* The same without @code_crc, for which much of the file is read: it is 0. */
const char *elf_id_read_build_id(int fd, struct elf_id *id);

/* Is a table with this header about the file? By size, code and, if both have it, build-id. */
bool elf_id_fits(const struct elf_id *id, const struct a32_table_header *table);

#endif
