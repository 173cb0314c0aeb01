// SPDX-License-Identifier: GPL-2.0
/*
 * Source: Exception Handling ABI for the Arm Architecture, IHI 0038, sections
 * "Index table entries" and "Exception-handling table entries".
 */
#include <stdlib.h>

#include "ehabi.h"
#include "exidx.h"
#include "msg.h"

enum {
	ENTRY		= 8,		/* bytes of an index table entry */
	CANTUNWIND	= 1,
	PROGRAM_MAX	= 7 + 4 * 255,	/* bytes: a generic entry with all words it can have */
};

/* A place-relative offset of 31 bits */
static bool prel31(const struct image *image, uint32_t at, uint32_t *addr)
{
	uint32_t word;

	if (!image_u32(image, at, &word))
		return false;
	*addr = at + ((word & 0x7fffffff) ^ 0x40000000) - 0x40000000;
	return true;
}

/* Linkers sort them. gold can give two to an address, of which the last holds. */
static void add(struct exidx *exidx, uint32_t addr, uint32_t at)
{
	if (exidx->nr && exidx->entry[exidx->nr - 1].addr == addr)
		exidx->nr--;
	exidx->entry[exidx->nr++] = (struct exidx_entry){ .addr = addr, .at = at };
}

static int compare(const void *a, const void *b)
{
	const struct exidx_entry *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void sort(struct exidx *exidx)
{
	size_t i, nr = exidx->nr;

	qsort(exidx->entry, nr, sizeof(*exidx->entry), compare);
	exidx->nr = 0;
	for (i = 0; i < nr; i++)
		add(exidx, exidx->entry[i].addr, exidx->entry[i].at);
}

void exidx_read(const struct image *image, uint32_t start, uint32_t size, struct exidx *exidx)
{
	uint32_t at, addr;

	*exidx = (struct exidx){ 0 };
	exidx->entry = calloc(size / ENTRY + 1, sizeof(*exidx->entry));
	if (!exidx->entry)
		msg_no_memory();
	for (at = start; at - start + ENTRY <= size; at += ENTRY)
		if (prel31(image, at, &addr))
			exidx->entry[exidx->nr++] = (struct exidx_entry){ addr & ~1u, at };
	sort(exidx);
}

void exidx_load(const struct elf_file *file, struct exidx *exidx)
{
	GElf_Phdr header;
	size_t i, nr;

	*exidx = (struct exidx){ 0 };
	if (elf_getphdrnum(file->elf, &nr))
		return;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_ARM_EXIDX)
			continue;
		if (image_at(&file->image, (uint32_t)header.p_vaddr, (uint32_t)header.p_filesz))
			exidx_read(&file->image, (uint32_t)header.p_vaddr,
				   (uint32_t)header.p_filesz, exidx);
		return;
	}
}

void exidx_free(struct exidx *exidx)
{
	free(exidx->entry);
	*exidx = (struct exidx){ 0 };
}

/* The code below the first entry has none. */
static const struct exidx_entry *find(const struct exidx *exidx, uint32_t addr)
{
	size_t low = 0, high = exidx->nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (exidx->entry[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &exidx->entry[low - 1] : NULL;
}

/**
 * struct program - unwind instructions in the order of their execution
 * @size: bytes
 * @byte: them
 */
struct program {
	size_t size;
	uint8_t byte[PROGRAM_MAX];
};

/* The lowest @nr bytes of a word, the most significant one first */
static void take(struct program *program, uint32_t word, unsigned int nr)
{
	while (nr--)
		program->byte[program->size++] = (uint8_t)(word >> 8 * nr);
}

/* @nr words that follow the one at @at */
static bool take_words(const struct image *image, uint32_t at, uint32_t nr,
		       struct program *program)
{
	uint32_t word;

	while (nr--) {
		at += 4;
		if (!image_u32(image, at, &word))
			return false;
		take(program, word, 4);
	}
	return true;
}

/*
 * Personality routines 0 (Su16), 1 (Lu16) and 2 (Lu32), which are in an entry
 * of the extab. 1 and 2 begin with the number of words that follow.
 */
static bool read_compact(const struct image *image, uint32_t at, uint32_t word,
			 struct program *program)
{
	switch (word >> 24 & 0xf) {
	case 0:
		take(program, word, 3);
		return true;
	case 1:
	case 2:
		take(program, word, 2);
		return take_words(image, at, word >> 16 & 0xff, program);
	default:
		return false;
	}
}

/*
 * A personality routine of the language, and its data. All that compilers use
 * have what gcc's and LLVM's have: a byte with the number of words that
 * follow, then instructions.
 */
static bool read_generic(const struct image *image, uint32_t at, struct program *program)
{
	uint32_t word;

	if (!image_u32(image, at + 4, &word))
		return false;
	take(program, word, 3);
	return take_words(image, at + 4, word >> 24, program);
}

static bool read_extab(const struct image *image, uint32_t at, struct program *program)
{
	uint32_t word;

	if (!image_u32(image, at, &word))
		return false;
	if (!(word >> 31))
		return read_generic(image, at, program);
	return !(word & 0x70000000) && read_compact(image, at, word, program);
}

static bool read_program(const struct image *image, uint32_t at, struct program *program)
{
	uint32_t word, extab;

	program->size = 0;
	if (!image_u32(image, at + 4, &word) || word == CANTUNWIND)
		return false;
	if (!(word >> 31))
		return prel31(image, at + 4, &extab) && read_extab(image, extab, program);
	/* In the index itself, only personality routine 0 can be. */
	return !(word & 0x7f000000) && read_compact(image, at, word, program);
}

/* Of a caller's registers, only these are followed; and lr is gone in a call. */
static bool is_of_a_caller(const struct a32_table_rule *rule)
{
	return (rule->cfa_reg == 13 || rule->cfa_reg == 7 || rule->cfa_reg == 11) &&
	       rule->ra != A32_TABLE_IN_REG(14);
}

bool exidx_rule(const struct image *image, const struct exidx *exidx, uint32_t addr,
		struct a32_table_rule *rule)
{
	const struct exidx_entry *entry = find(exidx, addr);
	struct program program;

	return entry && read_program(image, entry->at, &program) &&
	       ehabi_rule(program.byte, program.size, rule) && is_of_a_caller(rule);
}
