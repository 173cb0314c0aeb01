/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_TABLE_DUMP_H
#define A32_TABLE_DUMP_H

#include "args.h"

/* "table dump" */
int table_dump(const struct args *args);

#endif
