/* SPDX-License-Identifier: GPL-2.0 */
/* code - functions that are walked through, and never run */
#ifndef BENCH_CODE_H
#define BENCH_CODE_H

#include <stdint.h>

#define CODE_SIZE	65536
#define CODE_CALLS	12		/* in each function */
#define CODE_RETURNS	(CODE_SIZE / 128 * CODE_CALLS)

/**
 * struct abi - a frame ABI
 * @name: as a32uwctl has it
 * @reg: its frame register
 * @lr: bytes from what @reg points at to the saved lr
 * @fp: bytes from there to the saved frame register
 * @thumb: 1 in Thumb, where a word is two instructions
 * @enter: words that make the record
 * @leave: words that return
 * @body: a word of something between the calls
 */
struct abi {
	const char *name;
	unsigned int reg;
	int lr, fp;
	uint32_t thumb;
	uint32_t enter[3], leave[2];
	uint32_t body;
};

const struct abi *code_abi(const char *name);

/* Write code-NAME.0 and code-NAME.1, two files to tag. */
void code_write(const struct abi *abi);

/* Tag them. They are no programs, and the tool takes nothing else. */
void code_tag(const struct abi *abi);

/* Map one of them. @addr: where, 0 for anywhere */
uint32_t code_map(const struct abi *abi, unsigned int file, uint32_t addr);

/* A call in mapped code, and one of its CODE_RETURNS return addresses, in memory afterwards */
uint32_t code_call(uint32_t code);
uint32_t code_return(const struct abi *abi, uint32_t code, uint32_t i);

#endif
