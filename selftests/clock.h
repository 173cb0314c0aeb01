/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_CLOCK_H
#define SELFTESTS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since some time */
static inline uint64_t clock_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ull + ts.tv_nsec / 1000000;
}

#endif
