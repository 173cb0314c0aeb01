/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle: runs ARM programs one instruction at a time, keeps the calls
 * that were really made, and asks the walk for them at every instruction.
 */
#ifndef A32_ORACLE_H
#define A32_ORACLE_H

#include <stdio.h>
#include "../../module/core/walk.h"

struct guest;
struct oracle_how;

enum {
	ORACLE_SECTIONS	= 8,
	ORACLE_DEPTH	= 120,		/* frames; below what perf has room for, 127 */
	ORACLE_ENTRIES	= 2 * ORACLE_DEPTH,
	STACK_TOP	= 0xbefff000,	/* the usual place with a 3 GiB user space */
	STACK_SIZE	= 4 << 20,
	HIGH_STACK	= STACK_TOP + 0x1000,	/* one more stack, above: "stack_high" */
	HIGH_SIZE	= 0x4000,
	ORACLE_STACKS	= 16,
	ORACLE_SWITCHES	= 16,
	ORACLE_PROBES	= 4,
	UPROBES		= 0x7f000000,	/* the page of the kernel's trampoline for uretprobes */
	UPROBES_SIZE	= 0x1000,
};

/*
 * ORACLE_FOREIGN: in a Linux program, it ends as it should where code without
 * an ABI begins, but more with one lies behind that.
 */
enum oracle_verdict {
	ORACLE_EXACT, ORACLE_SHORT, ORACLE_WRONG, ORACLE_FOREIGN, ORACLE_VERDICTS
};

struct oracle_symbol {
	u32 start;
	u32 size;
	const char *name;
};

/* Addresses from @start up to @end */
struct oracle_area {
	u32 start;
	u32 end;
};

/**
 * struct oracle_program - a static ELF program, or a Linux program
 * @name: the row it is for
 * @image: its memory, from @start on
 * @start: lowest address, whole pages
 * @size: bytes, whole pages
 * @entry: where it starts, bit 0 set in Thumb
 * @exit: where it ends, bit 0 clear: symbol "finish"
 * @handler: a signal handler, bit 0 set in Thumb, or 0: symbol "on_signal"
 * @restorer: its return address, or 0: symbol "restorer"
 * @nr_switching: how many of @switching
 * @switching: where sp and what is to return to become another context's, as in
 *	longjmp(): up to the end of such an area it is neither here nor there.
 *	From symbol "switchingX" to "switchedX"
 * @nr_stacks: how many of @stack
 * @stack: stacks beside the one that the program starts on: objects "stack_X"
 * @nr_probes: how many of @probe
 * @probe: functions that have a uretprobe: "probed_X"
 * @nr_sections: how many of @code
 * @code: executable segments, in the order of their addresses, the page for
 *	uretprobes, and the stack
 * @counts: theirs
 * @range: where they lie
 * @space: the same, for the walk
 * @nr_symbols: functions
 * @symbol: they, by address
 * @table: its unwind table, or NULL
 * @parts: without one, which ABI its sections follow
 * @bodies: the bodies of functions in it, or NULL
 * @file: all of the file
 * @path: the file
 * @guest: for a Linux program, its process; only @name, @path and what is there
 *	for oracle_show_all() are set then
 */
struct oracle_program {
	const char *name;
	u8 *image;
	u32 start;
	u32 size;
	u32 entry;
	u32 exit;
	u32 handler;
	u32 restorer;
	u32 nr_switching;
	struct oracle_area switching[ORACLE_SWITCHES];
	u32 nr_stacks;
	struct oracle_area stack[ORACLE_STACKS];
	u32 nr_probes;
	u32 probe[ORACLE_PROBES];
	u32 nr_sections;
	struct a32_code code[ORACLE_SECTIONS];
	struct a32_counts counts[ORACLE_SECTIONS];
	struct a32_range range[ORACLE_SECTIONS];
	struct a32_space space;
	u32 nr_symbols;
	struct oracle_symbol *symbol;
	const struct a32_unwind_table *table;
	struct a32_rules *parts;
	const struct a32_bodies *bodies;
	void *file;
	const char *path;
	struct guest *guest;
};

/* With a root, it is a Linux program below that folder. */
void oracle_program_load(struct oracle_program *p, const char *path, const struct oracle_how *how);
void oracle_program_sort(struct oracle_program *p);
void oracle_program_free(struct oracle_program *p);
const struct oracle_symbol *oracle_program_symbol(const struct oracle_program *p, u32 addr);

/**
 * struct oracle_chain - entries, innermost first, bit 0 clear
 */
struct oracle_chain {
	u32 nr;
	u64 entry[ORACLE_ENTRIES];
};

/**
 * struct oracle_sample - one boundary between two instructions, judged
 * @pc: bit 0 clear
 * @thumb: its instruction set
 * @r: r0 to r15
 * @cpsr: with the IT state
 * @verdict: of the walk
 * @stop: why it ended
 * @truth: the chain of the calls really made
 * @walk: the walk
 * @walked: its chain
 */
struct oracle_sample {
	u32 pc;
	bool thumb;
	u32 r[16];
	u32 cpsr;
	enum oracle_verdict verdict;
	enum a32_stop stop;
	const struct oracle_chain *truth;
	const struct a32_walk *walk;
	const struct oracle_chain *walked;
};

/**
 * struct oracle_counts - the figures of a row
 * @boundaries: instructions walked at
 * @executed: instructions executed, by a Linux program
 * @seen: those of @boundaries whose walk need not scan the sampled code
 * @verdict: them by the walk's verdict
 * @stock_exact: chains that the kernel's own walker has right
 */
struct oracle_counts {
	u64 boundaries;
	u64 executed;
	u64 seen;
	u64 verdict[ORACLE_VERDICTS];
	u64 stock_exact;
};

typedef void oracle_report_fn(const struct oracle_program *p, const struct oracle_sample *sample);

/**
 * struct oracle_how - how to run a program
 * @signals: deliver a signal each that many instructions; 0 for none
 * @cold: let no walk know what an earlier one has found
 * @walks: in a Linux program that executes more, walk at that many instructions
 *	(about); 0 for all
 * @root: folder that has the files it sees, or NULL
 * @tables: folder with a table for each file that has code, which then decide,
 *	instead of frame ABIs; or NULL
 * @list: don't walk: print the Linux program's files that have code
 * @args: its arguments but the first, up to NULL; or NULL
 * @variable: one more of its environment, or NULL
 * @pcs: write each pc walked at there, or NULL
 * @talk: show what it writes
 * @report: called with each chain that is not exact, or NULL
 */
struct oracle_how {
	u32 signals;
	bool cold;
	u64 walks;
	const char *root;
	const char *tables;
	bool list;
	char *const *args;
	const char *variable;
	FILE *pcs;
	bool talk;
	oracle_report_fn *report;
};

/**
 * oracle_run() - run a program to its end
 * @p: the program
 * @how: what is asked for
 * @counts: the result
 *
 * Return: false when the program did not end as it should
 */
bool oracle_run(struct oracle_program *p, const struct oracle_how *how,
		struct oracle_counts *counts);

enum oracle_verdict oracle_judge(const struct oracle_chain *truth, const struct oracle_chain *got);

/* What the kernel's arch/arm/kernel/perf_callchain.c gives for these registers */
void oracle_stock_walk(const u32 *r, struct oracle_chain *chain);

oracle_report_fn oracle_show_add;

/* Print what oracle_show_add() has gathered, the most frequent first. */
void oracle_show_all(const struct oracle_program *p);

void __attribute__((noreturn, format(printf, 1, 2))) oracle_die(const char *fmt, ...);

#endif
