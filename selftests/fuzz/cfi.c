// SPDX-License-Identifier: GPL-2.0
/*
 * What "a32uwctl table build" reads of a file that is anything: its ELF headers, its
 * symbols, .debug_frame, .eh_frame and .ARM.exidx, and the table that these make
 * together. Its code is not followed (see code).
 */
#include <stdlib.h>
#include <string.h>
#include "../../module/core/table.h"
#include "../../tools/cfi.h"
#include "../../tools/exidx.h"
#include "../../tools/msg.h"
#include "../../tools/seeds.h"
#include "../../tools/table_format.h"
#include "fuzz.h"

static u64 files, rows_made, tables;

static void ask_exidx(const struct elf_file *file, const struct exidx *exidx, struct rows *rows)
{
	struct a32_table_rule rule;
	size_t i;

	for (i = 0; i < exidx->nr; i++) {
		LAW(!i || exidx->entry[i].addr > exidx->entry[i - 1].addr);
		if (!exidx_rule(&file->image, exidx, exidx->entry[i].addr, &rule))
			rule = rule_of_kind(A32_TABLE_NO_DATA, 0);
		rows_add(rows, exidx->entry[i].addr, &rule);
	}
}

static void ask(const struct elf_file *file, struct rows *rows)
{
	struct rows lower = { 0 };
	struct elf_file none = { 0 };
	struct exidx exidx;
	struct seeds seeds;
	size_t i;

	cfi_debug_frame(file, file, rows);
	cfi_eh_frame(file, &lower);
	rows_put_under(rows, &lower);
	exidx_load(file, &exidx);
	ask_exidx(file, &exidx, &lower);
	rows_put_under(rows, &lower);
	seeds_collect(file, &none, &exidx, &seeds);
	for (i = 1; i < seeds.nr; i++)
		LAW(seeds.seed[i].addr > seeds.seed[i - 1].addr);
	seeds_free(&seeds);
	exidx_free(&exidx);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct a32_table_header about = { .file_size = size };
	struct rows rows = { 0 };
	struct elf_file file;
	u8 *bytes = NULL;
	size_t len;

	if (elf_file_open_bytes(data, size, "fuzz", &file))
		return 0;
	files++;
	about.build_id_size = file.build_id_size;
	memcpy(about.build_id, file.build_id, sizeof(about.build_id));
	ask(&file, &rows);
	rows_made += rows.nr;
	if (!table_encode(&file.image, &rows, &about, &bytes, &len)) {
		LAW(len <= A32_TABLE_SIZE_MAX && a32_table_check(bytes, len));
		tables++;
	}
	free(bytes);
	rows_free(&rows);
	elf_file_close(&file);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("files taken", &files);
	fuzz_figure("rows", &rows_made);
	fuzz_figure("tables made", &tables);
	return 0;
}
