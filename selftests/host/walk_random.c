// SPDX-License-Identifier: GPL-2.0
/*
 * walk_random [WORLDS [SEED]]
 *
 * Walks through what is almost code: real instructions in any order, branches
 * and jump tables to anywhere, bits flipped, parts that can't be read, and
 * registers and stacks that sometimes fit. No chain is right or wrong there,
 * but every walk must end in time, keep to its rules, and say nothing else for
 * what earlier walks have left behind.
 */
#include <stdio.h>
#include <stdlib.h>
#include "../../module/core/callee.h"
#include "../../module/core/kuser.h"
#include "../../module/core/table.h"
#include "../tablefile.h"
#include "random.h"
#include "tap.h"

enum {
	CODE_AT		= 0x10000,
	CODE_BYTES	= 0x3000,
	UPROBES_AT	= 0x40000,
	STACK_AT	= 0xbeff0000,
	STACK_BYTES	= 0x1000,
	PAGE		= 4096,
	MAX_RANGES	= 8,
	MAX_RULES	= 6,
	MAX_CODES	= 4,
	MAX_ROWS	= 1500,
	MAX_KINDS	= 32,		/* of rows */
	MAX_PGOFF	= 64,
	RANGE_PAGES	= MAX_PGOFF / MAX_RANGES,	/* above those of CODE_BYTES */
	MAX_PLACES	= 256,
	MAX_FUNCTIONS	= 128,
	MAX_SPOTS	= 1024,
	MAX_ROOM	= 127,		/* PERF_MAX_STACK_DEPTH */
	SAMPLES		= 24,		/* in a world */
	MAX_NOTES	= 2,		/* of a kind */
};

/*
 * What a walk may load at most. Of the instructions that it may look at,
 * one looked at by a scan costs its own 2 halfwords, the words of a load of all
 * registers, and a look at where it leads (to_other_register() and
 * a32_check_call() with a32_trampoline() make 9). One looked at backwards,
 * A32_PROLOGUE_COST of which go for one, costs itself, is_second_half() twice,
 * has_condition() and reaches().
 */
#define SCAN_LOADS	(2 + 16 + 9 + 2)
#define BACK_LOADS	(A32_PROLOGUE_COST * (1 + 2 * 16 + 7 + 4))
#define INSN_LOADS	(SCAN_LOADS + BACK_LOADS)

/*
 * All else is by frames: a prologue is up to 16 instructions and looked at by
 * a32_prologue_end() and a32_prologue_has_arguments() or _slot(), and that in
 * each frame that a32_callee_recover() goes back to. A sampled or interrupted
 * frame may have a signal frame.
 */
#define PROLOGUE_LOADS	(3 * 2 * A32_PROLOGUE_INSNS + 8)
#define FRAME_LOADS	(64 + (A32_TRAIL + 2) * PROLOGUE_LOADS)
#define TOP_LOADS	(4 * PROLOGUE_LOADS + 64)

static u64 most_loads(u32 room)
{
	return (u64)A32_WALK_INSNS * INSN_LOADS + (u64)(room + 1) * FRAME_LOADS +
	       (A32_SIG_DEPTH + 1) * TOP_LOADS;
}

/* A walk and what it keeps */
struct level {
	struct a32_walk walk;
	struct a32_known known[A32_KNOWN];
	struct a32_found found[A32_FOUND];
};

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
 */
static struct world {
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
} world;

/* No code, the uprobes page */
enum { NOWHERE = MAX_CODES, UPROBES };

static struct level warm, cold;
static u32 next_tag;
static bool with_tables;		/* some files have an unwind table */

#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define PICK(array)	((array)[random_below(NR(array))])

/* Instructions that matter to a walk, most with registers that do */
static const u32 arm_insns[] = {
	0xe92d4800, 0xe28db004, 0xe24dd010,	/* push {fp, lr}; add fp, sp, #4; sub sp, #16 */
	0xe24bd004, 0xe8bd8800, 0xe8bd4800,	/* sub sp, fp, #4; pop {fp, pc}; pop {fp, lr} */
	0xe1a0c00d, 0xe92dd800, 0xe24cb004,	/* mov ip, sp; push {fp, ip, lr, pc}; sub fp, ip */
	0xe89da800, 0xe91ba800, 0xe24bd00c,	/* ldm sp, {fp, sp, pc}; ldmdb fp, {...} */
	0xe1a0b00d, 0xe1a0d00b,			/* mov fp, sp; mov sp, fp */
	0xe92d4ff0, 0xe8bd8ff0, 0xe28dd010,	/* push {r4-fp, lr}; pop {r4-fp, pc}; add sp */
	0xe52de004, 0xe49de004, 0xe49df004,	/* push {lr}; pop {lr}; pop {pc} */
	0xe52db008, 0xe58de004, 0xe59db000,	/* str fp, [sp, #-8]!; str lr, [sp, #4] */
	0xe92d000f, 0xe92d0080, 0xe8bd0080,	/* push {r0-r3}; push {r7}; pop {r7} */
	0xe12fff1e, 0x012fff1e, 0x18bd8800,	/* bx lr; bxeq lr; popne {fp, pc} */
	0xe12fff13, 0xe12fff33, 0xe12fff1c,	/* bx r3; blx r3; bx ip */
	0xe1a0e00f, 0xe1a0f00e, 0xe1a0f003,	/* mov lr, pc; mov pc, lr; mov pc, r3 */
	0xe59de010, 0xe59fd010, 0xe59ff000,	/* ldr lr, [sp, #16]; ldr sp, [pc, #16] */
	0xe5bcf640, 0xe28fc600, 0xe28cca02,	/* of a PLT entry */
	0x908ff102, 0x979ff103, 0xe7934102,	/* jumps by tables; ldr r4, [r3, r2, lsl #2] */
	0xe08ff003, 0xe3a0d000, 0xe3a07077,	/* add pc, pc, r3; mov sp, #0; mov r7, #119 */
	0xef000000, 0xe3500000, 0xe1500001,	/* svc 0; cmp r0, #0; cmp r0, r1 */
	0xed2d8b04, 0xecbd8b04, 0xe7f001f9,	/* vpush; vpop; a uprobe */
	0x1a000002, 0x0afffff0, 0xe1a00000,	/* bne; beq; nop */
	0xe0801001, 0xe5901000, 0xe5801004,	/* add r1, r0, r1; ldr r1, [r0]; str r1, [r0] */
	0x13a0b000, 0xe7ffdefe, 0xe3c1200f,	/* movne fp, #0; udf; bic */
};

/* The first halfword of a wide one is the upper */
static const u32 thumb_insns[] = {
	0xb580, 0xaf00, 0x466f, 0xb082,		/* push {r7, lr}; add r7, sp; mov r7, sp */
	0x46bd, 0xbd80, 0xb002, 0x3708,		/* mov sp, r7; pop {r7, pc}; adds r7, #8 */
	0xb5f0, 0xbdf0, 0xb500, 0xbd00, 0xb480, 0xbc80,
	0xe92d4ff0, 0xe8bd8ff0, 0xe92d4800, 0x46eb, 0xe8bd8800, 0xe8bd4800,
	0xf84ded04, 0xf85deb04, 0xf85dfb04, 0xe96d4e02,
	0xf1070708, 0xf10d0b08, 0xf5ad7d00, 0xf8d7b000,
	0x4770, 0x4718, 0x4798, 0x46f7, 0x469f, 0x4778,
	0xbf08, 0xbf18, 0xbf0c, 0xbf04, 0xbf1e,	/* it eq; ne; ite eq; itt eq; ittt ne */
	0xe8dff003, 0xe8dff013, 0xf85ff003,	/* tbb; tbh; ldr.w pc, [pc, #-3] */
	0x9e02, 0x9701, 0x9803, 0xf8dde004, 0xf8cde004,
	0xdf00, 0x2777, 0x2800, 0x4288, 0xbf00, 0x1840, 0x6801, 0x6041,
	0xd0f0, 0xd1fe, 0xb110, 0xb910, 0xe7fe, 0xe002, 0xde00, 0xbe00,
	0xed2d8b04, 0xecbd8b04, 0x46ee, 0x4685,
};

static void put(struct world *w, u32 at, u32 val, u32 len)
{
	memcpy(w->code + at, &val, len);
}

static void add_place(struct world *w, u32 at, bool thumb)
{
	if (w->nr_places < MAX_PLACES)
		w->place[w->nr_places++] = (CODE_AT + at) | thumb;
}

static u32 place(const struct world *w)
{
	return w->nr_places ? w->place[random_below(w->nr_places)] : CODE_AT;
}

/* Returns the offset behind it. */
static u32 put_thumb(struct world *w, u32 at, u32 insn)
{
	if (insn <= 0xffff) {
		put(w, at, insn, 2);
		return at + 2;
	}
	put(w, at, insn >> 16 | insn << 16, 4);
	return at + 4;
}

static u32 put_insn(struct world *w, u32 at, u32 insn, bool thumb)
{
	if (thumb)
		return put_thumb(w, at, insn);
	put(w, at, insn, 4);
	return at + 4;
}

static u32 put_call(struct world *w, u32 at, u32 target, bool thumb)
{
	u32 off = target - CODE_AT - at - (thumb ? 4 : 8);

	if (thumb)
		return put_thumb(w, at, (0xf000 | (off >> 12 & 0x7ff)) << 16 | 0xf800 |
				 (off >> 1 & 0x7ff));
	put(w, at, 0xeb000000 | (off >> 2 & 0xffffff), 4);
	return at + 4;
}

/* b<cond> */
static u32 put_condition(struct world *w, u32 at, u32 target, bool thumb)
{
	u32 off = target - at - (thumb ? 4 : 8), cond = random_below(14);

	if (thumb)
		return put_thumb(w, at, 0xd000 | cond << 8 | (off >> 1 & 0xff));
	put(w, at, cond << 28 | 0x0a000000 | (off >> 2 & 0xffffff), 4);
	return at + 4;
}

/* A branch or call to near or a known place */
static u32 put_branch(struct world *w, u32 at, bool thumb)
{
	bool near = random_below(3), call = random_below(3);
	u32 off = (place(w) & ~1) - CODE_AT - at, next;

	if (near)
		off = 4 * random_below(64) - 128;
	if (!thumb) {
		put(w, at, (call ? 0xeb000000 : random_below(3) ? 0xea000000 : random32() << 28 |
			    0x0a000000) | ((off - 8) >> 2 & 0xffffff), 4);
		next = at + 4;
	} else if (!call && near) {
		next = put_thumb(w, at, random_below(2) ? 0xe000 | ((off - 4) >> 1 & 0x7ff) :
				 0xd000 | random_below(14) << 8 | ((off - 4) >> 1 & 0xff));
	} else {
		off -= 4;
		next = put_thumb(w, at, (0xf000 | (off >> 12 & 0x7ff)) << 16 |
				 (call ? 0xf800 : 0xb800) | (off >> 1 & 0x7ff));
	}
	if (call)
		add_place(w, next, thumb);
	return next;
}

static const struct {
	bool thumb;
	u32 nr;
	u32 insn[6];
} whole[] = {
	{ false, 3, { 0xe92d4800, 0xe28db004, 0xe24dd010 } },
	{ false, 3, { 0xe92d4800, 0xe1a0b00d, 0xe24dd010 } },
	{ false, 3, { 0xe1a0c00d, 0xe92dd800, 0xe24cb004 } },
	{ false, 4, { 0xe92d000f, 0xe92d4800, 0xe28db004, 0xe24dd008 } },
	{ false, 2, { 0xe24bd004, 0xe8bd8800 } },
	{ false, 2, { 0xe1a0d00b, 0xe8bd8800 } },
	{ false, 1, { 0xe89da800 } },
	{ false, 2, { 0xe92d4070, 0xe24dd008 } },
	{ false, 2, { 0xe28dd008, 0xe8bd8070 } },
	{ false, 2, { 0xe3a07077, 0xef000000 } },
	{ false, 2, { 0xe3a070ad, 0xef000000 } },
	{ false, 2, { 0xe1a0e00f, 0xe12fff13 } },
	{ true, 3, { 0xb580, 0x466f, 0xb082 } },
	{ true, 3, { 0xb580, 0xaf00, 0xb082 } },
	{ true, 3, { 0xe92d4800, 0x46eb, 0xb082 } },
	{ true, 2, { 0x46bd, 0xbd80 } },
	{ true, 2, { 0xb002, 0xbd80 } },
	{ true, 2, { 0xb570, 0xb082 } },
	{ true, 2, { 0xb002, 0xbd70 } },
	{ true, 2, { 0x2777, 0xdf00 } },
	{ true, 2, { 0xf04f07ad, 0xdf00 } },
	{ true, 5, { 0xb580, 0xaf00, 0xb084, 0x46bd, 0xbd80 } },
};

/* One of those that are of several instructions, perhaps of the other set */
static u32 put_whole(struct world *w, u32 at)
{
	u32 which = random_below(NR(whole)), i;

	add_place(w, at, whole[which].thumb);
	for (i = 0; i < whole[which].nr; i++) {
		if (whole[which].thumb) {
			at = put_thumb(w, at, whole[which].insn[i]);
		} else {
			put(w, at, whole[which].insn[i], 4);
			at += 4;
		}
	}
	add_place(w, at, whole[which].thumb);
	return at;
}

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
static const struct shape {
	bool thumb;
	u32 abi;
	u32 before[4];
	u32 after[4];
	u32 size;
	u32 ra;
	u32 saved;
	u32 fp;
} shapes[] = {
	{ false, A32_ABI_APCS, { 0xe1a0c00d, 0xe92dd800, 0xe24cb004 }, { 0xe89da800 },
		16, 8, 16, 4 },
	{ false, A32_ABI_APCS, { 0xe1a0c00d, 0xe92dd810, 0xe24cb004, 0xe24dd014 },
		{ 0xe24bd010, 0xe89da810 }, 40, 8, 16, 4 },
	{ false, A32_ABI_AAPCS, { 0xe92d4800, 0xe1a0b00d, 0xe24dd010 },
		{ 0xe1a0d00b, 0xe8bd8800 }, 24, 4, 8, 8 },
	{ false, A32_ABI_AAPCS, { 0xe92d4830, 0xe28db008 }, { 0xe8bd8830 }, 16, 4, 8, 8 },
	{ false, A32_ABI_GCC, { 0xe92d4800, 0xe28db004, 0xe24dd010 },
		{ 0xe24bd004, 0xe8bd8800 }, 24, 4, 8, 4 },
	{ false, A32_ABI_GCC, { 0xe92d000f, 0xe92d4800, 0xe28db004 },
		{ 0xe24bd004, 0xe8bd4800, 0xe28dd010, 0xe12fff1e }, 24, 20, 24, 20 },
	{ true, A32_ABI_AAPCS_R7, { 0xb580, 0x466f, 0xb082 }, { 0x46bd, 0xbd80 }, 16, 4, 8, 8 },
	{ true, A32_ABI_AAPCS_R7, { 0xb5d0, 0xaf02, 0xb084 }, { 0xb004, 0xbdd0 }, 32, 4, 8, 8 },
	{ true, A32_ABI_AAPCS, { 0xe92d4800, 0x46eb, 0xb082 }, { 0x46dd, 0xe8bd8800 },
		16, 4, 8, 8 },
	{ false, A32_ABI_NONE, { 0xe92d4070, 0xe24dd008 }, { 0xe28dd008, 0xe8bd8070 }, 24, 4 },
	{ false, A32_ABI_NONE, { 0xe92d4800 }, { 0xe8bd8800 }, 8, 4, 8 },
	{ false, A32_ABI_NONE, { 0xe92d5810 }, { 0xe8bd9810 }, 16, 4, 12 },
	{ false, A32_ABI_NONE, { 0xe52de008 }, { 0xe49df008 }, 8, 8 },
	{ true, A32_ABI_NONE, { 0xb570, 0xb082 }, { 0xb002, 0xbd70 }, 24, 4 },
	{ false, A32_ABI_NONE, { }, { 0xe12fff1e } },
	{ true, A32_ABI_NONE, { 0xb5f0, 0xb083 }, { 0xb003, 0xbdf0 }, 32, 4, 8 },
	{ true, A32_ABI_NONE, { }, { 0x4770 } },
};

static u32 put_insns(struct world *w, u32 at, bool thumb, const u32 *insn)
{
	u32 i;

	for (i = 0; i < 4 && insn[i]; i++)
		at = put_insn(w, at, insn[i], thumb);
	return at;
}

static void add_spot(struct world *w, u32 at, u32 function, bool is_call, u32 target)
{
	if (w->nr_spots < MAX_SPOTS)
		w->spot[w->nr_spots++] = (struct spot){ CODE_AT + at, function, is_call, target };
}

/* The start of a function in an instruction set, for a direct call; 0 for none */
static u32 some_function(const struct world *w, bool thumb)
{
	const struct function *f = &w->function[random_below(w->nr_functions)];

	return shapes[f->shape].thumb == thumb && random_below(2) ? f->start : 0;
}

/* A call, directly or through r3 */
static u32 put_function_call(struct world *w, u32 at, bool thumb)
{
	u32 target = some_function(w, thumb);

	if (target)
		at = put_call(w, at, target, thumb);
	else
		at = put_insn(w, at, thumb ? 0x4798 : 0xe12fff33, thumb);
	add_place(w, at, thumb);
	add_spot(w, at, w->nr_functions - 1, true, target);
	return at;
}

/* An early one, and a branch over it */
static u32 put_return(struct world *w, u32 at, const struct shape *shape)
{
	u32 end = put_insns(w, at + (shape->thumb ? 2 : 4), shape->thumb, shape->after);

	put_condition(w, at, end, shape->thumb);
	return end;
}

static u32 literal(const struct world *w)
{
	if (!random_below(3))
		return random32();
	return random_below(2) ? place(w) : random_below(0x20000) - 0x10000;
}

/* Up to three literals */
static u32 put_pool(struct world *w, u32 at)
{
	u32 nr = random_below(4);

	for (at = (at + 3) & ~3; nr--; at += 4)
		put(w, at, literal(w), 4);
	return at;
}

/* Branches within itself, and calls others. */
static u32 put_function(struct world *w, u32 at, u32 end)
{
	static const u32 arm[] = { 0xe3500000, 0xe0801001, 0xe5901000, 0xe5801004, 0xe1a00000 };
	static const u32 thumb[] = { 0x2800, 0x4288, 0xbf00, 0x1840, 0x6801, 0x6041, 0xf8d11004 };
	u32 nr = random_below(4) ? random_below(24) : random_below(400), body, item, which;
	const struct shape *shape;

	do {
		which = random_below(NR(shapes));
		shape = &shapes[which];
	} while (shape->abi && shape->abi != w->abi);
	at = (at + 3) & ~3;
	add_place(w, at, shape->thumb);
	w->function[w->nr_functions++] = (struct function){ CODE_AT + at, which };
	at = put_insns(w, at, shape->thumb, shape->before);
	for (body = at; nr-- && at + 64 < end;) {
		if (!random_below(4))
			add_spot(w, at, w->nr_functions - 1, false, 0);
		item = random_below(16);
		if (item == 0 && shape->ra)
			at = put_function_call(w, at, shape->thumb);
		else if (item == 1 && at - body < 200)
			at = put_condition(w, at, body, shape->thumb);
		else if (item == 2)
			at = put_condition(w, at, at + (shape->thumb ? 2 : 4), shape->thumb);
		else if (item == 3 && !random_below(4))
			at = put_return(w, at, shape);
		else
			at = put_insn(w, at, shape->thumb ? PICK(thumb) : PICK(arm), shape->thumb);
	}
	at = put_insns(w, at, shape->thumb, shape->after);
	return random_below(2) ? put_pool(w, at) : at;
}

static void write_functions(struct world *w, u32 at, u32 end)
{
	w->nr_functions = 0;
	w->nr_spots = 0;
	while (at + 128 < end && w->nr_functions < MAX_FUNCTIONS)
		at = put_function(w, at, end);
}

/* Write code from one offset to another. */
static void write_code(struct world *w, u32 at, u32 end, u32 noise)
{
	bool thumb = random_below(4) ? w->thumb : !w->thumb;

	while (at + 32 < end) {
		if (!random_below(64))
			thumb = !thumb;
		at = thumb ? (at + 1) & ~1 : (at + 3) & ~3;
		switch (random_below(8)) {
		case 0:
		case 1:
			at = put_branch(w, at, thumb);
			break;
		case 2:
			at = put_whole(w, at);
			break;
		default:
			if (thumb) {
				at = put_thumb(w, at, PICK(thumb_insns));
			} else {
				put(w, at, PICK(arm_insns), 4);
				at += 4;
			}
		}
		if (!random_below(noise))
			w->code[at - 1 - random_below(4) % at] ^= 1 << random_below(8);
	}
}

static int by_value(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* nr addresses in and around the code, sorted; some of them touch */
static void make_bounds(const struct world *w, u32 *bound, u32 nr, u32 unit)
{
	u32 i;

	for (i = 0; i < nr; i++)
		bound[i] = w->is_sane ? w->function[random_below(w->nr_functions)].start :
			   CODE_AT + random_below(CODE_BYTES / unit + 1) * unit;
	qsort(bound, nr, sizeof(*bound), by_value);
	for (i = 1; i + 1 < nr; i += 2) {
		if (random_below(8))
			bound[i] = bound[i + 1];
	}
	if (random_below(8)) {
		bound[0] = CODE_AT;
		bound[nr - 1] = CODE_AT + CODE_BYTES;
	}
}

static u32 some_abi(const struct world *w)
{
	if (w->is_sane)
		return random_below(16) ? w->abi : A32_ABI_NONE;
	return random_below(8) ? w->abi : random_below(A32_ABI_AUTO);
}

static bool has_true_table(const struct world *w)
{
	return with_tables && w->is_sane;
}

static void make_map(struct world *w)
{
	u32 bound[2 * MAX_RANGES], nr = 1 + random_below(MAX_RANGES), i;

	make_bounds(w, bound, 2 * nr, random_below(2) ? PAGE : 0x100);
	w->chunk.nr = 0;
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] < bound[2 * i + 1])
			w->chunk.range[w->chunk.nr++] = (struct a32_range){
				bound[2 * i], bound[2 * i + 1], has_true_table(w) ?
				w->chunk.nr * RANGE_PAGES : random_below(MAX_PGOFF),
				!random_below(4), &w->file[random_below(MAX_CODES)],
			};
	}
	w->chunk.range[w->chunk.nr++] = (struct a32_range){
		UPROBES_AT, UPROBES_AT + PAGE, 0, 1, &w->file[UPROBES],
	};
	nr = random_below(MAX_RULES + 1);
	if (nr)
		make_bounds(w, bound, 2 * nr, 0x80);
	w->rules.nr = 0;
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] < bound[2 * i + 1])
			w->rules.rule[w->rules.nr++] = (struct a32_abi_rule){
				bound[2 * i], bound[2 * i + 1], some_abi(w),
			};
	}
	w->default_abi = some_abi(w);
}

static s16 random_slot(void)
{
	switch (random_below(8)) {
	case 0:
		return A32_TABLE_LOST;
	case 1:
		return A32_TABLE_IN_REG(random_below(15));
	case 2:
	case 3:
		return A32_TABLE_SAME;
	default:
		return 1 - (s32)random_below(6);
	}
}

static struct a32_table_rule random_row(void)
{
	static const u8 regs[] = { SP, SP, SP, R7, R11 };
	struct a32_table_rule rule = { .kind = random_below(8) ? 0 : random_below(4) };

	if (rule.kind != A32_TABLE_FRAME)
		return rule;
	rule.cfa_reg = random_below(8) ? PICK(regs) : random_below(14);
	rule.cfa_off = random_below(16) ? 4 * random_below(8) : -4 * (s32)random_below(8);
	do {
		rule.ra = random_below(3) ? 1 - (s32)random_below(4) : random_slot();
	} while (rule.ra == A32_TABLE_SAME || rule.ra == A32_TABLE_LOST);
	rule.r7 = random_slot();
	rule.r11 = random_slot();
	return rule;
}

static void set_table(struct world *w, const struct tablefile_row *row, u32 nr, u32 end)
{
	u32 size;

	free(w->table_data);
	w->table_data = tablefile_write(row, nr, end, end, &size);
	if (!a32_table_check(w->table_data, size))
		abort();
	a32_table_open(&w->table, w->table_data, w->table_rule, w->table_line);
}

/* What a function's body has on the stack */
static struct a32_table_rule true_rule(const struct world *w, const struct shape *shape)
{
	struct a32_table_rule rule = TABLEFILE_FRAME(SP, shape->size, A32_TABLE_IN_REG(LR),
						     A32_TABLE_SAME, A32_TABLE_SAME);

	if (shape->ra)
		rule.ra = -(s32)shape->ra / 4;
	if (shape->saved && w->abi == A32_ABI_AAPCS_R7)
		rule.r7 = -(s32)shape->saved / 4;
	else if (shape->saved)
		rule.r11 = -(s32)shape->saved / 4;
	return rule;
}

/* True where threads are made to be, in bodies. Each range is in a place of its own in its file. */
static void make_true_table(struct world *w)
{
	struct tablefile_row row[MAX_FUNCTIONS + 1] = { { 0, TABLEFILE_KIND(NO_DATA) } };
	const struct a32_range *range = w->chunk.range;
	u32 i, nr = 0;

	for (; range < w->chunk.range + w->chunk.nr; range++) {
		for (i = 0; i < w->nr_functions; i++) {
			const struct function *f = &w->function[i];

			if (f->start - range->start >= range->end - range->start)
				continue;
			row[nr].offset = range->pgoff * PAGE + f->start - range->start;
			row[nr++].rule = true_rule(w, &shapes[f->shape]);
		}
	}
	set_table(w, row, nr ? nr : 1, MAX_PGOFF * PAGE);
}

/* It says anything of anything. */
static void make_table(struct world *w)
{
	static struct tablefile_row row[MAX_ROWS];
	struct a32_table_rule kind[MAX_KINDS];
	u32 end = MAX_PGOFF * PAGE + CODE_BYTES, at = 0, nr, i;

	for (i = 0; i < MAX_KINDS; i++)
		kind[i] = random_row();
	for (nr = 0; nr < MAX_ROWS && at < end; nr++) {
		row[nr] = (struct tablefile_row){ at, PICK(kind) };
		at += 2 + 2 * random_below(256);
	}
	set_table(w, row, nr, end);
}

static void make_files(struct world *w)
{
	u32 i;

	if (with_tables && !w->is_sane)
		make_table(w);
	for (i = 0; i < NR(w->file); i++)
		w->file[i] = (struct a32_code){
			.abi = random_below(8) ? some_abi(w) : A32_ABI_DEFAULT,
			.special = i == UPROBES ? SPECIAL_UPROBES :
				   w->is_sane || random_below(32) ? SPECIAL_NONE :
				   random_below(2) ? SPECIAL_VDSO : SPECIAL_SIGPAGE,
			.auto_abi = A32_ABI_NONE,
			.table = with_tables && i < MAX_CODES && random_below(2) ? &w->table :
				 NULL,
			.counts = &w->counts[i],
		};
}

/* Up to three holes in the code can't be read, nor what is behind the stack. */
static void make_memory(struct world *w)
{
	u32 bound[6], at = 0, nr = random_below(3), i;

	for (i = 0; i < 2 * nr; i++)
		bound[i] = random_below(CODE_BYTES / 2) * 2;
	qsort(bound, 2 * nr, sizeof(*bound), by_value);
	for (i = 0; i < nr; i++) {
		if (bound[2 * i + 1] - bound[2 * i] > PAGE / 2)
			bound[2 * i + 1] = bound[2 * i] + PAGE / 2;
	}
	a32_memory.nr = 0;
	a32_host_region_add(STACK_AT, STACK_BYTES - random_below(8) * 4, w->stack);
	for (i = 0; i < nr; i++) {
		if (bound[2 * i] > at)
			a32_host_region_add(CODE_AT + at, bound[2 * i] - at, w->code + at);
		at = bound[2 * i + 1];
	}
	a32_host_region_add(CODE_AT + at, CODE_BYTES - at, w->code + at);
	if (random_below(2))
		a32_host_region_add(A32_KUSER_START, A32_KUSER_SIZE, w->kuser);
}

static void make_world(struct world *w)
{
	static const u32 noise[] = { 4, 32, 1000, 100000 };
	u32 i;

	w->abi = A32_ABI_NONE + 1 + random_below(A32_ABI_AUTO - 1);
	w->thumb = w->abi == A32_ABI_AAPCS_R7 || (w->abi == A32_ABI_AAPCS && random_below(2));
	w->nr_places = 0;
	for (i = 0; i < CODE_BYTES; i++)
		w->code[i] = random32();
	w->is_sane = random_below(2);
	if (w->is_sane)
		write_functions(w, 0, CODE_BYTES);
	else
		write_code(w, 0, CODE_BYTES, PICK(noise));
	for (i = 0; i < A32_KUSER_SIZE; i += 4)
		memcpy(w->kuser + i, &PICK(arm_insns), 4);
	make_files(w);
	make_map(w);
	if (has_true_table(w))
		make_true_table(w);
	w->map.nr = 1;
	w->map.slot[0] = (struct a32_slot){ 0, (const void *)&w->chunk };
	w->space = (struct a32_space){
		.map = (const void *)&w->map,
		.ranges = random_below(2) ? (const void *)&w->rules : NULL,
		.default_abi = &w->default_abi,
		.tag = ++next_tag,
	};
	make_memory(w);
}

static u32 stack_address(void)
{
	return STACK_AT + random_below(STACK_BYTES / 4) * 4;
}

static u32 some_value(const struct world *w)
{
	static const u32 numbers[] = { 0, 1, 7, 119, 173, 0x5ac3c35a, UPROBES_AT, A32_KUSER_START };

	switch (random_below(8)) {
	case 0:
	case 1:
	case 2:
		return place(w);
	case 3:
	case 4:
		return stack_address();
	case 5:
		return CODE_AT + random_below(CODE_BYTES);
	case 6:
		return PICK(numbers);
	default:
		return random32();
	}
}

static void poke(struct world *w, u32 at, u32 val)
{
	if (at - STACK_AT <= STACK_BYTES - 4)
		memcpy(w->stack + (at - STACK_AT), &val, 4);
}

/* Records from an address upwards; returns the frame register of the first. */
static u32 make_records(struct world *w, u32 at)
{
	u32 to_fp = w->abi == A32_ABI_APCS ? 12 : w->abi == A32_ABI_GCC ? 4 : 0, first = at + to_fp;
	u32 next, to_ra = w->abi == A32_ABI_APCS ? 8 : 4;

	for (; at - STACK_AT < STACK_BYTES - 16; at = next) {
		next = at + 8 + to_fp / 12 * 8 + (random_below(2) ? 0 : 4 * random_below(8));
		poke(w, at, random_below(32) ? next + to_fp : some_value(w));
		poke(w, at + to_ra, random_below(32) ? place(w) : some_value(w));
		if (w->abi == A32_ABI_APCS)
			poke(w, at + 4, at + 16);
	}
	return first;
}

/* A signal's frame and a way there; sometimes its magic is all that is right. */
static void make_signal(struct world *w)
{
	u32 at = (stack_address() & ~7), i, pc = place(w);

	poke(w, at, 0x5ac3c35a);
	for (i = 0; i < 16; i++)
		poke(w, at + 32 + 4 * i, some_value(w));
	poke(w, at + 32 + 4 * SP, random_below(4) ? stack_address() : some_value(w));
	poke(w, at + 32 + 4 * PC, pc & ~1);
	poke(w, at + 96, pc & 1 ? PSR_THUMB : 0);
	if (random_below(2))
		w->r[SP] = at;
}

static void make_sample(struct world *w)
{
	u32 i, pc = random_below(8) ? place(w) + 2 * random_below(16) : some_value(w);

	for (i = 0; i < STACK_BYTES; i += 4)
		poke(w, STACK_AT + i, some_value(w));
	for (i = 0; i < 16; i++)
		w->r[i] = some_value(w);
	if (random_below(8))
		w->r[SP] = STACK_AT + random_below(STACK_BYTES / 16) * 4;
	if (random_below(8)) {
		w->r[R11] = make_records(w, w->r[SP] + 4 * random_below(8));
		w->r[R7] = w->r[R11];
	}
	if (random_below(8))
		w->r[LR] = place(w);
	if (!random_below(4))
		make_signal(w);
	w->cpsr = (random32() & 0xf0000000) | (random_below(16) ? pc & 1 : !(pc & 1)) * PSR_THUMB;
	if (!random_below(8))
		w->cpsr |= random32() & 0x0600fc00;
	w->r[PC] = w->cpsr & PSR_THUMB ? pc & ~random_below(2) : pc & ~3;
	w->returns.nr = random_below(A32_HOST_RETURNS + 1);
	for (i = 0; i < w->returns.nr; i++)
		w->returns.call[i] = (struct a32_host_call){
			stack_address(), place(w), !random_below(4),
		};
}

/* A frame of a chain */
struct frame {
	const struct shape *shape;
	u32 cfa;
	u32 ra;
};

/* A spot that may be where a function has been called from */
static const struct spot *some_caller(const struct world *w, u32 function)
{
	u32 i;

	for (i = 0; i < 64; i++) {
		const struct spot *spot = &w->spot[random_below(w->nr_spots)];

		if (spot->is_call && (!spot->target || spot->target == w->function[function].start))
			return spot;
	}
	return NULL;
}

/* A thread that has come to where it is by calls, and its true chain */
static void make_thread(struct world *w)
{
	static struct frame frame[MAX_ROOM];
	const struct spot *spot = &w->spot[random_below(w->nr_spots)], *caller;
	u32 own = w->abi == A32_ABI_AAPCS_R7 ? R7 : R11, at = STACK_AT + 0x200, nr = 0;
	u32 max = 1 + random_below(40), fp = 0;
	bool thumb = shapes[w->function[spot->function].shape].thumb;

	w->r[PC] = spot->pc;
	w->r[SP] = at;
	w->cpsr = (w->cpsr & 0xf0000000) | thumb * PSR_THUMB;
	w->truth.nr = 0;
	do {
		struct frame *f = &frame[nr++];

		w->truth.entry[w->truth.nr++] = spot->pc;
		caller = nr < max ? some_caller(w, spot->function) : NULL;
		f->shape = &shapes[w->function[spot->function].shape];
		f->cfa = at + f->shape->size;
		f->ra = caller ? caller->pc |
			shapes[w->function[caller->function].shape].thumb : 0;
		at = f->cfa;
		spot = caller;
	} while (spot);
	while (nr--) {
		const struct frame *f = &frame[nr];

		if (f->shape->ra)
			poke(w, f->cfa - f->shape->ra, f->ra);
		else
			w->r[LR] = f->ra;
		if (f->shape->saved)
			poke(w, f->cfa - f->shape->saved, fp);
		if (f->shape->abi == A32_ABI_APCS)
			poke(w, f->cfa - 12, f->cfa);
		if (f->shape->fp)
			fp = f->cfa - f->shape->fp;
		else if (f->shape->saved && f->shape->thumb == (own == R7) && random_below(2))
			fp = f->cfa + 16 - 4 * random_below(16);	/* as any register */
	}
	w->r[own] = fp;
}

/* What is true for one walk only changes now; all else with another tag. */
static void change(struct world *w)
{
	const struct a32_range *range = &w->chunk.range[random_below(w->chunk.nr)];

	if (!random_below(8)) {
		w->space.tag = ++next_tag;
		if (w->is_sane && random_below(2))
			write_functions(w, 0, CODE_BYTES);
		else if (!w->is_sane)
			write_code(w, 0, CODE_BYTES, 100);
		make_map(w);
		if (has_true_table(w))
			make_true_table(w);
	} else if (!w->is_sane && range->changes && range->start < UPROBES_AT) {
		write_code(w, ((range->start + 3) & ~3) - CODE_AT, range->end - CODE_AT, 100);
	}
	if (!random_below(4))
		make_memory(w);
}

/* What is checked of each walk, a result each */
enum check {
	CHECK_ENTRIES,
	CHECK_LOADS,
	CHECK_ALIGNMENT,
	CHECK_COUNTS,
	CHECK_TRUE,
	CHECK_WARM,
	CHECKS,
};

static const char *const check_names[CHECKS] = {
	[CHECK_ENTRIES] = "entries: as many as there is room for, and all of them code",
	[CHECK_LOADS] = "loads: no more than the bounds of a walk allow",
	[CHECK_ALIGNMENT] = "loads: at multiples of their size",
	[CHECK_COUNTS] = "counts: what was walked",
	[CHECK_TRUE] = "through functions: no wrong chain",
	[CHECK_WARM] = "through functions: what is known changes no chain but its length",
};

static u32 failed[CHECKS];

static void note_chain(const char *what, const struct chain *c)
{
	u32 i;

	tap_note("  %s: %u entries, then %u", what, c->nr, c->stop);
	for (i = 0; i < c->nr && i < 12; i++)
		tap_note("    %#llx", (unsigned long long)c->entry[i]);
}

static void check(bool ok, enum check which, const char *what, const struct world *w,
		  const struct chain *c, const struct chain *other)
{
	if (ok || failed[which]++ >= MAX_NOTES)
		return;
	tap_note("%s", check_names[which]);
	tap_note("  pc %#x, lr %#x, sp %#x, cpsr %#x, abi %u, tag %u, %s tables", w->r[PC],
		 w->r[LR], w->r[SP], w->cpsr, w->abi, w->space.tag, with_tables ? "with" : "no");
	note_chain(what, c);
	if (other)
		note_chain("but", other);
}

static void total(const struct world *w, struct a32_counts *sum)
{
	u32 i, j;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < NR(w->counts); i++) {
		sum->samples += w->counts[i].samples;
		sum->frames += w->counts[i].frames;
		for (j = 0; j < A32_STOP_NR; j++)
			sum->stop[j] += w->counts[i].stop[j];
	}
}

static bool is_mapped(const struct world *w, u32 addr)
{
	struct a32_span span;

	return a32_space_span(&w->space, addr, &span);
}

/*
 * A return address may be right behind a mapping. What was interrupted may have
 * been anywhere, and is shown: in the helpers, or as the last one.
 */
static bool is_entry(const struct world *w, const struct chain *c, u32 i)
{
	u64 e = c->entry[i];

	if (e & 1 || e >> 32)
		return false;
	return i == 0 || is_mapped(w, e) || is_mapped(w, e - 1) || a32_kuser_has(e) ||
	       (i == c->nr - 1 && c->stop == A32_STOP_NO_MAPPING);
}

static u64 max_loads, walks, entries;

static void walk(struct world *w, struct level *l, u32 room, const char *what, struct chain *c)
{
	u64 loads = a32_memory.loads, misaligned = a32_memory.misaligned;
	u64 *entry = malloc(room * sizeof(*entry));
	struct a32_counts before, after;
	bool ok;
	u32 i;

	total(w, &before);
	l->walk.space = &w->space;
	l->walk.entry = entry;		/* The sanitizers see one too many. */
	l->walk.room = room;
	l->walk.known = l->known;
	l->walk.found = l->found;
	l->walk.nowhere = &w->file[NOWHERE];
	l->walk.index = 0;
	l->walk.r = w->r;
	l->walk.cpsr = w->cpsr;
	a32_host_returns = &w->returns;
	c->stop = a32_walk(&l->walk);
	c->nr = l->walk.nr;
	ok = c->nr && c->nr <= room && c->stop < A32_STOP_NR;
	if (!ok)
		c->nr = 0;
	memcpy(c->entry, entry, c->nr * sizeof(*entry));
	free(entry);
	if (c->nr && c->entry[0] != (w->r[PC] & ~1) && w->r[PC] != UPROBES_AT)
		ok = false;
	for (i = 0; i < c->nr; i++)
		ok &= is_entry(w, c, i);
	check(ok, CHECK_ENTRIES, what, w, c, NULL);
	loads = a32_memory.loads - loads;
	check(loads <= most_loads(room), CHECK_LOADS, what, w, c, NULL);
	check(a32_memory.misaligned == misaligned, CHECK_ALIGNMENT, what, w, c, NULL);
	before.samples++;
	before.frames += c->nr;
	before.stop[c->stop]++;
	total(w, &after);
	check(!memcmp(&before, &after, sizeof(before)), CHECK_COUNTS, what, w, c, NULL);
	if (loads > max_loads)
		max_loads = loads;
	walks++;
	entries += c->nr;
}

static bool agree(const struct chain *a, const struct chain *b)
{
	u32 nr = a->nr < b->nr ? a->nr : b->nr;

	return !memcmp(a->entry, b->entry, nr * sizeof(a->entry[0]));
}

static void sample(struct world *w)
{
	u32 room = random_below(4) ? MAX_ROOM : 1 + random_below(MAX_ROOM), tag = w->space.tag;
	struct chain a, b;

	make_sample(w);
	w->truth.nr = 0;
	if (w->is_sane && w->nr_spots)
		make_thread(w);
	walk(w, &warm, room, "warm", &a);
	/* What an earlier walk has left in its working memory doesn't matter. */
	memset(&cold.walk, random_below(2), sizeof(cold.walk));
	w->space.tag = ++next_tag;
	walk(w, &cold, room, "cold", &b);
	w->space.tag = tag;
	if (!w->truth.nr)
		return;
	check(agree(&a, &w->truth) && a.nr <= w->truth.nr, CHECK_TRUE, "warm", w, &a, &w->truth);
	check(agree(&b, &w->truth) && b.nr <= w->truth.nr, CHECK_TRUE, "cold", w, &b, &w->truth);
	check(agree(&a, &b), CHECK_WARM, "warm", w, &a, &b);
}

int main(int argc, char **argv)
{
	u32 worlds = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000, i, j;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 5;

	tap_plan(CHECKS);
	tap_note("%u worlds, seed %llu", worlds, (unsigned long long)seed);
	random_seed(seed);
	for (i = 0; i < worlds; i++) {
		with_tables = i >= worlds - worlds / 5;
		make_world(&world);
		for (j = 0; j < SAMPLES; j++) {
			sample(&world);
			change(&world);
		}
	}
	tap_note("%llu walks, %llu entries, at most %llu loads of %llu",
		 (unsigned long long)walks, (unsigned long long)entries,
		 (unsigned long long)max_loads, (unsigned long long)most_loads(MAX_ROOM));
	for (i = 0; i < CHECKS; i++) {
		if (failed[i])
			tap_note("%u walks failed", failed[i]);
		tap_result(!failed[i], "%s", check_names[i]);
	}
	return tap_status();
}
