// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <string.h>

#include "analyse_dynamic.h"
#include "analyse_elf.h"

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
	case DT_INIT:
		d->init = dyn->d_un.d_ptr;
		break;
	case DT_FINI:
		d->fini = dyn->d_un.d_ptr;
		break;
	}
}

void dynamic_read(struct dynamic *d, const struct image *image)
{
	uint32_t addr, size;
	Elf32_Dyn dyn;
	const void *p;

	*d = (struct dynamic){ 0 };
	if (!elf_find(image, PT_DYNAMIC, &addr, &size))
		return;
	for (; size >= sizeof(dyn); addr += sizeof(dyn), size -= sizeof(dyn)) {
		p = elf_bytes(image, addr, sizeof(dyn));
		if (!p)
			return;
		memcpy(&dyn, p, sizeof(dyn));
		note_tag(d, &dyn);
	}
}
