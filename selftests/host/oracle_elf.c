// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "guest.h"
#include "oracle_bodies.h"
#include "oracle_linux.h"
#include "oracle_tables.h"

#define PAGE		4096u
#define TEXT_PREFIX	".text."

static const char *const abi_names[] = A32_ABI_NAMES;

/* In one chunk, as the sections are few */
static struct {
	u32 nr;
	struct a32_range range[ORACLE_SECTIONS];
} chunk;

static struct {
	u32 nr;
	struct a32_slot slot[1];
} map;

void oracle_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("oracle: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

static void find_bounds(struct oracle_program *p, const Elf32_Phdr *ph, u32 nr)
{
	u32 i, end = 0;

	p->start = ~0u;
	for (i = 0; i < nr; i++) {
		if (ph[i].p_type != PT_LOAD)
			continue;
		if (p->start > ph[i].p_vaddr)
			p->start = ph[i].p_vaddr;
		if (end < ph[i].p_vaddr + ph[i].p_memsz)
			end = ph[i].p_vaddr + ph[i].p_memsz;
	}
	p->start &= ~(PAGE - 1);
	p->size = (end - p->start + PAGE - 1) & ~(PAGE - 1);
}

static void load_segments(struct oracle_program *p, const u8 *file, const Elf32_Ehdr *eh)
{
	const Elf32_Phdr *ph = (const void *)(file + eh->e_phoff);
	u32 i;

	find_bounds(p, ph, eh->e_phnum);
	p->image = aligned_alloc(PAGE, p->size);
	if (!p->image)
		oracle_die("out of memory");
	memset(p->image, 0, p->size);
	for (i = 0; i < eh->e_phnum; i++) {
		if (ph[i].p_type == PT_LOAD)
			memcpy(p->image + ph[i].p_vaddr - p->start, file + ph[i].p_offset,
			       ph[i].p_filesz);
	}
}

/* ".text.ABI", perhaps with more behind a dot */
static u32 section_abi(const char *name)
{
	u32 abi;

	for (abi = 0; abi < A32_ABI_NR; abi++) {
		size_t len = strlen(abi_names[abi]);

		if (!strncmp(name + strlen(TEXT_PREFIX), abi_names[abi], len) &&
		    (!name[strlen(TEXT_PREFIX) + len] || name[strlen(TEXT_PREFIX) + len] == '.'))
			return abi;
	}
	return A32_ABI_NONE;
}

static const u32 default_abi = A32_ABI_NONE;

static void add_code(struct oracle_program *p, u32 abi, u32 start, u32 end)
{
	u32 n = p->nr_sections;

	if (n == ORACLE_SECTIONS)
		oracle_die("%s: more than %d sections of code", p->name, ORACLE_SECTIONS);
	if (n && start < p->range[n - 1].end)
		oracle_die("%s: sections out of order", p->name);
	p->code[n].abi = abi;
	p->code[n].counts = &p->counts[n];
	p->range[n] = (struct a32_range){ .start = start, .end = end, .code = &p->code[n] };
	p->nr_sections++;
}

/* The rules that a user would set on parts of the file: its sections */
static struct a32_rules *find_parts(const struct oracle_program *p, const u8 *file,
				    const Elf32_Ehdr *eh)
{
	const Elf32_Shdr *sh = (const void *)(file + eh->e_shoff);
	const char *names = (const char *)file + sh[eh->e_shstrndx].sh_offset;
	struct a32_rules *rules;
	u32 i;

	rules = calloc(1, sizeof(*rules) + eh->e_shnum * sizeof(rules->rule[0]));
	if (!rules)
		oracle_die("out of memory");
	for (i = 0; i < eh->e_shnum; i++) {
		const char *name = names + sh[i].sh_name;

		if (sh[i].sh_flags & SHF_EXECINSTR && sh[i].sh_size &&
		    !strncmp(name, TEXT_PREFIX, strlen(TEXT_PREFIX)))
			rules->rule[rules->nr++] = (struct a32_abi_rule){
				sh[i].sh_offset, sh[i].sh_offset + sh[i].sh_size,
				section_abi(name),
			};
	}
	if (!rules->nr)
		oracle_die("%s: no section " TEXT_PREFIX "ABI", p->name);
	return rules;
}

/* As the kernel maps them: whole pages, all of one file */
static void add_segments(struct oracle_program *p, const u8 *file, const Elf32_Ehdr *eh)
{
	const Elf32_Phdr *ph = (const void *)(file + eh->e_phoff);
	u32 i;

	for (i = 0; i < eh->e_phnum; i++) {
		struct a32_code *code = &p->code[p->nr_sections];

		if (ph[i].p_type != PT_LOAD || !(ph[i].p_flags & PF_X))
			continue;
		add_code(p, A32_ABI_NONE, ph[i].p_vaddr & -PAGE,
			 (ph[i].p_vaddr + ph[i].p_memsz + PAGE - 1) & -PAGE);
		p->range[p->nr_sections - 1].pgoff = ph[i].p_offset / PAGE;
		code->table = p->table;
		code->parts = p->parts;
		code->bodies = p->bodies;
	}
}

static void find_code(struct oracle_program *p, const u8 *file, const Elf32_Ehdr *eh)
{
	add_segments(p, file, eh);
	add_code(p, A32_ABI_NONE, UPROBES, UPROBES + UPROBES_SIZE);
	p->code[p->nr_sections - 1].special = SPECIAL_UPROBES;
	/* With GCC's trampolines for nested functions, the stack is code. */
	add_code(p, A32_ABI_NONE, STACK_TOP - STACK_SIZE, STACK_TOP);
	p->range[p->nr_sections - 1].changes = 1;
	memcpy(chunk.range, p->range, sizeof(chunk.range));
	chunk.nr = p->nr_sections;
	map.nr = 1;
	map.slot[0] = (struct a32_slot){ 0, (const struct a32_chunk *)&chunk };
	p->space = (struct a32_space){
		.map = (const struct a32_map *)&map, .default_abi = &default_abi, .tag = 1,
	};
}

static int by_address(const void *a, const void *b)
{
	const struct oracle_symbol *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void oracle_program_sort(struct oracle_program *p)
{
	qsort(p->symbol, p->nr_symbols, sizeof(*p->symbol), by_address);
}

static void add_area(struct oracle_program *p, struct oracle_area *areas, u32 *nr, u32 max,
		     struct oracle_area area)
{
	if (*nr == max)
		oracle_die("%s: more than %u areas of a kind", p->name, max);
	areas[(*nr)++] = area;
}

/* Where a "switchingX" ends: at "switchedX" */
static u32 end_of(const struct oracle_program *p, const char *name, const char *names,
		  const Elf32_Sym *sym, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		const char *other = names + sym[i].st_name;

		if (!strncmp(other, "switched", 8) && !strcmp(other + 8, name + 9))
			return sym[i].st_value & ~1;
	}
	oracle_die("%s: %s without an end", p->name, name);
}

static void add_areas(struct oracle_program *p, const char *names, const Elf32_Sym *sym, u32 nr)
{
	struct oracle_area area;
	u32 i;

	for (i = 0; i < nr; i++) {
		const char *name = names + sym[i].st_name;

		area.start = sym[i].st_value & ~1;
		if (!strncmp(name, "switching", 9)) {
			area.end = end_of(p, name, names, sym, nr);
			add_area(p, p->switching, &p->nr_switching, ORACLE_SWITCHES, area);
		} else if (!strncmp(name, "stack_", 6) &&
			   ELF32_ST_TYPE(sym[i].st_info) == STT_OBJECT) {
			area.end = area.start + sym[i].st_size;
			add_area(p, p->stack, &p->nr_stacks, ORACLE_STACKS, area);
		}
	}
}

static void add_symbol(struct oracle_program *p, const char *name, const Elf32_Sym *sym)
{
	if (!strcmp(name, "finish"))
		p->exit = sym->st_value & ~1;
	if (!strcmp(name, "on_signal"))
		p->handler = sym->st_value;
	if (!strcmp(name, "restorer"))
		p->restorer = sym->st_value;
	if (ELF32_ST_TYPE(sym->st_info) != STT_FUNC)
		return;
	if (!strncmp(name, "probed_", 7) && p->nr_probes < ORACLE_PROBES)
		p->probe[p->nr_probes++] = sym->st_value;
	p->symbol[p->nr_symbols++] = (struct oracle_symbol){
		sym->st_value & ~1, sym->st_size, name,
	};
}

static void find_symbols(struct oracle_program *p, const u8 *file, const Elf32_Ehdr *eh)
{
	const Elf32_Shdr *sh = (const void *)(file + eh->e_shoff);
	const Elf32_Sym *sym = NULL;
	const char *names = NULL;
	u32 i, nr = 0;

	for (i = 0; i < eh->e_shnum; i++) {
		if (sh[i].sh_type != SHT_SYMTAB)
			continue;
		sym = (const void *)(file + sh[i].sh_offset);
		nr = sh[i].sh_size / sizeof(*sym);
		names = (const char *)file + sh[sh[i].sh_link].sh_offset;
	}
	p->symbol = calloc(nr + 1, sizeof(*p->symbol));
	for (i = 0; i < nr; i++)
		add_symbol(p, names + sym[i].st_name, &sym[i]);
	add_areas(p, names, sym, nr);
	oracle_program_sort(p);
	if (!p->exit)
		oracle_die("%s: no symbol \"finish\"", p->name);
}

/* The row's name: the file's, without folder and ending */
static char *row_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path), *dot = strrchr(name, '.');

	if (dot)
		*dot = '\0';
	return name;
}

void oracle_program_load(struct oracle_program *p, const char *path, const struct oracle_how *how)
{
	const Elf32_Ehdr *eh;
	size_t size;

	*p = (struct oracle_program){ .name = row_name(path), .path = path };
	if (how->root || guest_is_program(path)) {
		p->guest = oracle_linux_new();
		return;
	}
	p->file = oracle_file_read(path, &size);
	eh = p->file;
	if (size < sizeof(*eh) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
	    eh->e_machine != EM_ARM || eh->e_type != ET_EXEC)
		oracle_die("%s: no static ARM program", path);
	p->entry = eh->e_entry;
	if (how->tables) {
		p->table = oracle_table_read(how->tables, path, p->file, size);
	} else {
		p->parts = find_parts(p, p->file, eh);
		p->bodies = oracle_bodies_find(p->file, size, p->parts);
	}
	load_segments(p, p->file, eh);
	find_code(p, p->file, eh);
	find_symbols(p, p->file, eh);
}

void oracle_program_free(struct oracle_program *p)
{
	if (p->guest) {
		oracle_linux_free(p->guest);
		p->image = NULL;
	}
	oracle_table_free(p->table);
	oracle_bodies_free(p->bodies);
	free(p->parts);
	free(p->symbol);
	free(p->image);
	free(p->file);
	free((char *)p->name);
}

const struct oracle_symbol *oracle_program_symbol(const struct oracle_program *p, u32 addr)
{
	const struct oracle_symbol *found = NULL;
	u32 i;

	for (i = 0; i < p->nr_symbols && p->symbol[i].start <= addr; i++) {
		if (addr - p->symbol[i].start < p->symbol[i].size || !found)
			found = &p->symbol[i];
	}
	return found && addr - found->start < found->size ? found : NULL;
}
