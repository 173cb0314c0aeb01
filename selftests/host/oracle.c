// SPDX-License-Identifier: GPL-2.0
/*
 * oracle [-clotv] [-n N] [-p FILE] [-r ROOT] [-s N] [-T FOLDER] PROGRAM... [-- ARG...]
 *
 * Runs each program (see corpus.c) and prints how the chains walked at every
 * instruction compare with the calls really made:
 *
 *	ROW <tab> BOUNDARIES <tab> EXACT <tab> SHORT <tab> WRONG <tab> STOCK_EXACT
 *
 * A PROGRAM can be one for Linux, see oracle_linux.h. Then there are FOREIGN,
 * EXECUTED and SEEN at the end of the row: chains that end as they should in
 * code without a frame ABI, but more with one lies behind it; instructions
 * executed, which is more than BOUNDARIES with -n; and those of BOUNDARIES whose
 * walk need not scan the sampled code, as an earlier one has done that.
 *
 * -c: each walk starts anew; without it, it knows what earlier ones found.
 * -v: show what is short or wrong. -s: deliver a signal each N instructions.
 * -n: in a Linux program, walk at about N instructions, at random; 0 for all.
 * -o: show what it writes. -p: write the pcs walked at, with bit 0 set in Thumb.
 * -r: it sees the files below ROOT. ARGs are its own.
 * -T: frames are those of the unwind tables in FOLDER, of each file with code its
 * name with ".a32t" behind it. -l: don't walk; print the paths of these files, of
 * a Linux program.
 * -t: print TAP: each program runs without, with -c and with -s 101, and
 * passes when none of its chains is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "oracle.h"
#include "tap.h"

struct options {
	struct oracle_how how;
	bool tap;
};

static void print_row(const char *name, const struct oracle_counts *c)
{
	const u64 figures[] = {
		c->boundaries, c->verdict[ORACLE_EXACT], c->verdict[ORACLE_SHORT],
		c->verdict[ORACLE_WRONG], c->stock_exact, c->verdict[ORACLE_FOREIGN], c->executed,
		c->seen,
	};
	int i, nr = c->executed ? 8 : 5;

	printf("%s", name);
	for (i = 0; i < nr; i++)
		printf("\t%llu", (unsigned long long)figures[i]);
	putchar('\n');
}

static void add(struct oracle_counts *total, const struct oracle_counts *c)
{
	int i;

	total->boundaries += c->boundaries;
	total->stock_exact += c->stock_exact;
	total->executed += c->executed;
	total->seen += c->seen;
	for (i = 0; i < ORACLE_VERDICTS; i++)
		total->verdict[i] += c->verdict[i];
}

static bool one(const struct options *o, const char *path, struct oracle_counts *total)
{
	struct oracle_program p;
	struct oracle_counts c;
	bool ran;

	oracle_program_load(&p, path, &o->how);
	ran = oracle_run(&p, &o->how, &c);
	if (!o->how.list)
		print_row(p.name, &c);
	fflush(stdout);
	if (o->how.report)
		oracle_show_all(&p);
	add(total, &c);
	oracle_program_free(&p);
	return ran && !c.verdict[ORACLE_WRONG];
}

static bool one_way(struct oracle_program *p, const char *way, const struct oracle_how *how)
{
	struct oracle_counts c;
	bool ran = oracle_run(p, how, &c);

	if (c.verdict[ORACLE_WRONG])
		tap_note("%s, %s: %llu of %llu chains are wrong: see oracle -v", p->name, way,
			 (unsigned long long)c.verdict[ORACLE_WRONG],
			 (unsigned long long)c.boundaries);
	return ran && c.boundaries && !c.verdict[ORACLE_WRONG];
}

static void one_tap(const struct oracle_how *how, const char *path)
{
	struct oracle_how cold = *how, signals = *how;
	struct oracle_program p;
	bool good;

	cold.cold = true;
	signals.signals = 101;
	oracle_program_load(&p, path, how);
	good = one_way(&p, "warm", how);
	good &= one_way(&p, "cold", &cold);
	if (!p.guest)
		good &= one_way(&p, "signals", &signals);
	tap_result(good, "%s", p.name);
	oracle_program_free(&p);
}

static void __attribute__((noreturn)) usage(void)
{
	fputs("usage: oracle [-clotv] [-e NAME=VALUE] [-n N] [-p FILE] [-r ROOT] [-s N]\n"
	      "       [-T FOLDER] PROGRAM... [-- ARG...]\n", stderr);
	exit(2);
}

/* Take "-- ARG..." off. Returns what is left of argc. */
static int split(int argc, char **argv, struct options *o)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		;
	if (i < argc)
		o->how.args = &argv[i + 1];
	argv[i] = NULL;
	return i;
}

int main(int argc, char **argv)
{
	struct oracle_counts total = { 0 };
	struct options o = { 0 };
	bool good = true;
	int opt, i;

	argc = split(argc, argv, &o);
	while ((opt = getopt(argc, argv, "ce:ln:op:r:s:tT:v")) != -1) {
		switch (opt) {
		case 'c':
			o.how.cold = true;
			break;
		case 'e':
			o.how.variable = optarg;
			break;
		case 'l':
			o.how.list = true;
			break;
		case 'T':
			o.how.tables = optarg;
			break;
		case 'v':
			o.how.report = oracle_show_add;
			break;
		case 't':
			o.tap = true;
			break;
		case 'n':
			o.how.walks = strtoull(optarg, NULL, 0);
			break;
		case 'o':
			o.how.talk = true;
			break;
		case 'p':
			o.how.pcs = fopen(optarg, "w");
			if (!o.how.pcs)
				oracle_die("%s: can't be written", optarg);
			break;
		case 'r':
			o.how.root = optarg;
			break;
		case 's':
			o.how.signals = strtoul(optarg, NULL, 0);
			break;
		default:
			usage();
		}
	}
	if (optind == argc)
		usage();
	if (o.tap) {
		tap_plan(argc - optind);
		for (i = optind; i < argc; i++)
			one_tap(&o.how, argv[i]);
		return tap_status();
	}
	for (i = optind; i < argc; i++)
		good &= one(&o, argv[i], &total);
	if (!o.how.list)
		print_row("total", &total);
	return !good;
}
