/* SPDX-License-Identifier: GPL-2.0 */
/* doctor: is everything here that true chains need, and are they true? */
#ifndef A32_DOCTOR_H
#define A32_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>

#include "compiler.h"

#define DOCTOR_SYSFS "/sys/class/misc/a32uwind"

enum finding {
	FOUND_OK,
	FOUND_WARN,		/* something is not seen, or costs more than it has to */
	FOUND_FAIL,
	FINDINGS,
};

/**
 * struct doctor - one run
 * @json: print JSON, at the end
 * @checks: what was found
 * @counts: how often each enum finding was
 * @ctl: the module's control file, or -errno
 * @is_loaded: the module is there
 */
struct doctor {
	bool json;
	json_t *checks;
	unsigned int counts[FINDINGS];
	int ctl;
	bool is_loaded;
};

/**
 * doctor_say() - one line of the result
 * @check: what was looked at
 * @todo: what to do about it; "" for nothing
 * @fmt: what was found, and why
 *
 * Returns the check as JSON, for more to be added to it.
 */
__printf(5, 6) json_t *doctor_say(struct doctor *doctor, enum finding finding, const char *check,
				  const char *todo, const char *fmt, ...);

/* The first line of a file, cut to @size, without its end. Returns 0, or -errno with @line "". */
int doctor_read_line(const char *path, char *line, size_t size);

/* The number that a file begins with; @otherwise when it can't be read. */
long doctor_read_number(const char *path, long otherwise);

/* Each looks at its part, and says what it finds. */
void doctor_kernel(struct doctor *doctor);
void doctor_options(struct doctor *doctor);
void doctor_module(struct doctor *doctor);
void doctor_perf(struct doctor *doctor);
void doctor_cost(struct doctor *doctor);
void doctor_chains(struct doctor *doctor);

#endif
