// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that no C compiler makes. Columns: code, bytes, text; sp, ra, saved
 * and fp as in struct step.
 */
#include "scan_cases.h"

static const struct step cond_ldm[] = {
	{ 0xe92d4070, 4, "push {r4, r5, r6, lr}", 0, 0, 0, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 16, -4, 0, 0 },
	{ 0xeb001ffc, 4, "bl leaf", 16, -4, 0, 0 },
	{ 0xe3540003, 4, "cmp r4, #3", 16, -4, 0, 0 },
	{ 0x13a00002, 4, "movne r0, #2", 16, -4, 0, 0 },
	{ 0x18bd8070, 4, "popne {r4, r5, r6, pc}", 16, -4, 0, 0 },
	{ 0xe1a00004, 4, "mov r0, r4", 16, -4, 0, 0, .flags = FLAG_Z },
	{ 0xeb001ff7, 4, "bl leaf", 16, -4, 0, 0 },
	{ 0xe8bd8070, 4, "pop {r4, r5, r6, pc}", 16, -4, 0, 0 },
};

static const struct step cond_bx[] = {
	{ 0xe3500003, 4, "cmp r0, #3", 0, 0, 0, 0 },
	{ 0x03a00009, 4, "moveq r0, #9", 0, 0, 0, 0 },
	{ 0x012fff1e, 4, "bxeq lr", 0, 0, 0, 0 },
	{ 0xe92d4030, 4, "push {r4, r5, lr}", 0, 0, 0, 0 },
	{ 0xe24dd00c, 4, "sub sp, sp, #12", 12, -4, 0, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 24, -4, 0, 0 },
	{ 0xeb001ff8, 4, "bl leaf", 24, -4, 0, 0 },
	{ 0xe3540005, 4, "cmp r4, #5", 24, -4, 0, 0 },
	{ 0x028dd00c, 4, "addeq sp, sp, #12", 24, -4, 0, 0 },
	{ 0x08bd4030, 4, "popeq {r4, r5, lr}", 12, -4, 0, 0, .flags = FLAG_Z },
	{ 0x012fff1e, 4, "bxeq lr", 0, 0, 0, 0, .flags = FLAG_Z },
	{ 0xe28dd00c, 4, "add sp, sp, #12", 24, -4, 0, 0 },
	{ 0xe8bd8030, 4, "pop {r4, r5, pc}", 12, -4, 0, 0 },
};

static const struct step lr_points[] = {
	{ 0xe92d4030, 4, "push {r4, r5, lr}", 0, 0, 0, 0 },
	{ 0xe24dd014, 4, "sub sp, sp, #20", 12, -4, 0, 0 },
	{ 0xe1a0e00d, 4, "mov lr, sp", 32, -4, 0, 0 },
	{ 0xe58e0000, 4, "str r0, [lr]", 32, -4, 0, 0, .reg = LR, .val = -32 },
	{ 0xe5ae0004, 4, "str r0, [lr, #4]!", 32, -4, 0, 0, .reg = LR, .val = -32 },
	{ 0xe49e4004, 4, "ldr r4, [lr], #4", 32, -4, 0, 0, .reg = LR, .val = -28 },
	{ 0xe2840001, 4, "add r0, r4, #1", 32, -4, 0, 0, .reg = LR, .val = -24 },
	{ 0xe28dd014, 4, "add sp, sp, #20", 32, -4, 0, 0, .reg = LR, .val = -24 },
	{ 0xe8bd8030, 4, "pop {r4, r5, pc}", 12, -4, 0, 0, .reg = LR, .val = -24 },
};

static const struct step one_lr[] = {
	{ 0xe52de008, 4, "str lr, [sp, #-8]!", 0, 0, 0, 0 },
	{ 0xeb001ffd, 4, "bl leaf", 8, -8, 0, 0 },
	{ 0xe49de008, 4, "ldr lr, [sp], #8", 8, -8, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step one_pc[] = {
	{ 0xe52de004, 4, "push {lr}", 0, 0, 0, 0 },
	{ 0xe24dd00c, 4, "sub sp, sp, #12", 4, -4, 0, 0 },
	{ 0xeb001ffc, 4, "bl leaf", 16, -4, 0, 0 },
	{ 0xe28dd00c, 4, "add sp, sp, #12", 16, -4, 0, 0 },
	{ 0xe49df004, 4, "ldr pc, [sp], #4", 4, -4, 0, 0 },
};

static const struct step room_first[] = {
	{ 0xe24dd018, 4, "sub sp, sp, #24", 0, 0, 0, 0 },
	{ 0xe88d4070, 4, "stm sp, {r4, r5, r6, lr}", 24, 0, 0, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 24, -12, 0, 0 },
	{ 0xeb001ffb, 4, "bl leaf", 24, -12, 0, 0 },
	{ 0xe1a00004, 4, "mov r0, r4", 24, -12, 0, 0 },
	{ 0xe89d4070, 4, "ldm sp, {r4, r5, r6, lr}", 24, -12, 0, 0 },
	{ 0xe28dd018, 4, "add sp, sp, #24", 24, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step room_varargs[] = {
	{ 0xe92d000f, 4, "push {r0, r1, r2, r3}", 0, 0, 0, 0 },
	{ 0xe52de004, 4, "str lr, [sp, #-4]!", 16, 0, 0, 0 },
	{ 0xe24dd00c, 4, "sub sp, sp, #12", 20, -20, 0, 0 },
	{ 0xe28d3014, 4, "add r3, sp, #20", 32, -20, 0, 0 },
	{ 0xe58d3004, 4, "str r3, [sp, #4]", 32, -20, 0, 0 },
	{ 0xe59d0010, 4, "ldr r0, [sp, #16]", 32, -20, 0, 0 },
	{ 0xeb001ff8, 4, "bl leaf", 32, -20, 0, 0 },
	{ 0xe28dd00c, 4, "add sp, sp, #12", 32, -20, 0, 0 },
	{ 0xe49de004, 4, "ldr lr, [sp], #4", 20, -20, 0, 0 },
	{ 0xe28dd010, 4, "add sp, sp, #16", 16, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step works_behind[] = {
	{ 0xe92d4030, 4, "push {r4, r5, lr}", 0, 0, 0, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 12, -4, 0, 0 },
	{ 0xeb001ffc, 4, "bl leaf", 12, -4, 0, 0 },
	{ 0xe1a01004, 4, "mov r1, r4", 12, -4, 0, 0 },
	{ 0xe8bd4030, 4, "pop {r4, r5, lr}", 12, -4, 0, 0 },
	{ 0xe3510004, 4, "cmp r1, #4", 0, 0, 0, 0 },
	{ 0x03a00001, 4, "moveq r0, #1", 0, 0, 0, 0 },
	{ 0x13a00002, 4, "movne r0, #2", 0, 0, 0, 0 },
	{ 0xe0800001, 4, "add r0, r0, r1", 0, 0, 0, 0 },
	{ 0xe1a0f00e, 4, "mov pc, lr", 0, 0, 0, 0 },
};

static const struct step copies[] = {
	{ 0xe92d4031, 4, "push {r0, r4, r5, lr}", 0, 0, 0, 0 },
	{ 0xe2522010, 4, "subs r2, r2, #16", 16, -4, 0, 0 },
	{ 0xba000003, 4, "blt .+20", 16, -4, 0, 0 },
	{ 0xe8b14038, 4, "ldm r1!, {r3, r4, r5, lr}", 16, -4, 0, 0 },
	{ 0xe2522010, 4, "subs r2, r2, #16", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0xe8a04038, 4, "stm r0!, {r3, r4, r5, lr}", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0xaafffffb, 4, "bge .-12", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0xe2922010, 4, "adds r2, r2, #16", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0x08bd8031, 4, "popeq {r0, r4, r5, pc}", 16, -4, 0, 0, .flags = FLAG_Z },
	{ 0xe4d13001, 4, "ldrb r3, [r1], #1", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0xe4c03001, 4, "strb r3, [r0], #1", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0xe2522001, 4, "subs r2, r2, #1", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0x1afffffb, 4, "bne .-12", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0xe8bd4031, 4, "pop {r0, r4, r5, lr}", 16, -4, 0, 0, .reg = LR, .val = 64 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step where_am_i[] = {
	{ 0xe92d4010, 4, "push {r4, lr}", 0, 0, 0, 0 },
	{ 0xebffffff, 4, "bl .+4", 8, -4, 0, 0 },
	{ 0xe1a0000e, 4, "mov r0, lr", 8, -4, 0, 0 },
	{ 0xe8bd8010, 4, "pop {r4, pc}", 8, -4, 0, 0 },
};

static const struct step old_call[] = {
	{ 0xe92d4010, 4, "push {r4, lr}", 0, 0, 0, 0 },
	{ 0xe1a0e00f, 4, "mov lr, pc", 8, -4, 0, 0 },
	{ 0xe12fff14, 4, "bx r4", 8, -4, 0, 0, .reg = 4, .num = LEAF_AT },
	{ 0xe1a0e00f, 4, "mov lr, pc", 8, -4, 0, 0 },
	{ 0xe1a0f004, 4, "mov pc, r4", 8, -4, 0, 0, .reg = 4, .num = LEAF_AT },
	{ 0xe1a0e00f, 4, "mov lr, pc", 8, -4, 0, 0 },
	{ 0xe594f000, 4, "ldr pc, [r4]", 8, -4, 0, 0 },
	{ 0xe8bd8010, 4, "pop {r4, pc}", 8, -4, 0, 0 },
};

static const struct step sys_push[] = {
	{ 0xe52d7004, 4, "push {r7}", 0, 0, 0, 0 },
	{ 0xe3a07014, 4, "mov r7, #20", 4, 0, 0, 0 },
	{ 0xef000000, 4, "svc #0", 4, 0, 0, 0 },
	{ 0xe49d7004, 4, "pop {r7}", 4, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step sys_six[] = {
	{ 0xe1a0c00d, 4, "mov ip, sp", 0, 0, 0, 0 },
	{ 0xe92d00f0, 4, "push {r4, r5, r6, r7}", 0, 0, 0, 0 },
	{ 0xe89c0070, 4, "ldm ip, {r4, r5, r6}", 16, 0, 0, 0 },
	{ 0xe3a070c0, 4, "mov r7, #192", 16, 0, 0, 0 },
	{ 0xef000000, 4, "svc #0", 16, 0, 0, 0 },
	{ 0xe8bd00f0, 4, "pop {r4, r5, r6, r7}", 16, 0, 0, 0 },
	{ 0xe3700a01, 4, "cmn r0, #4096", 0, 0, 0, 0 },
	{ 0x312fff1e, 4, "bxcc lr", 0, 0, 0, 0 },
	{ 0xea001ff6, 4, "b leaf", 0, 0, 0, 0 },
};

static const struct step plt[] = {
	{ 0xe28fc000, 4, "add ip, pc, #0", 0, 0, 0, 0 },
	{ 0xe28cc000, 4, "add ip, ip, #0", 0, 0, 0, 0 },
	{ 0xe5bcf040, 4, "ldr pc, [ip, #64]!", 0, 0, 0, 0 },
};

static const struct step veneer[] = {
	{ 0xe59fc000, 4, "ldr ip, [pc]", 0, 0, 0, 0 },
	{ 0xe12fff1c, 4, "bx ip", 0, 0, 0, 0, .reg = IP, .num = LEAF_AT },
	{ 0x00038001, 4, ".word 0x38001", .data = true },
};

static const struct step veneer_abs[] = {
	{ 0xe308c000, 4, "movw ip, #0x8000", 0, 0, 0, 0 },
	{ 0xe340c003, 4, "movt ip, #3", 0, 0, 0, 0, .reg = IP, .num = 0x8000 },
	{ 0xe12fff1c, 4, "bx ip", 0, 0, 0, 0, .reg = IP, .num = LEAF_AT },
};

static const struct step cond_bx_t[] = {
	{ 0x2803, 2, "cmp r0, #3", 0, 0, 0, 0 },
	{ 0xbf04, 2, "itt eq", 0, 0, 0, 0 },
	{ 0x2009, 2, "moveq r0, #9", 0, 0, 0, 0 },
	{ 0x4770, 2, "bxeq lr", 0, 0, 0, 0 },
	{ 0xb530, 2, "push {r4, r5, lr}", 0, 0, 0, 0 },
	{ 0xb083, 2, "sub sp, #12", 12, -4, 0, 0 },
	{ 0x4604, 2, "mov r4, r0", 24, -4, 0, 0 },
	{ 0xf007fff7, 4, "bl leaf", 24, -4, 0, 0 },
	{ 0x2c05, 2, "cmp r4, #5", 24, -4, 0, 0 },
	{ 0xbf02, 2, "ittt eq", 24, -4, 0, 0 },
	{ 0xb003, 2, "addeq sp, #12", 24, -4, 0, 0, .flags = FLAG_Z },
	{ 0xe8bd4030, 4, "popeq.w {r4, r5, lr}", 12, -4, 0, 0, .flags = FLAG_Z },
	{ 0x4770, 2, "bxeq lr", 0, 0, 0, 0, .flags = FLAG_Z },
	{ 0xb003, 2, "add sp, #12", 24, -4, 0, 0 },
	{ 0xbd30, 2, "pop {r4, r5, pc}", 12, -4, 0, 0 },
};

static const struct step cond_over_t[] = {
	{ 0xb508, 2, "push {r3, lr}", 0, 0, 0, 0 },
	{ 0xb110, 2, "cbz r0, .+8", 8, -4, 0, 0 },
	{ 0xf007fffc, 4, "bl leaf", 8, -4, 0, 0 },
	{ 0xbd08, 2, "pop {r3, pc}", 8, -4, 0, 0 },
	{ 0xe8bd4008, 4, "ldmia.w sp!, {r3, lr}", 8, -4, 0, 0 },
	{ 0xf007bff7, 4, "b.w leaf", 0, 0, 0, 0 },
};

static const struct step sys_push_t[] = {
	{ 0xb480, 2, "push {r7}", 0, 0, 0, 0 },
	{ 0x2714, 2, "movs r7, #20", 4, 0, -4, 0 },
	{ 0xdf00, 2, "svc #0", 4, 0, -4, 0, .reg = R7, .num = 20 },
	{ 0xbc80, 2, "pop {r7}", 4, 0, -4, 0, .reg = R7, .num = 20 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

static const struct step sys_do_t[] = {
	{ 0xb580, 2, "push {r7, lr}", 0, 0, 0, 0 },
	{ 0x4667, 2, "mov r7, ip", 8, -4, -8, 0 },
	{ 0xdf00, 2, "svc #0", 8, -4, -8, 0, .reg = R7, .num = 20 },
	{ 0xbd80, 2, "pop {r7, pc}", 8, -4, -8, 0, .reg = R7, .num = 20 },
};

static const struct step one_pair_t[] = {
	{ 0xb082, 2, "sub sp, #8", 0, 0, 0, 0 },
	{ 0xe9cd4500, 4, "strd r4, r5, [sp]", 8, 0, 0, 0 },
	{ 0xf84ded08, 4, "str lr, [sp, #-8]!", 8, 0, 0, 0 },
	{ 0xf007fff9, 4, "bl leaf", 16, -16, 0, 0 },
	{ 0xf8dde000, 4, "ldr.w lr, [sp]", 16, -16, 0, 0 },
	{ 0xe9dd4502, 4, "ldrd r4, r5, [sp, #8]", 16, 0, 0, 0 },
	{ 0xb004, 2, "add sp, #16", 16, 0, 0, 0 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

static const struct step stub_t[] = {
	{ 0xb401, 2, "push {r0}", 0, 0, 0, 0 },
	{ 0x4802, 2, "ldr r0, [pc, #8]", 4, 0, 0, 0 },
	{ 0x4684, 2, "mov ip, r0", 4, 0, 0, 0 },
	{ 0xbc01, 2, "pop {r0}", 4, 0, 0, 0 },
	{ 0x4760, 2, "bx ip", 0, 0, 0, 0, .reg = IP, .num = LEAF_AT + 1 },
	{ 0xbf00, 2, "nop", .data = true },
	{ 0x80010003, 4, ".word 0x38001", .data = true },
};

static const struct step late_t[] = {
	{ 0x2802, 2, "cmp r0, #2", 0, 0, 0, 0 },
	{ 0xd905, 2, "bls .+14", 0, 0, 0, 0 },
	{ 0xb5b0, 2, "push {r4, r5, r7, lr}", 0, 0, 0, 0 },
	{ 0x4607, 2, "mov r7, r0", 16, -4, -8, 0 },
	{ 0xf007fffa, 4, "bl leaf", 16, -4, -8, 0, .reg = R7, .num = 5 },
	{ 0x1c78, 2, "adds r0, r7, #1", 16, -4, -8, 0, .reg = R7, .num = 5 },
	{ 0xe8bd40b0, 4, "ldmia.w sp!, {r4, r5, r7, lr}", 16, -4, -8, 0, .reg = R7, .num = 5 },
	{ 0x3001, 2, "adds r0, #1", 0, 0, 0, 0 },
	{ 0x4770, 2, "bx lr", 0, 0, 0, 0 },
};

static const struct step plt_header[] = {
	{ 0xe52de004, 4, "str lr, [sp, #-4]!", 0, 0, 0, 0 },
	{ 0xe59fe004, 4, "ldr lr, [pc, #4]", 4, -4, 0, 0 },
	{ 0xe08fe00e, 4, "add lr, pc, lr", 4, -4, 0, 0, .reg = LR, .num = 0x40 },
	{ 0xe5bef008, 4, "ldr pc, [lr, #8]!", 4, -4, 0, 0, .reg = LR, .num = 0x30050 },
	{ 0x00000040, 4, ".word 0x40", .data = true },
};

/* The return address in another register, and r7 */
static const struct step kept_in_r4[] = {
	{ 0xe52d4008, 4, "str r4, [sp, #-8]!", 0, 0, 0, 0 },
	{ 0xe1a0400e, 4, "mov r4, lr", 8, 0, 0, 0 },
	{ 0xeb001ffc, 4, "bl leaf", 8, 0, 0, 0, .ra_reg = 4 },
	{ 0xe1a0e004, 4, "mov lr, r4", 8, 0, 0, 0, .reg = LR, .num = 5, .ra_reg = 4 },
	{ 0xe49d4008, 4, "ldr r4, [sp], #8", 8, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step kept_in_ip[] = {
	{ 0xe1a0c00e, 4, "mov ip, lr", 0, 0, 0, 0 },
	{ 0xe2800001, 4, "add r0, r0, #1", 0, 0, 0, 0, .ra_reg = IP },
	{ 0xe3a0e000, 4, "mov lr, #0", 0, 0, 0, 0, .ra_reg = IP },
	{ 0xe080000e, 4, "add r0, r0, lr", 0, 0, 0, 0, .reg = LR, .num = 4, .ra_reg = IP },
	{ 0xe12fff1c, 4, "bx ip", 0, 0, 0, 0, .reg = LR, .num = 4, .ra_reg = IP },
};

static const struct step returns_r1[] = {
	{ 0xe92d4010, 4, "push {r4, lr}", 0, 0, 0, 0 },
	{ 0xeb001ffd, 4, "bl leaf", 8, -4, 0, 0 },
	{ 0xe49d4004, 4, "ldr r4, [sp], #4", 8, -4, 0, 0 },
	{ 0xe49d1004, 4, "ldr r1, [sp], #4", 4, -4, 0, 0 },
	{ 0xe12fff11, 4, "bx r1", 0, -4, 0, 0, .ra_reg = 1 },
};

static const struct step sys_ip_t[] = {
	{ 0x46bc, 2, "mov ip, r7", 0, 0, 0, 0 },
	{ 0xf04f0714, 4, "mov.w r7, #20", 0, 0, 0, 0, .saved_reg = IP },
	{ 0xdf00, 2, "svc 0", 0, 0, 0, 0, .reg = R7, .num = 20, .saved_reg = IP },
	{ 0x4667, 2, "mov r7, ip", 0, 0, 0, 0, .reg = R7, .num = 20, .saved_reg = IP },
	{ 0xf5105f80, 4, "cmn.w r0, #4096", 0, 0, 0, 0 },
	{ 0xbf38, 2, "it cc", 0, 0, 0, 0 },
	{ 0x4770, 2, "bxcc lr", 0, 0, 0, 0 },
	{ 0xf007bff6, 4, "b.w leaf", 0, 0, 0, 0 },
};

const struct function_case cases_hand[] = {
	CASE("ARM by hand: returns, and its result, on a condition", GCC, false, cond_ldm),
	CASE("ARM by hand: a whole epilogue on a condition", GCC, false, cond_bx),
	CASE("ARM by hand: lr points into the frame", GCC, false, lr_points),
	CASE("ARM by hand: lr alone, with room above it", GCC, false, one_lr),
	CASE("ARM by hand: lr first, room below it, back into pc", GCC, false, one_pc),
	CASE("ARM by hand: room first, registers then", GCC, false, room_first),
	CASE("gcc ARM, no frame pointer: vararg", GCC, false, room_varargs),
	CASE("ARM by hand: work left behind the epilogue", GCC, false, works_behind),
	CASE("ARM by hand: a copy loop through lr, with two ways out", GCC, false, copies),
	CASE("ARM by hand: a call to the next instruction", GCC, false, where_am_i),
	CASE("ARMv4: calls with mov lr, pc", GCC, false, old_call),
	CASE("ARM: system call, r7 kept on the stack", GCC, false, sys_push),
	CASE("ARM: system call with six arguments, errors handled elsewhere", GCC, false, sys_six),
	CASE("ARM by hand: lr kept in r4 over a call", GCC, false, kept_in_r4),
	CASE("ARM by hand: lr kept in ip, and something else in lr", GCC, false, kept_in_ip),
	CASE("ARM by hand: return through r1", GCC, false, returns_r1),
	CASE("Thumb: system call, r7 kept in ip", AAPCS_R7, true, sys_ip_t),
	CASE("GNU ld: entry of a procedure linkage table", GCC, false, plt),
	CASE("GNU ld: header of a procedure linkage table", AAPCS, false, plt_header),
	CASE("GNU ld: veneer to Thumb code", AAPCS, false, veneer),
	CASE("lld: thunk with an absolute address", AAPCS, false, veneer_abs),
	CASE("Thumb by hand: a whole epilogue in an IT block", AAPCS_R7, true, cond_bx_t),
	CASE("Thumb by hand: cbz to a tail call", AAPCS_R7, true, cond_over_t),
	CASE("Thumb: system call, r7 kept on the stack", AAPCS_R7, true, sys_push_t),
	CASE("glibc Thumb: __libc_do_syscall()", AAPCS_R7, true, sys_do_t),
	CASE("Thumb by hand: strd, then lr with room", AAPCS_R7, true, one_pair_t),
	CASE("GNU ld: veneer of Thumb-1 code, by way of the stack", AAPCS_R7, true, stub_t),
	CASE("Thumb by hand: r7 as any register, saved late", AAPCS_R7, true, late_t),
};

const u32 nr_cases_hand = sizeof(cases_hand) / sizeof(cases_hand[0]);
