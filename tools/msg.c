// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "msg.h"

/* The subcommand, with a blank in front of each word */
static char command[64];

void msg_set_command(const char *name, const char *part)
{
	snprintf(command, sizeof(command), "%s%s%s%s", name ? " " : "", name ? name : "",
		 part ? " " : "", part ? part : "");
}

/* A file name may hold a newline or an escape sequence; a message must not. To be freed */
static char *one_line(const char *fmt, va_list ap)
{
	char *text, *p;

	if (vasprintf(&text, fmt, ap) < 0)
		msg_no_memory();
	for (p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = '?';
	return text;
}

void msg_say(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = one_line(fmt, ap);
	va_end(ap);
	puts(text);
	free(text);
}

/* In one write each: what others say on the same terminal comes before it or behind. */
int msg_fail(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = one_line(fmt, ap);
	va_end(ap);
	fprintf(stderr, "a32uwctl%s: %s\n", command, text);
	free(text);
	return REFUSED;
}

int msg_misuse(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = one_line(fmt, ap);
	va_end(ap);
	fprintf(stderr, "a32uwctl%s: %s; see 'a32uwctl help%s'\n", command, text, command);
	free(text);
	return MISUSED;
}

const char *msg_todo(int err, const char *otherwise)
{
	if (err == EACCES || err == EPERM)
		return "run a32uwctl as root";
	if (err == EMFILE || err == ENFILE)
		return "raise the limit of open files (ulimit -n)";
	return otherwise;
}

void msg_no_memory(void)
{
	fputs("a32uwctl: out of memory\n", stderr);
	exit(REFUSED);
}
