// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "msg.h"
#include "write_file.h"

bool write_all(int fd, const void *bytes, size_t size)
{
	const uint8_t *byte = bytes;
	ssize_t done;

	for (; size; byte += done, size -= (size_t)done) {
		done = write(fd, byte, size);
		if (done < 0 && errno == EINTR)
			done = 0;
		else if (done < 0)
			return false;
	}
	return true;
}

static bool replace(const char *path, char *temporary, const void *bytes, size_t size)
{
	mode_t mask = umask(0);
	int fd = mkstemp(temporary), err;
	bool ok;

	umask(mask);
	if (fd < 0)
		return false;
	ok = write_all(fd, bytes, size) && !fchmod(fd, 0666 & ~mask);
	ok &= !close(fd);
	if (ok && !rename(temporary, path))
		return true;
	err = errno;
	unlink(temporary);
	errno = err;
	return false;
}

static bool write_into(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool ok;

	if (fd < 0)
		return false;
	ok = write_all(fd, bytes, size);
	return !close(fd) && ok;
}

bool write_file(const char *path, const void *bytes, size_t size)
{
	char *temporary;
	struct stat st;
	bool ok;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return write_into(path, bytes, size);
	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		msg_no_memory();
	ok = replace(path, temporary, bytes, size);
	free(temporary);
	return ok;
}

bool write_file_folders(char *path)
{
	bool ok = true;
	char *slash;

	for (slash = strchr(path + 1, '/'); slash && ok; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		ok = !mkdir(path, 0755) || errno == EEXIST;
		*slash = '/';
	}
	return ok;
}
