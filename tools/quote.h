/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_QUOTE_H
#define A32_QUOTE_H

#include <stdio.h>

/* Writes a file's name as a shell takes it: in quotes where it has to be. */
void quote(FILE *out, const char *path);

#endif
