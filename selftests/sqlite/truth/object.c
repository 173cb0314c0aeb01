// SPDX-License-Identifier: GPL-2.0
/* Reads the ELF file: segments, functions, and which functions' addresses are stored somewhere. */
#include <string.h>

#include "object.h"
#include "util.h"

static void read_image(struct object *obj)
{
	FILE *f = fopen(obj->file, "rb");
	long size = -1;

	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size < (long)sizeof(Elf32_Ehdr))
		die("can't read %s", obj->file);
	rewind(f);
	obj->image = malloc(size);
	obj->image_size = size;
	if (!obj->image || fread(obj->image, size, 1, f) != 1)
		die("can't read %s", obj->file);
	fclose(f);
	if (memcmp(obj->image, ELFMAG, SELFMAG) || obj->image[EI_CLASS] != ELFCLASS32)
		die("%s is no 32-bit ELF file", obj->file);
}

static const Elf32_Ehdr *header(const struct object *obj)
{
	return (const Elf32_Ehdr *)obj->image;
}

static const Elf32_Shdr *section(const struct object *obj, unsigned int i)
{
	return (const Elf32_Shdr *)(obj->image + header(obj)->e_shoff) + i;
}

struct func *object_add_func(struct object *obj)
{
	struct func *f;

	obj->funcs = grow(obj->funcs, obj->nr_funcs, sizeof(*f));
	f = &obj->funcs[obj->nr_funcs++];
	f->obj = obj;
	return f;
}

static int by_start(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void object_sort_funcs(struct object *obj)
{
	qsort(obj->funcs, obj->nr_funcs, sizeof(*obj->funcs), by_start);
}

/* Assembly has functions without a size: they go on to the next one. */
static void set_ends(struct object *obj)
{
	size_t i, next;

	for (i = 0; i < obj->nr_funcs; i++) {
		struct func *f = &obj->funcs[i];

		if (f->end != f->start)
			continue;
		next = i + 1;
		while (next < obj->nr_funcs && obj->funcs[next].start == f->start)
			next++;
		f->end = next < obj->nr_funcs ? obj->funcs[next].start : f->start + 4;
	}
}

static void read_symbols(struct object *obj, const Elf32_Shdr *table)
{
	const Elf32_Sym *sym = (const Elf32_Sym *)(obj->image + table->sh_offset);
	const char *names = (const char *)obj->image + section(obj, table->sh_link)->sh_offset;
	size_t i, nr = table->sh_size / sizeof(*sym);

	for (i = 0; i < nr; i++, sym++) {
		struct func *f;

		if (ELF32_ST_TYPE(sym->st_info) != STT_FUNC || !sym->st_shndx ||
		    sym->st_shndx >= SHN_LORESERVE)
			continue;
		f = object_add_func(obj);
		f->name = names + sym->st_name;
		f->thumb = sym->st_value & 1;
		f->start = sym->st_value & ~1u;
		f->end = f->start + sym->st_size;
	}
}

/*
 * A word with a function's address, or in PIC (where code makes addresses in
 * more ways) any function at all.
 */
static void find_taken(struct object *obj)
{
	unsigned int i;
	size_t j;

	for (i = 0; i < header(obj)->e_shnum; i++) {
		const Elf32_Shdr *sh = section(obj, i);
		const uint32_t *word = (const uint32_t *)(obj->image + sh->sh_offset);

		if (!(sh->sh_flags & SHF_ALLOC) || sh->sh_type == SHT_NOBITS ||
		    sh->sh_type == SHT_DYNSYM)
			continue;
		for (j = 0; j < sh->sh_size / 4; j++) {
			struct func *f = object_func(obj, word[j] & ~1u);

			if (f && f->start == (word[j] & ~1u) && f->thumb == (word[j] & 1))
				f->taken = true;
		}
	}
	for (j = 0; obj->pic && j < obj->nr_funcs; j++)
		obj->funcs[j].taken = true;
}

void object_load(struct object *obj, const char *guest_path, const char *file)
{
	unsigned int i;

	memset(obj, 0, sizeof(*obj));
	obj->guest_path = guest_path;
	obj->file = file;
	read_image(obj);
	obj->pic = header(obj)->e_type == ET_DYN;
	for (i = 0; i < header(obj)->e_shnum; i++)
		if (section(obj, i)->sh_type == SHT_SYMTAB)
			read_symbols(obj, section(obj, i));
	if (!obj->nr_funcs)
		die("%s has no symbols: the truth can't be known without", file);
	object_sort_funcs(obj);
	set_ends(obj);
	object_disassemble(obj);
	object_sort_funcs(obj);
	find_taken(obj);
	object_mark_frames(obj);
}

uint32_t object_address(const struct object *obj, uint32_t offset)
{
	const Elf32_Phdr *ph = (const Elf32_Phdr *)(obj->image + header(obj)->e_phoff);
	unsigned int i;

	for (i = 0; i < header(obj)->e_phnum; i++, ph++)
		if (ph->p_type == PT_LOAD && offset - ph->p_offset < ph->p_filesz)
			return offset - ph->p_offset + ph->p_vaddr;
	return UINT32_MAX;
}

struct func *object_func(const struct object *obj, uint32_t addr)
{
	size_t low = 0, high = obj->nr_funcs;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (obj->funcs[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	/* The first of several names for one place. */
	while (low > 1 && obj->funcs[low - 2].start == obj->funcs[low - 1].start)
		low--;
	return low && addr < obj->funcs[low - 1].end ? &obj->funcs[low - 1] : NULL;
}

struct func *object_func_named(const struct object *obj, const char *name)
{
	size_t i;

	for (i = 0; i < obj->nr_funcs; i++)
		if (!obj->funcs[i].plt && !strcmp(obj->funcs[i].name, name))
			return object_func(obj, obj->funcs[i].start);
	return NULL;
}

/* The first instruction at or above @addr. */
static size_t first_insn(const struct object *obj, uint32_t addr)
{
	size_t low = 0, high = obj->nr_insns;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (obj->insns[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct insn *object_insn(const struct object *obj, uint32_t addr)
{
	size_t i = first_insn(obj, addr);

	return i < obj->nr_insns && obj->insns[i].addr == addr ? &obj->insns[i] : NULL;
}

struct insn *object_insn_before(const struct object *obj, uint32_t addr)
{
	size_t i = first_insn(obj, addr);

	if (!i || obj->insns[i - 1].addr + obj->insns[i - 1].size != addr)
		return NULL;
	return &obj->insns[i - 1];
}
