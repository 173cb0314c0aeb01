// SPDX-License-Identifier: GPL-2.0
#include "crc32.h"

/* The reflected polynomial of ISO 3309 */
static uint32_t shift_byte(uint32_t value)
{
	int bit;

	for (bit = 0; bit < 8; bit++)
		value = value >> 1 ^ (value & 1 ? 0xedb88320 : 0);
	return value;
}

uint32_t crc32_add(uint32_t crc, const void *data, size_t size)
{
	static uint32_t table[256];
	const uint8_t *byte = data;
	uint32_t i;

	if (!table[1])
		for (i = 0; i < 256; i++)
			table[i] = shift_byte(i);
	crc = ~crc;
	while (size--)
		crc = crc >> 8 ^ table[(crc ^ *byte++) & 0xff];
	return ~crc;
}
