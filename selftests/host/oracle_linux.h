/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle for Linux programs: real code with its C library, which has no
 * frame ABI.
 */
#ifndef A32_ORACLE_LINUX_H
#define A32_ORACLE_LINUX_H

#include "oracle.h"

struct guest *oracle_linux_new(void);
void oracle_linux_free(struct guest *g);

/* As oracle_run(). There are no signals. */
bool oracle_linux_run(struct oracle_program *p, const struct oracle_how *how,
		      struct oracle_counts *counts);

#endif
