// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "progress.h"

static const char *within;
static const char *shown_what;
static int shown;

void progress(const char *what, size_t done, size_t all)
{
	int percent = all ? (int)(done * 100 / all) : 100;

	if ((what == shown_what && percent == shown) || !isatty(STDERR_FILENO))
		return;
	shown_what = what;
	shown = percent;
	fprintf(stderr, "\r\033[K%s%s%s: %d %%", within ? within : "", within ? ": " : "", what,
		percent);
}

void progress_within(const char *text)
{
	within = text;
}

void progress_end(void)
{
	if (shown_what)
		fputs("\r\033[K", stderr);
	shown_what = NULL;
}
