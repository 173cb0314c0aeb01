// SPDX-License-Identifier: GPL-2.0
/*
 * What "a32uwctl table build" makes of code that is anything: its functions, from some
 * entries, and the rules that follow from it, together with an index of unwind data and
 * rows that something else has said. How these are read from a file: see cfi.
 */
#include <stdlib.h>
#include "../../module/core/table.h"
#include "../../tools/combine.h"
#include "../../tools/sources.h"
#include "../../tools/table_format.h"
#include "fuzz.h"

enum {
	CODE_AT		= 0x10000,
	DATA_AT		= 0x20000,	/* the index, then what the code may point to */
	OFFSET		= 0x1000,	/* of both, in the file */
	MAX_SEEDS	= 4,
	MAX_SAID	= 4,
	USE_CODE	= 1,		/* in @flags */
};

/**
 * struct head - what an input begins with; the code and, where an index is, the data follow
 * @flags: USE_CODE
 * @data: words of data
 * @index: words of these that are the index
 * @seed: entries of functions, each from the one before it; 0 for no more
 * @said: rows that something has said: where, from the one before it, in halfwords, 0 for
 *	no more; and of struct a32_table_rule
 */
struct head {
	u8 flags;
	u8 data;
	u8 index;
	struct {
		u8 at;
		u8 size;
	} seed[MAX_SEEDS];
	struct {
		u8 at;
		u8 cfa_reg;
		u8 cfa_off;
		int8_t ra;
		int8_t r7;
		int8_t r11;
	} said[MAX_SAID];
} __attribute__((packed));

static u64 functions_found, rows_made, tables;

static size_t make_seeds(const struct head *head, struct seed *seed)
{
	u32 addr = CODE_AT;
	size_t nr;

	for (nr = 0; nr < MAX_SEEDS && (!nr || head->seed[nr].at); nr++) {
		addr += head->seed[nr].at & ~1;
		seed[nr] = (struct seed){ addr | (head->seed[nr].at & 1), head->seed[nr].size };
		if (nr && seed[nr].addr <= seed[nr - 1].addr)
			break;
	}
	return nr;
}

static s16 place(int8_t words)
{
	return words ? words : A32_TABLE_SAME;
}

static void say(const struct head *head, struct rows *rows)
{
	static const u8 reg[] = { 13, 7, 11 };
	struct a32_table_rule rule;
	u32 addr = CODE_AT;
	size_t i;

	for (i = 0; i < MAX_SAID && head->said[i].at; i++) {
		addr += head->said[i].at * 2;
		rule = (struct a32_table_rule){
			.source = A32_TABLE_EH_FRAME, .cfa_reg = reg[head->said[i].cfa_reg % 3],
			.cfa_off = head->said[i].cfa_off * 4, .ra = head->said[i].ra,
			.r7 = place(head->said[i].r7), .r11 = place(head->said[i].r11),
		};
		if (head->said[i].cfa_reg & 0x80)
			rule = rule_of_kind(A32_TABLE_NO_DATA, 0);
		rows_add(rows, addr, &rule);
	}
}

static void check_functions(const struct image *image, const struct functions *functions)
{
	const struct segment *code = &image->segment[0];
	size_t i;

	for (i = 0; i < functions->nr; i++) {
		const struct function *f = &functions->function[i];

		LAW(f->start < f->end && !(f->start & (f->thumb ? 1 : 3)));
		LAW(f->start >= code->addr && f->end <= code->addr + code->size);
		LAW(!i || f->start >= functions->function[i - 1].end);
	}
}

static void encode(const struct image *image, const struct rows *rows)
{
	struct a32_table_header about = { .file_size = 2 * OFFSET };
	u8 *bytes = NULL;
	size_t len, i;

	for (i = 1; i < rows->nr; i++)
		LAW(rows->row[i].addr > rows->row[i - 1].addr);
	if (table_encode(image, rows, &about, &bytes, &len))
		return;
	LAW(len <= A32_TABLE_SIZE_MAX && a32_table_check(bytes, len));
	free(bytes);
	tables++;
}

static void follow(const struct image *image, const struct head *head)
{
	struct combination c = { .image = image, .use_code = head->flags & USE_CODE };
	struct functions functions;
	struct rows rows = { 0 };
	struct figures figures = { 0 };
	struct seed seed[MAX_SEEDS];
	struct exidx exidx;

	analyse_find(image, seed, make_seeds(head, seed), &functions);
	check_functions(image, &functions);
	exidx_read(image, DATA_AT, head->index * 4, &exidx);
	c.functions = &functions;
	c.exidx = &exidx;
	say(head, &rows);
	sources_ask_code(&c, &rows, &figures);
	LAW(figures.conflicts <= functions.nr);
	encode(image, &rows);
	functions_found += functions.nr;
	rows_made += rows.nr;
	rows_free(&rows);
	exidx_free(&exidx);
	functions_free(&functions);
}

/* In buffers that are just as long: the sanitizers see reads behind them. */
static u8 *take(struct fuzz_input *in, size_t size)
{
	u8 *bytes = malloc(size + !size);

	fuzz_take(in, bytes, size);
	return bytes;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct segment segment[2];
	struct image image = { .nr = 2, .segment = segment };
	u8 *code_bytes, *data_bytes;
	struct head head;
	u32 len;

	fuzz_take(&in, &head, sizeof(head));
	len = head.data * 4u < in.size ? head.data * 4 : in.size;
	if (len == in.size)
		return 0;
	segment[0] = (struct segment){
		.addr = CODE_AT, .size = in.size - len, .offset = OFFSET, .executable = true,
	};
	segment[1] = (struct segment){ .addr = DATA_AT, .size = len, .offset = OFFSET };
	segment[0].bytes = code_bytes = take(&in, segment[0].size);
	segment[1].bytes = data_bytes = take(&in, len);
	follow(&image, &head);
	free(data_bytes);
	free(code_bytes);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("functions", &functions_found);
	fuzz_figure("rows", &rows_made);
	fuzz_figure("tables made", &tables);
	return 0;
}
