/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of other files that a file calls, and that never return */
#ifndef A32_ANALYSE_IMPORTS_H
#define A32_ANALYSE_IMPORTS_H

#include "image.h"

/**
 * struct imports - where their addresses are put
 * @nr: how many
 * @slot: addresses of words
 */
struct imports {
	uint32_t nr;
	uint32_t room;
	uint32_t *slot;
};

/* They are in the file's own dynamic section. */
void imports_read(struct imports *imports, const struct image *image);
void imports_free(struct imports *imports);
bool imports_never(const struct imports *imports, uint32_t slot);

#endif
