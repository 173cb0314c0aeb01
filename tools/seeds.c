// SPDX-License-Identifier: GPL-2.0
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "../module/core/insn.h"
#include "array.h"
#include "seeds.h"

enum {
	UNPACK_MEMORY	= 128 << 20,	/* bytes that "xz -9" takes, and more */
	UNPACK_SIZE	= 64 << 20,	/* bytes of symbols, about */
};

/**
 * struct collection - seeds and what they are made from
 * @file: the file
 * @seeds: what is collected
 */
struct collection {
	const struct elf_file *file;
	struct seeds *seeds;
};

static void add(const struct collection *c, uint32_t addr, uint32_t size)
{
	struct seeds *seeds = c->seeds;

	if (!elf_file_is_code(c->file, addr & ~1u) || (addr & 3) == 2)
		return;
	seeds->seed = array_grow(seeds->seed, seeds->nr, &seeds->room, sizeof(*seeds->seed));
	seeds->seed[seeds->nr++] = (struct seed){ addr, size };
}

/*
 * In ARM code nearly all instructions are executed always: 0xe in their top
 * four bits. In Thumb code, every other halfword would have to begin with it.
 */
static bool looks_arm(const struct image *image, uint32_t addr)
{
	uint32_t word, nr, always = 0;

	if (addr & 3)
		return false;
	for (nr = 0; nr < 8 && image_u32(image, addr + 4 * nr, &word); nr++)
		always += word >> 28 == COND_ALWAYS;
	return nr && always * 4 >= nr * 3;
}

/* An entry whose instruction set is not said */
static void add_unknown(const struct collection *c, uint32_t addr)
{
	add(c, addr | !looks_arm(&c->file->image, addr), 0);
}

static bool is_function(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_shndx != SHN_UNDEF &&
	       sym->st_value;
}

static void add_symbols(const struct collection *c, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;
	int i;

	for (i = 0; data && gelf_getsym(data, i, &sym); i++)
		if (is_function(&sym))
			add(c, (uint32_t)sym.st_value, (uint32_t)sym.st_size);
}

static void add_all_symbols(const struct collection *c, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			add_symbols(c, scn);
}

/* Returns NULL where they are damaged, or too large. */
static uint8_t *unpack(const Elf_Data *packed, size_t *size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	uint8_t *bytes = NULL, *more;
	size_t room = 0;
	lzma_ret ret;

	ret = lzma_stream_decoder(&stream, UNPACK_MEMORY, 0);
	stream.next_in = packed->d_buf;
	stream.avail_in = packed->d_size;
	while (ret == LZMA_OK && room < UNPACK_SIZE) {
		room = room * 2 + 4096;
		more = realloc(bytes, room);
		if (!more)
			break;
		bytes = more;
		stream.next_out = bytes + stream.total_out;
		stream.avail_out = room - stream.total_out;
		ret = lzma_code(&stream, LZMA_FINISH);
	}
	*size = stream.total_out;
	lzma_end(&stream);
	if (ret == LZMA_STREAM_END)
		return bytes;
	free(bytes);
	return NULL;
}

/* .gnu_debugdata is an ELF file with symbols, packed by xz. */
static void add_packed_symbols(const struct collection *c)
{
	Elf_Data *packed = NULL;
	uint8_t *bytes = NULL;
	GElf_Shdr header;
	Elf_Scn *scn;
	size_t size;
	Elf *elf;

	scn = elf_file_section(c->file->elf, ".gnu_debugdata", &header);
	if (scn)
		packed = elf_rawdata(scn, NULL);
	if (packed && packed->d_buf)
		bytes = unpack(packed, &size);
	if (!bytes)
		return;
	elf = elf_memory((char *)bytes, size);
	if (elf)
		add_all_symbols(c, elf);
	elf_end(elf);
	free(bytes);
}

/* Constructors and destructors: always entries */
static void add_pointers(const struct collection *c, uint32_t at, uint64_t size)
{
	uint32_t addr;

	for (; size >= 4 && image_u32(&c->file->image, at, &addr); at += 4, size -= 4)
		if (addr + 1 > 1)
			add(c, addr, 0);
}

static void add_sections(const struct collection *c)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(c->file->elf, scn))) {
		if (!gelf_getshdr(scn, &header))
			continue;
		if (header.sh_type == SHT_INIT_ARRAY || header.sh_type == SHT_FINI_ARRAY ||
		    header.sh_type == SHT_PREINIT_ARRAY)
			add_pointers(c, (uint32_t)header.sh_addr, header.sh_size);
	}
}

/* It never returns, and saves no lr, but there is no doubt of it. Whatever its size is */
static void add_entry_point(const struct collection *c)
{
	GElf_Ehdr header;

	if (gelf_getehdr(c->file->elf, &header) && header.e_entry)
		add(c, (uint32_t)header.e_entry, 2);
}

/* By address, then what has a size; what has been said of an address is before what is guessed. */
static int compare(const void *a, const void *b)
{
	const struct seed *x = a, *y = b;

	if (x->addr >> 1 != y->addr >> 1)
		return x->addr >> 1 < y->addr >> 1 ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return y->addr < x->addr ? -1 : y->addr > x->addr;
}

static void sort(struct seeds *seeds)
{
	size_t i, nr = 0;

	if (seeds->nr)
		qsort(seeds->seed, seeds->nr, sizeof(*seeds->seed), compare);
	for (i = 0; i < seeds->nr; i++)
		if (!nr || seeds->seed[i].addr >> 1 != seeds->seed[nr - 1].addr >> 1)
			seeds->seed[nr++] = seeds->seed[i];
	seeds->nr = nr;
}

static bool has(const struct seeds *seeds, size_t nr, uint32_t addr)
{
	size_t low = 0, high = nr, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (seeds->seed[middle].addr >> 1 == addr >> 1)
			return true;
		if (seeds->seed[middle].addr >> 1 < addr >> 1)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void seeds_collect(const struct elf_file *file, const struct elf_file *debug,
		   const struct exidx *exidx, struct seeds *seeds)
{
	struct collection c = { file, seeds };
	size_t i, nr;

	*seeds = (struct seeds){ 0 };
	add_all_symbols(&c, file->elf);
	if (debug->elf)
		add_all_symbols(&c, debug->elf);
	add_packed_symbols(&c);
	add_entry_point(&c);
	add_sections(&c);
	sort(seeds);
	nr = seeds->nr;
	for (i = 0; i < exidx->nr; i++)
		if (!has(seeds, nr, exidx->entry[i].addr))
			add_unknown(&c, exidx->entry[i].addr);
	sort(seeds);
}

void seeds_free(struct seeds *seeds)
{
	free(seeds->seed);
	*seeds = (struct seeds){ 0 };
}
