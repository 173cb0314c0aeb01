/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random processes to walk in: what is almost code (world_code.c), mappings, files
 * and rules (world.c), and registers and stacks (world_thread.c). They need what
 * random.h says.
 */
#ifndef A32_WORLD_H
#define A32_WORLD_H

#include "../../module/core/callee.h"
#include "../../module/core/kuser.h"
#include "../../module/core/table.h"
#include "random.h"

/* The fuzzer, which makes one for each input, wants small ones. */
#ifndef WORLD_PAGES
#define WORLD_PAGES	3
#define WORLD_OFFSETS	64
#endif

enum {
	CODE_AT		= 0x10000,
	CODE_BYTES	= WORLD_PAGES * 4096,
	UPROBES_AT	= 0x40000,
	STACK_AT	= 0xbeff0000,
	STACK_BYTES	= 0x1000,
	PAGE		= 4096,
	MAX_RANGES	= 8,
	MAX_RULES	= 6,
	MAX_CODES	= 4,
	MAX_KINDS	= 32,		/* of a table's rows */
	MAX_PGOFF	= WORLD_OFFSETS,	/* pages of a file before its code */
	MAX_PLACES	= 256,
	MAX_FUNCTIONS	= 128,
	MAX_SPOTS	= 1024,
	MAX_ROOM	= 127,		/* PERF_MAX_STACK_DEPTH */
};

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define PICK(array)	((array)[random_below(NR(array))])

struct chain {
	enum a32_stop stop;
	u32 nr;
	u64 entry[MAX_ROOM];
};

/**
 * struct world - a process
 * @code: what is at CODE_AT
 * @stack: what is at STACK_AT
 * @kuser: what is at A32_KUSER_START
 * @nr_places: places
 * @place: return addresses, trampolines and functions; bit 0 set in Thumb
 * @is_sane: its code is functions, and chains through them are true
 * @nr_functions: functions of @is_sane
 * @function: where they start, and their index in shapes[]
 * @nr_spots: spots
 * @spot: addresses in their bodies; behind calls, with the target if that is known
 * @truth: the true chain
 * @abi: that most of it follows
 * @table: the unwind table that some files have
 * @thumb: instruction set of most of it
 * @with_tables: some files have an unwind table; set before it is made
 */
struct world {
	u8 code[CODE_BYTES];
	u8 stack[STACK_BYTES];
	u8 kuser[A32_KUSER_SIZE];
	u32 nr_places;
	u32 place[MAX_PLACES];
	bool is_sane;
	u32 nr_functions;
	struct function {
		u32 start;
		u32 shape;
	} function[MAX_FUNCTIONS];
	u32 nr_spots;
	struct spot {
		u32 pc;
		u32 function;
		bool is_call;
		u32 target;
	} spot[MAX_SPOTS];
	struct chain truth;
	u32 abi;
	bool thumb;
	bool with_tables;
	struct a32_counts counts[MAX_CODES + 2];
	struct a32_code file[MAX_CODES + 2];
	struct {
		u32 nr;
		struct a32_range range[MAX_RANGES + 1];
	} chunk;
	struct {
		u32 nr;
		struct a32_slot slot[1];
	} map;
	struct {
		u32 nr;
		struct a32_abi_rule rule[MAX_RULES];
	} rules;
	u32 default_abi;
	struct a32_space space;
	struct a32_host_returns returns;
	struct a32_unwind_table table;
	void *table_data;
	struct a32_rule table_rule[MAX_KINDS + 1];
	u32 table_line[A32_TABLE_LINES * (MAX_PGOFF + CODE_BYTES / PAGE)];
	u32 r[16];
	u32 cpsr;
};

/* No code, the uprobes page */
enum { NOWHERE = MAX_CODES, UPROBES };

/* Another process, of random kind */
void world_make(struct world *w);

/* What is true for one walk only changes now; all else with another tag. */
void world_change(struct world *w);

/* A tag that no world has had */
u32 world_new_tag(void);

/* Registers and a stack that sometimes fit */
void world_sample(struct world *w);

/* A thread that has come to where it is by calls, and its true chain. @is_sane, with spots */
void world_thread(struct world *w);

/**
 * struct shape - a function as compilers make them
 * @thumb: its instruction set
 * @abi: of its record; A32_ABI_NONE for none
 * @before: its prologue
 * @after: its epilogue
 * @size: bytes from sp up to the CFA between these
 * @ra: the return address is at CFA - ra; 0: in lr
 * @saved: the caller's r11, or r7, is at CFA - saved; 0: not saved. Without a
 *	record, it is r7 in Thumb
 * @fp: the frame register is CFA - fp; 0: the caller's, or anything if it is saved
 */
struct shape {
	bool thumb;
	u32 abi;
	u32 before[4];
	u32 after[4];
	u32 size;
	u32 ra;
	u32 saved;
	u32 fp;
};

extern const struct shape shapes[];

/* world_code.c: write some code from @at to @end; a place in it; an instruction that matters */
void world_write_code(struct world *w, u32 at, u32 end, u32 noise);
void world_write_functions(struct world *w, u32 at, u32 end);
u32 world_place(const struct world *w);
u32 world_arm_insn(void);

#endif
