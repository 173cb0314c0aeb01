/* SPDX-License-Identifier: GPL-2.0 */
/* What the dynamic linker loads for a program: ld.so(8). */
#ifndef A32_LINKER_H
#define A32_LINKER_H

#include "closure.h"

/**
 * linker_load - add what a file needs, and what that needs, and so on
 * @program: its index in the closure
 * @sure: it is run, or loaded, as it is. Else it may be a library that finds
 *	what it needs where its program says: what isn't found is then no failure
 */
void linker_load(struct closure *closure, size_t program, bool sure);

#endif
