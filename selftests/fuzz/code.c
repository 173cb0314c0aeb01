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
	DATA_AT		= 0x20000,	/* the index, then what the code may point to */
	OFFSET		= 0x1000,	/* of a segment, in the file, behind that of the last */
	MAX_SEEDS	= 4,
	MAX_SAID	= 4,
	MAX_SEGMENTS	= 3,
};

/* Flags of an input. Without AT_ZERO and AT_TOP, the code is below the data, not far from it. */
enum {
	USE_CODE	= 1,
	AT_ZERO		= 2,
	AT_TOP		= 4,		/* no segment reaches to 4 GiB: see add_segment() */
	TWO_SEGMENTS	= 8,		/* that touch; ways lead from one into the other */
};

/**
 * struct head - what an input begins with; the code and, where an index is, the data follow
 * @flags: see above
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

/**
 * struct program - a program
 * @image: all of it
 * @segment: that of the data, and those of the code; their bytes are ours
 * @code_at: where the code begins
 */
struct program {
	struct image image;
	struct segment segment[MAX_SEGMENTS];
	u32 code_at;
};

static u64 functions_found, rows_made, tables;

static size_t make_seeds(const struct head *head, u32 addr, struct seed *seed)
{
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

static void say(const struct head *head, u32 addr, struct rows *rows)
{
	static const u8 reg[] = { 13, 7, 11 };
	struct a32_table_rule rule;
	size_t i;

	for (i = 0; i < MAX_SAID && head->said[i].at; i++) {
		if (addr + head->said[i].at * 2 < addr)
			return;
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
	const struct segment *code;
	size_t i;

	for (i = 0; i < functions->nr; i++) {
		const struct function *f = &functions->function[i];

		LAW(f->start < f->end && !(f->start & (f->thumb ? 1 : 3)));
		code = image_at(image, f->start, f->end - f->start);
		LAW(code && code->executable);
		LAW(!i || f->start >= functions->function[i - 1].end);
	}
}

static void encode(const struct image *image, const struct rows *rows)
{
	struct a32_table_header about = { .file_size = (MAX_SEGMENTS + 1) * OFFSET };
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

static void follow(const struct program *program, const struct head *head)
{
	const struct image *image = &program->image;
	struct combination c = { .image = image, .use_code = head->flags & USE_CODE };
	struct functions functions;
	struct rows rows = { 0 };
	struct figures figures = { 0 };
	struct seed seed[MAX_SEEDS];
	struct exidx exidx;

	analyse_find(image, seed, make_seeds(head, program->code_at, seed), &functions);
	check_functions(image, &functions);
	exidx_read(image, DATA_AT, head->index * 4, &exidx);
	c.functions = &functions;
	c.exidx = &exidx;
	say(head, program->code_at, &rows);
	sources_ask_code(&c, &rows, &figures);
	LAW(figures.conflicts <= functions.nr);
	encode(image, &rows);
	functions_found += functions.nr;
	rows_made += rows.nr;
	rows_free(&rows);
	exidx_free(&exidx);
	functions_free(&functions);
}

/* In a buffer that is just as long: the sanitizers see reads behind it. */
static void add(struct program *program, u32 addr, bool executable, struct fuzz_input *in, u32 size)
{
	struct image *image = &program->image;
	u8 *bytes = malloc(size + !size);

	fuzz_take(in, bytes, size);
	program->segment[image->nr++] = (struct segment){
		.addr = addr, .size = size, .offset = image->nr * OFFSET, .bytes = bytes,
		.executable = executable,
	};
}

static u32 place_code(const struct head *head, u32 size)
{
	if (head->flags & AT_ZERO)
		return 0;
	return head->flags & AT_TOP ? -2 - (size & ~1) : DATA_AT / 2;
}

static void add_code(struct program *program, const struct head *head, struct fuzz_input *in)
{
	u32 size = in->size, addr = program->code_at;

	if (head->flags & TWO_SEGMENTS && size > 8) {
		add(program, addr, true, in, size / 8 * 4);
		addr += size / 8 * 4;
	}
	add(program, addr, true, in, in->size);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct program program = { .image.segment = program.segment };
	struct fuzz_input in = { data, size }, behind;
	struct head head;
	u32 len;

	fuzz_take(&in, &head, sizeof(head));
	len = head.data * 4u < in.size ? head.data * 4 : in.size;
	if (len == in.size)
		return 0;
	behind = (struct fuzz_input){ in.data + len, in.size - len };
	program.code_at = place_code(&head, behind.size);
	if (program.code_at < DATA_AT)
		add_code(&program, &head, &behind);
	in.size = len;
	add(&program, DATA_AT, false, &in, len);
	if (program.code_at > DATA_AT)
		add_code(&program, &head, &behind);
	follow(&program, &head);
	while (program.image.nr)
		free((void *)program.segment[--program.image.nr].bytes);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("functions", &functions_found);
	fuzz_figure("rows", &rows_made);
	fuzz_figure("tables made", &tables);
	return 0;
}
