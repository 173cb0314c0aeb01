// SPDX-License-Identifier: GPL-2.0
/*
 * format_random [ROUNDS [SEED]]
 *
 * Random rows: what comes out of a table, against what went in, address by
 * address. Tables with something changed are read without harm, or refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../tools/table_format.h"
#include "random.h"
#include "tap.h"

enum {
	MAX_SEGMENTS	= 4,
	MAX_ROWS	= 400,
	SPACE		= 40000,	/* bytes of addresses, and of the file */
	SHIFT		= 0x10000,	/* of addresses against file offsets */
};

static const uint8_t file[SPACE];
static struct segment segments[MAX_SEGMENTS];
static struct image image = { .segment = segments };
static struct rows rows;

static int16_t random_place(void)
{
	switch (random_below(4)) {
	case 0:
		return A32_TABLE_SAME;
	case 1:
		return A32_TABLE_LOST;
	case 2:
		return A32_TABLE_IN_REG(random_below(15));
	default:
		return (int16_t)random_below(8192) - 4096;
	}
}

static struct a32_table_rule random_rule(void)
{
	struct a32_table_rule rule = rule_of_kind(random_below(4), random_below(4));

	if (rule.kind != A32_TABLE_FRAME)
		return rule;
	rule.cfa_reg = random_below(15);
	rule.cfa_off = (int32_t)random_below(1 << 16) * 4 - (1 << 17);
	rule.indirect = random_below(2);
	if (rule.indirect)
		rule.from_saved = (int16_t)random_below(8192) - 4096;
	rule.ra = (int16_t)random_below(8192) - 4096;
	rule.r7 = random_place();
	rule.r11 = random_place();
	return rule;
}

/* Some of them at the bounds of blocks, some without code in between */
static void random_segments(void)
{
	uint32_t at = random_below(3) * 4096, size;
	bool executable = true;

	image.nr = 0;
	while (image.nr < MAX_SEGMENTS) {
		at += random_below(3) * random_below(3000) * 2;
		size = random_below(3) ? 2 + random_below(6000) * 2 : 4096 * (1 + random_below(2));
		if (at + size > SPACE)
			break;
		segments[image.nr++] = (struct segment){
			at + SHIFT, size, at, file + at, executable,
		};
		at += size;
		executable = random_below(3);
	}
}

static void random_rows(void)
{
	uint32_t at = SHIFT + random_below(2000) * 2, nr = random_below(MAX_ROWS), i;
	struct a32_table_rule few[4], rule;

	for (i = 0; i < 4; i++)
		few[i] = random_rule();
	rows_free(&rows);
	while (nr--) {
		rule = random_below(8) ? few[random_below(4)] : random_rule();
		rows_add(&rows, at, &rule);
		at += 2 + 2 * random_below(random_below(8) ? 20 : 4000);
	}
}

static bool says_nothing(const struct a32_table_rule *rule)
{
	return !rule || rule->kind == A32_TABLE_NO_DATA;
}

static const struct a32_table_rule *expected(uint32_t offset)
{
	const struct segment *segment = image_at(&image, offset + SHIFT, 2);

	return segment && segment->executable ? rows_at(&rows, offset + SHIFT) : NULL;
}

static bool same_everywhere(const struct rows *out)
{
	const struct a32_table_rule *in, *got;
	uint32_t offset;

	for (offset = 0; offset < SPACE; offset += 2) {
		in = expected(offset);
		got = rows_at(out, offset);
		if (says_nothing(in) != says_nothing(got))
			return false;
		if (!says_nothing(in) && !rule_equal(in, got))
			return false;
	}
	return true;
}

static bool round_trip(void)
{
	struct a32_table_header about = { .build_id_size = 3, .build_id = "abc", .code_crc = 5,
					  .file_size = 1ull << 33 };
	struct a32_table_header header;
	struct rows out = { 0 };
	uint8_t *bytes;
	size_t size;
	bool ok;

	ok = !table_encode(&image, &rows, &about, &bytes, &size) &&
	     !table_decode(bytes, size, &header, &out) && same_everywhere(&out) &&
	     header.code_crc == 5 && header.file_size == 1ull << 33 &&
	     header.build_id_size == 3 && !memcmp(header.build_id, about.build_id, 20);
	rows_free(&out);
	free(bytes);
	return ok;
}

/* Rows that are accepted ascend, and say what a rule can. */
static bool is_sound(const struct rows *out)
{
	size_t i;

	for (i = 0; i < out->nr; i++)
		if (out->row[i].rule.kind > A32_TABLE_NO_DATA || out->row[i].addr & 1 ||
		    (i && out->row[i].addr <= out->row[i - 1].addr))
			return false;
	return true;
}

static bool damaged(void)
{
	struct a32_table_header about = { .file_size = SPACE }, header;
	struct rows out = { 0 };
	uint8_t *bytes, *copy;
	size_t size, cut;
	bool ok = true;
	int i;

	if (table_encode(&image, &rows, &about, &bytes, &size))
		return false;
	for (i = 0; i < 40; i++) {
		/* A copy of just its size: reading behind it is seen. */
		cut = random_below(3) ? size : random_below(size);
		copy = malloc(cut + !cut);
		memcpy(copy, bytes, cut);
		if (cut == size)
			copy[random_below(random_below(2) ? 64 : size)] ^= 1 << random_below(8);
		if (!table_decode(copy, cut, &header, &out))
			ok &= cut == size && is_sound(&out);
		rows_free(&out);
		free(copy);
	}
	free(bytes);
	return ok;
}

/* What is at @at in the header, and must be something else. */
static void test_field(const char *name, size_t at, uint8_t value)
{
	struct a32_table_rule rule = { .kind = A32_TABLE_STOP };
	struct a32_table_header about = { .file_size = SPACE }, header;
	struct rows some = { 0 }, out = { 0 };
	uint8_t *bytes;
	size_t size;

	image.nr = 1;
	segments[0] = (struct segment){ SHIFT, 8192, 0, file, true };
	rows_add(&some, SHIFT + 16, &rule);
	rows_add(&some, SHIFT + 32, &(struct a32_table_rule){ .cfa_reg = 13, .ra = -1 });
	if (table_encode(&image, &some, &about, &bytes, &size))
		exit(1);
	bytes[at] = value;
	tap_result(table_decode(bytes, size, &header, &out), "refused: %s", name);
	rows_free(&some);
	rows_free(&out);
	free(bytes);
}

/*
 * The table of test_field(): 64 bytes of header; an index of 3 words; 4 rows,
 * of a rule and a start each; 3 rules of 16 bytes, in order: frame, stop, no data.
 */
static void test_fields(void)
{
	test_field("no magic", 0, 0);
	test_field("another version", 4, 2);
	test_field("a size that is not its own", 8, 0);
	test_field("no blocks", 12, 0);
	test_field("fewer rows than blocks", 16, 1);
	test_field("no rules", 20, 0);
	test_field("a first block amid a page", 24, 16);
	test_field("a build-id that is too long", 28, 21);
	test_field("a build-id longer than it says", 51, 1);
	test_field("blocks behind the file's end", 57, 0);
	test_field("an index that does not begin at 0", 64, 1);
	test_field("a block without rows", 68, 0);
	test_field("an index that ends early", 72, 3);
	test_field("a block that begins late", 78, 2);
	test_field("an odd start", 82, 17);
	test_field("rows out of order", 86, 16);
	test_field("a row behind its block", 83, 0x10);
	test_field("a rule that is not there", 84, 3);
	test_field("a kind that is none", 92, 4);
	test_field("a source that is none", 93, 4);
	test_field("a CFA from pc", 94, 15);
	test_field("a CFA that is more than indirect", 95, 2);
	test_field("an odd CFA", 96, 1);
	test_field("a return address far away", 101, 0x70);
	test_field("an offset from what is not saved", 106, 1);
	test_field("a stop with an offset", 112, 4);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 2000;
	bool ok = true, harmless = true;

	random_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
	tap_plan(2 + 26);
	while (rounds-- && ok && harmless) {
		do
			random_segments();
		while (!image.nr);
		random_rows();
		ok = round_trip();
		harmless = damaged();
	}
	tap_result(ok, "what goes in comes out, at each address");
	tap_result(harmless, "damaged tables are refused or harmless");
	test_fields();
	rows_free(&rows);
	return tap_status();
}
