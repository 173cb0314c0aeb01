// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crc32.h"
#include "debug_file.h"
#include "json.h"
#include "msg.h"
#include "sources.h"
#include "table_build.h"
#include "table_format.h"
#include "text.h"
#include "write_file.h"

const bool table_build_is_there = true;

static const char *const source_names[] = A32_TABLE_SOURCE_NAMES;
static const unsigned int all_sources = (1u << A32_TABLE_SOURCE_NR) - 1;

/**
 * struct built - a table that was made
 * @bytes: it
 * @size: bytes
 * @figures: what came of which source
 */
struct built {
	uint8_t *bytes;
	size_t size;
	struct figures figures;
};

static int parse_source(const char *name, unsigned int *mask)
{
	unsigned int i;

	for (i = 0; i < A32_TABLE_SOURCE_NR; i++) {
		if (strcmp(name, source_names[i]))
			continue;
		*mask |= 1u << i;
		return DONE;
	}
	return msg_misuse("no source is called '%s': debug_frame, eh_frame, exidx or code", name);
}

static int parse_sources(const char *list, unsigned int *mask)
{
	char *copy, *rest, *name;
	int err = DONE;

	*mask = list ? 0 : all_sources;
	if (!list)
		return DONE;
	rest = strdup(list);
	copy = rest;
	if (!copy)
		msg_no_memory();
	while (!err && (name = strsep(&rest, ",")))
		err = parse_source(name, mask);
	free(copy);
	return err;
}

static uint32_t code_crc(const struct image *image)
{
	uint32_t crc = 0;
	size_t i;

	for (i = 0; i < image->nr; i++)
		if (image->segment[i].executable)
			crc = crc32_add(crc, image->segment[i].bytes, image->segment[i].size);
	return crc;
}

static int encode(const struct elf_file *file, const struct rows *rows, struct built *built)
{
	struct a32_table_header about = {
		.build_id_size = file->build_id_size,
		.code_crc = code_crc(&file->image),
		.file_size = file->size,
	};
	const char *why;

	memcpy(about.build_id, file->build_id, sizeof(about.build_id));
	why = table_encode(&file->image, rows, &about, &built->bytes, &built->size);
	return why ? msg_fail("%s: no table can be made: %s", file->path, why) : DONE;
}

static int build_of(const struct elf_file *file, const char *debug_name, unsigned int mask,
		    struct built *built)
{
	struct rows rows = { 0 };
	struct elf_file debug;
	int err;

	err = debug_file_open(file, debug_name, &debug);
	if (err)
		return err;
	sources_ask(file, &debug, mask, &rows, &built->figures);
	err = encode(file, &rows, built);
	rows_free(&rows);
	elf_file_close(&debug);
	return err;
}

/* @file is closed. */
static int build_and_close(struct elf_file *file, const char *debug, unsigned int mask,
			   struct built *built)
{
	int err = build_of(file, debug, mask, built);

	elf_file_close(file);
	if (err)
		free(built->bytes);
	return err;
}

static int build(const char *path, const struct args *args, struct built *built)
{
	struct elf_file file;
	unsigned int mask;
	int err;

	*built = (struct built){ 0 };
	err = parse_sources(args->source, &mask);
	if (!err)
		err = elf_file_open(path, &file);
	return err ? err : build_and_close(&file, args->debug, mask, built);
}

int table_build_fd(int fd, const char *path, uint8_t **bytes, size_t *size)
{
	struct built built = { 0 };
	struct elf_file file;
	int err;

	err = elf_file_open_fd(fd, path, &file);
	if (!err)
		err = build_and_close(&file, NULL, all_sources, &built);
	*bytes = built.bytes;
	*size = built.size;
	return err;
}

int table_build_bytes(const char *path, const struct args *args, uint8_t **bytes, size_t *size)
{
	struct built built;
	int err = build(path, args, &built);

	*bytes = built.bytes;
	*size = built.size;
	return err;
}

static int write_table(const char *path, const struct built *built)
{
	if (write_file(path, built->bytes, built->size))
		return DONE;
	return msg_fail("%s: can't be written: %s; name another file with -o", path,
			strerror(errno));
}

static void print_figures(const char *path, const struct built *built)
{
	char *name = text_escape(path);
	const struct source_figures *source;
	unsigned int i;

	puts("SOURCE\tFUNCTIONS\tROWS\tBYTES\tSTOP_BYTES");
	for (i = 0; i < A32_TABLE_SOURCE_NR; i++) {
		source = &built->figures.source[i];
		printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
		       source_names[i], source->functions, source->rows, source->bytes,
		       source->stop_bytes);
	}
	printf("functions\t%" PRIu64 "\n", built->figures.functions);
	printf("conflicts\t%" PRIu64 "\n", built->figures.conflicts);
	printf("corrected\t%" PRIu64 "\n", built->figures.corrected);
	printf("doubted\t%" PRIu64 "\n", built->figures.doubted);
	printf("size\t%zu\n", built->size);
	printf("table\t%s\n", name);
	free(name);
}

static int print_json(const char *path, const struct built *built)
{
	json_t *object = json_new_object();
	json_t *sources = json_new_object();
	const struct source_figures *source;
	json_t *figures;
	unsigned int i;

	for (i = 0; i < A32_TABLE_SOURCE_NR; i++) {
		source = &built->figures.source[i];
		figures = json_new_object();
		json_put_count(figures, "functions", source->functions);
		json_put_count(figures, "rows", source->rows);
		json_put_count(figures, "bytes", source->bytes);
		json_put_count(figures, "stop_bytes", source->stop_bytes);
		json_put(sources, source_names[i], figures);
	}
	json_put_path(object, "table", path);
	json_put(object, "sources", sources);
	json_put_count(object, "functions", built->figures.functions);
	json_put_count(object, "conflicts", built->figures.conflicts);
	json_put_count(object, "corrected", built->figures.corrected);
	json_put_count(object, "doubted", built->figures.doubted);
	json_put_count(object, "size", built->size);
	return json_print(object);
}

/* In the current folder, by the file's own name */
static char *default_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name;

	if (asprintf(&name, "%s.a32t", slash ? slash + 1 : path) < 0)
		msg_no_memory();
	return name;
}

int table_build(const struct args *args)
{
	struct built built;
	char *name;
	int err;

	if (args->nr_words != 1)
		return msg_misuse("give one FILE");
	err = build(args->words[0], args, &built);
	if (err)
		return err;
	name = args->output ? strdup(args->output) : default_name(args->words[0]);
	if (!name)
		msg_no_memory();
	err = write_table(name, &built);
	if (!err && args_json(args))
		err = print_json(name, &built);
	else if (!err)
		print_figures(name, &built);
	free(built.bytes);
	free(name);
	return err;
}
