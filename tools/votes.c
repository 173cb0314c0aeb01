// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>

#include "votes.h"

static int read_at(void *arg, u32 pos, void *buf, u32 len)
{
	u32 done = 0;
	ssize_t got;

	while (done < len) {
		got = pread(*(int *)arg, (char *)buf + done, len - done, (off_t)pos + done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += (u32)got;
	}
	return (int)done;
}

enum a32_detect votes_read(int fd, struct a32_votes *votes)
{
	static u8 buf[A32_DETECT_BUFFER];
	struct a32_source source = { .read = read_at, .arg = &fd, .buf = buf };

	return a32_detect_file(&source, votes);
}
