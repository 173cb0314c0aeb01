// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "small_elf.h"

/* What its note says, and what is in it beside the headers, makes the difference. */
struct elf {
	Elf32_Ehdr header;
	Elf32_Phdr note;
	Elf32_Nhdr head;
	char name[4];
	uint8_t build_id[2];
	uint8_t padding[2];
	char rest[4];
};

int small_elf_make(const char *name, const char *build_id, const char *rest)
{
	struct elf elf = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB },
			.e_machine = EM_ARM, .e_phoff = offsetof(struct elf, note), .e_phnum = 1,
			.e_phentsize = sizeof(Elf32_Phdr),
		},
		.note = {
			.p_type = PT_NOTE, .p_offset = offsetof(struct elf, head), .p_filesz = 20,
		},
		.head = { .n_namesz = 4, .n_descsz = 2, .n_type = NT_GNU_BUILD_ID },
		.name = "GNU",
	};
	int fd;

	memcpy(elf.build_id, build_id, 2);
	memcpy(elf.rest, rest, 4);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, &elf, sizeof(elf)) != sizeof(elf))
		abort();
	return fd;
}
