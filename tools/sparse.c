// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <unistd.h>

#include "sparse.h"

off_t sparse_next(int fd, off_t at)
{
	off_t next = lseek(fd, at, SEEK_DATA);

	if (next >= 0)
		return next;
	/* Where the kernel can't tell, all of it is to be read. */
	return errno == ENXIO ? -1 : at;
}
