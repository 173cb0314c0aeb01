// SPDX-License-Identifier: GPL-2.0
#include "world.h"

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

u32 world_place(const struct world *w)
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
	u32 off = (world_place(w) & ~1) - CODE_AT - at, next;

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

const struct shape shapes[] = {
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
	return random_below(2) ? world_place(w) : random_below(0x20000) - 0x10000;
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

void world_write_functions(struct world *w, u32 at, u32 end)
{
	w->nr_functions = 0;
	w->nr_spots = 0;
	while (at + 128 < end && w->nr_functions < MAX_FUNCTIONS)
		at = put_function(w, at, end);
}

/* Write code from one offset to another. */
void world_write_code(struct world *w, u32 at, u32 end, u32 noise)
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

u32 world_arm_insn(void)
{
	return PICK(arm_insns);
}
