/* SPDX-License-Identifier: GPL-2.0 */
/* Rules as text: a32uwind.conf(5). */
#ifndef A32_CONF_H
#define A32_CONF_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "a32table.h"
#include "parse.h"

#define CONF_NAME "/etc/a32uwind.conf"

enum conf_kind {
	CONF_DEFAULT,	/* default ABI */
	CONF_TAG,	/* tag ABI FILE[@START-END] [IDENTITY] */
	CONF_TABLE,	/* table FILE [IDENTITY] */
};

/**
 * struct conf_rule - a line
 * @kind: what it is
 * @line: its number, from 1
 * @abi: enum a32_abi
 * @path: the file
 * @part: 0 and 0 for all of it
 * @has_size: size=N is given
 * @size: what the file's has to be
 * @build_id_size: bytes of @build_id; 0 when it isn't given
 * @build_id: likewise
 * @has_crc: code-crc=HEX is given
 * @crc: likewise, of its executable segments
 */
struct conf_rule {
	enum conf_kind kind;
	unsigned int line;
	__u32 abi;
	char *path;
	struct range part;
	bool has_size;
	__u64 size;
	__u32 build_id_size;
	__u8 build_id[A32_TABLE_BUILD_ID];
	bool has_crc;
	__u32 crc;
};

struct conf {
	size_t nr;
	struct conf_rule *rules;
};

/**
 * conf_parse - read all lines
 * @text: them
 * @size: bytes
 * @conf: the result, for conf_free() in any case
 * @line: the bad line's number, where there is one
 *
 * Returns NULL, or what is wrong with that line.
 */
const char *conf_parse(const char *text, size_t size, struct conf *conf, unsigned int *line);

/* Reads a file. Returns DONE, or REFUSED once the reason is printed; conf_free() after either. */
int conf_read(const char *path, struct conf *conf);

/* Prints a line that is read as that rule again. */
void conf_print(FILE *out, const struct conf_rule *rule);

void conf_free(struct conf *conf);

#endif
