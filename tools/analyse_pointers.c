// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <string.h>

#include "analyse_dynamic.h"
#include "analyse_elf.h"
#include "analyse_pointers.h"

/* What has a symbol needs no pointer. Return: whether there is any relocation of that kind */
static bool read_relocated(const struct image *image,
			   void (*found)(void *data, uint32_t addr), void *data)
{
	bool any = false;
	struct dynamic d;
	uint32_t word;
	Elf32_Rel rel;
	const void *p;

	dynamic_read(&d, image);
	for (; d.rel_size >= sizeof(rel); d.rel += sizeof(rel), d.rel_size -= sizeof(rel)) {
		p = elf_bytes(image, d.rel, sizeof(rel));
		if (!p)
			break;
		memcpy(&rel, p, sizeof(rel));
		if (ELF32_R_TYPE(rel.r_info) != R_ARM_RELATIVE)
			continue;
		any = true;
		if (image_u32(image, rel.r_offset, &word))
			found(data, word);
	}
	return any;
}

static void read_words(const struct image *image, uint32_t addr, uint32_t end,
		       void (*found)(void *data, uint32_t addr), void *data)
{
	uint32_t word;

	for (addr = (addr + 3) & ~3u; addr < end && image_u32(image, addr, &word); addr += 4)
		found(data, word);
}

void pointers_read(const struct image *image, const struct range *code,
		   void (*found)(void *data, uint32_t addr), void *data)
{
	size_t i;

	if (read_relocated(image, found, data))
		return;
	for (i = 0; i < image->nr; i++) {
		const struct segment *segment = &image->segment[i];
		uint32_t end = segment->addr + segment->size;

		if (code[i].first >= code[i].last) {
			read_words(image, segment->addr, end, found, data);
			continue;
		}
		read_words(image, segment->addr, code[i].first, found, data);
		read_words(image, code[i].last, end, found, data);
	}
}
