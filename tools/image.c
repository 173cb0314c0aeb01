// SPDX-License-Identifier: GPL-2.0
#include "../module/core/insn.h"
#include "image.h"

const struct segment *image_at(const struct image *image, uint32_t addr, uint32_t size)
{
	size_t low = 0, high = image->nr, middle;
	const struct segment *segment;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (image->segment[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	segment = &image->segment[low - 1];
	if (addr - segment->addr > segment->size || size > segment->size - (addr - segment->addr))
		return NULL;
	return segment;
}

bool image_u16(const struct image *image, uint32_t addr, uint32_t *value)
{
	const struct segment *segment = image_at(image, addr, 2);
	const uint8_t *byte;

	if (!segment)
		return false;
	byte = segment->bytes + (addr - segment->addr);
	*value = byte[0] | (uint32_t)byte[1] << 8;
	return true;
}

bool image_u32(const struct image *image, uint32_t addr, uint32_t *value)
{
	const struct segment *segment = image_at(image, addr, 4);
	const uint8_t *byte;

	if (!segment)
		return false;
	byte = segment->bytes + (addr - segment->addr);
	*value = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
		 (uint32_t)byte[3] << 24;
	return true;
}

bool image_insn(const struct image *image, uint32_t addr, struct a32_insn *i)
{
	uint32_t w, h2 = 0;

	if (!(addr & 1)) {
		if (addr & 3 || !image_u32(image, addr, &w))
			return false;
		a32_insn_arm(addr, w, i);
		return true;
	}
	if (!image_u16(image, addr & ~1u, &w))
		return false;
	if (a32_thumb_is_wide(w) && !image_u16(image, addr + 1, &h2))
		return false;
	a32_insn_thumb(addr & ~1u, w, h2, i);
	return true;
}
