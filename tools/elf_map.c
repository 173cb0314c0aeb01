// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_map.h"

/* One at a time is open, and of one thread. */
static struct guard {
	uintptr_t start;
	size_t size;
	volatile sig_atomic_t was_cut;
	struct sigaction before;
} guard;

/* What a file has no more reads as zeros: a signal would end who watches. */
static void fill_with_zeros(int signal, siginfo_t *info, void *context)
{
	uintptr_t addr = (uintptr_t)info->si_addr, page;

	(void)context;
	page = addr & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
	if (addr - guard.start >= guard.size ||
	    mmap((void *)page, guard.start + guard.size - page, PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		sigaction(signal, &guard.before, NULL);
	guard.was_cut = 1;
}

static void watch_over(const struct elf_map *map)
{
	const struct sigaction action = { .sa_sigaction = fill_with_zeros, .sa_flags = SA_SIGINFO };

	guard = (struct guard){ .start = (uintptr_t)map->bytes, .size = map->size };
	sigaction(SIGBUS, &action, &guard.before);
}

bool elf_map_begins(const char *path)
{
	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char magic[SELFMAG];
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, magic, SELFMAG) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);
	close(fd);
	return is;
}

const char *elf_map_open(int fd, struct elf_map *map)
{
	struct stat st;
	void *bytes;

	*map = (struct elf_map){ 0 };
	if (fstat(fd, &st))
		return strerror(errno);
	if (!st.st_size || (__u64)st.st_size > SIZE_MAX)
		return "it is no ELF file of 32-bit ARM";
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return strerror(errno);
	*map = (struct elf_map){ (size_t)st.st_size, bytes };
	watch_over(map);
	return NULL;
}

const char *elf_map_close(struct elf_map *map)
{
	if (!map->bytes)
		return NULL;
	sigaction(SIGBUS, &guard.before, NULL);
	munmap((void *)map->bytes, map->size);
	return guard.was_cut ? "it was cut off, or can't be read" : NULL;
}

const void *elf_map_at(const struct elf_map *map, __u64 offset, __u64 size)
{
	return offset <= map->size && size <= map->size - offset ? map->bytes + offset : NULL;
}

const Elf32_Ehdr *elf_map_header(const struct elf_map *map)
{
	const Elf32_Ehdr *header = elf_map_at(map, 0, sizeof(*header));

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != ELFCLASS32 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_machine != EM_ARM || header->e_phentsize != sizeof(Elf32_Phdr))
		return NULL;
	return header;
}

const Elf32_Phdr *elf_map_segments(const struct elf_map *map, const Elf32_Ehdr *header)
{
	/* In the file they may be anywhere; in memory nothing but the size is sure. */
	if (header->e_phoff % 4)
		return NULL;
	return elf_map_at(map, header->e_phoff, (__u64)header->e_phnum * sizeof(Elf32_Phdr));
}
