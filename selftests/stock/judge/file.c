// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "util.h"

/*
 * Bytes from e_entry that the instructions of glibc's _start have: of
 * sysdeps/arm/start.S 0x30 in Thumb and more in ARM code, of
 * sysdeps/arm/dl-machine.h (_start and _dl_start_user) 0x34.
 */
#define START_SIZE	64

/* Bytes behind clone()'s symbol where the new thread's part may still be (sysdeps/unix/sysv/linux/arm/clone.S). */
#define CLONE_MORE	16

static struct file **files;
static size_t nr_files;

static const void *at(const struct file *file, uint32_t offset, size_t size)
{
	if (!file->image || offset > file->size || size > file->size - offset)
		return NULL;
	return file->image + offset;
}

static uint32_t half(const struct file *file, uint32_t offset)
{
	const uint16_t *p = at(file, offset, sizeof(*p));

	return p ? *p : 0;
}

static uint32_t word(const struct file *file, uint32_t offset)
{
	return half(file, offset) | half(file, offset + 2) << 16;
}

/* Where an address of the file is in it; 0 when it isn't. */
static uint32_t offset_of(const struct file *file, uint32_t addr)
{
	const Elf32_Ehdr *ehdr = at(file, 0, sizeof(*ehdr));
	const Elf32_Phdr *phdr = ehdr ? at(file, ehdr->e_phoff, ehdr->e_phnum * sizeof(*phdr)) : NULL;
	int i;

	for (i = 0; phdr && i < ehdr->e_phnum; i++)
		if (phdr[i].p_type == PT_LOAD && addr - phdr[i].p_vaddr < phdr[i].p_filesz)
			return addr - phdr[i].p_vaddr + phdr[i].p_offset;
	return 0;
}

static void find_clone(struct file *file, const Elf32_Shdr *syms, const Elf32_Shdr *strs)
{
	const Elf32_Sym *sym = at(file, syms->sh_offset, syms->sh_size);
	const char *names = at(file, strs->sh_offset, strs->sh_size);
	size_t i, nr = syms->sh_size / sizeof(*sym);

	if (!sym || !names)
		return;
	for (i = 0; i < nr; i++) {
		if (sym[i].st_name >= strs->sh_size || !sym[i].st_value ||
		    strcmp(names + sym[i].st_name, "clone"))
			continue;
		file->clone = offset_of(file, sym[i].st_value & ~1);
		file->clone_end = file->clone + sym[i].st_size + CLONE_MORE;
	}
}

static void read_elf(struct file *file)
{
	const Elf32_Ehdr *ehdr = at(file, 0, sizeof(*ehdr));
	const Elf32_Shdr *shdr;
	int i;

	if (!ehdr || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) || ehdr->e_machine != EM_ARM)
		return;
	file->loader = !strncmp(file_name(file), "ld-linux", 8);
	file->start = ehdr->e_entry ? offset_of(file, ehdr->e_entry & ~1) : 0;
	shdr = at(file, ehdr->e_shoff, ehdr->e_shnum * sizeof(*shdr));
	for (i = 0; shdr && i < ehdr->e_shnum; i++)
		if (shdr[i].sh_type == SHT_DYNSYM && shdr[i].sh_link < ehdr->e_shnum)
			find_clone(file, &shdr[i], &shdr[shdr[i].sh_link]);
}

static void map_bytes(struct file *file, const char *root)
{
	struct stat st;
	char *path;
	void *image;
	int fd;

	if (file->path[0] != '/' || asprintf(&path, "%s%s", root, file->path) < 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size) {
		image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (image != MAP_FAILED) {
			file->image = image;
			file->size = st.st_size;
		}
	}
	close(fd);
}

struct file *file_get(const char *root, const char *path)
{
	struct file *file;
	size_t i;

	for (i = 0; i < nr_files; i++)
		if (!strcmp(files[i]->path, path))
			return files[i];
	file = grow(NULL, 0, sizeof(*file));
	file->path = strdup(path);
	map_bytes(file, root);
	read_elf(file);
	files = grow(files, nr_files, sizeof(*files));
	files[nr_files++] = file;
	return file;
}

void file_for_each(void (*fn)(struct file *file))
{
	size_t i;

	for (i = 0; i < nr_files; i++)
		fn(files[i]);
}

const char *file_name(const struct file *file)
{
	const char *name = strrchr(file->path, '/');

	return name ? name + 1 : file->path;
}

bool file_outermost(const struct file *file, uint32_t offset)
{
	if (file->start && offset - file->start < START_SIZE)
		return true;
	return file->clone && offset >= file->clone && offset < file->clone_end;
}

/* BL, BLX to an address or register; B and what else sets lr by hand is not for compilers' code of today. */
static bool thumb_call(const struct file *file, uint32_t offset)
{
	uint32_t first = offset >= 4 ? half(file, offset - 4) : 0, last = half(file, offset - 2);

	return (last & 0xff87) == 0x4780 || ((first & 0xf800) == 0xf000 && (last & 0xc000) == 0xc000);
}

static bool arm_call(const struct file *file, uint32_t offset)
{
	uint32_t insn, before;

	if (offset & 3 || offset < 8)
		return false;
	insn = word(file, offset - 4);
	before = word(file, offset - 8);
	if ((insn & 0xfe000000) == 0xfa000000)
		return true;
	if (insn >> 28 == 0xf)
		return false;
	return (insn & 0x0f000000) == 0x0b000000 || (insn & 0x0ffffff0) == 0x012fff30 ||
	       /* mov lr, pc; then bx, or a load of or move to pc */
	       ((before & 0x0fffffff) == 0x01a0e00f &&
		((insn & 0x0ffffff0) == 0x012fff10 || (insn & 0x0c10f000) == 0x0410f000 ||
		 (insn & 0x0ffffff0) == 0x01a0f000));
}

bool file_call_before(const struct file *file, uint32_t offset)
{
	return offset >= 2 && (thumb_call(file, offset) || arm_call(file, offset));
}

/* mov r7, #__NR_sigreturn or __NR_rt_sigreturn; svc 0: in ARM or Thumb code, with or without the SVC's old number. */
bool file_sigreturn(const struct file *file, uint32_t offset)
{
	uint32_t insn = word(file, offset);

	return insn == 0xe3a07077 || insn == 0xe3a070ad || insn == 0xdf002777 || insn == 0xdf0027ad ||
	       insn == 0x0777f04f || insn == 0x07adf04f;
}
