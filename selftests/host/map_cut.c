// SPDX-License-Identifier: GPL-2.0
/* ELF files that are cut off while they are read: who reads them lives on, and is told. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../tools/elf_map.h"
#include "tap.h"

#define SIZE	(3 * 65536)	/* more than one page, whatever their size */

static int make_file(void)
{
	char name[] = "/tmp/map_cut.XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0 || unlink(name) || ftruncate(fd, SIZE) || pwrite(fd, "first", 5, 0) != 5 ||
	    pwrite(fd, "last", 4, SIZE - 4) != 4)
		abort();
	return fd;
}

static __u8 byte_at(const struct elf_map *map, __u64 offset)
{
	return *(const volatile __u8 *)elf_map_at(map, offset, 1);
}

static void test_whole(void)
{
	struct elf_map map;
	int fd = make_file();

	tap_result(!elf_map_open(fd, &map) && byte_at(&map, 0) == 'f' &&
		   byte_at(&map, SIZE - 1) == 't', "a file is read to its last byte");
	tap_result(!elf_map_close(&map), "nothing is wrong with it");
	close(fd);
}

static void test_cut(void)
{
	struct elf_map map;
	int fd = make_file();

	if (elf_map_open(fd, &map) || ftruncate(fd, 5))
		abort();
	tap_result(!byte_at(&map, SIZE - 1) && !byte_at(&map, 65536),
		   "what is cut off reads as zeros");
	tap_result(byte_at(&map, 0) == 'f', "what is left, as it is");
	tap_result(elf_map_close(&map), "it is said that it was cut off");
	if (ftruncate(fd, SIZE))
		abort();
	tap_result(!elf_map_open(fd, &map) && !byte_at(&map, SIZE - 1) && !elf_map_close(&map),
		   "which is no matter of the next file");
	close(fd);
}

/* Who reads what is no file of ours has made a mistake, and is to be told of it. */
static int signal_of_another_map(void)
{
	struct elf_map map;
	int fd = make_file(), status;
	volatile char *other;

	if (!fork()) {
		signal(SIGBUS, SIG_DFL);
		other = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
		if (other == MAP_FAILED || elf_map_open(fd, &map) || ftruncate(fd, 5))
			abort();
		_exit(other[SIZE - 1]);
	}
	close(fd);
	return wait(&status) > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int main(void)
{
	tap_plan(7);
	test_whole();
	test_cut();
	tap_result(signal_of_another_map() == SIGBUS, "any other signal does what it does");
	return tap_status();
}
