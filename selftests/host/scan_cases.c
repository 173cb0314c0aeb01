// SPDX-License-Identifier: GPL-2.0
/* Every instruction of functions of every shape */
#include "scan_cases.h"
#include "tap.h"

int main(void)
{
	static const struct {
		const struct function_case *cases;
		const u32 *nr;
	} lists[] = {
		{ cases_gcc, &nr_cases_gcc },
		{ cases_apcs, &nr_cases_apcs },
		{ cases_aapcs, &nr_cases_aapcs },
		{ cases_thumb, &nr_cases_thumb },
		{ cases_hand, &nr_cases_hand },
	};
	u32 i, j, nr = 0;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		nr += *lists[i].nr;
	tap_plan(nr);
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (j = 0; j < *lists[i].nr; j++)
			case_run(&lists[i].cases[j]);
	}
	return tap_status();
}
