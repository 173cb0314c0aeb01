// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "cfi.h"
#include "combine.h"
#include "progress.h"
#include "seeds.h"
#include "sources.h"
#include "witness.h"

static bool is_asked(unsigned int mask, enum a32_table_source source)
{
	return mask & 1u << source;
}

/* Stripped debug files have .debug_frame nowhere else, others may have it in both. */
static void ask_cfi(const struct elf_file *file, const struct elf_file *debug,
		    unsigned int mask, struct rows *rows)
{
	struct rows lower = { 0 };

	if (is_asked(mask, A32_TABLE_DEBUG_FRAME)) {
		cfi_debug_frame(file, file, rows);
		if (debug->elf)
			cfi_debug_frame(file, debug, &lower);
		rows_put_under(rows, &lower);
	}
	if (is_asked(mask, A32_TABLE_EH_FRAME)) {
		cfi_eh_frame(file, &lower);
		rows_put_under(rows, &lower);
	}
}

static bool has_data(const struct rows *rows, uint32_t addr)
{
	const struct a32_table_rule *rule = rows_at(rows, addr);

	return rule && rule->kind != A32_TABLE_NO_DATA;
}

/* Somewhere in a function */
static bool has_any_data(const struct rows *rows, const struct function *f)
{
	size_t i;

	if (has_data(rows, f->start))
		return true;
	for (i = rows_find(rows, f->start); i < rows->nr && rows->row[i].addr < f->end; i++) {
		if (rows->row[i].rule.kind != A32_TABLE_NO_DATA)
			return true;
	}
	return false;
}

void sources_ask_code(struct combination *c, struct rows *rows, struct figures *figures)
{
	struct witness w = { .image = c->image, .functions = c->functions,
			     .use_code = c->use_code };
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0);
	struct rows lower = { 0 }, upper = { 0 };
	const struct function *f;
	size_t i;

	for (i = 0; i < c->functions->nr; i++) {
		f = &c->functions->function[i];
		progress("following their code", i, c->functions->nr);
		if (has_any_data(rows, f))
			witness_hear(&w, f, rows, &upper);
		if (!has_data(rows, f->start)) {
			combine(c, f, &lower);
			rows_add(&lower, f->end, &none);
		}
	}
	rows_put_under(&upper, rows);
	rows_put_under(&upper, &lower);
	*rows = upper;
	figures->corrected = w.corrected;
	figures->doubted = w.doubted;
	figures->conflicts = c->nr_conflicts;
}

static uint32_t row_size(const struct elf_file *file, const struct rows *rows, size_t i)
{
	const struct segment *segment = image_at(&file->image, rows->row[i].addr, 1);
	uint32_t size;

	if (!segment || !segment->executable)
		return 0;
	size = segment->size - (rows->row[i].addr - segment->addr);
	if (i + 1 < rows->nr && rows->row[i + 1].addr - rows->row[i].addr < size)
		size = rows->row[i + 1].addr - rows->row[i].addr;
	return size;
}

static void count_rows(const struct elf_file *file, const struct rows *rows,
		       struct figures *figures)
{
	const struct a32_table_rule *rule;
	struct source_figures *source;
	size_t i;

	for (i = 0; i < rows->nr; i++) {
		rule = &rows->row[i].rule;
		if (rule->kind == A32_TABLE_NO_DATA)
			continue;
		source = &figures->source[rule->source];
		source->rows++;
		source->bytes += row_size(file, rows, i);
		if (rule->kind == A32_TABLE_STOP)
			source->stop_bytes += row_size(file, rows, i);
	}
}

static void count_functions(const struct functions *functions, const struct rows *rows,
			    struct figures *figures)
{
	const struct a32_table_rule *rule;
	size_t i;

	figures->functions = functions->nr;
	for (i = 0; i < functions->nr; i++) {
		rule = rows_at(rows, functions->function[i].start);
		if (rule && rule->kind != A32_TABLE_NO_DATA)
			figures->source[rule->source].functions++;
	}
}

void sources_ask(const struct elf_file *file, const struct elf_file *debug, unsigned int mask,
		 struct rows *rows, struct figures *figures)
{
	struct combination c = { .image = &file->image };
	struct exidx exidx, none = { 0 };
	struct functions functions;
	struct seeds seeds;

	*figures = (struct figures){ 0 };
	exidx_load(file, &exidx);
	seeds_collect(file, debug, &exidx, &seeds);
	progress("finding functions", 0, 1);
	analyse_find(&file->image, seeds.seed, seeds.nr, &functions);
	ask_cfi(file, debug, mask, rows);
	c.functions = &functions;
	c.exidx = is_asked(mask, A32_TABLE_EXIDX) ? &exidx : &none;
	c.use_code = is_asked(mask, A32_TABLE_CODE);
	sources_ask_code(&c, rows, figures);
	progress_end();
	count_rows(file, rows, figures);
	count_functions(&functions, rows, figures);
	functions_free(&functions);
	seeds_free(&seeds);
	exidx_free(&exidx);
}
