// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"
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
	/* Else a power cut may leave the new name with nothing in it. */
	ok = write_all(fd, bytes, size) && !fchmod(fd, 0666 & ~mask) && !fsync(fd);
	ok &= !close(fd);
	if (ok && !rename(temporary, path))
		return true;
	err = errno;
	unlink(temporary);
	errno = err;
	return false;
}

static bool replace_whole(const char *path, const void *bytes, size_t size)
{
	char *temporary = text_format("%s.XXXXXX", path);
	bool ok = replace(path, temporary, bytes, size);

	free(temporary);
	return ok;
}

/*
 * The kernel knows best where a link has led to, and whether it may be followed: see
 * protected_symlinks in proc(5).
 */
static bool replace_open(int fd, const struct stat *st, const void *bytes, size_t size)
{
	char link[64], path[PATH_MAX];
	struct stat named;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return false;
	path[len] = '\0';
	if (stat(path, &named))
		return false;
	errno = ESTALE;
	return st->st_dev == named.st_dev && st->st_ino == named.st_ino &&
	       replace_whole(path, bytes, size);
}

/* A device or a pipe, or what a link leads to, which may not be there yet */
static bool write_into(const char *path, const void *bytes, size_t size)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY, fd = open(path, flags);
	struct stat st;
	bool ok;

	if (fd < 0 && errno == ENOENT)
		fd = open(path, flags | O_CREAT, 0666);
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		ok = replace_open(fd, &st, bytes, size);
	else
		ok = write_all(fd, bytes, size);
	return !close(fd) && ok;
}

bool write_file(const char *path, const void *bytes, size_t size)
{
	struct stat st;

	if (!lstat(path, &st) && !S_ISREG(st.st_mode))
		return write_into(path, bytes, size);
	return replace_whole(path, bytes, size);
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
