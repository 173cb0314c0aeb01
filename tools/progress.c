// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "progress.h"

static int shown = -1;

void progress(size_t done, size_t all)
{
	int percent = all ? (int)(done * 100 / all) : 100;

	if (percent == shown || !isatty(STDERR_FILENO))
		return;
	shown = percent;
	fprintf(stderr, "\r%3d %%", percent);
}

void progress_end(void)
{
	if (shown < 0)
		return;
	fputs("\r\033[K", stderr);
	shown = -1;
}
