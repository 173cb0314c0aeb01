// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <string.h>

#include "quote.h"

static int is_plain(const char *path)
{
	for (; *path; path++)
		if (!isalnum((unsigned char)*path) && !strchr("/._-+,=:@%", *path))
			return 0;
	return 1;
}

void quote(FILE *out, const char *path)
{
	if (is_plain(path)) {
		fputs(path, out);
		return;
	}
	fputc('\'', out);
	for (; *path; path++)
		if (*path == '\'')
			fputs("'\\''", out);
		else
			fputc(*path, out);
	fputc('\'', out);
}
