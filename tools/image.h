/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An ELF file as it is loaded: bytes at addresses. All addresses are the
 * file's own (p_vaddr), before relocation.
 */
#ifndef A32_IMAGE_H
#define A32_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct a32_insn;

/**
 * struct segment - a PT_LOAD segment
 * @addr: its first address
 * @size: bytes that are in the file
 * @offset: file offset of the first
 * @bytes: them
 * @executable: PF_X
 * @code: where its first section of code begins, if the file has section headers
 * @code_end: behind the last one, or 0
 */
struct segment {
	uint32_t addr;
	uint32_t size;
	uint64_t offset;
	const uint8_t *bytes;
	bool executable;
	uint32_t code;
	uint32_t code_end;
};

/**
 * struct image - the segments of a file
 * @nr: number of segments
 * @segment: in ascending order of addresses, without overlap
 */
struct image {
	size_t nr;
	struct segment *segment;
};

/**
 * image_at() - the segment that has some bytes
 * @image: the file
 * @addr: address of the first byte
 * @size: bytes
 *
 * Return: NULL when they are not all in one segment
 */
const struct segment *image_at(const struct image *image, uint32_t addr, uint32_t size);

/* Little-endian values; false where there are no such bytes. */
bool image_u16(const struct image *image, uint32_t addr, uint32_t *value);
bool image_u32(const struct image *image, uint32_t addr, uint32_t *value);

/**
 * image_insn() - decode an instruction
 * @image: the file
 * @addr: its address, bit 0 set in Thumb
 * @i: the result
 *
 * Return: false where there is none
 */
bool image_insn(const struct image *image, uint32_t addr, struct a32_insn *i);

#endif
