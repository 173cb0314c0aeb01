/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_SMALL_ELF_H
#define A32_SMALL_ELF_H

/**
 * small_elf_make() - make an ELF file for 32-bit ARM, of headers and little else
 * @name: its name; one of that name is replaced
 * @build_id: two bytes of its note
 * @rest: four bytes that are its last
 *
 * Return: it, open for reading and writing
 */
int small_elf_make(const char *name, const char *build_id, const char *rest);

#endif
