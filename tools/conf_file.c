// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "a32table.h"
#include "conf.h"
#include "msg.h"
#include "names.h"
#include "read_file.h"

enum { CONF_SIZE_MAX = 16 << 20 };

int conf_read(const char *path, struct conf *conf)
{
	static const __u32 magic = A32_TABLE_MAGIC;
	unsigned int line;
	const char *why;
	size_t size;
	char *text = (char *)read_file(path, CONF_SIZE_MAX, &size);

	*conf = (struct conf){ 0 };
	if (!text)
		return msg_fail("%s: %s; %s", path,
				errno == EINVAL ? "not a regular file" : strerror(errno),
				msg_todo(errno, "give a file that 'a32uwctl save' has made"));
	if (size >= sizeof(magic) && !memcmp(text, &magic, sizeof(magic))) {
		free(text);
		return msg_fail("%s: an unwind table; 'a32uwctl table load' loads it", path);
	}
	why = conf_parse(text, size, conf, &line);
	free(text);
	return why ? msg_fail("%s: line %u: %s; nothing is done", path, line, why) : DONE;
}

/* Bytes of UTF-8 stay as they are, for people to read. */
static void print_path(FILE *out, const char *path)
{
	const char *c;

	fputc('"', out);
	for (c = path; *c; c++) {
		if (iscntrl((unsigned char)*c))
			fprintf(out, "\\%03o", (unsigned char)*c);
		else if (*c == '"' || *c == '\\')
			fprintf(out, "\\%c", *c);
		else
			fputc(*c, out);
	}
	fputc('"', out);
}

static bool is_plain(const char *path)
{
	const char *c;

	for (c = path; *c; c++)
		if (iscntrl((unsigned char)*c) || strchr(" @\"\\#", *c))
			return false;
	return true;
}

static void print_identity(FILE *out, const struct conf_rule *rule)
{
	__u32 i;

	if (rule->has_size)
		fprintf(out, " size=%llu", (unsigned long long)rule->size);
	if (rule->build_id_size)
		fputs(" build-id=", out);
	for (i = 0; i < rule->build_id_size; i++)
		fprintf(out, "%02x", rule->build_id[i]);
	if (rule->has_crc)
		fprintf(out, " code-crc=%08x", rule->crc);
}

void conf_print(FILE *out, const struct conf_rule *rule)
{
	if (rule->kind == CONF_DEFAULT)
		fprintf(out, "default %s", name_abi(rule->abi));
	else if (rule->kind == CONF_TAG)
		fprintf(out, "tag %s ", name_abi(rule->abi));
	else
		fputs("table ", out);
	if (rule->path && is_plain(rule->path))
		fputs(rule->path, out);
	else if (rule->path)
		print_path(out, rule->path);
	if (rule->part.end)
		fprintf(out, "@0x%llx-0x%llx", (unsigned long long)rule->part.start,
			(unsigned long long)rule->part.end);
	print_identity(out, rule);
	fputc('\n', out);
}
