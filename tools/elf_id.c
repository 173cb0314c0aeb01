// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "crc32.h"
#include "elf_id.h"

/**
 * struct file - a file in memory
 * @size: its bytes
 * @bytes: them
 */
struct file {
	size_t size;
	const __u8 *bytes;
};

static const void *at(const struct file *file, __u64 offset, __u64 size)
{
	return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

static const Elf32_Ehdr *header_of(const struct file *file)
{
	const Elf32_Ehdr *header = at(file, 0, sizeof(*header));

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != ELFCLASS32 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_machine != EM_ARM || header->e_phentsize != sizeof(Elf32_Phdr))
		return NULL;
	return header;
}

static const Elf32_Phdr *segments_of(const struct file *file, const Elf32_Ehdr *header)
{
	/* In the file they may be anywhere; in memory nothing but the size is sure. */
	if (header->e_phoff % 4)
		return NULL;
	return at(file, header->e_phoff, (__u64)header->e_phnum * sizeof(Elf32_Phdr));
}

static __u64 padded(__u32 size)
{
	return ((__u64)size + 3) & ~3ULL;
}

/* The first build-id among some notes, if it is one that a table can hold */
static void find_build_id(const __u8 *note, __u64 left, struct elf_id *id)
{
	Elf32_Nhdr head;
	__u64 size;

	while (left >= sizeof(head)) {
		memcpy(&head, note, sizeof(head));
		size = sizeof(head) + padded(head.n_namesz) + padded(head.n_descsz);
		if (size > left)
			return;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(note + sizeof(head), ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    head.n_descsz <= sizeof(id->build_id)) {
			id->build_id_size = head.n_descsz;
			memcpy(id->build_id, note + sizeof(head) + padded(head.n_namesz),
			       head.n_descsz);
			return;
		}
		note += size;
		left -= size;
	}
}

static const char *identify(const struct file *file, struct elf_id *id)
{
	const Elf32_Ehdr *header = header_of(file);
	const Elf32_Phdr *segment;
	const void *bytes;
	int i;

	segment = header ? segments_of(file, header) : NULL;
	if (!segment)
		return "it is no ELF file of 32-bit ARM";
	for (i = 0; i < header->e_phnum; i++) {
		bytes = at(file, segment[i].p_offset, segment[i].p_filesz);
		if (!bytes)
			return "it is truncated";
		if (segment[i].p_type == PT_NOTE && !id->build_id_size)
			find_build_id(bytes, segment[i].p_filesz, id);
		if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_X)
			id->code_crc = crc32_add(id->code_crc, bytes, segment[i].p_filesz);
	}
	return NULL;
}

const char *elf_id_read(int fd, struct elf_id *id)
{
	struct file file;
	struct stat st;
	const char *why;
	void *map;

	memset(id, 0, sizeof(*id));
	if (fstat(fd, &st))
		return strerror(errno);
	id->file_size = (__u64)st.st_size;
	if (!st.st_size || id->file_size > SIZE_MAX)
		return "it is no ELF file of 32-bit ARM";
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return strerror(errno);
	file = (struct file){ (size_t)st.st_size, map };
	why = identify(&file, id);
	munmap(map, file.size);
	return why;
}

bool elf_id_fits(const struct elf_id *id, const struct a32_table_header *table)
{
	if (id->file_size != table->file_size)
		return false;
	if (id->build_id_size && table->build_id_size)
		return id->build_id_size == table->build_id_size &&
		       !memcmp(id->build_id, table->build_id, id->build_id_size);
	return id->code_crc == table->code_crc;
}
