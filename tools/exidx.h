/* SPDX-License-Identifier: GPL-2.0 */
/* .ARM.exidx and .ARM.extab of a file. */
#ifndef A32_EXIDX_H
#define A32_EXIDX_H

#include "elf_file.h"

/**
 * struct exidx_entry - code from an address up to the next entry's
 * @addr: bit 0 clear
 * @at: address of the entry itself
 */
struct exidx_entry {
	uint32_t addr;
	uint32_t at;
};

/**
 * struct exidx - a file's index
 * @nr: entries
 * @entry: in ascending order, one an address
 */
struct exidx {
	size_t nr;
	struct exidx_entry *entry;
};

/**
 * exidx_read() - read an index
 * @image: the file
 * @start: its address
 * @size: bytes of it
 * @exidx: the result
 */
void exidx_read(const struct image *image, uint32_t start, uint32_t size, struct exidx *exidx);

/* The same of the PT_ARM_EXIDX segment. A file without one has no entries. */
void exidx_load(const struct elf_file *file, struct exidx *exidx);
void exidx_free(struct exidx *exidx);

/**
 * exidx_rule() - what the index says of a call at an address
 * @image: the file
 * @exidx: its index
 * @addr: the address
 * @rule: the result
 *
 * Return: false when it says nothing: there is no entry, or one that can't be
 *	unwound (which does not mean that there is no caller), or one that only
 *	a function without calls can have
 */
bool exidx_rule(const struct image *image, const struct exidx *exidx, uint32_t addr,
		struct a32_table_rule *rule);

#endif
