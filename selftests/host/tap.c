// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include "tap.h"

static unsigned int planned, done;
static bool failed;

void tap_plan(unsigned int tests)
{
	planned = tests;
	printf("TAP version 13\n1..%u\n", tests);
}

void tap_result(bool ok, const char *name, ...)
{
	va_list ap;

	failed |= !ok;
	printf("%sok %u - ", ok ? "" : "not ", ++done);
	va_start(ap, name);
	vprintf(name, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

void tap_note(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

int tap_status(void)
{
	return failed || done != planned;
}
