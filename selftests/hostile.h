/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hostile - chains from any registers: a function that is given them faults at a
 * page, and each fault is a sample.
 */
#ifndef SELFTESTS_HOSTILE_H
#define SELFTESTS_HOSTILE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	HOSTILE_ENTRIES		= 127,		/* kernel.perf_event_max_stack */
	HOSTILE_FUNCTIONS	= 64,		/* in a page of code */
	HOSTILE_PAGES		= 4,		/* of code */
	HOSTILE_WORDS		= 16,		/* of a function */
	HOSTILE_CALLS		= 6,		/* that it makes */
};

/**
 * struct hostile_chain - the chain of the last fault
 * @nr: entries
 * @entry: entries
 * @insane: entries, of all samples so far, that are no address of code
 */
struct hostile_chain {
	unsigned int nr;
	uint64_t entry[HOSTILE_ENTRIES];
	unsigned int insane;
};

/**
 * struct hostile - what faults, and where
 * @code: HOSTILE_PAGES of functions with gcc's frame records, mapped from a file
 * @fd: that file, tagged
 * @chain: the result of hostile_sample()
 * @private: the rest
 */
struct hostile {
	uint32_t *code;
	int fd;
	struct hostile_chain chain;
	struct hostile_private *private;
};

/* Return: 0, or -1 with a line on stdout */
int hostile_begin(struct hostile *self, int ctl);
void hostile_end(struct hostile *self, int ctl);

/* Read /proc/self/maps: code is where it says, until it is called again. */
void hostile_read_maps(struct hostile *self);

/**
 * hostile_sample() - fault in a function's body
 * @r: r0 to r14; r0 and r1 are not used
 * @function: which of HOSTILE_PAGES * HOSTILE_FUNCTIONS
 *
 * Return: false when no sample came of it
 */
bool hostile_sample(struct hostile *self, const uint32_t r[15], unsigned int function);

/* The pc of such a fault; a return address in a function; a signal trampoline behind it */
uint32_t hostile_pc(const struct hostile *self, unsigned int function);
uint32_t hostile_return(const struct hostile *self, unsigned int function, unsigned int call);
uint32_t hostile_trampoline(const struct hostile *self, unsigned int function);

/* Write the functions of a page, as they are at first. */
void hostile_write_code(struct hostile *self, unsigned int page);

#endif
