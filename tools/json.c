// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "msg.h"

static json_t *must(json_t *value)
{
	if (!value)
		msg_no_memory();
	return value;
}

json_t *json_new_object(void)
{
	return must(json_object());
}

json_t *json_new_array(void)
{
	return must(json_array());
}

void json_add(json_t *array, json_t *item)
{
	if (json_array_append_new(array, must(item)))
		msg_no_memory();
}

void json_put(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, must(value)))
		msg_no_memory();
}

void json_put_count(json_t *object, const char *key, __u64 count)
{
	json_put(object, key, json_integer((json_int_t)count));
}

void json_put_bool(json_t *object, const char *key, bool value)
{
	json_put(object, key, json_boolean(value));
}

void json_put_name(json_t *object, const char *key, const char *name)
{
	json_put(object, key, json_string(name));
}

static json_t *ascii_only(const char *path)
{
	char *text = malloc(strlen(path) * 4 + 1);
	char *p = text;
	json_t *value;

	if (!text)
		msg_no_memory();
	for (; *path; path++) {
		if (*path & 0x80)
			p += sprintf(p, "\\%03o", (unsigned char)*path);
		else
			*p++ = *path;
	}
	*p = '\0';
	value = json_string(text);
	free(text);
	return value;
}

void json_put_path(json_t *object, const char *key, const char *path)
{
	json_t *value = json_string(path);

	json_put(object, key, value ? value : ascii_only(path));
}

int json_print(json_t *value)
{
	json_dumpf(value, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(value);
	return DONE;
}
