// SPDX-License-Identifier: GPL-2.0
/* What execve() does: the program, its ld.so, its stack, and the kernel's own page. */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "guest.h"

enum { PIE_BASE = 0x00400000, INTERP_BASE = GUEST_INTERP };

/* arch/arm/include/uapi/asm/hwcap.h: what a Cortex-A15 has */
enum {
	HWCAP_ARM	= 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 7,	/* SWP to EDSP */
	HWCAP_FP	= 1 << 6 | 1 << 12 | 1 << 13 | 1 << 16 | 1 << 19,	/* VFP, NEON */
	HWCAP_OTHER	= 1 << 15 | 1 << 17 | 1 << 18 | 1 << 20,	/* TLS, IDIV, LPAE */
};

/**
 * struct image - an ELF file that is mapped
 * @eh: its header
 * @ph: its program headers
 * @bias: added to its addresses
 * @end: of all that is mapped
 * @interp: its ld.so, or ""
 */
struct image {
	Elf32_Ehdr eh;
	Elf32_Phdr ph[32];
	u32 bias;
	u32 end;
	char interp[128];
};

static bool read_headers(int fd, struct image *image)
{
	Elf32_Ehdr *eh = &image->eh;

	return pread(fd, eh, sizeof(*eh), 0) == sizeof(*eh) &&
	       !memcmp(eh->e_ident, ELFMAG, SELFMAG) && eh->e_machine == EM_ARM &&
	       eh->e_ident[EI_CLASS] == ELFCLASS32 && eh->e_phnum <= 32 &&
	       pread(fd, image->ph, eh->e_phnum * sizeof(Elf32_Phdr), eh->e_phoff) ==
	       (ssize_t)(eh->e_phnum * sizeof(Elf32_Phdr));
}

static u32 prot_of(const Elf32_Phdr *ph)
{
	return (ph->p_flags & PF_R ? PROT_READ : 0) | (ph->p_flags & PF_W ? PROT_WRITE : 0) |
	       (ph->p_flags & PF_X ? PROT_EXEC : 0);
}

static void load_segment(struct guest *g, int fd, const char *path, struct image *image,
			 const Elf32_Phdr *ph)
{
	u32 addr = ph->p_vaddr + image->bias, start = addr & -GUEST_PAGE;
	u32 size = addr + ph->p_memsz - start;

	guest_memory_map(&g->mem, start, size, prot_of(ph));
	if (pread(fd, g->mem.base + addr, ph->p_filesz, ph->p_offset) != (ssize_t)ph->p_filesz)
		oracle_die("%s: can't be read", path);
	/* The rest of its first page is the file's, too. */
	if (pread(fd, g->mem.base + start, addr - start, ph->p_offset - (addr - start)) < 0)
		oracle_die("%s: can't be read", path);
	if (image->end < start + size)
		image->end = start + size;
	if (ph->p_flags & PF_X)
		guest_code_add(g, fd, start, size, ph->p_offset & -GUEST_PAGE);
}

static void load_image(struct guest *g, int fd, const char *path, struct image *image, u32 base)
{
	const Elf32_Phdr *ph = image->ph;

	if (!read_headers(fd, image))
		oracle_die("%s: no ARM program", path);
	image->bias = image->eh.e_type == ET_DYN ? base : 0;
	for (; ph < image->ph + image->eh.e_phnum; ph++) {
		if (ph->p_type == PT_LOAD && ph->p_memsz)
			load_segment(g, fd, path, image, ph);
		if (ph->p_type == PT_INTERP && ph->p_filesz < sizeof(image->interp) &&
		    pread(fd, image->interp, ph->p_filesz, ph->p_offset) < 0)
			oracle_die("%s: can't be read", path);
	}
}

static void load_interp(struct guest *g, const char *path, struct image *interp)
{
	int fd = guest_open(g, path, O_RDONLY);

	if (fd < 0)
		oracle_die("%s: no such file in the system root", path);
	load_image(g, fd, path, interp, INTERP_BASE);
	close(fd);
}

/* The stack is filled from its top down. */
static u32 push_bytes(struct guest *g, const void *data, u32 size)
{
	g->sp -= size;
	memcpy(g->mem.base + g->sp, data, size);
	return g->sp;
}

static u32 push_string(struct guest *g, const char *s)
{
	return push_bytes(g, s, strlen(s) + 1);
}

static u32 fill_auxv(struct guest *g, u32 *v, const struct image *image, u32 interp, u32 name)
{
	u8 random[16] = "not so random..";
	u32 phdr = image->bias + image->ph[0].p_vaddr - image->ph[0].p_offset + image->eh.e_phoff;
	u32 i;
	const u32 auxv[][2] = {
		{ AT_PHDR, phdr }, { AT_PHENT, sizeof(Elf32_Phdr) },
		{ AT_PHNUM, image->eh.e_phnum }, { AT_PAGESZ, GUEST_PAGE }, { AT_BASE, interp },
		{ AT_FLAGS, 0 }, { AT_ENTRY, image->bias + image->eh.e_entry },
		{ AT_UID, 1000 }, { AT_EUID, 1000 }, { AT_GID, 1000 }, { AT_EGID, 1000 },
		{ AT_SECURE, 0 }, { AT_CLKTCK, 100 },
		{ AT_HWCAP, HWCAP_ARM | HWCAP_FP | HWCAP_OTHER }, { AT_HWCAP2, 0 },
		{ AT_PLATFORM, push_string(g, "v7l") },
		{ AT_RANDOM, push_bytes(g, random, sizeof(random)) }, { AT_EXECFN, name },
		{ AT_NULL, 0 },
	};

	for (i = 0; i < sizeof(auxv) / sizeof(auxv[0]); i++) {
		*v++ = auxv[i][0];
		*v++ = auxv[i][1];
	}
	return 2 * i;
}

/* The first PT_LOAD has the program headers; auxv wants to know where. */
static void sort_first_load(struct image *image)
{
	u32 i;

	for (i = 0; i < image->eh.e_phnum; i++) {
		if (image->ph[i].p_type == PT_LOAD && !image->ph[i].p_offset) {
			image->ph[0] = image->ph[i];
			return;
		}
	}
}

static const char *const environment[] = {
	"PATH=/usr/bin:/bin", "HOME=/", "LANG=C", "PYTHONHASHSEED=0", "TZ=UTC", NULL
};

static void make_stack(struct guest *g, const char *name, char *const *args,
		       struct image *image, u32 interp)
{
	u32 words[512], n = 1, top = STACK_TOP;
	u32 i;

	guest_memory_map(&g->mem, STACK_TOP - STACK_SIZE, STACK_SIZE, PROT_READ | PROT_WRITE);
	g->sp = top - 16;
	words[n++] = push_string(g, name);
	for (; args && *args && n < 256; args++)
		words[n++] = push_string(g, *args);
	words[0] = n - 1;
	words[n++] = 0;
	for (i = 0; environment[i]; i++)
		words[n++] = push_string(g, environment[i]);
	if (g->variable)
		words[n++] = push_string(g, g->variable);
	words[n++] = 0;
	sort_first_load(image);
	n += fill_auxv(g, &words[n], image, interp, words[1]);
	/* AAPCS32 section 6.2.1.2: 8 bytes, here 16, at a public interface */
	g->sp = (g->sp & ~15) - (4 * n + 15) / 16 * 16;
	memcpy(g->mem.base + g->sp, words, 4 * n);
}

struct helper {
	u32 addr;
	u32 word[13];
};

/* Documentation/arch/arm/kernel_user_helpers.rst; there is one thread. */
static const struct helper helpers[] = {
	{ 0xffff0f60, {			/* kuser_cmpxchg64 */
		0xe92d00f0,		/* push {r4-r7} */
		0xe1c040d0,		/* ldrd r4, r5, [r0] */
		0xe1c260d0,		/* ldrd r6, r7, [r2] */
		0xe1540006,		/* cmp r4, r6 */
		0x01550007,		/* cmpeq r5, r7 */
		0x01c160d0,		/* ldrdeq r6, r7, [r1] */
		0x01c260f0,		/* strdeq r6, r7, [r2] */
		0x03a00000,		/* moveq r0, #0 */
		0x13a00001,		/* movne r0, #1 */
		0xe2700000,		/* rsbs r0, r0, #0 */
		0xe8bd00f0,		/* pop {r4-r7} */
		0xe12fff1e,		/* bx lr */
	} },
	{ 0xffff0fa0, {			/* kuser_memory_barrier */
		0xf57ff05b,		/* dmb ish */
		0xe12fff1e,		/* bx lr */
	} },
	{ 0xffff0fc0, {			/* kuser_cmpxchg */
		0xe5923000,		/* ldr r3, [r2] */
		0xe0533000,		/* subs r3, r3, r0 */
		0x05821000,		/* streq r1, [r2] */
		0xe2730000,		/* rsbs r0, r3, #0 */
		0xe12fff1e,		/* bx lr */
	} },
	{ 0xffff0fe0, {			/* kuser_get_tls */
		0xee1d0f70,		/* mrc p15, 0, r0, c13, c0, 3 */
		0xe12fff1e,		/* bx lr */
	} },
	{ 0xffff0ffc, { 5 } },		/* kuser_helper_version */
};

static void make_helpers(struct guest *g)
{
	u32 i, j;

	guest_memory_map(&g->mem, GUEST_KUSER, GUEST_PAGE, PROT_READ | PROT_EXEC);
	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
		for (j = 0; j < 13 && helpers[i].word[j]; j++)
			memcpy(g->mem.base + helpers[i].addr + 4 * j, &helpers[i].word[j], 4);
	}
}

bool guest_is_program(const char *path)
{
	struct image image;
	int fd = open(path, O_RDONLY);
	bool is = false;
	u32 i;

	if (fd < 0)
		return false;
	if (read_headers(fd, &image)) {
		for (i = 0; i < image.eh.e_phnum; i++)
			is |= image.ph[i].p_type == PT_INTERP || image.ph[i].p_type == PT_TLS;
	}
	close(fd);
	return is;
}

void guest_load(struct guest *g, const char *path, char *const *args)
{
	struct image image = { .interp = "" }, interp = { .interp = "" };
	int fd = g->root ? guest_open(g, path, O_RDONLY) : open(path, O_RDONLY);

	if (fd < 0)
		oracle_die("%s: can't be read", path);
	load_image(g, fd, path, &image, PIE_BASE);
	close(fd);
	if (image.interp[0])
		load_interp(g, image.interp, &interp);
	/* Not the path: what a program does may depend on where its stack is. */
	make_stack(g, g->root ? path : g->name, args, &image, interp.bias);
	make_helpers(g);
	g->brk_start = (image.end + GUEST_PAGE - 1) & -GUEST_PAGE;
	g->brk = g->brk_start;
	g->entry = image.interp[0] ? interp.bias + interp.eh.e_entry :
				     image.bias + image.eh.e_entry;
}
