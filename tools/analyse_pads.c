// SPDX-License-Identifier: GPL-2.0
#include <elf.h>

#include "analyse_elf.h"
#include "analyse_memory.h"
#include "analyse_pads.h"

/* DWARF 5, 7.6, and GCC's unwind-pe.h */
enum { PE_OMIT = 0xff, PE_ABSPTR = 0, PE_ULEB128 = 1, PE_UDATA2 = 2, PE_UDATA4 = 3 };

/**
 * struct reader - bytes that are read one after another
 * @image: of this file
 * @addr: the next one's address
 * @bad: there are not as many
 */
struct reader {
	const struct image *image;
	uint32_t addr;
	bool bad;
};

static uint32_t read_bytes(struct reader *r, uint32_t size)
{
	const uint8_t *p = elf_bytes(r->image, r->addr, size);
	uint32_t value = 0, i;

	if (!p) {
		r->bad = true;
		return 0;
	}
	for (i = 0; i < size; i++)
		value |= (uint32_t)p[i] << 8 * i;
	r->addr += size;
	return value;
}

static uint32_t read_uleb(struct reader *r)
{
	uint32_t value = 0, shift = 0, byte;

	do {
		byte = read_bytes(r, 1);
		if (shift < 32)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !r->bad);
	return value;
}

static uint32_t read_encoded(struct reader *r, uint32_t encoding)
{
	switch (encoding) {
	case PE_ULEB128:
		return read_uleb(r);
	case PE_UDATA2:
		return read_bytes(r, 2);
	case PE_ABSPTR: case PE_UDATA4:
		return read_bytes(r, 4);
	}
	r->bad = true;
	return 0;
}

static void add(struct pads *pads, uint32_t start, uint32_t size, uint32_t addr)
{
	pads->pad = room_for(pads->pad, pads->nr, &pads->room, sizeof(*pads->pad));
	pads->pad[pads->nr++] = (struct pad){ start, start + size, addr & ~1 };
}

/*
 * A language-specific data area, as GCC's and LLVM's personality routines of C++
 * and C have it: unwind-c.c, __gcc_personality_v0()
 */
static void read_calls(struct pads *pads, struct reader *r, uint32_t function)
{
	uint32_t encoding, end, start, size, pad;

	if (read_bytes(r, 1) != PE_OMIT)	/* where pads count from: never told on ARM */
		return;
	if (read_bytes(r, 1) != PE_OMIT)
		read_uleb(r);
	encoding = read_bytes(r, 1);
	end = read_uleb(r);
	end += r->addr;
	while (r->addr < end && !r->bad) {
		start = read_encoded(r, encoding);
		size = read_encoded(r, encoding);
		pad = read_encoded(r, encoding);
		read_uleb(r);
		if (pad && !r->bad)
			add(pads, function + start, size, function + pad);
	}
}

static uint32_t prel31(uint32_t addr, uint32_t word)
{
	return addr + ((int32_t)(word << 1) >> 1);
}

/*
 * EHABI32, 6.2 and 6.3: an index entry leads to the address of a personality
 * routine; then, with GCC's and LLVM's, the top byte of a word says how many words
 * of unwinding instructions follow it.
 */
static void read_entry(struct pads *pads, const struct image *image, uint32_t at)
{
	uint32_t function, table, words;
	struct reader r = { .image = image };

	if (!image_u32(image, at, &function) || !image_u32(image, at + 4, &table))
		return;
	if (table == 1 || table & 1u << 31)	/* EXIDX_CANTUNWIND, or all that there is */
		return;
	r.addr = prel31(at + 4, table);
	if (read_bytes(&r, 4) & 1u << 31)	/* a routine of the EHABI, with other data */
		return;
	words = read_bytes(&r, 4) >> 24;
	r.addr += 4 * words;
	if (!r.bad)
		read_calls(pads, &r, prel31(at, function) & ~1);
}

static int by_start(const void *a, const void *b)
{
	const struct pad *x = a, *y = b;

	return x->start != y->start ? (x->start > y->start) - (x->start < y->start) :
	       (x->addr > y->addr) - (x->addr < y->addr);
}

void pads_read(struct pads *pads, const struct image *image)
{
	uint32_t addr, size;

	*pads = (struct pads){ 0 };
	/* A size that is wrong may be anything. */
	if (!elf_find(image, PT_ARM_EXIDX, &addr, &size) || !elf_bytes(image, addr, size))
		return;
	for (; size >= 8; addr += 8, size -= 8)
		read_entry(pads, image, addr);
	if (pads->nr)
		qsort(pads->pad, pads->nr, sizeof(*pads->pad), by_start);
}

void pads_free(struct pads *pads)
{
	free(pads->pad);
}

bool pads_find(const struct pads *pads, uint32_t call, uint32_t *addr)
{
	uint32_t low = 0, high = pads->nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (pads->pad[mid].start <= call)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || call >= pads->pad[low - 1].end)
		return false;
	*addr = pads->pad[low - 1].addr;
	return true;
}
