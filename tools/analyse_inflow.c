// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "analyse_inflow.h"
#include "analyse_memory.h"

void inflows_free(struct inflows *in)
{
	free(in->inflow);
	free(in->index);
	*in = (struct inflows){ 0 };
}

/* The place of an address, or an empty one */
static uint32_t *place(const struct inflows *in, uint32_t addr)
{
	uint32_t at = addr * 0x9e3779b1u;

	for (at ^= at >> 15;; at++) {
		uint32_t *p = &in->index[at & (in->size - 1)];

		if (!*p || in->inflow[*p - 1].addr == addr)
			return p;
	}
}

static void grow(struct inflows *in)
{
	uint32_t i;

	free(in->index);
	in->size = in->size ? in->size * 2 : 256;
	in->index = zeroes(in->size, sizeof(*in->index));
	for (i = 0; i < in->nr; i++)
		*place(in, in->inflow[i].addr) = i + 1;
}

bool inflows_add(struct inflows *in, uint32_t addr, const struct state *s)
{
	uint32_t *p;

	if (in->nr * 2 >= in->size)
		grow(in);
	p = place(in, addr);
	if (*p)
		return state_merge(&in->inflow[*p - 1].state, s);
	in->inflow = room_for(in->inflow, in->nr, &in->room, sizeof(*in->inflow));
	in->inflow[in->nr++] = (struct inflow){ addr, *s };
	*p = in->nr;
	return true;
}

const struct inflow *inflows_find(const struct inflows *in, uint32_t addr)
{
	uint32_t *p = in->nr ? place(in, addr) : NULL;

	return p && *p ? &in->inflow[*p - 1] : NULL;
}
