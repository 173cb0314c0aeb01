/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_NAMES_H
#define A32_NAMES_H

#include "a32uwind.h"

/*
 * A number that this tool does not know is named "abi-N", "reason-N" and so
 * on, in a buffer that holds until the same function's next call.
 */
const char *name_abi(__u32 abi);
const char *name_stop(__u32 stop);
const char *name_rule(__u32 kind);
const char *name_hook(__u32 hook);

/* Names of the ABIs a file can follow, separated by ", ". */
const char *name_all_abis(void);

/* Returns 0, or -1 when no ABI is called @name. */
int abi_from_name(const char *name, __u32 *abi);

#endif
