/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_JSON_H
#define A32_JSON_H

#include <jansson.h>
#include <linux/types.h>
#include <stdbool.h>

/* Each of these sets @key of @object and ends the program without memory. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_count(json_t *object, const char *key, __u64 count);
void json_put_bool(json_t *object, const char *key, bool value);
void json_put_name(json_t *object, const char *key, const char *name);

/* Bytes that are not UTF-8 become \ooo. */
void json_put_path(json_t *object, const char *key, const char *path);

json_t *json_new_object(void);
json_t *json_new_array(void);
void json_add(json_t *array, json_t *item);

/* Prints @value and frees it. Returns DONE. */
int json_print(json_t *value);

#endif
