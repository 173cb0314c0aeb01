/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_READ_FILE_H
#define A32_READ_FILE_H

#include <stddef.h>
#include <stdint.h>

/**
 * read_file - read all of a regular file
 * @path: its name
 * @most: bytes it may have
 * @size: bytes it has
 *
 * Returns them, with a NUL behind, to be freed; or NULL with errno set: EFBIG
 * when it is larger, EINVAL when it is not a regular file.
 */
uint8_t *read_file(const char *path, size_t most, size_t *size);

#endif
