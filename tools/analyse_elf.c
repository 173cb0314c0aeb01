// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <string.h>

#include "analyse_elf.h"

const void *elf_bytes(const struct image *image, uint32_t addr, uint32_t size)
{
	const struct segment *segment = image_at(image, addr, size);

	return segment ? segment->bytes + (addr - segment->addr) : NULL;
}

/* The ELF header is the beginning of the first segment, or there is none. */
static bool read_header(const struct image *image, Elf32_Ehdr *ehdr)
{
	const struct segment *first = image->segment;

	if (!image->nr || first->offset || first->size < sizeof(*ehdr))
		return false;
	memcpy(ehdr, first->bytes, sizeof(*ehdr));
	return !memcmp(ehdr->e_ident, ELFMAG, SELFMAG);
}

bool elf_find(const struct image *image, uint32_t type, uint32_t *addr, uint32_t *size)
{
	const struct segment *first = image->segment;
	Elf32_Ehdr ehdr;
	Elf32_Phdr phdr;
	uint32_t i;

	if (!read_header(image, &ehdr))
		return false;
	for (i = 0; i < ehdr.e_phnum; i++) {
		uint64_t at = ehdr.e_phoff + (uint64_t)i * sizeof(phdr);

		if (at + sizeof(phdr) > first->size)
			return false;
		memcpy(&phdr, first->bytes + at, sizeof(phdr));
		if (phdr.p_type != type)
			continue;
		*addr = phdr.p_vaddr;
		*size = phdr.p_filesz;
		return true;
	}
	return false;
}

uint32_t elf_entry(const struct image *image)
{
	Elf32_Ehdr ehdr;

	return read_header(image, &ehdr) ? ehdr.e_entry : 0;
}
