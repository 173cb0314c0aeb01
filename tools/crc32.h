/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_CRC32_H
#define A32_CRC32_H

#include <stddef.h>
#include <stdint.h>

/**
 * crc32_add() - CRC-32 as zlib's crc32() and .gnu_debuglink have it
 * @crc: of what came before, at first 0
 * @data: what follows
 * @size: bytes of it
 */
uint32_t crc32_add(uint32_t crc, const void *data, size_t size);

#endif
