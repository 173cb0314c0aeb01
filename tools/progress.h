/* SPDX-License-Identifier: GPL-2.0 */
/* How far long work has come, on a terminal. */
#ifndef A32_PROGRESS_H
#define A32_PROGRESS_H

#include <stddef.h>

/* Shows @done of @all as a percentage when standard error is a terminal. */
void progress(size_t done, size_t all);

/* Wipes it off. */
void progress_end(void);

#endif
