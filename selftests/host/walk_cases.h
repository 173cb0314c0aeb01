/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_WALK_CASES_H
#define A32_WALK_CASES_H

#include "../tablefile.h"
#include "cases.h"

enum {
	FUNCTION_AT	= CASE_AT,
	HANDLER_AT	= 0x38000,
	RESTORER_AT	= 0x39000,
	OTHER_AT	= 0x3a000,
	/* The interrupted code's stack ends here; the signal frame lies below. */
	SIGNAL_STACK	= CFA - 0x1000,
	ALTERNATE_STACK	= STACK_START + STACK_BYTES - 0x1000,
	LIBRARY_ROWS	= 64,		/* most of a table */
};

/* Give the library a table. Its rows have addresses in place of file offsets. */
void walk_set_table(struct thread *t, const struct tablefile_row *row, u32 nr);

/* Does a walk of the thread give these entries, and its three callers, cold and warm? */
bool walk_gives(struct thread *t, u32 nr, const u32 *entry);

/* Does it end for that reason behind these? */
bool walk_stops(struct thread *t, enum a32_stop stop, u32 nr, const u32 *entry);

/* walk_signals.c: number of results, and they */
enum { SIGNAL_RESULTS = 26 };
void walk_signals(void);

/* walk_uretprobes.c, likewise */
enum { URETPROBE_RESULTS = 19 };
void walk_uretprobes(void);

/* walk_flow.c: the same */
enum { FLOW_RESULTS = 6 };
void walk_flow(void);

/* walk_mixed.c: the same */
enum { MIXED_RESULTS = 4 };
void walk_mixed(void);

/* walk_tables.c: the same */
enum { TABLE_RESULTS = 38 };
void walk_tables(void);

/* walk_stubs.c: the same */
enum { STUB_RESULTS = 12 };
void walk_stubs(void);

/* walk_torn.c: the same */
enum { TORN_RESULTS = 13 };
void walk_torn(void);

/* walk_runs.c: the same */
enum { RUN_RESULTS = 42 };
void walk_runs(void);

/* walk_doubt.c: the same */
enum { DOUBT_RESULTS = 5 };
void walk_doubt(void);

#endif
