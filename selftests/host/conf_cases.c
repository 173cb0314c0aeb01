// SPDX-License-Identifier: GPL-2.0
/*
 * conf_cases [COUNT [SEED]]
 *
 * Files of rules, as a32uwctl(8) describes them: what each line comes to,
 * which lines are refused, and that what is printed is read as the same. Then
 * COUNT texts of random bytes, or of lines with a byte changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/conf.h"
#include "../../uapi/a32uwind.h"
#include "random.h"
#include "tap.h"

static const char *parse(const char *text, struct conf *conf, unsigned int *line)
{
	return conf_parse(text, strlen(text), conf, line);
}

/* A line that gives one rule. */
static const struct good {
	const char *text;
	struct conf_rule rule;
} good[] = {
	{ "default auto", { .kind = CONF_DEFAULT, .abi = A32_ABI_AUTO } },
	{ "\t default  none\t# said by hand", { .kind = CONF_DEFAULT, .abi = A32_ABI_NONE } },
	{ "tag gcc /usr/bin/prog",
	  { .kind = CONF_TAG, .abi = A32_ABI_GCC, .path = "/usr/bin/prog" } },
	{ "tag aapcs-r7 /a#b",
	  { .kind = CONF_TAG, .abi = A32_ABI_AAPCS_R7, .path = "/a#b" } },
	{ "tag apcs /a@0x10-0x20",
	  { .kind = CONF_TAG, .abi = A32_ABI_APCS, .path = "/a", .part = { 0x10, 0x20 } } },
	{ "tag apcs \"/a b\"@16-32",
	  { .kind = CONF_TAG, .abi = A32_ABI_APCS, .path = "/a b", .part = { 16, 32 } } },
	{ "tag apcs \"/a@16-32\"", { .kind = CONF_TAG, .abi = A32_ABI_APCS, .path = "/a@16-32" } },
	{ "tag gcc \"/q\\\"b\\\\n\\012\\303\\244#\" size=7",
	  { .kind = CONF_TAG, .abi = A32_ABI_GCC, .path = "/q\"b\\n\n\303\244#",
	    .has_size = true, .size = 7 } },
	{ "table /lib/libc.so.6 size=1234 build-id=0aff",
	  { .kind = CONF_TABLE, .path = "/lib/libc.so.6", .has_size = true, .size = 1234,
	    .build_id_size = 2, .build_id = { 0x0a, 0xff } } },
	{ "table /x code-crc=0123abcd #",
	  { .kind = CONF_TABLE, .path = "/x", .has_crc = true, .crc = 0x0123abcd } },
	{ "table /x size=18446744073709551615",
	  { .kind = CONF_TABLE, .path = "/x", .has_size = true, .size = 18446744073709551615ULL } },
};

static bool same(const struct conf_rule *a, const struct conf_rule *b)
{
	return a->kind == b->kind && (a->kind == CONF_TABLE || a->abi == b->abi) &&
	       !a->path == !b->path && (!a->path || !strcmp(a->path, b->path)) &&
	       a->part.start == b->part.start && a->part.end == b->part.end &&
	       a->has_size == b->has_size && a->size == b->size &&
	       a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, sizeof(a->build_id)) &&
	       a->has_crc == b->has_crc && a->crc == b->crc;
}

/* Prints all rules and reads them again. */
static bool round_trip(const struct conf *conf)
{
	struct conf other;
	unsigned int line;
	char *text = NULL;
	bool is_same;
	size_t i, size;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; i < conf->nr; i++)
		conf_print(out, &conf->rules[i]);
	fclose(out);
	is_same = !conf_parse(text, size, &other, &line) && other.nr == conf->nr;
	for (i = 0; is_same && i < conf->nr; i++)
		is_same = same(&conf->rules[i], &other.rules[i]);
	if (!is_same)
		tap_note("not read as the same: %s", text);
	conf_free(&other);
	free(text);
	return is_same;
}

/* TAP has a result a line. */
static const char *printable(const char *text)
{
	static char copy[128];
	size_t i;

	snprintf(copy, sizeof(copy), "%s", text);
	for (i = 0; copy[i]; i++)
		if (copy[i] < ' ' || copy[i] == '#')
			copy[i] = '?';
	return copy;
}

static void test_good(void)
{
	const struct good *g;
	unsigned int line;
	struct conf conf;
	bool ok;

	for (g = good; g < good + sizeof(good) / sizeof(*good); g++) {
		ok = !parse(g->text, &conf, &line) && conf.nr == 1 &&
		     same(&conf.rules[0], &g->rule);
		tap_result(ok && round_trip(&conf), "read: %s", printable(g->text));
		conf_free(&conf);
	}
}

/* Lines that are refused, each behind two good ones. */
static const char *const bad[] = {
	"defaults auto", "\"default\" auto", "default", "default mixed", "default auto gcc",
	"default auto", "tag", "tag gcc", "tag GCC /a", "tag /a", "tag gcc a", "tag gcc \"\"",
	"tag gcc /a /b", "tag gcc /a@", "tag gcc /a@16", "tag gcc /a@16-8", "tag gcc /a@17-32",
	"tag gcc /a@0x10-32x", "tag gcc \"/a\"b", "tag gcc \"/a", "tag gcc /a\"b\"",
	"tag gcc \"/a\\n\"", "tag gcc \"/a\\400\"", "tag gcc \"/a\\000\"", "tag gcc \"/a\\",
	"tag gcc /a size=", "tag gcc /a size=-1", "tag gcc /a size=0x10",
	"tag gcc /a size=18446744073709551616", "tag gcc /a size=1 size=1",
	"tag gcc /a build-id=", "tag gcc /a build-id=abc", "tag gcc /a build-id=AB",
	"tag gcc /a build-id=zz",
	"tag gcc /a build-id=000102030405060708090a0b0c0d0e0f1011121314",
	"tag gcc /a build-id=00 build-id=00", "tag gcc /a code-crc=0123abc",
	"tag gcc /a code-crc=0123abcd00", "tag gcc /a code-crc=0123abcd#",
	"tag gcc /a colour=red", "tag gcc /a\r", "tag gcc /a\001b", "table gcc /a",
	"table /a@0-16", "table", "untag /a", "\"",
};

static void test_bad(void)
{
	unsigned int line;
	struct conf conf;
	const char *why;
	char text[256];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "# first\ndefault auto\n\n%s\ntag gcc /x\n", bad[i]);
		why = parse(text, &conf, &line);
		tap_result(why && line == 4, "refused, with its line: %s", printable(bad[i]));
		conf_free(&conf);
	}
	why = conf_parse("tag gcc /a\0b\n", 13, &conf, &line);
	tap_result(why && line == 1, "refused: a NUL byte");
	conf_free(&conf);
}

static void test_several(void)
{
	unsigned int line;
	struct conf conf;
	bool ok;

	ok = !parse("", &conf, &line) && !conf.nr;
	conf_free(&conf);
	tap_result(ok, "an empty file");
	ok = !parse("# nothing\n\n\t# here", &conf, &line) && !conf.nr;
	conf_free(&conf);
	tap_result(ok, "nothing but comments");
	ok = !parse("\ntag gcc /a\n#\ntable /b", &conf, &line) && conf.nr == 2 &&
	     conf.rules[0].line == 2 && conf.rules[1].line == 4 && round_trip(&conf);
	conf_free(&conf);
	tap_result(ok, "lines are counted from 1; the last one needs no end");
}

/* @mended: begins with lines that are right, and bytes that matter */
static size_t fill(char *text, bool mended)
{
	static const char seed[] = "default auto\ntag gcc \"/a b\"@0x10-0x20 size=12\n"
				   "table /x build-id=00ff code-crc=01234567\n";
	static const char matter[] = "\n \t\"\\@#=-/0123tagx";
	size_t i, size = mended ? sizeof(seed) - 1 : random_below(200);

	memcpy(text, seed, sizeof(seed));
	for (i = mended ? random_below(4) : size; i; i--)
		text[random_below((u32)size)] = random_below(4) ?
			matter[random_below(sizeof(matter) - 1)] : (char)random32();
	text[size] = '\0';
	return size;
}

static void test_random(int rounds)
{
	unsigned int line, read = 0;
	struct conf conf;
	bool ok = true;
	char text[256];
	size_t size;

	while (rounds-- && ok) {
		size = fill(text, rounds & 1);
		if (!conf_parse(text, size, &conf, &line)) {
			ok = round_trip(&conf);
			read += conf.nr > 0;
		}
		conf_free(&conf);
	}
	tap_result(ok && read > 10, "random texts are refused, or read as they are printed");
}

int main(int argc, char **argv)
{
	random_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : 1);
	tap_plan(sizeof(good) / sizeof(*good) + sizeof(bad) / sizeof(*bad) + 5);
	test_good();
	test_bad();
	test_several();
	test_random(argc > 1 ? atoi(argv[1]) : 100000);
	return tap_status();
}
