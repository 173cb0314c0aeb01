// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "text.h"

char *text_format(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		msg_no_memory();
	return text;
}

char *text_escape(const char *text)
{
	char *out = malloc(strlen(text) * 4 + 1);
	char *p = out;

	if (!out)
		msg_no_memory();
	for (; *text; text++) {
		if (iscntrl((unsigned char)*text))
			p += sprintf(p, "\\%03o", (unsigned char)*text);
		else
			*p++ = *text;
	}
	*p = '\0';
	return out;
}

void text_list_add(struct text_list *list, char *name)
{
	list->items = realloc(list->items, (list->nr + 1) * sizeof(*list->items));
	if (!list->items)
		msg_no_memory();
	list->items[list->nr++] = name;
}

void text_list_free(struct text_list *list)
{
	while (list->nr)
		free(list->items[--list->nr]);
	free(list->items);
	*list = (struct text_list){ 0 };
}
