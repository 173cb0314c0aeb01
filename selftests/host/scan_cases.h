/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_SCAN_CASES_H
#define A32_SCAN_CASES_H

#include "cases.h"

extern const struct function_case cases_gcc[], cases_apcs[], cases_aapcs[], cases_thumb[],
	cases_hand[];
extern const u32 nr_cases_gcc, nr_cases_apcs, nr_cases_aapcs, nr_cases_thumb, nr_cases_hand;

#endif
