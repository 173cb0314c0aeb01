/* SPDX-License-Identifier: GPL-2.0 */
/* Jumps from one function into another, but for sibling calls */
#ifndef A32_ANALYSE_INFLOW_H
#define A32_ANALYSE_INFLOW_H

#include "analyse_state.h"

/**
 * struct inflow - what jumps from other functions bring to an address
 * @addr: the address, with bit 0
 * @state: what they agree in
 */
struct inflow {
	uint32_t addr;
	struct state state;
};

/**
 * struct inflows - all of them
 * @nr: how many
 * @room: how many fit
 * @inflow: them, in the order they were found
 * @size: size of @index, a power of 2
 * @index: hash table by address: an index of @inflow + 1, or 0
 */
struct inflows {
	uint32_t nr;
	uint32_t room;
	struct inflow *inflow;
	uint32_t size;
	uint32_t *index;
};

void inflows_free(struct inflows *in);

/* Return: whether that has changed anything */
bool inflows_add(struct inflows *in, uint32_t addr, const struct state *s);

const struct inflow *inflows_find(const struct inflows *in, uint32_t addr);

#endif
