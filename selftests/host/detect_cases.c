// SPDX-License-Identifier: GPL-2.0
/* What each shape of prologue speaks for, and what is none at all */
#include <stdlib.h>
#include "../../module/core/detect.h"
#include "tap.h"

enum { WORDS_MAX = 24, SILENT = 100 };

/**
 * struct shape - some code
 * @name: what it is
 * @says: the ABI that it speaks for; SILENT for none at all, not even
 *	A32_ABI_NONE
 * @bottom: r7 is at the bottom of the frame
 * @arm: its words, or
 * @thumb: its halfwords; 0 behind the last one
 */
static const struct shape {
	const char *name;
	u32 says;
	bool bottom;
	u32 arm[WORDS_MAX];
	u16 thumb[WORDS_MAX];
} shapes[] = {
	{ "gcc -marm", A32_ABI_GCC, .arm = {
		0xe92d4800,		/* push {fp, lr} */
		0xe28db004,		/* add fp, sp, #4 */
		0xe24dd008,		/* sub sp, sp, #8 */
		0xebfffffe,		/* bl */
		0xe24bd004,		/* sub sp, fp, #4 */
		0xe8bd8800,		/* pop {fp, pc} */
	} },
	{ "gcc -marm, vararg, scheduled", A32_ABI_GCC, .arm = {
		0xe92d000f,		/* push {r0, r1, r2, r3} */
		0xe92d4810,		/* push {r4, fp, lr} */
		0xe1a04000,		/* mov r4, r0 */
		0xe28db008,		/* add fp, sp, #8 */
		0xebfffffe,		/* bl */
		0xe24bd008,		/* sub sp, fp, #8 */
		0xe8bd4810,		/* pop {r4, fp, lr} */
		0xe28dd010,		/* add sp, sp, #16 */
		0xe12fff1e,		/* bx lr */
	} },
	{ "gcc -marm, leaf", A32_ABI_GCC, .arm = {
		0xe52db004,		/* str fp, [sp, #-4]! */
		0xe28db000,		/* add fp, sp, #0 */
		0xe3a00001,		/* mov r0, #1 */
		0xe28bd000,		/* add sp, fp, #0 */
		0xe49db004,		/* ldr fp, [sp], #4 */
		0xe12fff1e,		/* bx lr */
	} },
	{ "gcc -mapcs-frame, vararg", A32_ABI_APCS, .arm = {
		0xe1a0c00d,		/* mov ip, sp */
		0xe92d000f,		/* push {r0, r1, r2, r3} */
		0xe92dd810,		/* push {r4, fp, ip, lr, pc} */
		0xe24cb014,		/* sub fp, ip, #20 */
		0xebfffffe,		/* bl */
		0xe89da810,		/* ldm sp, {r4, fp, sp, pc} */
	} },
	{ "clang -marm", A32_ABI_AAPCS, .arm = {
		0xe92d4830,		/* push {r4, r5, fp, lr} */
		0xe28db008,		/* add fp, sp, #8 */
		0xebfffffe,		/* bl */
		0xe8bd8830,		/* pop {r4, r5, fp, pc} */
	} },
	{ "clang -marm, nothing else saved", A32_ABI_AAPCS, .arm = {
		0xe92d4800,		/* push {fp, lr} */
		0xe1a0b00d,		/* mov fp, sp */
		0xebfffffe,		/* bl */
		0xe8bd8800,		/* pop {fp, pc} */
	} },
	{ "ARM, no frame pointer", A32_ABI_NONE, .arm = {
		0xe92d4010,		/* push {r4, lr} */
		0xe1a04000,		/* mov r4, r0 */
		0xebfffffe,		/* bl */
		0xe1a00004,		/* mov r0, r4 */
		0xe8bd8010,		/* pop {r4, pc} */
	} },
	{ "ARM, r11 saved for another use", A32_ABI_NONE, .arm = {
		0xe92d4810,		/* push {r4, fp, lr} */
		0xe1a0b000,		/* mov fp, r0 */
		0xe28d4008,		/* add r4, sp, #8 */
		0xe28db008,		/* add fp, sp, #8 */
		0xebfffffe,		/* bl */
		0xe8bd8810,		/* pop {r4, fp, pc} */
	} },
	{ "first entry of a PLT", SILENT, .arm = {
		0xe52de004,		/* str lr, [sp, #-4]! */
		0xe59fe004,		/* ldr lr, [pc, #4] */
		0xe08fe00e,		/* add lr, pc, lr */
		0xe5bef008,		/* ldr pc, [lr, #8]! */
		0x00001234,
	} },
	{ "libgcc's __aeabi_idivmod", SILENT, .arm = {
		0xe92d4003,		/* push {r0, r1, lr} */
		0xebfffffe,		/* bl */
		0xe8bd4006,		/* pop {r1, r2, lr} */
		0xe0030092,		/* mul r3, r2, r0 */
		0xe0411003,		/* sub r1, r1, r3 */
		0xe12fff1e,		/* bx lr */
	} },
	{ "clang -mthumb", A32_ABI_AAPCS_R7, .thumb = {
		0xb5b0,			/* push {r4, r5, r7, lr} */
		0xaf02,			/* add r7, sp, #8 */
		0x4604,			/* mov r4, r0 */
		0xf7ff, 0xfffe,		/* bl */
		0xbdb0,			/* pop {r4, r5, r7, pc} */
	} },
	{ "clang -mthumb, vararg", A32_ABI_AAPCS_R7, .thumb = {
		0xb083,			/* sub sp, #12 */
		0xb580,			/* push {r7, lr} */
		0x466f,			/* mov r7, sp */
		0xb081,			/* sub sp, #4 */
		0xf7ff, 0xfffe,		/* bl */
		0xb001,			/* add sp, #4 */
		0xe8bd, 0x4080,		/* pop.w {r7, lr} */
		0xb003,			/* add sp, #12 */
		0x4770,			/* bx lr */
	} },
	{ "clang -mthumb, high registers too", A32_ABI_AAPCS_R7, .thumb = {
		0xb5f0,			/* push {r4, r5, r6, r7, lr} */
		0xaf03,			/* add r7, sp, #12 */
		0xf84d, 0x8d04,		/* str.w r8, [sp, #-4]! */
		0x4680,			/* mov r8, r0 */
		0xf7ff, 0xfffe,		/* bl */
		0xf85d, 0x8b04,		/* ldr.w r8, [sp], #4 */
		0xbdf0,			/* pop {r4, r5, r6, r7, pc} */
	} },
	{ "gcc -mthumb", A32_ABI_NONE, .bottom = true, .thumb = {
		0xb580,			/* push {r7, lr} */
		0xb082,			/* sub sp, #8 */
		0xaf00,			/* add r7, sp, #0 */
		0xf7ff, 0xfffe,		/* bl */
		0x3708,			/* adds r7, #8 */
		0x46bd,			/* mov sp, r7 */
		0xbd80,			/* pop {r7, pc} */
	} },
	{ "gcc -mthumb, nothing but a record in the frame", A32_ABI_NONE, .bottom = true, .thumb = {
		0xb580,			/* push {r7, lr} */
		0xaf00,			/* add r7, sp, #0 */
		0xf7ff, 0xfffe,		/* bl */
		0xbd80,			/* pop {r7, pc} */
	} },
	{ "gcc -mthumb, arguments on the stack", A32_ABI_NONE, .bottom = true, .thumb = {
		0xb580,			/* push {r7, lr} */
		0xb082,			/* sub sp, #8 */
		0xaf02,			/* add r7, sp, #8 */
		0xf7ff, 0xfffe,		/* bl */
		0xbd80,			/* pop {r7, pc} */
	} },
	{ "clang -mthumb -mframe-chain=aapcs", A32_ABI_AAPCS, .thumb = {
		0xe92d, 0x4830,		/* push.w {r4, r5, fp, lr} */
		0xf10d, 0x0b08,		/* add.w fp, sp, #8 */
		0x4604,			/* mov r4, r0 */
		0xf7ff, 0xfffe,		/* bl */
		0xe8bd, 0x8830,		/* pop.w {r4, r5, fp, pc} */
	} },
	{ "-mframe-chain=aapcs in Thumb-1", A32_ABI_AAPCS, .thumb = {
		0xb500,			/* push {lr} */
		0x46de,			/* mov lr, fp */
		0xb500,			/* push {lr} */
		0x46eb,			/* mov fp, sp */
		0xf7ff, 0xfffe,		/* bl */
		0xbc01,			/* pop {r0} */
		0x4683,			/* mov fp, r0 */
		0xbd00,			/* pop {pc} */
	} },
	{ "Thumb, no frame pointer", A32_ABI_NONE, .thumb = {
		0xb510,			/* push {r4, lr} */
		0x4604,			/* mov r4, r0 */
		0xf7ff, 0xfffe,		/* bl */
		0xbd10,			/* pop {r4, pc} */
	} },
	{ "Thumb that reads as ARM's push: once, and none", A32_ABI_NONE, .thumb = {
		0x4770,			/* bx lr */
		0xe92d, 0x4ff0,		/* push.w {r4-r11, lr}; with bx: e92d4770 */
		0x4604,			/* mov r4, r0 */
		0x6845,			/* ldr r5, [r0, #4] */
		0xf7ff, 0xfffe,		/* bl */
		0x1960,			/* adds r0, r4, r5 */
		0x6801,			/* ldr r1, [r0] */
		0x1808,			/* adds r0, r1, r0 */
		0x6802,			/* ldr r2, [r0] */
		0x1810,			/* adds r0, r2, r0 */
		0xe8bd, 0x8ff0,		/* pop.w {r4-r11, pc} */
	} },
	{ "second half of a Thumb load that reads as a push", SILENT, .thumb = {
		0xf8d4, 0xb530,		/* ldr.w fp, [r4, #0x530] */
		0x1888,			/* adds r0, r1, r2 */
		0x465b,			/* mov r3, fp */
		0x4298,			/* cmp r0, r3 */
		0xd1fe,			/* bne */
		0x4770,			/* bx lr */
	} },
	{ "ARM code with halves that read as a Thumb push", SILENT, .arm = {
		0xe590b510,		/* ldr fp, [r0, #0x510] */
		0xe28bb001,		/* add fp, fp, #1 */
		0xe580b510,		/* str fp, [r0, #0x510] */
		0xe5901514,		/* ldr r1, [r0, #0x514] */
		0xe08b0001,		/* add r0, fp, r1 */
		0xe12fff1e,		/* bx lr */
	} },
	{ "literals with halves that read as a Thumb push", A32_ABI_NONE, .arm = {
		0xe92d4010,		/* push {r4, lr} */
		0xe59f3008,		/* ldr r3, [pc, #8] */
		0xe08f3003,		/* add r3, pc, r3 */
		0xe8bd8010,		/* pop {r4, pc} */
		0x000bb5d8, 0x000bb540, 0x0012b584, 0x0006b5f0,
	} },
	{ "relocations with halves that read as a Thumb push", SILENT, .arm = {
		0x0001b5f0, 0x00000017, 0x0001b5f4, 0x00000017, 0x0001b5f8, 0x00000017,
	} },
};

static u32 lay_out(const struct shape *shape, u8 *code)
{
	u32 i, len = 0;

	for (i = 0; i < WORDS_MAX && shape->arm[i]; i++, len += 4)
		memcpy(code + len, &shape->arm[i], 4);
	for (i = 0; i < WORDS_MAX && shape->thumb[i]; i++, len += 2)
		memcpy(code + len, &shape->thumb[i], 2);
	return len;
}

static bool says(const struct shape *shape, const struct a32_votes *votes, u32 times)
{
	u32 abi, want;

	for (abi = 0; abi < A32_ABI_AUTO; abi++) {
		want = abi == shape->says ? times : 0;
		if (votes->abi[abi] != want) {
			tap_note("%u for abi %u, want %u", votes->abi[abi], abi, want);
			return false;
		}
	}
	return votes->r7_bottom == (shape->bottom ? times : 0);
}

/* In memory of just that size, so that a read beyond it is noticed */
static bool check(const struct shape *shape)
{
	u8 buf[4 * WORDS_MAX], *code;
	u32 len = lay_out(shape, buf), cut;
	struct a32_votes votes = { 0 }, none = { 0 };
	bool ok;

	code = malloc(len);
	memcpy(code, buf, len);
	a32_detect_count(code, len, len, &votes);
	ok = says(shape, &votes, 1);

	/* Not what begins behind the limit */
	a32_detect_count(code, len, 0, &none);
	ok = ok && says(shape, &none, 0);
	free(code);

	/* However short: nothing that is not there is believed. */
	for (cut = 0; cut < len; cut++) {
		code = malloc(cut + !cut);
		memcpy(code, buf, cut);
		a32_detect_count(code, cut, cut, &none);
		free(code);
	}
	return ok;
}

static const struct {
	const char *name;
	struct a32_votes votes;
	u32 verdict;
} verdicts[] = {
	{ "nothing", { { 0 } }, A32_ABI_NONE },
	{ "crt*.o alone", { { 4 } }, A32_ABI_NONE },
	{ "one function and crt*.o", { { 4, 0, 0, 1 } }, A32_ABI_GCC },
	{ "no record at all", { { 1000 } }, A32_ABI_NONE },
	{ "records with alloca() only", { { 1000, 0, 0, 0, 60 } }, A32_ABI_NONE },
	{ "a third without", { { 500, 1000 } }, A32_ABI_APCS },
	{ "two thirds without", { { 1000, 0, 500 } }, A32_ABI_MIXED },
	{ "a few of another kind", { { 3, 0, 3, 100 } }, A32_ABI_GCC },
	{ "a quarter of another kind", { { 3, 0, 25, 75 } }, A32_ABI_MIXED },
	{ "halves", { { 3, 0, 0, 10, 10 } }, A32_ABI_MIXED },
};

int main(void)
{
	u32 i;

	tap_plan(sizeof(shapes) / sizeof(shapes[0]) + sizeof(verdicts) / sizeof(verdicts[0]));
	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		tap_result(check(&shapes[i]), "%s", shapes[i].name);
	for (i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		tap_result(a32_detect_verdict(&verdicts[i].votes) == verdicts[i].verdict,
			   "verdict: %s", verdicts[i].name);
	return tap_status();
}
