/* SPDX-License-Identifier: GPL-2.0 */
/* An input of the fuzz targets "walk" and "work"; bench.d/worst.c walks in it as well. */
#ifndef A32_FUZZ_HEAD_H
#define A32_FUZZ_HEAD_H

#include <stdint.h>

enum {
	HEAD_FILES	= 3,		/* mapped one after the other */
	HEAD_UNIT	= 16,		/* bytes of code that @end counts */
	HEAD_CODE_AT	= 0x10000,
	HEAD_CODE_MAX	= 4096,		/* bytes */
	HEAD_STACK_MAX	= 2048,
};

#define HEAD_STACK_AT	0xbeff0000u

/* In @flags */
enum {
	HEAD_KUSER	= 1,		/* the kernel's helpers can be read */
	HEAD_RULES	= 2,		/* a rule on a part of the addresses */
	HEAD_RETURNS	= 4,		/* calls that uretprobes wait for */
};

/**
 * struct head - what an input begins with; the code, then the stack follow
 * @r: registers
 * @cpsr: of the same moment
 * @code: bytes of code; the rest is the stack
 * @room: entries that the chain may have
 * @flags: what else there is
 * @default_abi: for files without one
 * @file: what is mapped
 * @returns: as in struct a32_host_call; 0 in @stack ends them
 */
struct head {
	uint32_t r[16];
	uint32_t cpsr;
	uint16_t code;
	uint8_t room;
	uint8_t flags;
	uint8_t default_abi;
	struct {
		uint8_t abi;
		uint8_t special;
		uint8_t auto_abi;
		uint8_t changes;
		uint8_t end;		/* from the start of the code */
	} file[HEAD_FILES];
	struct {
		uint32_t stack;
		uint32_t ra;
	} returns[2];
} __attribute__((packed));

#endif
