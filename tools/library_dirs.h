/* SPDX-License-Identifier: GPL-2.0 */
/* Where a system keeps libraries: ld.so.cache, ld.so.conf, and the folders that need neither. */
#ifndef A32_LIBRARY_DIRS_H
#define A32_LIBRARY_DIRS_H

#include <stddef.h>
#include <stdint.h>

#include "text.h"

/**
 * struct library_dirs - what there is
 * @cache: ld.so.cache, or NULL
 * @cache_size: bytes of it
 * @dirs: folders, in order: those of ld.so.conf where there is no cache, and
 *	the linker's own
 */
struct library_dirs {
	uint8_t *cache;
	size_t cache_size;
	struct text_list dirs;
};

void library_dirs_read(const char *root, struct library_dirs *dirs);

/* Adds what the cache has under a library's name to @paths, the best first. */
void library_dirs_cached(const struct library_dirs *dirs, const char *name,
			 struct text_list *paths);

void library_dirs_free(struct library_dirs *dirs);

#endif
