// SPDX-License-Identifier: GPL-2.0
#include <sys/mman.h>

#include "../ctl.h"
#include "code.h"
#include "walks.h"

#define WORDS	32		/* of a function */
#define BEGIN	4		/* words before its first call, in every ABI */

static const struct abi abis[] = {
	/* mov ip, sp; push {fp, ip, lr, pc}; sub fp, ip, #4 ... sub sp, fp, #12; ldm sp, ... */
	{ "apcs", R11, -4, -12, 0, { 0xe1a0c00d, 0xe92dd800, 0xe24cb004 },
	  { 0xe24bd00c, 0xe89da800 }, 0xe3a00000 },
	/* push {fp, lr}; mov fp, sp ... mov sp, fp; pop {fp, pc} */
	{ "aapcs", R11, 4, 0, 0, { 0xe92d4800, 0xe1a0b00d, 0xe3a01000 },
	  { 0xe1a0d00b, 0xe8bd8800 }, 0xe3a00000 },
	/* push {fp, lr}; add fp, sp, #4 ... sub sp, fp, #4; pop {fp, pc} */
	{ "gcc", R11, 0, -4, 0, { 0xe92d4800, 0xe28db004, 0xe3a01000 },
	  { 0xe24bd004, 0xe8bd8800 }, 0xe3a00000 },
	/* push {r7, lr}; mov r7, sp ... mov sp, r7; nop; pop {r7, pc} */
	{ "aapcs-r7", R7, 4, 0, 1, { 0x466fb580, 0x21002000, 0x21002000 },
	  { 0xbf0046bd, 0xbf00bd80 }, 0x21002000 },
	{ "none", R11, 0, -4, 0, { 0xe92d4800, 0xe28db004, 0xe3a01000 },
	  { 0xe24bd004, 0xe8bd8800 }, 0xe3a00000 },
};

const struct abi *code_abi(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(abis) / sizeof(abis[0]); i++) {
		if (!strcmp(abis[i].name, name))
			return &abis[i];
	}
	fprintf(stderr, "no ABI %s\n", name);
	exit(2);
}

/* DDI 0406C, A8.8.25: BL to where the function begins, @back bytes before */
static uint32_t call(const struct abi *abi, uint32_t back)
{
	uint32_t off = -back - (abi->thumb ? 4 : 8);

	if (!abi->thumb)
		return 0xeb000000 | (off >> 2 & 0xffffff);
	return 0xf400 | (off >> 12 & 0x3ff) | (0xf800 | (off >> 1 & 0x7ff)) << 16;
}

static void function_write(const struct abi *abi, FILE *file)
{
	uint32_t word[WORDS];
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		word[i] = abi->body;
	memcpy(word, abi->enter, sizeof(abi->enter));
	for (i = 0; i < CODE_CALLS; i++)
		word[BEGIN + 2 * i] = call(abi, (BEGIN + 2 * i) * 4);
	memcpy(word + WORDS - 2, abi->leave, sizeof(abi->leave));
	fwrite(word, sizeof(word), 1, file);
}

static const char *file_name(const struct abi *abi, unsigned int file)
{
	static char name[32];

	snprintf(name, sizeof(name), "code-%s.%u", abi->name, file);
	return name;
}

void code_write(const struct abi *abi)
{
	unsigned int n, i;
	FILE *file;

	for (n = 0; n < 2; n++) {
		file = fopen(file_name(abi, n), "we");
		if (!file)
			fail("code");
		for (i = 0; i < CODE_SIZE / 4 / WORDS; i++)
			function_write(abi, file);
		fclose(file);
	}
}

static uint32_t number(const struct abi *abi)
{
	static const char *const names[] = A32_ABI_NAMES;
	uint32_t n;

	for (n = 0; n < A32_ABI_NR && strcmp(names[n], abi->name);)
		n++;
	return n;
}

void code_tag(const struct abi *abi)
{
	int ctl = ctl_open(), fd;
	unsigned int n;

	for (n = 0; n < 2; n++) {
		fd = open(file_name(abi, n), O_RDONLY | O_CLOEXEC);
		if (ctl < 0 || fd < 0 || ctl_tag(ctl, fd, number(abi)))
			fail("tag");
		close(fd);
	}
	close(ctl);
}

uint32_t code_map(const struct abi *abi, unsigned int file, uint32_t addr)
{
	int fd = open(file_name(abi, file), O_RDONLY | O_CLOEXEC);
	void *code = mmap((void *)(uintptr_t)addr, CODE_SIZE, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE | (addr ? MAP_FIXED : 0), fd, 0);

	if (fd < 0 || code == MAP_FAILED)
		fail("code");
	close(fd);
	return (uintptr_t)code;
}

uint32_t code_call(uint32_t code)
{
	uint32_t call = code + 4 * BEGIN;

	*(volatile uint32_t *)(uintptr_t)call;
	return call;
}

uint32_t code_return(const struct abi *abi, uint32_t code, uint32_t i)
{
	uint32_t ret;

	i %= CODE_RETURNS;
	ret = code + 4 * (i / CODE_CALLS * WORDS + BEGIN + i % CODE_CALLS * 2 + 1);
	*(volatile uint32_t *)(uintptr_t)ret;
	return ret + abi->thumb;
}
