// SPDX-License-Identifier: GPL-2.0
/*
 * oracle [-cvt] [-s N] PROGRAM...
 *
 * Runs each program (see corpus.c) and prints how the chains walked at every
 * instruction compare with the calls really made:
 *
 *	ROW <tab> BOUNDARIES <tab> EXACT <tab> SHORT <tab> WRONG <tab> STOCK_EXACT
 *
 * -c: each walk starts anew; without it, it knows what earlier ones found.
 * -v: show what is short or wrong. -s: deliver a signal each N instructions.
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
	printf("%s\t%llu\t%llu\t%llu\t%llu\t%llu\n", name, (unsigned long long)c->boundaries,
	       (unsigned long long)c->verdict[ORACLE_EXACT],
	       (unsigned long long)c->verdict[ORACLE_SHORT],
	       (unsigned long long)c->verdict[ORACLE_WRONG],
	       (unsigned long long)c->stock_exact);
}

static void add(struct oracle_counts *total, const struct oracle_counts *c)
{
	int i;

	total->boundaries += c->boundaries;
	total->stock_exact += c->stock_exact;
	for (i = 0; i < ORACLE_VERDICTS; i++)
		total->verdict[i] += c->verdict[i];
}

static bool one(const struct options *o, const char *path, struct oracle_counts *total)
{
	struct oracle_program p;
	struct oracle_counts c;
	bool ran;

	oracle_program_load(&p, path);
	ran = oracle_run(&p, &o->how, &c);
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

static void one_tap(const char *path)
{
	static const struct oracle_how warm, cold = { .cold = true };
	static const struct oracle_how signals = { .signals = 101 };
	struct oracle_program p;
	bool good;

	oracle_program_load(&p, path);
	good = one_way(&p, "warm", &warm);
	good &= one_way(&p, "cold", &cold);
	good &= one_way(&p, "signals", &signals);
	tap_result(good, "%s", p.name);
	oracle_program_free(&p);
}

static void __attribute__((noreturn)) usage(void)
{
	fputs("usage: oracle [-cvt] [-s N] PROGRAM...\n", stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	struct oracle_counts total = { 0 };
	struct options o = { 0 };
	bool good = true;
	int opt, i;

	while ((opt = getopt(argc, argv, "cvts:")) != -1) {
		switch (opt) {
		case 'c':
			o.how.cold = true;
			break;
		case 'v':
			o.how.report = oracle_show_add;
			break;
		case 't':
			o.tap = true;
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
			one_tap(argv[i]);
		return tap_status();
	}
	for (i = optind; i < argc; i++)
		good &= one(&o, argv[i], &total);
	print_row("total", &total);
	return !good;
}
