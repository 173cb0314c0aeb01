// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <string.h>

#include "analyse_elf.h"
#include "analyse_imports.h"
#include "analyse_memory.h"

/* C11 7.22.4, POSIX, GNU libc's err.h and assert.h; the C++ ABI, 2.4 and 2.5.5; libunwind */
static const char *const never[] = {
	"abort", "exit", "_exit", "_Exit", "quick_exit", "longjmp", "_longjmp", "siglongjmp",
	"__longjmp_chk", "pthread_exit", "thrd_exit", "err", "errx", "verr", "verrx",
	"__assert_fail", "__assert_perror_fail", "__assert", "__stack_chk_fail",
	"__chk_fail", "__fortify_fail", "__libc_fatal", "__libc_start_main",
	"__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast", "__cxa_bad_typeid",
	"__cxa_call_terminate", "__cxa_call_unexpected", "__cxa_end_cleanup",
	"__cxa_pure_virtual", "__cxa_deleted_virtual", "__cxa_throw_bad_array_new_length",
	"_Unwind_Resume", "_ZSt9terminatev", "_ZSt10unexpectedv",
	"g_assertion_message", "g_assertion_message_expr", "g_assertion_message_cmpnum",
	"g_assertion_message_cmpint", "g_assertion_message_cmpstr", "g_assertion_message_error",
	"g_abort",
};

/* std::__throw_*() of libstdc++ */
static const char throws[] = "__throw_";

static bool is_never(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (!strcmp(name, never[i]))
			return true;
	}
	return !strncmp(name, "_ZSt", 4) && strstr(name, throws);
}

static const char *string_at(const struct image *image, uint32_t addr)
{
	const struct segment *segment = image_at(image, addr, 1);
	const char *s;

	if (!segment)
		return NULL;
	s = (const char *)segment->bytes + (addr - segment->addr);
	return memchr(s, 0, segment->size - (addr - segment->addr)) ? s : NULL;
}

struct dynamic {
	uint32_t rel;
	uint32_t rel_size;
	uint32_t plt;
	uint32_t plt_size;
	uint32_t symbols;
	uint32_t strings;
};

static void note_tag(struct dynamic *d, const Elf32_Dyn *dyn)
{
	switch (dyn->d_tag) {
	case DT_REL:
		d->rel = dyn->d_un.d_ptr;
		break;
	case DT_RELSZ:
		d->rel_size = dyn->d_un.d_val;
		break;
	case DT_JMPREL:
		d->plt = dyn->d_un.d_ptr;
		break;
	case DT_PLTRELSZ:
		d->plt_size = dyn->d_un.d_val;
		break;
	case DT_SYMTAB:
		d->symbols = dyn->d_un.d_ptr;
		break;
	case DT_STRTAB:
		d->strings = dyn->d_un.d_ptr;
		break;
	}
}

static void read_tags(struct dynamic *d, const struct image *image, uint32_t addr, uint32_t size)
{
	Elf32_Dyn dyn;
	const void *p;

	for (; size >= sizeof(dyn); addr += sizeof(dyn), size -= sizeof(dyn)) {
		p = elf_bytes(image, addr, sizeof(dyn));
		if (!p)
			return;
		memcpy(&dyn, p, sizeof(dyn));
		note_tag(d, &dyn);
	}
}

static void find_tags(struct dynamic *d, const struct image *image)
{
	uint32_t addr, size;

	if (elf_find(image, PT_DYNAMIC, &addr, &size))
		read_tags(d, image, addr, size);
}

static const char *symbol_name(const struct dynamic *d, const struct image *image, uint32_t nr)
{
	Elf32_Sym sym;
	const void *p = elf_bytes(image, d->symbols + nr * sizeof(sym), sizeof(sym));

	if (!p)
		return NULL;
	memcpy(&sym, p, sizeof(sym));
	return string_at(image, d->strings + sym.st_name);
}

static void read_relocations(struct imports *imports, const struct dynamic *d,
			     const struct image *image, uint32_t addr, uint32_t size)
{
	const char *name;
	Elf32_Rel rel;
	const void *p;

	for (; size >= sizeof(rel); addr += sizeof(rel), size -= sizeof(rel)) {
		p = elf_bytes(image, addr, sizeof(rel));
		if (!p)
			return;
		memcpy(&rel, p, sizeof(rel));
		if (ELF32_R_TYPE(rel.r_info) != R_ARM_JUMP_SLOT &&
		    ELF32_R_TYPE(rel.r_info) != R_ARM_GLOB_DAT)
			continue;
		name = symbol_name(d, image, ELF32_R_SYM(rel.r_info));
		if (!name || !is_never(name))
			continue;
		imports->slot = room_for(imports->slot, imports->nr, &imports->room,
					 sizeof(*imports->slot));
		imports->slot[imports->nr++] = rel.r_offset;
	}
}

void imports_read(struct imports *imports, const struct image *image)
{
	struct dynamic d = { 0 };

	*imports = (struct imports){ 0 };
	find_tags(&d, image);
	if (!d.symbols || !d.strings)
		return;
	read_relocations(imports, &d, image, d.rel, d.rel_size);
	read_relocations(imports, &d, image, d.plt, d.plt_size);
}

void imports_free(struct imports *imports)
{
	free(imports->slot);
}

bool imports_never(const struct imports *imports, uint32_t slot)
{
	uint32_t i;

	for (i = 0; i < imports->nr; i++) {
		if (imports->slot[i] == slot)
			return true;
	}
	return false;
}
