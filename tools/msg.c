// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "msg.h"

static const char *command;

void msg_set_command(const char *name)
{
	command = name;
}

/* A file name may hold a newline or an escape sequence; a message must not. */
static void put_one_line(FILE *to, const char *fmt, va_list ap)
{
	char *text, *p;

	if (vasprintf(&text, fmt, ap) < 0)
		msg_no_memory();
	for (p = text; *p; p++)
		fputc(iscntrl((unsigned char)*p) ? '?' : *p, to);
	free(text);
}

static void put_message(const char *fmt, va_list ap)
{
	fputs("a32uwctl", stderr);
	if (command)
		fprintf(stderr, " %s", command);
	fputs(": ", stderr);
	put_one_line(stderr, fmt, ap);
}

void msg_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_one_line(stdout, fmt, ap);
	va_end(ap);
	fputc('\n', stdout);
}

int msg_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_message(fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return REFUSED;
}

int msg_misuse(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_message(fmt, ap);
	va_end(ap);
	fprintf(stderr, "; see 'a32uwctl help%s%s'\n",
		command ? " " : "", command ? command : "");
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
