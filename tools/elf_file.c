// SPDX-License-Identifier: GPL-2.0
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_file.h"
#include "msg.h"
#include "sparse.h"

#define READ_SIZE 1048576	/* bytes at once */

static const char give_another[] = "give a program or a library for 32-bit ARM";

static int refuse_name(const char *path)
{
	return msg_fail("%s: %s; %s", path, strerror(errno),
			msg_todo(errno, "check the name"));
}

static int refuse_cut_off(const char *path)
{
	return msg_fail("%s: its end is missing, or its headers are damaged; copy it anew", path);
}

static int check_regular(struct elf_file *file)
{
	struct stat st;

	if (file->fd < 0)
		return refuse_name(file->path);
	if (fstat(file->fd, &st) || !S_ISREG(st.st_mode))
		return msg_fail("%s: not a regular file; %s", file->path, give_another);
	file->size = (uint64_t)st.st_size;
	return DONE;
}

/* Returns false with errno set. */
static bool fill(int fd, uint8_t *bytes, size_t size)
{
	off_t at = 0;
	ssize_t got;
	size_t most;

	for (; (at = sparse_next(fd, at)) >= 0 && (uint64_t)at < size; at += got) {
		most = size - (size_t)at;
		got = pread(fd, bytes + at, most < READ_SIZE ? most : READ_SIZE, at);
		if (got < 0)
			return false;
		if (!got)
			break;
	}
	return true;
}

/*
 * All of it is read, not mapped: whoever changes it meanwhile can't have libelf see what it
 * has checked become another thing. What a sparse file doesn't have takes no memory, either.
 */
static int read_all(struct elf_file *file)
{
	struct stat st;
	void *bytes;

	if (!file->size)
		return msg_fail("%s: not an ELF file; %s", file->path, give_another);
	errno = EFBIG;
	bytes = file->size > SIZE_MAX ? MAP_FAILED :
		mmap(NULL, (size_t)file->size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		return msg_fail("%s: can't be read: %s", file->path, strerror(errno));
	file->bytes = bytes;
	if (!fill(file->fd, bytes, (size_t)file->size))
		return msg_fail("%s: can't be read: %s", file->path, strerror(errno));
	if (fstat(file->fd, &st) || (uint64_t)st.st_size != file->size)
		return msg_fail("%s: it was changed meanwhile; try again", file->path);
	return DONE;
}

static int check_header(struct elf_file *file)
{
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	file->elf = elf_memory((void *)file->bytes, (size_t)file->size);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF)
		return msg_fail("%s: not an ELF file; %s", file->path, give_another);
	if (!gelf_getehdr(file->elf, &header))
		return refuse_cut_off(file->path);
	if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_machine != EM_ARM)
		return msg_fail("%s: not for 32-bit ARM; %s", file->path, give_another);
	if (header.e_ident[EI_DATA] != ELFDATA2LSB)
		return msg_fail("%s: big-endian code is not supported", file->path);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return msg_fail("%s: neither a program nor a library; %s", file->path,
				give_another);
	/* They are last in most files: where they are missing, so may be a segment. */
	if (header.e_shoff > file->size ||
	    (uint64_t)header.e_shnum * header.e_shentsize > file->size - header.e_shoff)
		return refuse_cut_off(file->path);
	return DONE;
}

static int count_segments(struct elf_file *file, size_t *nr)
{
	if (elf_getphdrnum(file->elf, nr) || *nr > 65535)
		return refuse_cut_off(file->path);
	file->image.segment = calloc(*nr + 1, sizeof(*file->image.segment));
	if (!file->image.segment)
		msg_no_memory();
	return DONE;
}

static bool is_below(const struct segment *last, const GElf_Phdr *header)
{
	return (uint64_t)last->addr + last->size <= header->p_vaddr;
}

static int add_segment(struct elf_file *file, const GElf_Phdr *header)
{
	struct image *image = &file->image;

	if (header->p_offset > file->size || header->p_filesz > file->size - header->p_offset)
		return refuse_cut_off(file->path);
	if (header->p_vaddr + header->p_filesz > UINT32_MAX || header->p_vaddr & 1 ||
	    header->p_offset & 1)
		return msg_fail("%s: a segment is where none can be; copy it anew", file->path);
	/* Ascending, as the ELF specification demands of PT_LOAD */
	if (image->nr && !is_below(&image->segment[image->nr - 1], header))
		return msg_fail("%s: its segments overlap; copy it anew", file->path);
	image->segment[image->nr++] = (struct segment){
		.addr = (uint32_t)header->p_vaddr,
		.size = (uint32_t)header->p_filesz,
		.offset = header->p_offset,
		.bytes = file->bytes + header->p_offset,
		.executable = header->p_flags & PF_X,
	};
	return DONE;
}

static int load_segments(struct elf_file *file)
{
	bool has_code = false;
	GElf_Phdr header;
	size_t i, nr;
	int err;

	err = count_segments(file, &nr);
	for (i = 0; i < nr && !err; i++) {
		if (!gelf_getphdr(file->elf, (int)i, &header))
			return refuse_cut_off(file->path);
		if (header.p_type != PT_LOAD || !header.p_filesz)
			continue;
		err = add_segment(file, &header);
		has_code |= header.p_flags & PF_X;
	}
	if (!err && !has_code)
		return msg_fail("%s: has no code; %s", file->path, give_another);
	return err;
}

static void add_code_section(const struct image *image, const GElf_Shdr *header)
{
	uint64_t end = header->sh_addr + header->sh_size;
	struct segment *s;
	size_t i;

	for (i = 0; i < image->nr; i++) {
		s = &image->segment[i];
		if (!s->executable || header->sh_addr < s->addr ||
		    end > (uint64_t)s->addr + s->size)
			continue;
		if (!s->code_end || header->sh_addr < s->code)
			s->code = (uint32_t)header->sh_addr;
		if (end > s->code_end)
			s->code_end = (uint32_t)end;
	}
}

/* A segment with code has constants, too, mostly. */
static void find_code(struct elf_file *file)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while ((scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR &&
		    header.sh_size && header.sh_type != SHT_NOBITS)
			add_code_section(&file->image, &header);
}

static void read_build_id(struct elf_file *file)
{
	const void *id;
	ssize_t size = dwelf_elf_gnu_build_id(file->elf, &id);

	if (size <= 0)
		return;
	file->build_id_size = size < A32_TABLE_BUILD_ID ? (uint32_t)size : A32_TABLE_BUILD_ID;
	memcpy(file->build_id, id, file->build_id_size);
}

static void begin(int fd, const char *path, struct elf_file *file)
{
	*file = (struct elf_file){ .fd = fd };
	file->path = strdup(path);
	if (!file->path)
		msg_no_memory();
}

/* The file's fd may be an error. */
static int read_file(struct elf_file *file)
{
	int err = check_regular(file);

	return err ? err : read_all(file);
}

/* What a file with sections is known by */
static int read_header(struct elf_file *file)
{
	int err = check_header(file);

	if (!err)
		read_build_id(file);
	return err;
}

static int read_program(struct elf_file *file)
{
	int err = read_header(file);

	if (!err)
		err = load_segments(file);
	if (!err)
		find_code(file);
	return err;
}

static int close_if(int err, struct elf_file *file)
{
	if (err)
		elf_file_close(file);
	return err;
}

static int open_path(const char *path)
{
	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

int elf_file_open_debug(const char *path, struct elf_file *file)
{
	int err;

	begin(open_path(path), path, file);
	err = read_file(file);
	return close_if(err ? err : read_header(file), file);
}

int elf_file_open_fd(int fd, const char *path, struct elf_file *file)
{
	int err;

	begin(fd, path, file);
	err = read_file(file);
	return close_if(err ? err : read_program(file), file);
}

int elf_file_open_bytes(const uint8_t *bytes, size_t size, const char *path, struct elf_file *file)
{
	begin(-1, path, file);
	file->bytes = bytes;
	file->size = size;
	return close_if(read_program(file), file);
}

int elf_file_open(const char *path, struct elf_file *file)
{
	return elf_file_open_fd(open_path(path), path, file);
}

void elf_file_close(struct elf_file *file)
{
	elf_end(file->elf);
	if (file->fd >= 0 && file->bytes)
		munmap((void *)file->bytes, (size_t)file->size);
	if (file->fd >= 0)
		close(file->fd);
	free(file->image.segment);
	free(file->path);
	*file = (struct elf_file){ .fd = -1 };
}

Elf_Scn *elf_file_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *scn = NULL;
	const char *its;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, header) || header->sh_type == SHT_NOBITS)
			continue;
		its = elf_strptr(elf, strings, header->sh_name);
		if (its && !strcmp(its, name))
			return scn;
	}
	return NULL;
}

static bool has_sections(Elf *elf)
{
	size_t nr;

	return !elf_getshdrnum(elf, &nr) && nr > 1;
}

bool elf_file_is_code(const struct elf_file *file, uint32_t addr)
{
	const struct segment *segment = image_at(&file->image, addr, 2);
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	if (!segment || !segment->executable)
		return false;
	if (!has_sections(file->elf))
		return true;
	while ((scn = elf_nextscn(file->elf, scn)))
		if (gelf_getshdr(scn, &header) && header.sh_flags & SHF_EXECINSTR &&
		    addr >= header.sh_addr && addr - header.sh_addr < header.sh_size)
			return true;
	return false;
}
