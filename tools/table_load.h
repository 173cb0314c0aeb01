/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_TABLE_LOAD_H
#define A32_TABLE_LOAD_H

#include "args.h"

/* "table load" and "table unload" */
int table_load(const struct args *args);
int table_unload(const struct args *args);

#endif
