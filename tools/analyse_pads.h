/* SPDX-License-Identifier: GPL-2.0 */
/* Where exceptions lead: landing pads, which no branch leads to */
#ifndef A32_ANALYSE_PADS_H
#define A32_ANALYSE_PADS_H

#include "image.h"

/**
 * struct pad - a landing pad
 * @start: first address of the calls that may throw
 * @end: behind the last
 * @addr: where their exceptions lead, bit 0 clear
 */
struct pad {
	uint32_t start;
	uint32_t end;
	uint32_t addr;
};

/**
 * struct pads - all of a file
 * @nr: how many
 * @room: how many fit
 * @pad: in ascending order of @start
 */
struct pads {
	uint32_t nr;
	uint32_t room;
	struct pad *pad;
};

/* They are in the file's .ARM.extab. */
void pads_read(struct pads *pads, const struct image *image);
void pads_free(struct pads *pads);

/* That of a call. False when it has none. */
bool pads_find(const struct pads *pads, uint32_t call, uint32_t *addr);

#endif
