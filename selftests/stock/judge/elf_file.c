// SPDX-License-Identifier: GPL-2.0
#include "elf_file.h"
#include "util.h"

/*
 * Bytes from e_entry: glibc's _start has 0x30 of Thumb code, the dynamic
 * linker's with _dl_start_user 0x34 of ARM code.
 */
#define START_SIZE	64

/* Behind clone()'s symbol is the new thread's part (glibc's unix/sysv/linux/arm/clone.S). */
#define CLONE_MORE	16

static const Elf32_Phdr *segments(const struct file *file, unsigned int *nr)
{
	const Elf32_Ehdr *ehdr = file_at(file, 0, sizeof(*ehdr));
	const Elf32_Phdr *phdr = NULL;

	if (ehdr)
		phdr = file_at(file, ehdr->e_phoff, ehdr->e_phnum * sizeof(*phdr));
	*nr = phdr ? ehdr->e_phnum : 0;
	return phdr;
}

/* Where an address of the file is in it; 0 when it isn't. */
static uint32_t offset_of(const struct file *file, uint32_t addr)
{
	unsigned int i, nr;
	const Elf32_Phdr *phdr = segments(file, &nr);

	for (i = 0; i < nr; i++)
		if (phdr[i].p_type == PT_LOAD && addr - phdr[i].p_vaddr < phdr[i].p_filesz)
			return addr - phdr[i].p_vaddr + phdr[i].p_offset;
	return 0;
}

static uint32_t address_of(const struct file *file, uint32_t offset)
{
	unsigned int i, nr;
	const Elf32_Phdr *phdr = segments(file, &nr);

	for (i = 0; i < nr; i++)
		if (phdr[i].p_type == PT_LOAD && offset - phdr[i].p_offset < phdr[i].p_filesz)
			return offset - phdr[i].p_offset + phdr[i].p_vaddr;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static const char *symbol_name(const struct file *file, uint32_t index)
{
	const Elf32_Sym *sym = file_at(file, file->dynsym + index * sizeof(*sym), sizeof(*sym));

	return sym ? file_at(file, file->dynstr + sym->st_name, 1) : NULL;
}

static void read_symbols(struct file *file, const Elf32_Shdr *syms, const Elf32_Shdr *strs)
{
	const Elf32_Sym *sym = file_at(file, syms->sh_offset, syms->sh_size);
	size_t i, nr = syms->sh_size / sizeof(*sym);

	file->dynsym = syms->sh_offset;
	file->dynstr = strs->sh_offset;
	for (i = 0; sym && i < nr; i++) {
		unsigned int type = ELF32_ST_TYPE(sym[i].st_info);
		struct elf_symbol *s;

		if (sym[i].st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC))
			continue;
		file->symbols = grow(file->symbols, file->nr_symbols, sizeof(*file->symbols));
		s = &file->symbols[file->nr_symbols++];
		s->name = symbol_name(file, i);
		s->at = offset_of(file, sym[i].st_value & ~1) | (sym[i].st_value & 1);
		s->size = sym[i].st_size;
		s->resolver = type == STT_GNU_IFUNC;
	}
	if (file->nr_symbols)
		qsort(file->symbols, file->nr_symbols, sizeof(*file->symbols), by_name);
}

const struct elf_symbol *elf_symbol(const struct file *file, const char *name)
{
	struct elf_symbol key = { .name = name };

	if (!file->nr_symbols)
		return NULL;
	return bsearch(&key, file->symbols, file->nr_symbols, sizeof(key), by_name);
}

static void read_sections(struct file *file, const Elf32_Ehdr *ehdr)
{
	const Elf32_Shdr *shdr = file_at(file, ehdr->e_shoff, ehdr->e_shnum * sizeof(*shdr));
	int i;

	for (i = 0; shdr && i < ehdr->e_shnum; i++) {
		if (shdr[i].sh_type == SHT_DYNSYM && shdr[i].sh_link < ehdr->e_shnum)
			read_symbols(file, &shdr[i], &shdr[shdr[i].sh_link]);
		if (shdr[i].sh_type == SHT_REL && shdr[i].sh_flags & SHF_INFO_LINK) {
			file->plt_rel = shdr[i].sh_offset;
			file->nr_plt_rel = shdr[i].sh_size / sizeof(Elf32_Rel);
		}
		if (shdr[i].sh_type == SHT_ARM_EXIDX) {
			file->exidx = shdr[i].sh_offset;
			file->nr_exidx = shdr[i].sh_size / 8;
		}
	}
}

void elf_read(struct file *file)
{
	const Elf32_Ehdr *ehdr = file_at(file, 0, sizeof(*ehdr));
	const struct elf_symbol *clone;

	if (!ehdr || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) || ehdr->e_machine != EM_ARM)
		return;
	file->loader = !strncmp(file_name(file), "ld-linux", 8);
	file->start = ehdr->e_entry ? offset_of(file, ehdr->e_entry & ~1) : 0;
	file->start_end = file->start ? file->start + START_SIZE : 0;
	read_sections(file, ehdr);
	clone = elf_symbol(file, "clone");
	if (clone) {
		file->clone = clone->at & ~1;
		file->clone_end = file->clone + clone->size + CLONE_MORE;
	}
}

/* An immediate of a data-processing instruction. */
static uint32_t rotated(uint32_t word)
{
	uint32_t turn = (word >> 8 & 15) * 2, value = word & 0xff;

	return turn ? value >> turn | value << (32 - turn) : value;
}

/* add ip, pc, #a; add ip, ip, #b; [add ip, ip, #c;] ldr pc, [ip, #d]! */
static bool plt_slot(const struct file *file, uint32_t offset, uint32_t *slot, unsigned int *size)
{
	uint32_t word = file_word(file, offset), begin = offset;

	if ((word & 0xfffff000) != 0xe28fc000)
		return false;
	*slot = address_of(file, offset) + 8 + rotated(word);
	while (((word = file_word(file, offset += 4)) & 0xfffff000) == 0xe28cc000)
		*slot += rotated(word);
	*slot += word & 0xfff;
	*size = offset + 4 - begin;
	return (word & 0xfffff000) == 0xe5bcf000;
}

const char *elf_plt(const struct file *file, uint32_t offset, unsigned int *size, uint32_t *lazy)
{
	const Elf32_Rel *rel = file_at(file, file->plt_rel, file->nr_plt_rel * sizeof(*rel));
	uint32_t slot;
	size_t i;

	if (!rel || !plt_slot(file, offset, &slot, size))
		return NULL;
	*lazy = offset_of(file, file_word(file, offset_of(file, slot)));
	for (i = 0; i < file->nr_plt_rel; i++)
		if (rel[i].r_offset == slot && ELF32_R_SYM(rel[i].r_info))
			return symbol_name(file, ELF32_R_SYM(rel[i].r_info));
	return NULL;
}

static uint32_t prel31(const struct file *file, uint32_t offset)
{
	return offset + ((int32_t)(file_word(file, offset) << 1) >> 1);
}

/* The index of exception tables (IHI 0038) is sorted, and in one segment with the code. */
bool elf_has_pads(const struct file *file, uint32_t offset)
{
	size_t low = 0, high = file->nr_exidx, mid;
	uint32_t data;

	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (prel31(file, file->exidx + 8 * mid) <= offset)
			low = mid;
		else
			high = mid;
	}
	if (!file->nr_exidx || prel31(file, file->exidx + 8 * low) > offset)
		return false;
	data = file_word(file, file->exidx + 8 * low + 4);
	/* EXIDX_CANTUNWIND, or all of it in this word */
	if (data == 1 || data >> 31)
		return false;
	/* The generic model names a personality; no compiler here uses the other's scopes. */
	return !(file_word(file, prel31(file, file->exidx + 8 * low + 4)) >> 31);
}
