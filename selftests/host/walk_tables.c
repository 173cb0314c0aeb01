// SPDX-License-Identifier: GPL-2.0
/*
 * Walks through code that has an unwind table, between code that has frame
 * records. The rows follow from the disassembly beside them.
 */
#include <stdlib.h>
#include "tap.h"
#include "walk_cases.h"

enum {
	SAME		= A32_TABLE_SAME,
	LOST		= A32_TABLE_LOST,
	IN_LR		= A32_TABLE_IN_REG(14),
	FILE_OFFSET	= LIBRARY_AT - 0x1000,	/* address minus offset in the file */
	LIBRARY_END	= CODE_START + CODE_SIZE - FILE_OFFSET,
	T		= LIBRARY_AT + 0x100,	/* a function of the library */
	U		= LIBRARY_AT + 0x1200,	/* another, in another block */
};

static struct thread t;

/**
 * struct library - the table that the library has
 * @table: it
 * @data: what it points into
 * @rule: its rules
 * @line: its lines
 */
static struct library {
	struct a32_unwind_table table;
	void *data;
	struct a32_rule rule[LIBRARY_ROWS];
	u32 line[A32_TABLE_LINES * (LIBRARY_END / A32_TABLE_BLOCK)];
} library;

void walk_set_table(struct thread *thread, const struct tablefile_row *row, u32 nr)
{
	struct tablefile_row at[LIBRARY_ROWS];
	u32 i, size;

	for (i = 0; i < nr; i++)
		at[i] = (struct tablefile_row){ row[i].offset - FILE_OFFSET, row[i].rule };
	free(library.data);
	library.data = tablefile_write(at, nr, LIBRARY_END, LIBRARY_END, &size);
	if (!a32_table_check(library.data, size))
		abort();
	a32_table_open(&library.table, library.data, library.rule, library.line);
	thread->table = &library.table;
}

#define SET_TABLE(rows) walk_set_table(&t, rows, sizeof(rows) / sizeof((rows)[0]))
#define ROW(at, reg, cfa, ra, r7, r11) { at, TABLEFILE_FRAME(reg, cfa, ra, r7, r11) }
#define ROW_KIND(at, kind) { at, TABLEFILE_KIND(kind) }

/*
 * A function of the library that has saved two registers and calls:
 *	arm:	push {r4, lr}; sub sp, sp, #16; bl TARGET; add sp, sp, #16; pop {r4, pc}
 *	thumb:	push {r4, lr}; sub sp, #16; bl TARGET; add sp, #16; pop {r4, pc}
 * Returns where it goes on after its call.
 */
static u32 make_function(u32 at, u32 target)
{
	u32 ret, size = t.thumb ? 2 : 4;

	at = thread_code(&t, at, t.thumb ? 0xb510 : 0xe92d4010, size);
	at = thread_code(&t, at, t.thumb ? 0xb084 : 0xe24dd010, size);
	ret = thread_call(&t, at, target);
	at = thread_code(&t, ret, t.thumb ? 0xb004 : 0xe28dd010, size);
	thread_code(&t, at, t.thumb ? 0xbd10 : 0xe8bd8010, size);
	return ret;
}

/* Its rows; @r7 and @r11 hold from the sub on. */
static void set_function_table(u32 at, s16 r7, s16 r11)
{
	u32 size = t.thumb ? 2 : 4;
	const struct tablefile_row rows[] = {
		ROW(at, SP, 0, IN_LR, SAME, SAME),
		ROW(at + size, SP, 8, -1, SAME, SAME),
		ROW(at + 2 * size, SP, 24, -1, r7, r11),
		ROW(at + 3 * size + 4, SP, 8, -1, SAME, SAME),
		ROW_KIND(at + 4 * size + 4, NO_DATA),
	};

	SET_TABLE(rows);
}

/* At each instruction of a function of the library, called by INNER */
static void top_everywhere(u32 abi, bool thumb, const char *name)
{
	u32 i, size = thumb ? 2 : 4, pc;
	const struct {
		u32 at, sp;
		bool in_lr;
	} step[] = {
		{ 0, 0, true }, { size, 8, false }, { 2 * size, 24, false },
		{ 2 * size + 4, 24, false }, { 3 * size + 4, 8, false },
	};
	bool ok = true;

	for (i = 0; i < 5; i++) {
		thread_init(&t, abi, thumb);
		make_function(T, U);
		set_function_table(T, SAME, SAME);
		pc = T + step[i].at;
		t.r[PC] = pc;
		t.r[SP] = CFA - step[i].sp;
		thread_poke(&t, CFA - 4, t.ret | thumb);
		if (!step[i].in_lr)
			t.r[LR] = t.ret_outer | thumb;
		ok &= walk_gives(&t, 1, &pc);
	}
	tap_result(ok, "%s: sampled at each instruction of a function with a table", name);
}

/*
 * INNER -> T (table) -> CASE: a function of the file's ABI, sampled behind its
 * prologue. @insns are its prologue; then comes @then, to its end.
 */
static u32 chain[16];

static void callback(const u32 *insns, const u32 *then, s32 fp)
{
	u32 at = CASE_AT, size = t.thumb ? 2 : 4;

	chain[1] = make_function(T, CASE_AT);
	set_function_table(T, SAME, SAME);
	/* Its frame is 24 bytes; above is what INNER has. */
	thread_poke(&t, CFA - 4, t.ret | t.thumb);
	for (; *insns; insns++)
		at = thread_code(&t, at, *insns, t.thumb && *insns < 0xe800 ? 2 : size);
	chain[0] = at;
	for (; *then; then++)
		at = thread_code(&t, at, *then, t.thumb && *then < 0xe800 ? 2 : size);
	t.r[PC] = chain[0];
	t.r[thread_frame_register(&t)] = CFA - 24 + fp;
}

/* A frame record at an address: {fp, lr} */
static void poke_record(u32 at)
{
	thread_poke(&t, at, t.fp_inner);
	thread_poke(&t, at + 4, chain[1] | t.thumb);
	t.r[LR] = chain[0] | t.thumb;
}

/*
 *	push {fp, lr}; mov fp, sp; sub sp, sp, #8	push {r7, lr}; mov r7, sp; sub sp, #8
 *	mov sp, fp; pop {fp, pc}			mov sp, r7; pop {r7, pc}
 */
static void record_called_by_table(u32 abi, bool thumb, const char *name)
{
	static const u32 arm[] = { 0xe92d4800, 0xe1a0b00d, 0xe24dd008, 0 };
	static const u32 arm_end[] = { 0xe1a0d00b, 0xe8bd8800, 0 };
	static const u32 t16[] = { 0xb580, 0x466f, 0xb082, 0 };
	static const u32 t16_end[] = { 0x46bd, 0xbd80, 0 };

	thread_init(&t, abi, thumb);
	callback(thumb ? t16 : arm, thumb ? t16_end : arm_end, -8);
	poke_record(CFA - 32);
	t.r[SP] = CFA - 40;
	tap_result(walk_gives(&t, 2, chain), "%s: a record, called by a function with a table",
		   name);
}

/*
 * The same has called LEAF and goes on after the call:
 *	[push {r0-r3};] push {fp, lr}; mov fp, sp; sub sp, sp, #8; bl LEAF
 *	nop ...
 *	mov sp, fp; pop {fp, lr}; [add sp, sp, #16;] bx lr
 * @vararg: with what is in brackets; @far: the end can't be seen
 */
static void record_has_called(bool vararg, bool far, bool indirect)
{
	u32 at = CASE_AT, ret, i, cfa = CFA - 24, entries[4];

	thread_init(&t, A32_ABI_AAPCS, false);
	entries[0] = LEAF_AT;
	entries[2] = make_function(T, CASE_AT);
	set_function_table(T, SAME, SAME);
	if (indirect)
		thread_code(&t, entries[2] - 4, 0xe12fff33, 4);	/* blx r3 */
	thread_poke(&t, CFA - 4, t.ret);
	if (vararg)
		at = thread_code(&t, at, 0xe92d000f, 4);
	at = thread_code(&t, at, 0xe92d4800, 4);
	at = thread_code(&t, at, 0xe1a0b00d, 4);
	at = thread_code(&t, at, 0xe24dd008, 4);
	ret = thread_call(&t, at, LEAF_AT);
	entries[1] = ret;
	at = ret;
	for (i = 0; i < (far ? 400 : 2); i++)
		at = thread_code(&t, at, 0xe1a00000, 4);
	at = thread_code(&t, at, 0xe1a0d00b, 4);
	at = thread_code(&t, at, 0xe8bd4800, 4);
	if (vararg)
		at = thread_code(&t, at, 0xe28dd010, 4);
	thread_code(&t, at, 0xe12fff1e, 4);
	cfa -= vararg ? 16 : 0;
	thread_poke(&t, cfa - 8, t.fp_inner);
	thread_poke(&t, cfa - 4, entries[2]);
	t.r[R11] = cfa - 8;
	t.r[SP] = cfa - 16;
	t.r[LR] = ret;
	t.r[PC] = LEAF_AT;
	if (vararg && far)
		tap_result(walk_stops(&t, A32_STOP_UNPROVEN, 3, entries),
			   "a vararg function's record, its end out of sight: UNPROVEN%s",
			   indirect ? " (indirect call)" : "");
	else
		tap_result(walk_gives(&t, 3, entries), "a %sfunction's record%s%s: its caller's sp",
			   vararg ? "vararg " : "", far ? ", its end out of sight" : "",
			   indirect ? ", called through a register" : "");
}

/* Two of them in a row, of which the outer has its frame from r7, and the inner keeps r11. */
static void table_to_table(bool thumb)
{
	u32 entries[3], size = thumb ? 2 : 4;
	const struct tablefile_row rows[] = {
		/* push {r7, r11, lr}; add r7, sp, #0; sub sp, #40, or how far ever */
		ROW(T + 3 * size, 7, 12, -1, -3, -2),
		/* push {r4, lr}; sub sp, sp, #16 */
		ROW(U + 2 * size, SP, 24, -1, SAME, SAME),
	};

	thread_init(&t, thumb ? A32_ABI_AAPCS : A32_ABI_GCC, thumb);
	SET_TABLE(rows);
	entries[0] = U + 2 * size;
	thread_code(&t, T + 3 * size, 0, size);
	entries[1] = thread_call(&t, T + 3 * size, U);
	t.r[PC] = entries[0];
	t.r[SP] = CFA - 12 - 400 - 24;
	t.r[R7] = CFA - 12;
	t.r[R11] = 0x1234567;			/* T's own; INNER's is saved */
	t.r[LR] = t.ret_outer | thumb;
	thread_poke(&t, CFA - 12 - 400 - 4, entries[1] | thumb);
	thread_poke(&t, CFA - 4, t.ret | thumb);
	thread_poke(&t, CFA - 8, t.fp_inner);
	thread_poke(&t, CFA - 12, 0x7654321);
	tap_result(walk_gives(&t, 2, entries), "table to table, by sp and r7, %s",
		   thumb ? "Thumb" : "ARM");
}

/* The frame register of INNER's record: saved, or not known any more */
static void frame_register(void)
{
	thread_init(&t, A32_ABI_GCC, false);
	chain[0] = make_function(T, LEAF_AT) - 4;
	set_function_table(T, SAME, -2);
	t.r[PC] = chain[0];
	t.r[SP] = CFA - 24;
	t.r[R11] = 0x1234567;
	thread_poke(&t, CFA - 4, t.ret);
	thread_poke(&t, CFA - 8, t.fp_inner);
	tap_result(walk_gives(&t, 1, chain), "r11 is where the table says");
	chain[1] = t.ret;
	set_function_table(T, SAME, LOST);
	t.r[R11] = t.fp_inner;
	thread_walk(&t, false);
	tap_result(t.nr >= 2 && t.entry[0] == chain[0] && t.entry[1] == chain[1] &&
		   (t.stop == A32_STOP_UNPROVEN || thread_expect(&t, 1, chain)),
		   "r11 is lost: short, or by the code of who needs it");
}

/* A sampled frame has all of its registers. */
static void any_register(void)
{
	static const struct tablefile_row rows[] = {
		ROW(T, 4, 32, A32_TABLE_IN_REG(5), A32_TABLE_IN_REG(3), A32_TABLE_IN_REG(11)),
		ROW(T + 4, 4, 32, -2, SAME, A32_TABLE_IN_REG(8)),
		ROW(T + 8, LR, 16, -2, SAME, A32_TABLE_IN_REG(8)),
	};
	bool ok = true;
	u32 i;

	thread_init(&t, A32_ABI_GCC, false);
	SET_TABLE(rows);
	t.r[SP] = CFA - 400;
	t.r[4] = CFA - 32;
	t.r[5] = t.ret;
	t.r[8] = t.fp_inner;
	t.r[LR] = CFA - 16;
	thread_poke(&t, CFA - 8, t.ret);
	for (i = 0; i < 3; i++) {
		chain[0] = T + 4 * i;
		t.r[PC] = chain[0];
		t.r[R11] = i ? 0x1234567 : t.fp_inner;
		ok &= walk_gives(&t, 1, chain);
	}
	tap_result(ok, "CFA, return address and r11 in other registers");
}

/* What is only known of a sampled frame is no use when that has called. */
static void needs_top(s16 ra, u8 cfa_reg, const char *what)
{
	const struct tablefile_row rows[] = { ROW(T, cfa_reg, 24, ra, SAME, SAME) };

	thread_init(&t, A32_ABI_GCC, false);
	SET_TABLE(rows);
	chain[0] = LEAF_AT;
	chain[1] = thread_call(&t, T + 8, LEAF_AT);
	t.r[PC] = LEAF_AT;
	t.r[LR] = chain[1];
	t.r[SP] = CFA - 24;
	t.r[4] = CFA - 24;
	thread_poke(&t, CFA - 4, t.ret);
	tap_result(walk_stops(&t, A32_STOP_TABLE, 2, chain), "%s, of a caller: TABLE", what);
}

static void kinds(void)
{
	static const struct {
		u32 at;
		u32 stop;
	} stop[] = {
		{ T, A32_STOP_OUTERMOST }, { T + 0x100, A32_STOP_TABLE },
		{ T + 0x200, A32_STOP_NO_DATA }, { T - 0x80, A32_STOP_NO_DATA },
	};
	static const struct tablefile_row rows[] = {
		ROW_KIND(T, OUTERMOST), ROW_KIND(T + 0x100, STOP), ROW_KIND(T + 0x200, NO_DATA),
	};
	bool top = true, caller = true;
	u32 i;

	for (i = 0; i < 4; i++) {
		thread_init(&t, A32_ABI_GCC, false);
		SET_TABLE(rows);
		chain[0] = stop[i].at;
		t.r[PC] = stop[i].at;
		top &= walk_stops(&t, stop[i].stop, 1, chain);
		chain[0] = LEAF_AT;
		chain[1] = thread_call(&t, stop[i].at + 8, LEAF_AT);
		t.r[PC] = LEAF_AT;
		t.r[LR] = chain[1];
		caller &= walk_stops(&t, stop[i].stop, 2, chain);
	}
	tap_result(top, "sampled where the table ends the chain");
	tap_result(caller, "a caller where the table ends the chain");
}

/* The last instruction of a function is its call; the next one has another rule. */
static void noreturn_at_end(void)
{
	static const struct tablefile_row rows[] = {
		ROW(T + 4, SP, 8, -1, SAME, SAME), ROW_KIND(T + 12, OUTERMOST),
	};

	thread_init(&t, A32_ABI_GCC, false);
	SET_TABLE(rows);
	chain[0] = LEAF_AT;
	chain[1] = thread_call(&t, T + 8, LEAF_AT);
	t.r[PC] = LEAF_AT;
	t.r[LR] = chain[1];
	t.r[SP] = CFA - 8;
	thread_poke(&t, CFA - 4, t.ret);
	tap_result(walk_gives(&t, 2, chain), "case 4: a call that does not return ends the rows");
	t.r[PC] = T + 12;
	tap_result(walk_stops(&t, A32_STOP_OUTERMOST, 1, &t.r[PC]),
		   "case 1: and a sampled pc is behind it");
}

/* All checks of a frame are the same as without a table. */
static void checks(void)
{
	static const struct tablefile_row rows[] = {
		ROW(T, SP, 8, -1, SAME, SAME), ROW(T + 4, SP, -8, -1, SAME, SAME),
		ROW(T + 8, SP, 4, -2, SAME, SAME), ROW(T + 12, 7, 8, -1, SAME, SAME),
	};

	thread_init(&t, A32_ABI_GCC, false);
	SET_TABLE(rows);
	t.r[PC] = T;
	t.r[SP] = CFA - 8;
	thread_poke(&t, CFA - 4, t.ret + 4);
	tap_result(walk_stops(&t, A32_STOP_NOT_A_CALL, 1, &t.r[PC]), "no call: NOT_A_CALL");
	thread_poke(&t, CFA - 4, t.ret | 1);
	tap_result(walk_stops(&t, A32_STOP_NOT_A_CALL, 1, &t.r[PC]),
		   "in the other instruction set: NOT_A_CALL");
	thread_poke(&t, CFA - 4, 0x5000);
	tap_result(walk_stops(&t, A32_STOP_NO_MAPPING, 1, &t.r[PC]), "nowhere: NO_MAPPING");
	t.r[SP] = CFA - 6;
	tap_result(walk_stops(&t, A32_STOP_MISALIGNED, 1, &t.r[PC]), "sp is odd: MISALIGNED");
	t.r[SP] = STACK_START + STACK_BYTES;
	tap_result(walk_stops(&t, A32_STOP_FAULT, 1, &t.r[PC]), "no stack there: FAULT");
	t.r[PC] = T + 4;
	t.r[SP] = CFA;
	tap_result(walk_stops(&t, A32_STOP_NO_PROGRESS, 1, &t.r[PC]), "CFA below sp: NO_PROGRESS");
	t.r[PC] = T + 8;
	tap_result(walk_stops(&t, A32_STOP_NO_PROGRESS, 1, &t.r[PC]), "slot below sp: NO_PROGRESS");
	t.r[PC] = T + 12;
	t.r[R7] = 0;
	tap_result(walk_stops(&t, A32_STOP_NO_PROGRESS, 1, &t.r[PC]), "r7 is 0: NO_PROGRESS");
}

/* The same function, in two stops: the caller of a table's function has r7 = 0 */
static void no_frame_register(void)
{
	static const struct tablefile_row rows[] = { ROW(T, 7, 8, -1, -2, SAME) };

	thread_init(&t, A32_ABI_GCC, false);
	SET_TABLE(rows);
	chain[0] = LEAF_AT;
	chain[1] = thread_call(&t, T + 8, LEAF_AT);
	t.r[PC] = LEAF_AT;
	t.r[LR] = chain[1];
	t.r[R7] = 0;
	tap_result(walk_stops(&t, A32_STOP_NO_PROGRESS, 2, chain),
		   "r7 of a caller is 0: NO_PROGRESS");
}

/*
 * A handler with a record (aapcs) interrupts a function with a table; and a
 * handler with a table interrupts one with a record.
 */
static void push_signal(u32 sp)
{
	u32 i;

	thread_poke(&t, sp, 0x5ac3c35a);
	for (i = 0; i < 16; i++)
		thread_poke(&t, sp + 32 + 4 * i, t.r[i]);
	thread_poke(&t, sp + 96, t.cpsr);
	t.r[SP] = sp;
	/* mov r7, #119; svc 0 */
	thread_code(&t, RESTORER_AT, 0xe3a07077, 4);
	thread_code(&t, RESTORER_AT + 4, 0xef000000, 4);
	t.r[LR] = RESTORER_AT;
}

static void signals(void)
{
	u32 entries[4];

	thread_init(&t, A32_ABI_GCC, false);
	make_function(T, U);
	set_function_table(T, SAME, SAME);
	thread_poke(&t, CFA - 4, t.ret);
	t.r[PC] = T + 8;
	t.r[SP] = CFA - 24;
	push_signal(SIGNAL_STACK);
	t.r[PC] = HANDLER_AT;
	entries[0] = HANDLER_AT;
	entries[1] = RESTORER_AT;
	entries[2] = T + 8;
	tap_result(walk_gives(&t, 3, entries), "a signal interrupts a function with a table");

	thread_init(&t, A32_ABI_GCC, false);
	make_function(T, LEAF_AT);
	set_function_table(T, SAME, SAME);
	t.r[PC] = FUNCTION_AT;
	push_signal(SIGNAL_STACK);
	t.r[PC] = T + 8;
	t.r[SP] = SIGNAL_STACK - 24;
	thread_poke(&t, SIGNAL_STACK - 4, RESTORER_AT);
	entries[0] = T + 8;
	entries[1] = RESTORER_AT;
	entries[2] = FUNCTION_AT;
	tap_result(walk_gives(&t, 3, entries), "a handler with a table, behind the call's end");
}

/* Behind "svc 0", with r0 = 0 and the stack that clone() was given */
static void new_thread(void)
{
	static const struct tablefile_row rows[] = { ROW(T, SP, 8, -1, SAME, SAME) };

	thread_init(&t, A32_ABI_GCC, false);
	SET_TABLE(rows);
	thread_code(&t, T, 0xef000000, 4);
	t.r[PC] = T + 4;
	t.r[SP] = CFA - 8;
	t.r[1] = CFA - 8;
	t.r[R7] = 120;
	t.r[0] = 42;
	thread_poke(&t, CFA - 4, t.ret);
	chain[0] = T + 4;
	tap_result(walk_gives(&t, 1, chain), "clone() has returned to the parent");
	t.r[0] = 0;
	tap_result(walk_stops(&t, A32_STOP_UNDECIDED, 1, chain),
		   "clone() has begun a thread: UNDECIDED");
}

void walk_tables(void)
{
	u32 i;

	top_everywhere(A32_ABI_GCC, false, "ARM");
	top_everywhere(A32_ABI_AAPCS_R7, true, "Thumb");
	record_called_by_table(A32_ABI_AAPCS, false, "ARM");
	record_called_by_table(A32_ABI_AAPCS_R7, true, "Thumb");
	for (i = 0; i < 8; i++)
		record_has_called(i & 1, i & 2, i & 4);
	table_to_table(false);
	table_to_table(true);
	frame_register();
	any_register();
	needs_top(IN_LR, SP, "return address in lr");
	needs_top(A32_TABLE_IN_REG(5), SP, "return address in r5");
	needs_top(-1, 4, "CFA from r4");
	needs_top(-1, LR, "CFA from lr");
	kinds();
	noreturn_at_end();
	checks();
	no_frame_register();
	signals();
	new_thread();
	free(library.data);
}
