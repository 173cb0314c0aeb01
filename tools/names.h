/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_NAMES_H
#define A32_NAMES_H

#include "a32uwind.h"

/*
 * A number that this tool does not know is named "abi-N", "reason-N" and so
 * on, in a buffer that holds until the same function's next call.
 */
const char *name_abi(__u32 abi);
const char *name_detect(__u32 detect);
const char *name_stop(__u32 stop);
const char *name_rule(__u32 kind);
const char *name_hook(__u32 hook);

/**
 * name_says - what a rule says, and what that comes to
 * @says: enum a32_abi
 * @found: what "auto" has found
 * @detect: enum a32_detect
 *
 * As "gcc", "auto: gcc", or "auto: none (not an ELF file)", in a buffer that
 * holds until the next call.
 */
const char *name_says(__u32 says, __u32 found, __u32 detect);

/* Names of the ABIs a rule can say, separated by ", ". */
const char *name_all_abis(void);

/* Returns 0, or -1 when no ABI is called @name. */
int abi_from_name(const char *name, __u32 *abi);

#endif
