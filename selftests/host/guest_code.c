// SPDX-License-Identifier: GPL-2.0
/* Files that have code: which frame ABI their sections follow, and their functions. */
#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "guest.h"
#include "oracle_bodies.h"
#include "oracle_tables.h"

#define TEXT_PREFIX	".text."

static const char *const abi_names[] = A32_ABI_NAMES;

static bool has_room(const struct guest_file *f, u64 offset, u64 size)
{
	return offset + size <= f->size;
}

/* The file's section headers; *nr is 0 if it has none. */
static const Elf32_Shdr *sections(const struct guest_file *f, u32 *nr)
{
	const Elf32_Ehdr *eh = (const void *)f->data;

	*nr = eh->e_shnum;
	if (!has_room(f, eh->e_shoff, eh->e_shnum * sizeof(Elf32_Shdr)))
		*nr = 0;
	return (const void *)(f->data + eh->e_shoff);
}

static u32 section_abi(const char *name)
{
	u32 abi;

	if (strncmp(name, TEXT_PREFIX, strlen(TEXT_PREFIX)))
		return A32_ABI_NONE;
	for (abi = 0; abi < A32_ABI_NR; abi++) {
		if (!strcmp(name + strlen(TEXT_PREFIX), abi_names[abi]))
			return abi;
	}
	return A32_ABI_NONE;
}

/* The rules that a user would set on parts of this file */
static const struct a32_rules *find_parts(const struct guest_file *f)
{
	const Elf32_Ehdr *eh = (const void *)f->data;
	struct a32_rules *rules;
	const Elf32_Shdr *sh;
	const char *names;
	u32 i, abi, nr;

	sh = sections(f, &nr);
	rules = calloc(1, sizeof(*rules) + nr * sizeof(rules->rule[0]));
	if (!rules)
		oracle_die("out of memory");
	names = nr ? (const char *)f->data + sh[eh->e_shstrndx].sh_offset : NULL;
	for (i = 0; i < nr; i++) {
		abi = section_abi(names + sh[i].sh_name);
		if (abi == A32_ABI_NONE || !sh[i].sh_size)
			continue;
		rules->rule[rules->nr++] = (struct a32_abi_rule){
			sh[i].sh_offset, sh[i].sh_offset + sh[i].sh_size, abi,
		};
	}
	return rules;
}

/* On the host, without links */
static void find_path(int fd, char *path, u32 size)
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, size - 1);
	if (len < 0)
		oracle_die("%s: can't be read", link);
	path[len] = '\0';
}

static struct guest_file *get_file(struct guest *g, int fd)
{
	struct guest_memory *m = &g->mem;
	char path[PATH_MAX];
	struct guest_file *f;
	struct stat st;
	u32 i;

	find_path(fd, path, sizeof(path));
	for (i = 0; i < m->nr_files; i++) {
		if (!strcmp(m->files[i].path, path))
			return &m->files[i];
	}
	if (m->nr_files == GUEST_FILES)
		oracle_die("more than %d files with code", GUEST_FILES);
	f = &m->files[m->nr_files];
	if (fstat(fd, &st))
		oracle_die("%s: can't be read", path);
	f->size = st.st_size;
	f->data = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (f->data == MAP_FAILED || f->size < sizeof(Elf32_Ehdr))
		oracle_die("%s: can't be read", path);
	f->path = strdup(path);
	f->code = (struct a32_code){
		.abi = A32_ABI_NONE, .parts = find_parts(f), .counts = &f->counts,
	};
	f->code.bodies = oracle_bodies_find(f->data, f->size, f->code.parts);
	if (g->tables)
		f->code.table = oracle_table_read(g->tables, path, f->data, f->size);
	m->nr_files++;
	return f;
}

/* What to add to the file's addresses, from where one part of it is mapped */
static u32 find_bias(const struct guest_file *f, u32 addr, u32 offset)
{
	const Elf32_Ehdr *eh = (const void *)f->data;
	const Elf32_Phdr *ph = (const void *)(f->data + eh->e_phoff);
	u32 i;

	for (i = 0; i < eh->e_phnum; i++) {
		if (ph[i].p_type == PT_LOAD && ph[i].p_flags & PF_X &&
		    offset - (ph[i].p_offset & -GUEST_PAGE) < ph[i].p_filesz + GUEST_PAGE)
			return addr - offset - (ph[i].p_vaddr - ph[i].p_offset);
	}
	return 0;
}

static void add_symbols(struct oracle_program *p, const struct guest_file *f,
			const Elf32_Shdr *sh, const Elf32_Shdr *strings, u32 bias)
{
	const Elf32_Sym *sym = (const void *)(f->data + sh->sh_offset);
	const char *names = (const char *)f->data + strings->sh_offset;
	u32 nr = sh->sh_size / sizeof(*sym), i;

	p->symbol = realloc(p->symbol, (p->nr_symbols + nr) * sizeof(*p->symbol));
	if (!p->symbol)
		oracle_die("out of memory");
	for (i = 0; i < nr; i++) {
		if (ELF32_ST_TYPE(sym[i].st_info) != STT_FUNC || !sym[i].st_shndx)
			continue;
		p->symbol[p->nr_symbols++] = (struct oracle_symbol){
			(sym[i].st_value & ~1) + bias, sym[i].st_size, names + sym[i].st_name,
		};
	}
	oracle_program_sort(p);
}

static void find_symbols(struct guest *g, const struct guest_file *f, u32 bias)
{
	const Elf32_Shdr *sh, *found = NULL;
	u32 nr, i;

	sh = sections(f, &nr);
	for (i = 0; i < nr; i++) {
		if (sh[i].sh_type == SHT_SYMTAB || (sh[i].sh_type == SHT_DYNSYM && !found))
			found = &sh[i];
	}
	if (found)
		add_symbols(g->symbols, f, found, &sh[found->sh_link], bias);
}

void guest_code_add(struct guest *g, int fd, u32 addr, u32 size, u32 offset)
{
	struct guest_file *f = get_file(g, fd);

	guest_memory_back(&g->mem, addr, size, f, offset);
	guest_memory_publish(&g->mem);
	find_symbols(g, f, find_bias(f, addr, offset));
}
