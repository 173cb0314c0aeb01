// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "elf_map.h"
#include "elf_needs.h"
#include "msg.h"

static const char damaged[] = "its end is missing, or its headers are damaged";

/**
 * struct reader - a file that is being read
 * @map: it
 * @header: its header
 * @segments: its program headers
 * @strings: its dynamic section's strings
 * @strings_size: bytes of these
 */
struct reader {
	struct elf_map map;
	const Elf32_Ehdr *header;
	const Elf32_Phdr *segments;
	const char *strings;
	__u32 strings_size;
};

static char *copy(const char *text, size_t size)
{
	char *to = memchr(text, '\0', size) ? strdup(text) : NULL;

	if (!to && memchr(text, '\0', size))
		msg_no_memory();
	return to;
}

/* The linker goes by addresses; here, they are looked for in the file. */
static const void *at_address(const struct reader *r, __u32 addr, __u32 size)
{
	const Elf32_Phdr *s;

	for (s = r->segments; s < r->segments + r->header->e_phnum; s++)
		if (s->p_type == PT_LOAD && addr >= s->p_vaddr &&
		    (__u64)addr - s->p_vaddr + size <= s->p_filesz)
			return elf_map_at(&r->map, (__u64)s->p_offset + addr - s->p_vaddr, size);
	return NULL;
}

static bool dynamic_at(const void *dynamic, __u32 size, __u32 i, Elf32_Dyn *dyn)
{
	if (i >= size / sizeof(*dyn))
		return false;
	memcpy(dyn, (const Elf32_Dyn *)dynamic + i, sizeof(*dyn));
	return dyn->d_tag != DT_NULL;
}

static bool find_strings(struct reader *r, const void *dynamic, __u32 size)
{
	__u32 i, addr = 0;
	Elf32_Dyn dyn;

	for (i = 0; dynamic_at(dynamic, size, i, &dyn); i++) {
		if (dyn.d_tag == DT_STRTAB)
			addr = dyn.d_un.d_ptr;
		else if (dyn.d_tag == DT_STRSZ)
			r->strings_size = dyn.d_un.d_val;
	}
	r->strings = at_address(r, addr, r->strings_size);
	return r->strings;
}

static bool set(const struct reader *r, char **to, __u32 string)
{
	if (string >= r->strings_size)
		return false;
	free(*to);
	*to = copy(r->strings + string, r->strings_size - string);
	return *to;
}

static bool add_needed(const struct reader *r, struct elf_needs *needs, __u32 string)
{
	needs->needed = realloc(needs->needed, (needs->nr + 1) * sizeof(*needs->needed));
	if (!needs->needed)
		msg_no_memory();
	needs->needed[needs->nr] = NULL;
	if (!set(r, &needs->needed[needs->nr], string))
		return false;
	needs->nr++;
	return true;
}

static bool note_tag(const struct reader *r, const Elf32_Dyn *dyn, struct elf_needs *needs)
{
	switch (dyn->d_tag) {
	case DT_NEEDED:
		return add_needed(r, needs, dyn->d_un.d_val);
	case DT_SONAME:
		return set(r, &needs->soname, dyn->d_un.d_val);
	case DT_RPATH:
		return set(r, &needs->rpath, dyn->d_un.d_val);
	case DT_RUNPATH:
		return set(r, &needs->runpath, dyn->d_un.d_val);
	}
	return true;
}

static const char *read_dynamic(struct reader *r, const Elf32_Phdr *s, struct elf_needs *needs)
{
	const void *dynamic = elf_map_at(&r->map, s->p_offset, s->p_filesz);
	Elf32_Dyn dyn;
	__u32 i;

	if (!dynamic || !find_strings(r, dynamic, s->p_filesz))
		return damaged;
	for (i = 0; dynamic_at(dynamic, s->p_filesz, i, &dyn); i++)
		if (!note_tag(r, &dyn, needs))
			return damaged;
	return NULL;
}

static const char *read_interpreter(const struct reader *r, const Elf32_Phdr *s,
				    struct elf_needs *needs)
{
	const char *name = elf_map_at(&r->map, s->p_offset, s->p_filesz);

	free(needs->interpreter);
	needs->interpreter = name ? copy(name, s->p_filesz) : NULL;
	return needs->interpreter ? NULL : damaged;
}

/* The segments of one are those of the file that it belongs to; its code isn't there. */
static bool is_debug_file(const struct reader *r)
{
	const Elf32_Shdr *s;
	__u32 i;

	if (r->header->e_shentsize != sizeof(*s))
		return false;
	for (i = 0; i < r->header->e_shnum; i++) {
		s = elf_map_at(&r->map, r->header->e_shoff + (__u64)i * sizeof(*s), sizeof(*s));
		if (s && !(r->header->e_shoff % 4) && s->sh_flags & SHF_EXECINSTR)
			return s->sh_type == SHT_NOBITS;
	}
	return false;
}

static const char *read_segments(struct reader *r, struct elf_needs *needs)
{
	const char *why = NULL;
	const Elf32_Phdr *s;

	r->header = elf_map_header(&r->map);
	r->segments = r->header ? elf_map_segments(&r->map, r->header) : NULL;
	if (!r->segments)
		return "it is no ELF file of 32-bit ARM";
	if (r->header->e_type != ET_EXEC && r->header->e_type != ET_DYN)
		return "it is neither a program nor a library";
	if (is_debug_file(r))
		return "it is a debug file";
	for (s = r->segments; s < r->segments + r->header->e_phnum && !why; s++) {
		if (s->p_type == PT_INTERP)
			why = read_interpreter(r, s, needs);
		else if (s->p_type == PT_DYNAMIC)
			why = read_dynamic(r, s, needs);
	}
	return why;
}

const char *elf_needs_read(int fd, struct elf_needs *needs)
{
	struct reader reader = { 0 };
	const char *why, *cut;

	*needs = (struct elf_needs){ 0 };
	why = elf_map_open(fd, &reader.map);
	if (!why)
		why = read_segments(&reader, needs);
	cut = elf_map_close(&reader.map);
	return cut ? cut : why;
}

bool elf_needs_is_damage(const char *why)
{
	return why == damaged;
}

void elf_needs_free(struct elf_needs *needs)
{
	while (needs->nr)
		free(needs->needed[--needs->nr]);
	free(needs->needed);
	free(needs->interpreter);
	free(needs->soname);
	free(needs->rpath);
	free(needs->runpath);
	*needs = (struct elf_needs){ 0 };
}
