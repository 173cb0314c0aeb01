/* SPDX-License-Identifier: GPL-2.0 */
/* How far long work has come, on a terminal. */
#ifndef A32_PROGRESS_H
#define A32_PROGRESS_H

#include <stddef.h>

/**
 * progress() - show it when standard error is a terminal
 * @what: what is being done: a string that stays
 * @done: of @all
 * @all: as many as there are
 */
void progress(const char *what, size_t done, size_t all);

/* @text, which stays, or NULL: what all of that is a part of */
void progress_within(const char *text);

/* Wipes it off. */
void progress_end(void);

#endif
