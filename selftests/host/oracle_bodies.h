/* SPDX-License-Identifier: GPL-2.0 */
/* The bodies of functions in the files that the oracle runs */
#ifndef A32_ORACLE_BODIES_H
#define A32_ORACLE_BODIES_H

#include "../../module/core/body.h"
#include "oracle.h"

/**
 * oracle_bodies_find() - find the bodies in an ELF file
 * @elf: all of it
 * @size: bytes
 * @parts: which ABIs its parts follow
 *
 * As in the module, they are those of one ABI: here, of the first part with records.
 * Return: NULL if there are none; else for oracle_bodies_free()
 */
const struct a32_bodies *oracle_bodies_find(const void *elf, size_t size,
					    const struct a32_rules *parts);

/* May be NULL */
void oracle_bodies_free(const struct a32_bodies *bodies);

#endif
