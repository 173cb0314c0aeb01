// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse_image.h"

static Elf *open_elf(const char *path, int *fd)
{
	Elf *elf;

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	elf = *fd < 0 ? NULL : elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		errx(1, "%s: can't be read", path);
	return elf;
}

static void load(struct file *file)
{
	size_t nr, size, i;
	const uint8_t *bytes = (const uint8_t *)elf_rawfile(file->elf, &size);
	GElf_Phdr phdr;

	elf_getphdrnum(file->elf, &nr);
	file->image.segment = calloc(nr, sizeof(struct segment));
	for (i = 0; i < nr; i++) {
		gelf_getphdr(file->elf, i, &phdr);
		if (phdr.p_type != PT_LOAD || !phdr.p_filesz)
			continue;
		file->image.segment[file->image.nr++] = (struct segment){
			.addr = phdr.p_vaddr, .size = phdr.p_filesz, .offset = phdr.p_offset,
			.bytes = bytes + phdr.p_offset, .executable = phdr.p_flags & PF_X,
		};
	}
}

static void *more(void *array, size_t nr, size_t size)
{
	return nr & (nr - 1) ? array : realloc(array, (nr ? 2 * nr : 1) * size);
}

static void add_seed(struct file *file, uint32_t addr, uint32_t size)
{
	file->seed = more(file->seed, file->nr_seeds, sizeof(struct seed));
	file->seed[file->nr_seeds++] = (struct seed){ addr, size };
}

static bool is_code(Elf *elf, uint32_t section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	GElf_Shdr shdr;

	return scn && gelf_getshdr(scn, &shdr) && shdr.sh_flags & SHF_EXECINSTR;
}

static void add_symbol(struct file *file, Elf *elf, const GElf_Sym *sym, const char *name,
		       bool seeds)
{
	if (!sym->st_shndx || sym->st_shndx >= SHN_LORESERVE || !is_code(elf, sym->st_shndx))
		return;
	if (name[0] == '$' && strchr("atd", name[1]) && (!name[2] || name[2] == '.')) {
		file->span = more(file->span, file->nr_spans, sizeof(struct span));
		file->span[file->nr_spans++] = (struct span){ sym->st_value, name[1] };
	} else if (GELF_ST_TYPE(sym->st_info) == STT_FUNC) {
		file->name = more(file->name, file->nr_names, sizeof(struct name));
		file->name[file->nr_names++] = (struct name){ sym->st_value & ~1, name };
		if (seeds)
			add_seed(file, sym->st_value, sym->st_size);
	}
}

static void read_symbols(struct file *file, Elf *elf, uint32_t type, bool seeds)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	GElf_Sym sym;
	Elf_Data *data;
	size_t i;

	while ((scn = elf_nextscn(elf, scn))) {
		gelf_getshdr(scn, &shdr);
		data = elf_getdata(scn, NULL);
		if (shdr.sh_type != type || !data)
			continue;
		for (i = 0; i < shdr.sh_size / shdr.sh_entsize; i++) {
			gelf_getsym(data, i, &sym);
			add_symbol(file, elf, &sym, elf_strptr(elf, shdr.sh_link, sym.st_name),
				   seeds);
		}
	}
}

static int by_addr(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void file_open(struct file *file, const char *path, const char *debug, bool stripped)
{
	GElf_Ehdr ehdr;

	*file = (struct file){ .fd = { -1, -1 } };
	file->elf = open_elf(path, &file->fd[0]);
	file->debug = debug ? open_elf(debug, &file->fd[1]) : file->elf;
	load(file);
	read_symbols(file, file->elf, SHT_DYNSYM, true);
	read_symbols(file, file->debug, SHT_SYMTAB, !stripped);
	gelf_getehdr(file->elf, &ehdr);
	if (ehdr.e_entry)
		add_seed(file, ehdr.e_entry, 0);
	if (file->nr_spans)
		qsort(file->span, file->nr_spans, sizeof(struct span), by_addr);
	if (file->nr_names)
		qsort(file->name, file->nr_names, sizeof(struct name), by_addr);
}

void file_close(struct file *file)
{
	if (file->debug != file->elf)
		elf_end(file->debug);
	elf_end(file->elf);
	close(file->fd[0]);
	if (file->fd[1] >= 0)
		close(file->fd[1]);
	free(file->image.segment);
	free(file->seed);
	free(file->span);
	free(file->name);
}

char file_kind(const struct file *file, uint32_t addr)
{
	size_t low = 0, high = file->nr_spans;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (file->span[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? file->span[low - 1].kind : 0;
}

const char *file_name(const struct file *file, uint32_t addr)
{
	size_t low = 0, high = file->nr_names;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (file->name[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? file->name[low - 1].name : "?";
}
