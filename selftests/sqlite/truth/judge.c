// SPDX-License-Identifier: GPL-2.0
/*
 * judge [-d] [-s START] [-n NAME] [-m N] GUESTPATH=FILE... <SCRIPT
 *
 * Reads `perf script -F comm,ip,dso`, judges every user chain by the
 * disassembly of the unstripped FILEs, and prints tab-separated lines:
 *
 * (NAME is -n's, which may have tabs of its own)
 *   count NAME PLACE EXACT SHORT WRONG	for each place of the topmost pc, and "all"
 *   padded NAME N			chains that ended in a 0 or ffffffff
 *   stack NAME N VERDICT CHAIN		equal chains, most frequent first: functions from the
 *					topmost outward, with ';' between; '!' marks a wrong one
 *   wrong NAME PLACE ENTRY...		at most N (-m) wrong chains, by address and reason
 *
 * -d: the callers' addresses are less by 1 (perf's DWARF unwinders do that).
 * -s: the outermost function, main when not given.
 */
#include <string.h>
#include <unistd.h>

#include "chain.h"
#include "graph.h"
#include "util.h"

static const char * const verdict_names[] = VERDICT_NAMES;
static const char * const place_names[] = PLACE_NAMES;

struct stack {
	char *text;
	enum verdict verdict;
	size_t nr;
};

static const char *name = "-";
static size_t wrong_left = 20;
static size_t counts[NR_PLACES][NR_VERDICTS];
static size_t padded;
static struct stack *stacks;
static size_t nr_stacks;

static void print_entry(FILE *f, const struct entry *e)
{
	const char *file = e->dso ? strrchr(e->dso, '/') : NULL;

	if (e->wrong)
		fputc('!', f);
	if (e->func)
		fputs(e->func->name, f);
	else if (e->dso)
		fprintf(f, "[%s]", file ? file + 1 : e->dso);
	else
		fprintf(f, "0x%x", e->addr);
}

static void note_stack(const struct chain *c)
{
	struct stack *s;
	char *text = NULL;
	size_t i, size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		die("out of memory");
	for (i = 0; i < c->nr; i++) {
		if (i)
			fputc(';', f);
		print_entry(f, &c->e[i]);
	}
	fclose(f);
	for (i = 0; i < nr_stacks; i++)
		if (stacks[i].verdict == c->verdict && !strcmp(stacks[i].text, text))
			break;
	if (i == nr_stacks) {
		stacks = grow(stacks, nr_stacks, sizeof(*s));
		s = &stacks[nr_stacks++];
		s->text = text;
		s->verdict = c->verdict;
	} else {
		free(text);
	}
	stacks[i].nr++;
}

static void print_wrong(const struct chain *c)
{
	size_t i;

	printf("wrong\t%s\t%s", name, place_names[c->place]);
	for (i = 0; i < c->nr; i++) {
		const struct entry *e = &c->e[i];

		printf("\t%x ", e->obj ? e->ra : e->addr);
		print_entry(stdout, e);
		if (e->wrong)
			printf(" (%s)", e->wrong);
	}
	putchar('\n');
}

static void finish(const struct judge *j, struct chain *c)
{
	size_t i;

	if (c->nr) {
		chain_judge(j, c);
		counts[c->place][c->verdict]++;
		padded += c->padded;
		note_stack(c);
		if (c->verdict == WRONG && wrong_left) {
			wrong_left--;
			print_wrong(c);
		}
	}
	for (i = 0; i < CHAIN_MAX; i++)
		free(c->e[i].dso);
	memset(c, 0, sizeof(*c));
}

/* perf names data mappings too, when it unwinds by DWARF. */
static bool is_code(const char *dso)
{
	return dso[0] != '[' || !strcmp(dso, "[vdso]") || !strcmp(dso, "[sigpage]") ||
	       !strcmp(dso, "[vectors]");
}

/* "\t   1e31b (/lib/libc.so.6)"; perf gives a file offset when it knows the file. */
static void add_entry(struct chain *c, const char *line)
{
	char dso[512];
	unsigned long long addr;
	struct entry *e;

	if (sscanf(line, "%llx (%511[^\n]", &addr, dso) != 2)
		die("no entry of a chain: %s", line);
	dso[strlen(dso) - 1] = 0;
	/*
	 * Kernel text, and modules from 0xbf000000; the user's end is below.
	 * The kernel's own unwinder ends in nonsense at times.
	 */
	if (!c->nr && (addr >= 0xbf000000 || (c->kernel && !is_code(dso)))) {
		c->kernel = true;
		return;
	}
	if (c->nr == CHAIN_MAX)
		die("a chain has more than %d entries", CHAIN_MAX);
	e = &c->e[c->nr++];
	e->addr = addr;
	if (is_code(dso))
		e->dso = strdup(dso);
}

static void read_script(const struct judge *j)
{
	static struct chain c;
	char line[1024];

	while (fgets(line, sizeof(line), stdin)) {
		if (line[0] == '\t')
			add_entry(&c, line);
		else if (line[0] == '\n')
			finish(j, &c);
	}
	finish(j, &c);
}

static void print_counts(void)
{
	size_t all[NR_VERDICTS] = {};
	int p, v;

	for (p = 0; p < NR_PLACES; p++) {
		printf("count\t%s\t%s\t%zu\t%zu\t%zu\n", name, place_names[p],
		       counts[p][EXACT], counts[p][SHORT], counts[p][WRONG]);
		for (v = 0; v < NR_VERDICTS; v++)
			all[v] += counts[p][v];
	}
	printf("count\t%s\tall\t%zu\t%zu\t%zu\n", name, all[EXACT], all[SHORT], all[WRONG]);
	printf("padded\t%s\t%zu\n", name, padded);
}

static int by_count(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? 1 : -1;
	return strcmp(x->text, y->text);
}

static void print_stacks(void)
{
	size_t i;

	qsort(stacks, nr_stacks, sizeof(*stacks), by_count);
	for (i = 0; i < nr_stacks; i++)
		printf("stack\t%s\t%zu\t%s\t%s\n", name, stacks[i].nr,
		       verdict_names[stacks[i].verdict], stacks[i].text);
}

int main(int argc, char **argv)
{
	struct judge j = { .start = "main" };
	int opt, i;

	while ((opt = getopt(argc, argv, "ds:n:m:")) != -1) {
		switch (opt) {
		case 'd':
			j.decremented = true;
			break;
		case 's':
			j.start = optarg;
			break;
		case 'n':
			name = optarg;
			break;
		case 'm':
			wrong_left = strtoul(optarg, NULL, 10);
			break;
		default:
			return 2;
		}
	}
	if (optind == argc)
		die("no GUESTPATH=FILE given");
	j.nr_objs = argc - optind;
	j.objs = calloc(j.nr_objs, sizeof(*j.objs));
	for (i = optind; i < argc; i++) {
		char *file = strchr(argv[i], '=');

		if (!file)
			die("%s is not GUESTPATH=FILE", argv[i]);
		*file++ = 0;
		object_load(&j.objs[i - optind], argv[i], file);
	}
	graph_build(j.objs, j.nr_objs);
	read_script(&j);
	print_counts();
	print_stacks();
	return 0;
}
