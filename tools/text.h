/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_TEXT_H
#define A32_TEXT_H

#include <stddef.h>

#include "compiler.h"

/* Returns the text, to be freed; ends the program without memory. */
__printf(1, 2) char *text_format(const char *fmt, ...);

/*
 * Returns the text with control characters as \ooo, to be freed: a tab or
 * newline in a file's name would shift what comes behind it.
 */
char *text_escape(const char *text);

/**
 * struct text_list - a list of strings
 * @nr: how many
 * @items: each to be freed
 */
struct text_list {
	size_t nr;
	char **items;
};

/* Takes over @name. */
void text_list_add(struct text_list *list, char *name);
void text_list_free(struct text_list *list);

#endif
