// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_map.h"
#include "json.h"
#include "msg.h"
#include "read_file.h"
#include "table_build.h"
#include "table_dump.h"
#include "table_format.h"

/* The longest: "r10-2147483648" */
#define CELL 16

/**
 * struct cells - a rule as text
 * @cfa: "sp+16", or what kind of rule it is
 * @ra: "cfa-4", "lr", or "-" when there is none
 * @r7: likewise; "same" and "lost"
 * @r11: likewise
 * @source: where it is from
 */
struct cells {
	char cfa[CELL];
	char ra[CELL];
	char r7[CELL];
	char r11[CELL];
	const char *source;
};

static const char *register_name(unsigned int reg)
{
	static const char *const names[] = {
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11",
		"r12", "sp", "lr",
	};

	return names[reg];
}

static void fill_place(char cell[CELL], int16_t words)
{
	if (words == A32_TABLE_SAME)
		strcpy(cell, "same");
	else if (words == A32_TABLE_LOST)
		strcpy(cell, "lost");
	else if (words >= A32_TABLE_IN_REG(0))
		strcpy(cell, register_name((unsigned int)(words - A32_TABLE_IN_REG(0))));
	else
		snprintf(cell, CELL, "cfa%+d", words * 4);
}

static void fill(struct cells *cells, const struct a32_table_rule *rule)
{
	static const char *const sources[] = A32_TABLE_SOURCE_NAMES;
	static const char *const kinds[] = {
		[A32_TABLE_OUTERMOST] = "outermost",
		[A32_TABLE_STOP] = "stop",
	};

	*cells = (struct cells){ .ra = "-", .r7 = "-", .r11 = "-",
				 .source = sources[rule->source] };
	if (rule->kind != A32_TABLE_FRAME) {
		strcpy(cells->cfa, kinds[rule->kind]);
		return;
	}
	if (rule->indirect)
		snprintf(cells->cfa, CELL, "[%s%+d]%+d", register_name(rule->cfa_reg),
			 rule->cfa_off, 4 * rule->from_saved);
	else
		snprintf(cells->cfa, CELL, "%s%+d", register_name(rule->cfa_reg), rule->cfa_off);
	fill_place(cells->ra, rule->ra);
	fill_place(cells->r7, rule->r7);
	fill_place(cells->r11, rule->r11);
}

static void format_build_id(const struct a32_table_header *header,
			    char text[2 * A32_TABLE_BUILD_ID + 1])
{
	uint32_t i;

	text[0] = '\0';
	for (i = 0; i < header->build_id_size; i++)
		sprintf(text + 2 * i, "%02x", header->build_id[i]);
}

static void print_header(const struct a32_table_header *header)
{
	char id[2 * A32_TABLE_BUILD_ID + 1];

	format_build_id(header, id);
	printf("# version %u\n", header->version);
	printf("# size %u\n", header->size);
	printf("# blocks %u\n", header->nr_blocks);
	printf("# rows %u\n", header->nr_rows);
	printf("# rules %u\n", header->nr_rules);
	printf("# build-id %s\n", *id ? id : "-");
	printf("# code-crc 0x%08x\n", header->code_crc);
	printf("# file-size %" PRIu64 "\n", (uint64_t)header->file_size);
}

/* Rows without data are left out. The last one is always such. */
static int print_text(const struct a32_table_header *header, const struct rows *rows)
{
	const struct row *row = rows->row;
	struct cells cells;
	size_t i;

	print_header(header);
	printf("%-10s %-10s %-12s %-9s %-9s %-9s %s\n", "START", "END", "CFA", "RA", "R7",
	       "R11", "SOURCE");
	for (i = 0; i + 1 < rows->nr; i++) {
		if (row[i].rule.kind == A32_TABLE_NO_DATA)
			continue;
		fill(&cells, &row[i].rule);
		printf("0x%08x 0x%08x %-12s %-9s %-9s %-9s %s\n", row[i].addr, row[i + 1].addr,
		       cells.cfa, cells.ra, cells.r7, cells.r11, cells.source);
	}
	return DONE;
}

static json_t *row_to_json(const struct row *row)
{
	json_t *object = json_new_object();
	struct cells cells;

	fill(&cells, &row->rule);
	json_put_count(object, "start", row[0].addr);
	json_put_count(object, "end", row[1].addr);
	json_put_name(object, "cfa", cells.cfa);
	json_put_name(object, "ra", cells.ra);
	json_put_name(object, "r7", cells.r7);
	json_put_name(object, "r11", cells.r11);
	json_put_name(object, "source", cells.source);
	return object;
}

static int print_json(const struct a32_table_header *header, const struct rows *rows)
{
	char id[2 * A32_TABLE_BUILD_ID + 1];
	json_t *object = json_new_object();
	json_t *array = json_new_array();
	size_t i;

	format_build_id(header, id);
	json_put_count(object, "version", header->version);
	json_put_count(object, "size", header->size);
	json_put_count(object, "blocks", header->nr_blocks);
	json_put_count(object, "nr_rows", header->nr_rows);
	json_put_count(object, "rules", header->nr_rules);
	json_put_name(object, "build_id", id);
	json_put_count(object, "code_crc", header->code_crc);
	json_put_count(object, "file_size", header->file_size);
	for (i = 0; i + 1 < rows->nr; i++)
		if (rows->row[i].rule.kind != A32_TABLE_NO_DATA)
			json_add(array, row_to_json(&rows->row[i]));
	json_put(object, "rows", array);
	return json_print(object);
}

static int fail_read(const char *path)
{
	static const char another[] = "give a table, a program or a library";

	if (errno == EINVAL)
		return msg_fail("%s: not a regular file; %s", path, another);
	if (errno == EFBIG)
		return msg_fail("%s: not an unwind table; %s", path, another);
	return msg_fail("%s: can't be read: %s; %s", path, strerror(errno),
			msg_todo(errno, "check the name"));
}

/* Of a program or library, the table that it would get */
static int get_table(const struct args *args, uint8_t **bytes, size_t *size)
{
	const char *path = args->words[0];

	*bytes = NULL;
	if (elf_map_begins(path))
		return table_build_bytes(path, args, bytes, size);
	*bytes = read_file(path, A32_TABLE_SIZE_MAX, size);
	if (!*bytes)
		return fail_read(path);
	if (args->debug || args->source)
		return msg_fail("%s: a table takes no --debug or --source; give the file itself",
				path);
	return DONE;
}

static int dump(const struct args *args, const uint8_t *bytes, size_t size)
{
	struct a32_table_header header;
	struct rows rows = { 0 };
	const char *why;
	int err;

	why = table_decode(bytes, size, &header, &rows);
	if (why)
		err = msg_fail("%s: %s; make it anew with 'a32uwctl table build'",
			       args->words[0], why);
	else
		err = args_json(args) ? print_json(&header, &rows) : print_text(&header, &rows);
	rows_free(&rows);
	return err;
}

int table_dump(const struct args *args)
{
	uint8_t *bytes;
	size_t size;
	int err;

	if (args->nr_words != 1)
		return msg_misuse("give one TABLE or FILE");
	err = get_table(args, &bytes, &size);
	if (!err)
		err = dump(args, bytes, size);
	free(bytes);
	return err;
}
