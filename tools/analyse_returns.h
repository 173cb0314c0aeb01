/* SPDX-License-Identifier: GPL-2.0 */
/* Which functions never return: abort() and what always ends there */
#ifndef A32_ANALYSE_RETURNS_H
#define A32_ANALYSE_RETURNS_H

#include "image.h"

struct returns *returns_new(const struct image *image);
void returns_free(struct returns *r);

/* @addr: its entry; bit 0 set in Thumb */
bool returns_from(struct returns *r, uint32_t addr);

/* The same of one call, by the address behind it; @addr is 0 when it isn't known */
bool returns_to(struct returns *r, uint32_t addr, uint32_t behind);

/* A call doesn't come back: what is behind it makes no sense. */
void returns_doubt(struct returns *r, uint32_t behind);

/* How many doubts there are, and to have only that many again: the latest were unfounded. */
uint32_t returns_doubts(const struct returns *r);
void returns_trust(struct returns *r, uint32_t nr);

#endif
