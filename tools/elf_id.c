// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <string.h>

#include "crc32.h"
#include "elf_id.h"
#include "elf_map.h"

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

static const char *identify(const struct elf_map *map, bool with_crc, struct elf_id *id)
{
	const Elf32_Ehdr *header = elf_map_header(map);
	const Elf32_Phdr *segment;
	const void *bytes;
	int i;

	segment = header ? elf_map_segments(map, header) : NULL;
	if (!segment)
		return "it is no ELF file of 32-bit ARM";
	for (i = 0; i < header->e_phnum; i++) {
		bytes = elf_map_at(map, segment[i].p_offset, segment[i].p_filesz);
		if (!bytes)
			return "it is truncated";
		if (segment[i].p_type == PT_NOTE && !id->build_id_size)
			find_build_id(bytes, segment[i].p_filesz, id);
		if (with_crc && segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_X)
			id->code_crc = crc32_add(id->code_crc, bytes, segment[i].p_filesz);
	}
	return NULL;
}

static const char *read_id(int fd, bool with_crc, struct elf_id *id)
{
	const char *why, *cut;
	struct elf_map map;

	memset(id, 0, sizeof(*id));
	why = elf_map_open(fd, &map);
	id->file_size = map.size;
	if (!why)
		why = identify(&map, with_crc, id);
	cut = elf_map_close(&map);
	return cut ? cut : why;
}

const char *elf_id_read(int fd, struct elf_id *id)
{
	return read_id(fd, true, id);
}

const char *elf_id_read_build_id(int fd, struct elf_id *id)
{
	return read_id(fd, false, id);
}

bool elf_id_fits(const struct elf_id *id, const struct a32_table_header *table)
{
	/* Code that was patched has the build-id that it had before. */
	if (id->file_size != table->file_size || id->code_crc != table->code_crc)
		return false;
	return !id->build_id_size || !table->build_id_size ||
	       (id->build_id_size == table->build_id_size &&
		!memcmp(id->build_id, table->build_id, id->build_id_size));
}
