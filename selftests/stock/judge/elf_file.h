/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a stripped ELF file still says of its code.
 */
#ifndef STOCK_ELF_FILE_H
#define STOCK_ELF_FILE_H

#include "file.h"

/**
 * struct elf_symbol - a function that other files can call
 * @name: without a version
 * @at: offset in the file, with the Thumb bit
 * @size: bytes
 * @resolver: it gives the address of the function (STT_GNU_IFUNC)
 */
struct elf_symbol {
	const char *name;
	uint32_t at;
	uint32_t size;
	bool resolver;
};

void elf_read(struct file *file);

/* The function of that name that @file defines, or NULL. */
const struct elf_symbol *elf_symbol(const struct file *file, const char *name);

/*
 * The symbol that the PLT's entry at @offset jumps to, or NULL; @size: its ARM code, in bytes;
 * @lazy: where it jumps to the first time, the PLT's header.
 */
const char *elf_plt(const struct file *file, uint32_t offset, unsigned int *size, uint32_t *lazy);

/* Whether the function at @offset has a C++ personality, so that exceptions may be caught in it. */
bool elf_has_pads(const struct file *file, uint32_t offset);

#endif /* STOCK_ELF_FILE_H */
