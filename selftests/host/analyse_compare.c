// SPDX-License-Identifier: GPL-2.0
/*
 * analyse_compare [-r] [-s] [-v] [-d DEBUGFILE] [-x FUNCTION]... FILE...
 *
 * Compares what tools/analyse.c makes of machine code with .debug_frame, for each
 * instruction that both know. -s uses only what a stripped file has; -v lists all
 * that isn't the same, not only differences; -x leaves a function out whose
 * .debug_frame is known to be wrong; -r prints what comes of it by function.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyse_cfi.h"
#include "analyse_image.h"
#include "analyse_tally.h"
#include "tap.h"
#include "../../tools/analyse_elf.h"
#include "../../tools/analyse_flow.h"

enum { MAX_LEFT_OUT = 16 };
static const char *left_out[MAX_LEFT_OUT];
static int nr_left_out;

/**
 * struct run - one comparison
 * @file: the file
 * @dwarf: its .debug_frame
 * @cfi: the latest row of it
 * @verbose: list all
 * @by_function: print what comes of each function
 * @tally: for that
 * @bytes: of code that is compared, for each verdict
 * @kind: of functions, for each kind of row
 * @size: of functions, all together
 * @changed: the register that the CFA counts from was changed, within this row of @cfi
 * @next: behind the instruction that was compared last
 * @from: where the run of equal verdicts began that is to be listed
 * @to: its end
 * @last: what is to be said of it
 */
struct run {
	struct file file;
	Dwarf_CFI *dwarf;
	struct cfi cfi;
	bool verbose;
	bool by_function;
	struct tally tally;
	uint64_t bytes[NR_VERDICTS];
	uint64_t kind[A32_TABLE_NO_DATA + 1];
	uint64_t size;
	uint64_t rows;
	bool changed;
	uint32_t next;
	uint32_t from;
	uint32_t to;
	char last[256];
};

static bool find_cfi(struct run *run, uint32_t addr)
{
	if (addr >= run->cfi.start && addr < run->cfi.end)
		return true;
	if (run->dwarf && cfi_read(run->dwarf, addr, &run->cfi))
		return true;
	run->cfi = (struct cfi){ 0 };
	return false;
}

/* Does an instruction, if it is executed at all, change a register? */
static bool moves(const struct a32_insn *i, int reg)
{
	switch (i->op) {
	case OP_MOV: case OP_ADD_REG: case OP_SUB_REG:
		return i->rd == reg;
	case OP_ADD:
		return i->rd == reg && (i->rn != reg || i->imm);
	case OP_LOAD:
		return i->list & 1 << reg || (i->rn == reg && i->wb);
	case OP_STORE:
		return i->rn == reg && i->wb;
	}
	return i->clobber & 1 << reg;
}

/*
 * GCC says nothing of the first of the two instructions that a large frame is
 * freed with, LLVM nothing of epilogues.
 */
static bool is_stale(struct run *run, uint32_t addr, const struct a32_insn *i)
{
	bool changed = addr == run->next && addr > run->cfi.start && run->changed;

	run->next = addr + i->len;
	run->changed = changed || moves(i, run->cfi.cfa_reg);
	return changed;
}

static void list_last(struct run *run)
{
	if (run->last[0])
		tap_note("%08x %u %s", run->from, run->to - run->from, run->last);
	run->last[0] = 0;
}

static void list(struct run *run, uint32_t addr, uint32_t len, enum verdict verdict,
		 const struct a32_table_rule *rule)
{
	char cfi[96], ours[96], text[256];

	cfi_print(&run->cfi, cfi, sizeof(cfi));
	cfi_print_rule(rule, ours, sizeof(ours));
	snprintf(text, sizeof(text), "%s %s: cfi %s; code %s", verdict_names[verdict],
		 file_name(&run->file, addr), cfi, ours);
	if (addr != run->to || strcmp(text, run->last)) {
		list_last(run);
		run->from = addr;
		strcpy(run->last, text);
	}
	run->to = addr + len;
}

/* What no way leads to, between functions and before literals */
static bool is_padding(const struct run *run, const struct flow *flow, uint32_t addr)
{
	uint32_t w = 0;

	if (!flow->thumb)
		return image_u32(&run->file.image, addr, &w) &&
		       (!w || w == 0xe1a00000 || w == 0xe320f000);
	image_u16(&run->file.image, addr, &w);
	if (!w || w == 0xbf00 || w == 0x46c0)
		return true;
	return image_u32(&run->file.image, addr, &w) && w == 0x8000f3af;
}

static bool is_left_out(const struct run *run, uint32_t addr)
{
	const char *name = file_name(&run->file, addr);
	int i;

	for (i = 0; i < nr_left_out; i++) {
		if (!strcmp(name, left_out[i]))
			return true;
	}
	return false;
}

/* It has no caller, whatever .debug_frame says. */
static bool is_entry(const struct run *run, const struct flow *flow,
		     const struct a32_table_rule *rule)
{
	return rule->kind == A32_TABLE_OUTERMOST &&
	       elf_entry(&run->file.image) == (flow->start | flow->thumb);
}

static void compare_insn(struct run *run, const struct flow *flow, uint32_t addr,
			 const struct a32_insn *i, const struct a32_table_rule *rule)
{
	const struct node *node = flow_first(flow, addr);
	static const struct state none;
	enum verdict verdict;
	char kind = file_kind(&run->file, addr);

	if ((kind && kind != (flow->thumb ? 't' : 'a')) || !find_cfi(run, addr) ||
	    (!node && is_padding(run, flow, addr)))
		return;
	verdict = cfi_verdict(&run->cfi, rule, node ? &node->state : &none);
	if (is_stale(run, addr, i) && verdict == DIFFER)
		verdict = CFI_STALE;
	if (verdict == DIFFER && (is_entry(run, flow, rule) || is_left_out(run, addr)))
		verdict = CFI_WRONG;
	run->bytes[verdict] += i->len;
	if (run->by_function)
		tally_add(&run->tally, file_name(&run->file, addr), verdict, i->len);
	if (verdict == DIFFER || (verdict != AGREE && run->verbose))
		list(run, addr, i->len, verdict, rule);
}

static const struct a32_table_rule *rule_of(const struct rows *rows, uint32_t addr)
{
	size_t low = 0, high = rows->nr;

	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (rows->row[mid].addr <= addr)
			low = mid;
		else
			high = mid;
	}
	return &rows->row[low].rule;
}

static uint32_t end_of_row(const struct rows *rows, size_t nr, const struct function *f)
{
	return nr + 1 < rows->nr ? rows->row[nr + 1].addr : f->end;
}

static void compare_function(struct run *run, const struct functions *functions,
			     const struct function *f)
{
	struct rows rows = { 0 };
	struct flow flow;
	struct a32_insn i;
	uint32_t addr;
	size_t r;

	analyse_function(&run->file.image, functions, f, &rows);
	for (r = 0; r < rows.nr; r++)
		run->kind[rows.row[r].rule.kind] += end_of_row(&rows, r, f) - rows.row[r].addr;
	run->size += f->end - f->start;
	if (!analyse_states(&run->file.image, functions, f, &flow))
		errx(1, "no code at %x", f->start);
	for (addr = f->start; flow_fetch(&flow, addr, &i); addr += i.len)
		compare_insn(run, &flow, addr, &i, rule_of(&rows, addr));
	run->rows += rows.nr;
	flow_end(&flow);
	rows_free(&rows);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * part / all : 0.0;
}

static void report(const struct run *run, size_t nr, double seconds)
{
	uint64_t all = 0;
	int i;

	for (i = 0; i < NR_VERDICTS; i++)
		all += run->bytes[i];
	tap_note("%zu functions, %llu rows in %.2f s; of %llu bytes, %.2f %% no data, %.2f %% stop",
		 nr, (unsigned long long)run->rows, seconds, (unsigned long long)run->size,
		 percent(run->kind[A32_TABLE_NO_DATA], run->size),
		 percent(run->kind[A32_TABLE_STOP], run->size));
	for (i = 0; i < NR_VERDICTS; i++)
		tap_note("%-9s %8llu bytes %7.3f %%", verdict_names[i],
			 (unsigned long long)run->bytes[i], percent(run->bytes[i], all));
}

static void compare(struct run *run, const char *path, const char *debug, bool stripped)
{
	struct functions functions;
	Dwarf *dwarf;
	double begin = now();
	size_t i;

	file_open(&run->file, path, debug, stripped);
	dwarf = dwarf_begin_elf(run->file.debug, DWARF_C_READ, NULL);
	run->dwarf = dwarf ? dwarf_getcfi(dwarf) : NULL;
	if (!run->dwarf)
		warnx("%s: no .debug_frame: nothing to be checked by", path);
	analyse_find(&run->file.image, run->file.seed, run->file.nr_seeds, &functions);
	for (i = 0; i < functions.nr; i++)
		compare_function(run, &functions, &functions.function[i]);
	list_last(run);
	if (run->by_function)
		tally_end(&run->tally);
	report(run, functions.nr, now() - begin);
	functions_free(&functions);
	dwarf_end(dwarf);
	file_close(&run->file);
	tap_result(!run->bytes[DIFFER], "%s", path);
}

int main(int argc, char **argv)
{
	bool stripped = false, verbose = false, by_function = false;
	const char *debug = NULL;
	int opt;

	while ((opt = getopt(argc, argv, "rsvd:x:")) != -1) {
		if (opt == 'r')
			by_function = true;
		else if (opt == 's')
			stripped = true;
		else if (opt == 'v')
			verbose = true;
		else if (opt == 'd')
			debug = optarg;
		else if (opt == 'x' && nr_left_out < MAX_LEFT_OUT)
			left_out[nr_left_out++] = optarg;
		else
			errx(2, "usage: [-r] [-s] [-v] [-d DEBUGFILE] [-x FUNCTION]... FILE...");
	}
	tap_plan(argc - optind);
	for (; optind < argc; optind++) {
		struct run run = { .verbose = verbose, .by_function = by_function };

		compare(&run, argv[optind], debug, stripped);
	}
	return tap_status();
}
