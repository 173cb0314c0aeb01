/* SPDX-License-Identifier: GPL-2.0 */
/* What the analysis needs of a file's own headers, which are loaded with it */
#ifndef A32_ANALYSE_ELF_H
#define A32_ANALYSE_ELF_H

#include "image.h"

/* The bytes at an address; NULL when they are not all there */
const void *elf_bytes(const struct image *image, uint32_t addr, uint32_t size);

/* Where the segment of a type is. False when there is none. */
bool elf_find(const struct image *image, uint32_t type, uint32_t *addr, uint32_t *size);

/* Where the program begins, with bit 0 for Thumb, or 0 */
uint32_t elf_entry(const struct image *image);

#endif
