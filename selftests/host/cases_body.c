// SPDX-License-Identifier: GPL-2.0
/*
 * What follows the body of a function, and is not of it. Columns: code, bytes, text;
 * sp, ra, saved and fp as in struct step.
 */
#include "scan_cases.h"

/* The call does not return; behind it another function begins, which makes no record. */
static const struct step behind_noreturn[] = {
	{ 0xe92d4800, 4, "push {fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db004, 4, "add fp, sp, #4", 8, -4, -8, 0 },
	{ 0xeb001ffc, 4, "bl leaf", 8, -4, -8, -4 },
	{ 0xe2800001, 4, "add r0, r0, #1", 0, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

/* What is behind the call is reached without a frame; the body goes on behind it. */
static const struct step shrink_wrapped[] = {
	{ 0xe3500000, 4, "cmp r0, #0", 0, 0, 0, 0 },
	{ 0x0a000004, 4, "beq 1c", 0, 0, 0, 0 },
	{ 0xe92d4800, 4, "push {fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db004, 4, "add fp, sp, #4", 8, -4, -8, 0 },
	{ 0xe3510000, 4, "cmp r1, #0", 8, -4, -8, -4 },
	{ 0x1a000002, 4, "bne 24", 8, -4, -8, -4 },
	{ 0xeb001ff8, 4, "bl leaf", 8, -4, -8, -4 },
	{ 0xe3a00000, 4, "mov r0, #0", 0, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
	{ 0xe3a00001, 4, "mov r0, #1", 8, -4, -8, -4 },
	{ 0xe8bd8800, 4, "pop {fp, pc}", 8, -4, -8, -4 },
};

/* clang fills a table with what is never jumped to: the address behind the function. */
static const struct step table_end[] = {
	{ 0xb580, 2, "push {r7, lr}", 0, 0, 0, 0 },
	{ 0x466f, 2, "mov r7, sp", 8, -4, -8, 0 },
	{ 0x2801, 2, "cmp r0, #1", 8, -4, -8, -8 },
	{ 0xd802, 2, "bhi e", 8, -4, -8, -8 },
	{ 0xe8dff000, 4, "tbb [pc, r0]", 8, -4, -8, -8 },
	{ 0x0301, 2, ".byte (e - c) / 2, (12 - c) / 2", .data = true },
	{ 0x2000, 2, "movs r0, #0", 8, -4, -8, -8 },
	{ 0xbd80, 2, "pop {r7, pc}", 8, -4, -8, -8 },
	{ 0x3001, 2, "adds r0, #1", 0, 0, 0, 0 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

/* Data in the body reads as the end of one; what follows the function does not pad it. */
static const struct step literal[] = {
	{ 0xe92d4800, 4, "push {fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db004, 4, "add fp, sp, #4", 8, -4, -8, 0 },
	{ 0xe59f0000, 4, "ldr r0, [pc]", 8, -4, -8, -4 },
	{ 0xea000000, 4, "b 14", 8, -4, -8, -4 },
	{ 0xe8bd8800, 4, ".word", .data = true },
	{ 0xe2800001, 4, "add r0, r0, #1", 8, -4, -8, -4 },
	{ 0xe8bd8800, 4, "pop {fp, pc}", 8, -4, -8, -4 },
	{ 0xe2800001, 4, "add r0, r0, #1", 0, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

/* An IT makes the return conditional. */
static const struct step in_it[] = {
	{ 0xb580, 2, "push {r7, lr}", 0, 0, 0, 0 },
	{ 0x466f, 2, "mov r7, sp", 8, -4, -8, 0 },
	{ 0x2800, 2, "cmp r0, #0", 8, -4, -8, -8 },
	{ 0xbf04, 2, "itt eq", 8, -4, -8, -8 },
	{ 0x2001, 2, "moveq r0, #1", 8, -4, -8, -8 },
	{ 0xbd80, 2, "popeq {r7, pc}", 8, -4, -8, -8, .flags = FLAG_Z },
	{ 0x3001, 2, "adds r0, #1", 8, -4, -8, -8 },
	{ 0xe8bd4080, 4, "pop.w {r7, lr}", 8, -4, -8, -8 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

const struct function_case cases_body[] = {
	CASE("body: a function behind a call that does not return", GCC, false, behind_noreturn),
	CASE("body: code without a frame behind such a call", GCC, false, shrink_wrapped),
	CASE("body: a jump table leads to the function behind", AAPCS_R7, true, table_end),
	CASE("body: data in it, and a function right behind", GCC, false, literal),
	CASE("body: a return in an IT block", AAPCS_R7, true, in_it),
};

const u32 nr_cases_body = sizeof(cases_body) / sizeof(cases_body[0]);
