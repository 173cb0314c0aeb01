/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_HOST_RANDOM_H
#define A32_HOST_RANDOM_H

#include "port.h"

void random_seed(u64 seed);
u32 random32(void);

/* 0 to below - 1 */
u32 random_below(u32 below);

void random_fill(void *bytes, u32 len);

#endif
