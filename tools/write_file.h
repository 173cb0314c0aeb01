/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_WRITE_FILE_H
#define A32_WRITE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes all of it; false with errno set. */
bool write_all(int fd, const void *bytes, size_t size);

/**
 * write_file() - make or replace a file: it is there whole, or as it was before
 * @path: its name; a device or a pipe is written to, not replaced; of a link, it is the
 *	file that it leads to
 * @bytes: what is in it
 * @size: bytes of it
 *
 * Return: false with errno set
 */
bool write_file(const char *path, const void *bytes, size_t size);

/* Makes the folders that a file is to be in, where they aren't there; false with errno set. */
bool write_file_folders(char *path);

#endif
