/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_TABLE_BUILD_H
#define A32_TABLE_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "args.h"

/* Is there a builder? Not without elfutils. */
extern const bool table_build_is_there;

/**
 * table_build_bytes() - make a file's table
 * @path: the file
 * @args: --debug and --source
 * @bytes: the result, to be freed
 * @size: bytes of it
 *
 * Return: DONE, or what is wrong once it is printed
 */
int table_build_bytes(const char *path, const struct args *args, uint8_t **bytes, size_t *size);

/**
 * table_build_fd() - make a file's table of all that there is
 * @fd: the file, open for reading; is closed
 * @path: its name
 * @bytes: the result, to be freed
 * @size: bytes of it
 *
 * Return: DONE, or what is wrong once it is printed
 */
int table_build_fd(int fd, const char *path, uint8_t **bytes, size_t *size);

/* "table build" */
int table_build(const struct args *args);

#endif
