/* SPDX-License-Identifier: GPL-2.0 */
/* Results in the Test Anything Protocol, as kselftests print them */
#ifndef A32_TAP_H
#define A32_TAP_H

#include <stdbool.h>

void tap_plan(unsigned int tests);

/* Print a result; false makes tap_status() 1. */
void __attribute__((format(printf, 2, 3))) tap_result(bool ok, const char *name, ...);

/* Say something about the next result. */
void __attribute__((format(printf, 1, 2))) tap_note(const char *fmt, ...);

int tap_status(void);

#endif
