// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include "detect_read.h"

static int read_at(void *arg, u32 pos, void *buf, u32 len)
{
	size_t got;

	if (fseek(arg, pos, SEEK_SET))
		return -1;
	got = fread(buf, 1, len, arg);
	return ferror((FILE *)arg) ? -1 : (int)got;
}

enum a32_detect detect_read(const char *path, struct a32_votes *votes)
{
	static u8 buf[A32_DETECT_BUFFER];
	FILE *in = fopen(path, "rb");
	struct a32_source source = { .read = read_at, .arg = in, .buf = buf };
	enum a32_detect how;

	if (!in)
		return A32_DETECT_UNREADABLE;
	how = a32_detect_file(&source, votes);
	fclose(in);
	return how;
}
