/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_DEBUG_FILE_H
#define A32_DEBUG_FILE_H

#include "elf_file.h"

/**
 * debug_file_open() - open a file's debug file
 * @file: the file
 * @name: of its debug file, or NULL when it is to be looked for: by build-id
 *	in usr/lib/debug of the folders that @file is in, up to the root, so
 *	that another system's root will do; then by .gnu_debuglink
 * @debug: the result; without a handle when none was found
 *
 * Return: DONE, or REFUSED once the reason is printed: @name is of no use
 */
int debug_file_open(const struct elf_file *file, const char *name, struct elf_file *debug);

#endif
