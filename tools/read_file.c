// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"
#include "read_file.h"

/* Returns how many bytes there were, or -1. */
static ssize_t read_all(int fd, uint8_t *bytes, size_t size)
{
	size_t done = 0;
	ssize_t got;

	while (done < size) {
		got = read(fd, bytes + done, size - done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

static uint8_t *read_open(int fd, size_t most, size_t *size)
{
	struct stat st;
	uint8_t *bytes;
	ssize_t got;

	if (fstat(fd, &st))
		return NULL;
	errno = !S_ISREG(st.st_mode) ? EINVAL : (uint64_t)st.st_size > most ? EFBIG : 0;
	if (errno)
		return NULL;
	bytes = malloc((size_t)st.st_size + 1);
	if (!bytes)
		msg_no_memory();
	got = read_all(fd, bytes, (size_t)st.st_size);
	if (got < 0) {
		free(bytes);
		return NULL;
	}
	bytes[got] = '\0';
	*size = (size_t)got;
	return bytes;
}

uint8_t *read_file(const char *path, size_t most, size_t *size)
{
	/* O_NONBLOCK: a FIFO must be refused, not waited for. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), err;
	uint8_t *bytes;

	if (fd < 0)
		return NULL;
	bytes = read_open(fd, most, size);
	err = errno;
	close(fd);
	errno = err;
	return bytes;
}
