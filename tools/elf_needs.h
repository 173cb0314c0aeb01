/* SPDX-License-Identifier: GPL-2.0 */
/* What a program or library wants from the dynamic linker. */
#ifndef A32_ELF_NEEDS_H
#define A32_ELF_NEEDS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct elf_needs - what a file's dynamic section says
 * @interpreter: PT_INTERP, or NULL
 * @soname: DT_SONAME, or NULL
 * @rpath: DT_RPATH, or NULL
 * @runpath: DT_RUNPATH, or NULL
 * @nr: number of @needed
 * @needed: DT_NEEDED, in order
 */
struct elf_needs {
	char *interpreter;
	char *soname;
	char *rpath;
	char *runpath;
	size_t nr;
	char **needed;
};

/**
 * elf_needs_read - read them
 * @fd: the file, open for reading
 * @needs: the result, for elf_needs_free() in any case
 *
 * Returns NULL, or why it is no program or library of 32-bit ARM. A separate
 * debug file is none.
 */
const char *elf_needs_read(int fd, struct elf_needs *needs);

/* Is that because the file is damaged, and not because it is of another kind? */
bool elf_needs_is_damage(const char *why);

void elf_needs_free(struct elf_needs *needs);

#endif
