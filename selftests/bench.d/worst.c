// SPDX-License-Identifier: GPL-2.0
/*
 * worst INPUT...
 *
 * Walks through inputs of the fuzz targets "walk" and "work": maps their code and stack
 * where they have them, and says how each is tagged. Prints, in instructions,
 *	worst COST AGAIN ENTRIES INPUT
 * the first walk, and the same again, with what the first has found out. What the kernel
 * would have to make (uretprobes, special mappings) is left out.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include "../../uapi/a32uwind.h"
#include "../fuzz/head.h"
#include "walks.h"

#define CODE_PATH	"/tmp/worst-code"

static uint8_t input[1 << 16];
static int ctl, meter, code_fd;

/* The stack of the input is where that of a program is, if not at random. */
static void restart_without_randomness(char **argv)
{
	int now = personality(0xffffffff);

	if (now & ADDR_NO_RANDOMIZE)
		return;
	personality(now | ADDR_NO_RANDOMIZE);
	execv("/proc/self/exe", argv);
	fail("execv");
}

static uint32_t read_input(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size;

	memset(input, 0, sizeof(input));
	size = fd < 0 ? -1 : read(fd, input, sizeof(input));
	if (size < 0)
		fail(path);
	close(fd);
	return size;
}

static void map_at(uint32_t addr, uint32_t size, int prot, int fd)
{
	int flags = MAP_FIXED | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE : MAP_SHARED);
	void *at = (void *)(uintptr_t)addr;

	if (mmap(at, size, prot, flags, fd, 0) == MAP_FAILED)
		fail("mmap");
}

static void tag(uint32_t start, uint32_t end, uint32_t abi)
{
	struct a32_tag_range arg = {
		.size = sizeof(arg), .pid = getpid(), .start = HEAD_CODE_AT + start,
		.end = HEAD_CODE_AT + end, .abi = abi,
	};

	if (abi >= A32_ABI_NR) {
		arg.abi = 0;
		ioctl(ctl, A32_IOC_UNTAG_RANGE, &arg);
	} else if (ioctl(ctl, A32_IOC_TAG_RANGE, &arg)) {
		fail("tag");
	}
}

/* As map_files() in ../fuzz/walk.c has them: what is not for a file is the default. */
static void tag_files(const struct head *head, uint32_t size, bool on)
{
	uint32_t at = 0, end, abi, i;

	for (i = 0; i < HEAD_FILES; i++) {
		end = i == HEAD_FILES - 1 ? size & ~1u : head->file[i].end * HEAD_UNIT;
		if (end <= at || end > size)
			continue;
		abi = head->file[i].abi;
		if (abi >= A32_ABI_NR)
			abi = head->default_abi % A32_ABI_NR;
		if (abi == A32_ABI_AUTO)
			abi = head->file[i].auto_abi % A32_ABI_AUTO;
		tag(at, end, on ? abi : A32_ABI_NR);
		at = end;
	}
}

/* All of it is in memory, as in the fuzz target: what is not there ends a walk early. */
static void load(const struct head *head, uint32_t code, uint32_t stack)
{
	const uint8_t *at = input + sizeof(*head);
	volatile uint8_t *mapped = (void *)(uintptr_t)HEAD_CODE_AT;
	uint32_t i;

	if (ftruncate(code_fd, 0) || ftruncate(code_fd, HEAD_CODE_MAX) ||
	    pwrite(code_fd, at, code, 0) != (ssize_t)code)
		fail(CODE_PATH);
	map_at(HEAD_CODE_AT, HEAD_CODE_MAX, PROT_READ | PROT_EXEC, code_fd);
	for (i = 0; i < HEAD_CODE_MAX; i += 4096)
		(void)mapped[i];
	map_at(HEAD_STACK_AT, 4096, PROT_READ | PROT_WRITE, -1);
	memcpy((void *)(uintptr_t)HEAD_STACK_AT, at + code, stack);
}

static void walk(const struct head *head, const char *name)
{
	struct meter m = { .cpsr = head->cpsr, .room = METER_ENTRIES, .loops = 1 };
	double first;

	memcpy(m.r, head->r, sizeof(m.r));
	m.cpsr = (head->cpsr & ~0x1fu) | PSR_USER;
	first = meter_cost(meter, &m);
	printf("worst %.0f %.0f %u %s\n", first, meter_cost(meter, &m), m.nr, name);
}

static void try(const char *path)
{
	const struct head *head = (const void *)input;
	uint32_t size = read_input(path), code, stack;

	size = size < sizeof(*head) ? 0 : size - sizeof(*head);
	code = head->code % (HEAD_CODE_MAX + 1);
	if (code > size)
		code = size;
	stack = size - code < HEAD_STACK_MAX ? size - code : HEAD_STACK_MAX;
	load(head, code, stack);
	tag_files(head, code, true);
	walk(head, path);
	tag_files(head, code, false);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	restart_without_randomness(argv);
	ctl = open("/dev/a32uwind", O_RDWR | O_CLOEXEC);
	code_fd = open(CODE_PATH, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	if (ctl < 0 || code_fd < 0)
		fail("open");
	meter = meter_open();
	while (*++argv)
		try(*argv);
	unlink(CODE_PATH);
	return 0;
}
