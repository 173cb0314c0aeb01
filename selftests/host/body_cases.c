// SPDX-License-Identifier: GPL-2.0
/*
 * Which instructions are in a function's body. Columns of a case: each instruction,
 * and whether the record is complete before it, as its text says; the caller's
 * registers and lr are in the frame then, and the frame register points there.
 */
#include <stdlib.h>
#include "../../module/core/body.h"
#include "tap.h"

enum { INSNS_MAX = 40 };

enum { OUT, IN };

struct insn {
	u32 code;			/* Thumb: the first halfword in the upper half */
	u8 len;
	u8 in;
};

struct body_case {
	const char *name;
	u32 abi;
	bool thumb;
	struct insn insn[INSNS_MAX];
};

#define ARM(code, in)	{ code, 4, in }
#define T16(code, in)	{ code, 2, in }
#define T32(h1, h2, in)	{ (u32)(h1) << 16 | (h2), 4, in }
#define DATA(word)	{ word, 4, OUT }

/* push {fp, lr}; add fp, sp, #4 */
#define PROLOGUE	ARM(0xe92d4800, OUT), ARM(0xe28db004, OUT)
/* pop {fp, pc} */
#define EPILOGUE	ARM(0xe8bd8800, IN)
#define BL		0xebfffffe

static const struct body_case cases[] = {
	{ "gcc: from the end of the prologue to the pop", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe24dd008, IN),	/* sub sp, sp, #8 */
		ARM(BL, IN),
		ARM(0xe24bd004, IN),	/* sub sp, fp, #4 */
		EPILOGUE,
	} },
	{ "gcc: vararg", A32_ABI_GCC, false, {
		ARM(0xe92d000f, OUT),	/* push {r0, r1, r2, r3} */
		PROLOGUE,
		ARM(BL, IN),
		ARM(0xe8bd4800, IN),	/* pop {fp, lr} */
		ARM(0xe28dd010, OUT),	/* add sp, sp, #16 */
		ARM(0xe12fff1e, OUT),	/* bx lr */
	} },
	{ "apcs", A32_ABI_APCS, false, {
		ARM(0xe1a0c00d, OUT),	/* mov ip, sp */
		ARM(0xe92dd800, OUT),	/* push {fp, ip, lr, pc} */
		ARM(0xe24cb004, OUT),	/* sub fp, ip, #4 */
		ARM(BL, IN),
		ARM(0xe89da800, IN),	/* ldm sp, {fp, sp, pc} */
	} },
	{ "aapcs", A32_ABI_AAPCS, false, {
		ARM(0xe92d4830, OUT),	/* push {r4, r5, fp, lr} */
		ARM(0xe28db008, OUT),	/* add fp, sp, #8 */
		ARM(BL, IN),
		ARM(0xe8bd8830, IN),	/* pop {r4, r5, fp, pc} */
	} },
	{ "aapcs-r7", A32_ABI_AAPCS_R7, true, {
		T16(0xb5b0, OUT),	/* push {r4, r5, r7, lr} */
		T16(0xaf02, OUT),	/* add r7, sp, #8 */
		T32(0xf7ff, 0xfffe, IN),	/* bl */
		T16(0xbdb0, IN),	/* pop {r4, r5, r7, pc} */
	} },
	{ "aapcs-r7: sp by another register, and a conditional return", A32_ABI_AAPCS_R7, true, {
		T16(0xb5d0, OUT),	/* push {r4, r6, r7, lr} */
		T16(0xaf02, OUT),	/* add r7, sp, #8 */
		T16(0x466c, IN),	/* mov r4, sp */
		T32(0xf36f, 0x0403, IN),	/* bfc r4, #0, #4 */
		T16(0x46a5, IN),	/* mov sp, r4 */
		T16(0x2800, IN),	/* cmp r0, #0 */
		T32(0xf1a7, 0x0408, IN),	/* sub.w r4, r7, #8 */
		T16(0x46a5, IN),	/* mov sp, r4 */
		T16(0xbf08, IN),	/* it eq */
		T16(0xbdd0, IN),	/* popeq {r4, r6, r7, pc} */
		T32(0xf7ff, 0xfffe, IN),	/* bl */
		T16(0xbdd0, IN),	/* pop {r4, r6, r7, pc} */
	} },
	{ "another ABI's prologue", A32_ABI_AAPCS, false, {
		PROLOGUE,
		ARM(BL, OUT),
		ARM(0xe8bd8800, OUT),
	} },
	{ "behind a call that does not return: a leaf", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500000, IN),	/* cmp r0, #0 */
		ARM(0x1a000000, IN),	/* bne 1f */
		EPILOGUE,
		ARM(BL, OUT),		/* 1: bl abort: no way back, as far as can be told */
		ARM(0xe0800001, OUT),	/* add r0, r0, r1 */
		ARM(0xe12fff1e, OUT),	/* bx lr */
	} },
	{ "behind one: a leaf that loops, and one that goes elsewhere", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500000, IN),	/* cmp r0, #0 */
		ARM(0x0a000003, IN),	/* beq 1f */
		ARM(BL, OUT),		/* bl abort */
		ARM(0xe2500001, OUT),	/* 2: subs r0, r0, #1 */
		ARM(0x1afffffd, OUT),	/* bne 2b */
		ARM(0xe12fff11, OUT),	/* bx r1 */
		EPILOGUE,		/* 1: */
	} },
	{ "behind one: another function, which begins with more than a push", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500000, IN),	/* cmp r0, #0 */
		ARM(0x18bd8800, IN),	/* popne {fp, pc} */
		ARM(BL, OUT),		/* bl abort */
		ARM(0xe3510000, OUT),	/* cmp r1, #0 */
		ARM(0x012fff1e, OUT),	/* bxeq lr */
		ARM(0xe24dd010, OUT),	/* sub sp, sp, #16 */
		PROLOGUE,
		ARM(BL, IN),
		EPILOGUE,
	} },
	{ "behind one: literals that look like branches", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe59f0010, IN),	/* ldr r0, 1f */
		ARM(0xed9f0a04, IN),	/* vldr s0, 2f */
		ARM(0xe3500000, IN),	/* cmp r0, #0 */
		ARM(0x18bd8800, IN),	/* popne {fp, pc} */
		ARM(BL, OUT),		/* bl abort */
		ARM(BL, OUT),		/* bl abort */
		DATA(0xea000001),	/* 1: b 3f */
		DATA(0xea000000),	/* 2: b 3f */
		ARM(0xe0800001, OUT),	/* add r0, r0, r1 */
		ARM(0xe8bd8800, OUT),	/* 3: pop {fp, pc} */
	} },
	{ "a system call, behind which there may be a new thread", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xef000000, IN),	/* svc 0 */
		ARM(0xe1a00000, OUT),	/* nop */
		ARM(0xe1a00000, OUT),	/* nop */
		ARM(0xe1a00000, OUT),	/* nop */
		ARM(0xe1a00000, IN),	/* nop */
		EPILOGUE,
	} },
	{ "a jump table, as long as the compare says", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500001, IN),	/* cmp r0, #1 */
		ARM(0x908ff100, IN),	/* addls pc, pc, r0, lsl #2 */
		ARM(0xea000003, IN),	/* b 3f */
		ARM(0xea000001, IN),	/* b 2f */
		ARM(0xea000001, IN),	/* b 3f */
		ARM(0xea000004, OUT),	/* no entry any more */
		ARM(BL, IN),		/* 2: bl */
		EPILOGUE,		/* 3: */
		ARM(0xe1a00000, OUT),
		ARM(0xe1a00000, OUT),
		ARM(0xe8bd8800, OUT),
	} },
	{ "a jump table in Thumb code", A32_ABI_AAPCS_R7, true, {
		T16(0xb580, OUT),	/* push {r7, lr} */
		T16(0x466f, OUT),	/* mov r7, sp */
		T16(0x2802, IN),	/* cmp r0, #2 */
		T16(0xd804, IN),	/* bhi 1f */
		T32(0xe8df, 0xf000, IN),	/* tbb [pc, r0] */
		T16(0x0302, OUT),	/* to 1f, and to 2f */
		T16(0x0502, OUT),	/* to 1f; the last one isn't an entry */
		T16(0xbd80, IN),	/* 1: pop {r7, pc} */
		T16(0x2001, IN),	/* 2: movs r0, #1 */
		T16(0xbd80, IN),	/* pop {r7, pc} */
		T16(0xbd80, OUT),	/* where the one behind would lead */
	} },
	{ "a table of distances", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500001, IN),	/* cmp r0, #1 */
		ARM(0x8a000004, IN),	/* bhi 1f */
		ARM(0xe28f1004, IN),	/* adr r1, the table */
		ARM(0xe7912100, IN),	/* ldr r2, [r1, r0, lsl #2] */
		ARM(0xe081f002, IN),	/* add pc, r1, r2 */
		DATA(8),		/* to 1f */
		DATA(12),		/* to 2f */
		ARM(0xe8bd8800, IN),	/* 1: pop {fp, pc} */
		ARM(0xe8bd8800, IN),	/* 2: pop {fp, pc} */
		ARM(0xe1a00000, OUT),
	} },
	{ "what leads in between two instructions is no table", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500001, OUT),	/* cmp r0, #1 */
		ARM(0x8a000004, OUT),	/* bhi 1f */
		ARM(0xe28f1004, OUT),	/* adr r1, the table */
		ARM(0xe7912100, OUT),	/* ldr r2, [r1, r0, lsl #2] */
		ARM(0xe081f002, OUT),	/* add pc, r1, r2 */
		DATA(8),		/* to 1f */
		DATA(14),		/* two bytes behind 2f */
		ARM(0xe8bd8800, OUT),	/* 1: pop {fp, pc} */
		ARM(0xe8bd8800, OUT),	/* 2: pop {fp, pc} */
		ARM(0xe1a00000, OUT),
	} },
	{ "a jump table without a compare: what it leads to isn't known", A32_ABI_AAPCS_R7, true, {
		T16(0xb580, OUT),	/* push {r7, lr} */
		T16(0x466f, OUT),	/* mov r7, sp */
		T16(0xb108, IN),	/* cbz r0, 1f */
		T32(0xe8df, 0xf000, OUT),	/* tbb [pc, r0] */
		T16(0xbd80, IN),	/* 1: pop {r7, pc} */
	} },
	{ "a record taken down by some condition", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500000, IN),	/* cmp r0, #0 */
		ARM(0x18bd4800, IN),	/* popne {fp, lr} */
		ARM(0x1a000000, OUT),	/* bne elsewhere */
		ARM(0xe8bd8800, OUT),	/* pop {fp, pc}: but not told from the way before */
	} },
	{ "no record where the frame register is used for something else", A32_ABI_GCC, false, {
		PROLOGUE,
		ARM(0xe3500000, OUT),	/* cmp r0, #0 */
		ARM(0xe1a0b001, OUT),	/* mov fp, r1 */
		ARM(0xe8bd8800, OUT),	/* pop {fp, pc} */
	} },
};

static u8 file[4096];
static u32 file_size;

static int read_file(void *arg, u32 pos, void *buf, u32 len)
{
	if (pos > file_size)
		return 0;
	if (len > file_size - pos)
		len = file_size - pos;
	memcpy(buf, file + pos, len);
	return len;
}

static void put(u32 at, u32 val, u32 bytes)
{
	for (; bytes--; val >>= 8)
		file[at++] = val;
}

/* An ELF header, one program header, and the code; returns where that begins. */
static u32 write_file(const struct body_case *c)
{
	static const u8 ident[] = { 0x7f, 'E', 'L', 'F', 1, 1, 1 };
	const u32 start = 84;
	const struct insn *i;
	u32 at = start;

	memset(file, 0, sizeof(file));
	memcpy(file, ident, sizeof(ident));
	put(18, 40, 2);			/* EM_ARM */
	put(28, 52, 4);			/* e_phoff */
	put(42, 32, 2);
	put(44, 1, 2);
	for (i = c->insn; i->len; at += i++->len) {
		if (c->thumb && i->len == 4) {
			put(at, i->code >> 16, 2);
			put(at + 2, i->code, 2);
		} else {
			put(at, i->code, i->len);
		}
	}
	file_size = at;
	put(52, 1, 4);			/* PT_LOAD */
	put(56, start, 4);
	put(60, 0x10000 + start, 4);
	put(68, at - start, 4);
	put(76, 5, 4);			/* PF_R | PF_X */
	return start;
}

static void run(const struct body_case *c)
{
	static struct a32_body_work work;
	static u8 buf[A32_DETECT_BUFFER];
	struct a32_source source = { .read = read_file, .buf = buf };
	struct a32_bodies bodies = { .abi = c->abi };
	u32 line[sizeof(file) / A32_LINE] = {}, other[sizeof(file) / A32_LINE] = {};
	u32 at = write_file(c), n;
	bool any, ok;

	ok = !a32_bodies_extent(&source, &bodies) &&
	     !a32_bodies_find(&source, &bodies, c->thumb, line, &work, &any) &&
	     !a32_bodies_find(&source, &bodies, !c->thumb, other, &work, &any) && !any;
	for (n = 0; c->insn[n].len; at += c->insn[n++].len) {
		u32 bit = at - bodies.first, in = line[bit / A32_LINE] >> (bit / 2 % 32) & 1;

		if (in == c->insn[n].in)
			continue;
		tap_note("instruction %u: %s the body", n, in ? "in" : "out of");
		ok = false;
	}
	tap_result(ok, "%s", c->name);
}

int main(void)
{
	const u32 nr = sizeof(cases) / sizeof(cases[0]);
	u32 i;

	tap_plan(nr);
	for (i = 0; i < nr; i++)
		run(&cases[i]);
	return tap_status();
}
