// SPDX-License-Identifier: GPL-2.0
/* Columns: code, bytes, text; sp, ra, saved and fp as in struct step */
#include "scan_cases.h"

static const struct step leaf_o2[] = {
	{ 0x4348, 2, "muls r0, r1", 0, 0, 0, 0 },
	{ 0x3007, 2, "adds r0, #7", 0, 0, 0, 0 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

static const struct step leaf_locals_o0[] = {
	{ 0xb086, 2, "sub sp, #24", 0, 0, 0, 0 },
	{ 0x9005, 2, "str r0, [sp, #20]", 24, 0, 0, 0 },
	{ 0x9104, 2, "str r1, [sp, #16]", 24, 0, 0, 0 },
	{ 0x9805, 2, "ldr r0, [sp, #20]", 24, 0, 0, 0 },
	{ 0x9000, 2, "str r0, [sp, #0]", 24, 0, 0, 0 },
	{ 0x9804, 2, "ldr r0, [sp, #16]", 24, 0, 0, 0 },
	{ 0x9001, 2, "str r0, [sp, #4]", 24, 0, 0, 0 },
	{ 0x9800, 2, "ldr r0, [sp, #0]", 24, 0, 0, 0 },
	{ 0x9901, 2, "ldr r1, [sp, #4]", 24, 0, 0, 0 },
	{ 0x4408, 2, "add r0, r1", 24, 0, 0, 0 },
	{ 0x9002, 2, "str r0, [sp, #8]", 24, 0, 0, 0 },
	{ 0x9802, 2, "ldr r0, [sp, #8]", 24, 0, 0, 0 },
	{ 0xb006, 2, "add sp, #24", 24, 0, 0, 0 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

static const struct step nonleaf2_o2[] = {
	{ 0xb5f0, 2, "push {r4, r5, r6, r7, lr}", 0, 0, 0, 0 },
	{ 0xaf03, 2, "add r7, sp, #12", 20, -4, -8, 0 },
	{ 0xf84dbd04, 4, "str.w fp, [sp, #-4]!", 20, -4, -8, -8 },
	{ 0x460c, 2, "mov r4, r1", 24, -4, -8, -8 },
	{ 0x4605, 2, "mov r5, r0", 24, -4, -8, -8 },
	{ 0xf7fffe3b, 4, "bl ext1", 24, -4, -8, -8 },
	{ 0x4606, 2, "mov r6, r0", 24, -4, -8, -8 },
	{ 0x4620, 2, "mov r0, r4", 24, -4, -8, -8 },
	{ 0x4631, 2, "mov r1, r6", 24, -4, -8, -8 },
	{ 0xf7fffe3c, 4, "bl ext2", 24, -4, -8, -8 },
	{ 0x4430, 2, "add r0, r6", 24, -4, -8, -8 },
	{ 0x4368, 2, "muls r0, r5", 24, -4, -8, -8 },
	{ 0xf85dbb04, 4, "ldr.w fp, [sp], #4", 24, -4, -8, -8 },
	{ 0xbdf0, 2, "pop {r4, r5, r6, r7, pc}", 20, -4, -8, -8 },
};

static const struct step varargs_call_o2[] = {
	{ 0xb083, 2, "sub sp, #12", 0, 0, 0, 0 },
	{ 0xb580, 2, "push {r7, lr}", 12, 0, 0, 0 },
	{ 0x466f, 2, "mov r7, sp", 20, -16, -20, 0 },
	{ 0xb081, 2, "sub sp, #4", 20, -16, -20, -20 },
	{ 0xf1070c08, 4, "add.w ip, r7, #8", 24, -16, -20, -20 },
	{ 0xe88c000e, 4, "stmia.w ip, {r1, r2, r3}", 24, -16, -20, -20 },
	{ 0xf1070208, 4, "add.w r2, r7, #8", 24, -16, -20, -20 },
	{ 0x3204, 2, "adds r2, #4", 24, -16, -20, -20 },
	{ 0x9200, 2, "str r2, [sp, #0]", 24, -16, -20, -20 },
	{ 0xf7fffdac, 4, "bl ext2", 24, -16, -20, -20 },
	{ 0x3001, 2, "adds r0, #1", 24, -16, -20, -20 },
	{ 0xb001, 2, "add sp, #4", 24, -16, -20, -20 },
	{ 0xe8bd4080, 4, "ldmia.w sp!, {r7, lr}", 20, -16, -20, -20 },
	{ 0xb003, 2, "add sp, #12", 12, 0, 0, 0 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

static const struct step use_alloca_o2[] = {
	{ 0xb5d0, 2, "push {r4, r6, r7, lr}", 0, 0, 0, 0 },
	{ 0xaf02, 2, "add r7, sp, #8", 16, -4, -8, 0 },
	{ 0x3007, 2, "adds r0, #7", 16, -4, -8, -8 },
	{ 0xf0200007, 4, "bic.w r0, r0, #7", 16, -4, -8, -8 },
	{ 0xebad0400, 4, "sub.w r4, sp, r0", 16, -4, -8, -8 },
	{ 0x46a5, 2, "mov sp, r4", 16, -4, -8, -8, .reg = 4, .val = -16 },
	{ 0x4620, 2, "mov r0, r4", 16, -4, -8, -8 },
	{ 0xf7fffddc, 4, "bl extp", 16, -4, -8, -8 },
	{ 0x7820, 2, "ldrb r0, [r4, #0]", 16, -4, -8, -8 },
	{ 0xf1a70408, 4, "sub.w r4, r7, #8", 16, -4, -8, -8 },
	{ 0x46a5, 2, "mov sp, r4", 16, -4, -8, -8, .reg = 4, .val = -16 },
	{ 0xbdd0, 2, "pop {r4, r6, r7, pc}", 16, -4, -8, -8 },
};

static const struct step aligned32_o2[] = {
	{ 0xb5d0, 2, "push {r4, r6, r7, lr}", 0, 0, 0, 0 },
	{ 0xaf02, 2, "add r7, sp, #8", 16, -4, -8, 0 },
	{ 0xb094, 2, "sub sp, #80", 16, -4, -8, -8 },
	{ 0x466c, 2, "mov r4, sp", 96, -4, -8, -8 },
	{ 0xf36f0404, 4, "bfc r4, #0, #5", 96, -4, -8, -8 },
	{ 0x46a5, 2, "mov sp, r4", 96, -4, -8, -8, .reg = 4, .val = -96 },
	{ 0x4604, 2, "mov r4, r0", 96, -4, -8, -8 },
	{ 0x4668, 2, "mov r0, sp", 96, -4, -8, -8 },
	{ 0xf7fffd4c, 4, "bl extp", 96, -4, -8, -8 },
	{ 0xf89d0000, 4, "ldrb.w r0, [sp]", 96, -4, -8, -8 },
	{ 0x4420, 2, "add r0, r4", 96, -4, -8, -8 },
	{ 0xf1a70408, 4, "sub.w r4, r7, #8", 96, -4, -8, -8 },
	{ 0x46a5, 2, "mov sp, r4", 96, -4, -8, -8, .reg = 4, .val = -16 },
	{ 0xbdd0, 2, "pop {r4, r6, r7, pc}", 16, -4, -8, -8 },
};

static const struct step big4k_o2[] = {
	{ 0xb5d0, 2, "push {r4, r6, r7, lr}", 0, 0, 0, 0 },
	{ 0xaf02, 2, "add r7, sp, #8", 16, -4, -8, 0 },
	{ 0xf5ad5d9c, 4, "sub.w sp, sp, #4992", 16, -4, -8, -8 },
	{ 0xb082, 2, "sub sp, #8", 5008, -4, -8, -8 },
	{ 0x4604, 2, "mov r4, r0", 5016, -4, -8, -8 },
	{ 0x4668, 2, "mov r0, sp", 5016, -4, -8, -8 },
	{ 0xf7fffd80, 4, "bl extp", 5016, -4, -8, -8 },
	{ 0xf89d0000, 4, "ldrb.w r0, [sp]", 5016, -4, -8, -8 },
	{ 0x4420, 2, "add r0, r4", 5016, -4, -8, -8 },
	{ 0xf50d5d9c, 4, "add.w sp, sp, #4992", 5016, -4, -8, -8 },
	{ 0xb002, 2, "add sp, #8", 24, -4, -8, -8 },
	{ 0xbdd0, 2, "pop {r4, r6, r7, pc}", 16, -4, -8, -8 },
};

static const struct step shrink_o2[] = {
	{ 0x2800, 2, "cmp r0, #0", 0, 0, 0, 0 },
	{ 0xbf04, 2, "itt eq", 0, 0, 0, 0 },
	{ 0xf04f30ff, 4, "moveq.w r0, #4294967295", 0, 0, 0, 0 },
	{ 0x4770, 2, "bxeq lr", 0, 0, 0, 0 },
	{ 0xb5b0, 2, "push {r4, r5, r7, lr}", 0, 0, 0, 0 },
	{ 0xaf02, 2, "add r7, sp, #8", 16, -4, -8, 0 },
	{ 0x6801, 2, "ldr r1, [r0, #0]", 16, -4, -8, -8 },
	{ 0x4605, 2, "mov r5, r0", 16, -4, -8, -8 },
	{ 0x4608, 2, "mov r0, r1", 16, -4, -8, -8 },
	{ 0xf7fffabc, 4, "bl ext1", 16, -4, -8, -8 },
	{ 0x6829, 2, "ldr r1, [r5, #0]", 16, -4, -8, -8 },
	{ 0x4604, 2, "mov r4, r0", 16, -4, -8, -8 },
	{ 0xf7fffabe, 4, "bl ext2", 16, -4, -8, -8 },
	{ 0x4420, 2, "add r0, r4", 16, -4, -8, -8 },
	{ 0xbdb0, 2, "pop {r4, r5, r7, pc}", 16, -4, -8, -8 },
};

static const struct step tail_after_o2[] = {
	{ 0xb5d0, 2, "push {r4, r6, r7, lr}", 0, 0, 0, 0 },
	{ 0xaf02, 2, "add r7, sp, #8", 16, -4, -8, 0 },
	{ 0x4604, 2, "mov r4, r0", 16, -4, -8, -8 },
	{ 0xf7fffc66, 4, "bl ext1", 16, -4, -8, -8 },
	{ 0x4621, 2, "mov r1, r4", 16, -4, -8, -8 },
	{ 0xe8bd40d0, 4, "ldmia.w sp!, {r4, r6, r7, lr}", 16, -4, -8, -8 },
	{ 0xf7ffbc67, 4, "b.w ext2", 0, 0, 0, 0 },
};

static const struct step locals_addr_o2_ssp[] = {
	{ 0xb580, 2, "push {r7, lr}", 0, 0, 0, 0 },
	{ 0x466f, 2, "mov r7, sp", 8, -4, -8, 0 },
	{ 0xb084, 2, "sub sp, #16", 8, -4, -8, -8 },
	{ 0xf2430100, 4, "movw r1, #12288", 24, -4, -8, -8 },
	{ 0xf2c00101, 4, "movt r1, #1", 24, -4, -8, -8 },
	{ 0x6809, 2, "ldr r1, [r1, #0]", 24, -4, -8, -8 },
	{ 0x9103, 2, "str r1, [sp, #12]", 24, -4, -8, -8 },
	{ 0x1c41, 2, "adds r1, r0, #1", 24, -4, -8, -8 },
	{ 0x9002, 2, "str r0, [sp, #8]", 24, -4, -8, -8 },
	{ 0x3002, 2, "adds r0, #2", 24, -4, -8, -8 },
	{ 0x9000, 2, "str r0, [sp, #0]", 24, -4, -8, -8 },
	{ 0xa802, 2, "add r0, sp, #8", 24, -4, -8, -8 },
	{ 0x9101, 2, "str r1, [sp, #4]", 24, -4, -8, -8 },
	{ 0xf7fff884, 4, "bl extp", 24, -4, -8, -8 },
	{ 0xa801, 2, "add r0, sp, #4", 24, -4, -8, -8 },
	{ 0xf7fff881, 4, "bl extp", 24, -4, -8, -8 },
	{ 0x4668, 2, "mov r0, sp", 24, -4, -8, -8 },
	{ 0xf7fff87e, 4, "bl extp", 24, -4, -8, -8 },
	{ 0xf2430000, 4, "movw r0, #12288", 24, -4, -8, -8 },
	{ 0xf8ddc008, 4, "ldr.w ip, [sp, #8]", 24, -4, -8, -8 },
	{ 0xf2c00001, 4, "movt r0, #1", 24, -4, -8, -8 },
	{ 0xe9dd2100, 4, "ldrd r2, r1, [sp]", 24, -4, -8, -8 },
	{ 0x9b03, 2, "ldr r3, [sp, #12]", 24, -4, -8, -8 },
	{ 0x6800, 2, "ldr r0, [r0, #0]", 24, -4, -8, -8 },
	{ 0x4298, 2, "cmp r0, r3", 24, -4, -8, -8 },
	{ 0xbf01, 2, "itttt eq", 24, -4, -8, -8 },
	{ 0xeb01000c, 4, "addeq.w r0, r1, ip", 24, -4, -8, -8 },
	{ 0x4410, 2, "addeq r0, r2", 24, -4, -8, -8 },
	{ 0xb004, 2, "addeq sp, #16", 24, -4, -8, -8 },
	{ 0xbd80, 2, "popeq {r7, pc}", 8, -4, -8, -8, .flags = FLAG_Z },
	{ 0xf7fff90a, 4, "bl __stack_chk_fail", 24, -4, -8, -8 },
};

static const struct step noreturn_end_o2[] = {
	{ 0xb5d0, 2, "push {r4, r6, r7, lr}", 0, 0, 0, 0 },
	{ 0xaf02, 2, "add r7, sp, #8", 16, -4, -8, 0 },
	{ 0x2801, 2, "cmp r0, #1", 16, -4, -8, -8 },
	{ 0xdb04, 2, "blt.n noreturn_end+0x12", 16, -4, -8, -8 },
	{ 0x4604, 2, "mov r4, r0", 16, -4, -8, -8 },
	{ 0xf7fffca0, 4, "bl ext1", 16, -4, -8, -8 },
	{ 0x4420, 2, "add r0, r4", 16, -4, -8, -8 },
	{ 0xbdd0, 2, "pop {r4, r6, r7, pc}", 16, -4, -8, -8 },
	{ 0x2001, 2, "movs r0, #1", 16, -4, -8, -8 },
	{ 0xf7fffd87, 4, "bl die", 16, -4, -8, -8 },
};

static const struct step nonleaf2_o2_2[] = {
	{ 0xe92d48f0, 4, "stmdb sp!, {r4, r5, r6, r7, fp, lr}", 0, 0, 0, 0 },
	{ 0xf10d0b10, 4, "add.w fp, sp, #16", 24, -4, -8, 0 },
	{ 0x460c, 2, "mov r4, r1", 24, -4, -8, -8 },
	{ 0x4605, 2, "mov r5, r0", 24, -4, -8, -8 },
	{ 0xf7fffe0d, 4, "bl ext1", 24, -4, -8, -8 },
	{ 0x4606, 2, "mov r6, r0", 24, -4, -8, -8 },
	{ 0x4620, 2, "mov r0, r4", 24, -4, -8, -8 },
	{ 0x4631, 2, "mov r1, r6", 24, -4, -8, -8 },
	{ 0xf7fffe10, 4, "bl ext2", 24, -4, -8, -8 },
	{ 0x4430, 2, "add r0, r6", 24, -4, -8, -8 },
	{ 0x4368, 2, "muls r0, r5", 24, -4, -8, -8 },
	{ 0xe8bd88f0, 4, "ldmia.w sp!, {r4, r5, r6, r7, fp, pc}", 24, -4, -8, -8 },
};

static const struct step tail_after_o2_2[] = {
	{ 0xe92d4890, 4, "stmdb sp!, {r4, r7, fp, lr}", 0, 0, 0, 0 },
	{ 0xf10d0b08, 4, "add.w fp, sp, #8", 16, -4, -8, 0 },
	{ 0x4604, 2, "mov r4, r0", 16, -4, -8, -8 },
	{ 0xf7fffc0e, 4, "bl ext1", 16, -4, -8, -8 },
	{ 0x4621, 2, "mov r1, r4", 16, -4, -8, -8 },
	{ 0xe8bd4890, 4, "ldmia.w sp!, {r4, r7, fp, lr}", 16, -4, -8, -8 },
	{ 0xf7ffbc11, 4, "b.w ext2", 0, 0, 0, 0 },
};

/* Thumb-1 can neither push nor pop r11. */
static const struct step ext1_t1[] = {
	{ 0xb500, 2, "push {lr}", 0, 0, 0, 0 },
	{ 0x46de, 2, "mov lr, fp", 4, -4, 0, 0 },
	{ 0xb500, 2, "push {lr}", 4, -4, 0, 0, .saved_reg = LR },
	{ 0x46eb, 2, "mov fp, sp", 8, -4, -8, 0, .saved_reg = LR },
	{ 0xf007fffa, 4, "bl leaf", 8, -4, -8, -8, .saved_reg = LR },
	{ 0x1c40, 2, "adds r0, r0, #1", 8, -4, -8, -8 },
	{ 0xbc02, 2, "pop {r1}", 8, -4, -8, -8 },
	{ 0x468b, 2, "mov fp, r1", 4, -4, 0, -8, .saved_reg = 1 },
	{ 0xbd00, 2, "pop {pc}", 4, -4, 0, 0 },
};

/* Nor can it return by popping pc from below arguments. */
static const struct step varargs_call_t1[] = {
	{ 0xb083, 2, "sub sp, #12", 0, 0, 0, 0 },
	{ 0xb500, 2, "push {lr}", 12, 0, 0, 0 },
	{ 0x46de, 2, "mov lr, fp", 16, -16, 0, 0 },
	{ 0xb500, 2, "push {lr}", 16, -16, 0, 0, .saved_reg = LR },
	{ 0x46eb, 2, "mov fp, sp", 20, -16, -20, 0, .saved_reg = LR },
	{ 0xb430, 2, "push {r4, r5}", 20, -16, -20, -20, .saved_reg = LR },
	{ 0xf007fff8, 4, "bl leaf", 28, -16, -20, -20, .saved_reg = LR },
	{ 0x1c40, 2, "adds r0, r0, #1", 28, -16, -20, -20 },
	{ 0xbc30, 2, "pop {r4, r5}", 28, -16, -20, -20 },
	{ 0xbc02, 2, "pop {r1}", 20, -16, -20, -20 },
	{ 0x468b, 2, "mov fp, r1", 16, -16, 0, -20, .saved_reg = 1 },
	{ 0xbc02, 2, "pop {r1}", 16, -16, 0, 0 },
	{ 0xb003, 2, "add sp, #12", 12, -16, 0, 0, .ra_reg = 1 },
	{ 0x4708, 2, "bx r1", 0, -16, 0, 0, .ra_reg = 1 },
};

const struct function_case cases_thumb[] = {
	CASE("clang Thumb: leaf without a frame", AAPCS_R7, true, leaf_o2),
	CASE("clang Thumb: leaf with locals, no frame", AAPCS_R7, true, leaf_locals_o0),
	CASE("clang Thumb: calls twice", AAPCS_R7, true, nonleaf2_o2),
	CASE("clang Thumb: vararg", AAPCS_R7, true, varargs_call_o2),
	CASE("clang Thumb: alloca", AAPCS_R7, true, use_alloca_o2),
	CASE("clang Thumb: realigned", AAPCS_R7, true, aligned32_o2),
	CASE("clang Thumb: frame of 5000 bytes", AAPCS_R7, true, big4k_o2),
	CASE("clang Thumb: conditional return", AAPCS_R7, true, shrink_o2),
	CASE("clang Thumb: tail call", AAPCS_R7, true, tail_after_o2),
	CASE("clang Thumb: stack protector", AAPCS_R7, true, locals_addr_o2_ssp),
	CASE("clang Thumb: call that does not return at the end", AAPCS_R7, true, noreturn_end_o2),
	CASE("clang Thumb, frame chain aapcs: calls twice", AAPCS, true, nonleaf2_o2_2),
	CASE("clang Thumb, frame chain aapcs: tail call", AAPCS, true, tail_after_o2_2),
	CASE("clang Thumb-1, frame chain aapcs: calls", AAPCS, true, ext1_t1),
	CASE("clang Thumb-1, frame chain aapcs: vararg", AAPCS, true, varargs_call_t1),
};

const u32 nr_cases_thumb = sizeof(cases_thumb) / sizeof(cases_thumb[0]);
