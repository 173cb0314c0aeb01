// SPDX-License-Identifier: GPL-2.0
/* Columns: code, bytes, text; sp, ra, saved and fp as in struct step */
#include "scan_cases.h"

static const struct step leaf_o2[] = {
	{ 0xe0000091, 4, "mul r0, r1, r0", 0, 0, 0, 0 },
	{ 0xe2800007, 4, "add r0, r0, #7", 0, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step leaf_locals_o0[] = {
	{ 0xe24dd018, 4, "sub sp, sp, #24", 0, 0, 0, 0 },
	{ 0xe58d0014, 4, "str r0, [sp, #20]", 24, 0, 0, 0 },
	{ 0xe58d1010, 4, "str r1, [sp, #16]", 24, 0, 0, 0 },
	{ 0xe59d0014, 4, "ldr r0, [sp, #20]", 24, 0, 0, 0 },
	{ 0xe58d0000, 4, "str r0, [sp]", 24, 0, 0, 0 },
	{ 0xe59d0010, 4, "ldr r0, [sp, #16]", 24, 0, 0, 0 },
	{ 0xe58d0004, 4, "str r0, [sp, #4]", 24, 0, 0, 0 },
	{ 0xe59d0000, 4, "ldr r0, [sp]", 24, 0, 0, 0 },
	{ 0xe59d1004, 4, "ldr r1, [sp, #4]", 24, 0, 0, 0 },
	{ 0xe0800001, 4, "add r0, r0, r1", 24, 0, 0, 0 },
	{ 0xe58d0008, 4, "str r0, [sp, #8]", 24, 0, 0, 0 },
	{ 0xe59d0008, 4, "ldr r0, [sp, #8]", 24, 0, 0, 0 },
	{ 0xe28dd018, 4, "add sp, sp, #24", 24, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step nonleaf2_o2[] = {
	{ 0xe92d4c70, 4, "push {r4, r5, r6, sl, fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db010, 4, "add fp, sp, #16", 24, -4, -8, 0 },
	{ 0xe1a04001, 4, "mov r4, r1", 24, -4, -8, -8 },
	{ 0xe1a05000, 4, "mov r5, r0", 24, -4, -8, -8 },
	{ 0xebfffeac, 4, "bl ext1", 24, -4, -8, -8 },
	{ 0xe1a06000, 4, "mov r6, r0", 24, -4, -8, -8 },
	{ 0xe1a00004, 4, "mov r0, r4", 24, -4, -8, -8 },
	{ 0xe1a01006, 4, "mov r1, r6", 24, -4, -8, -8 },
	{ 0xebfffead, 4, "bl ext2", 24, -4, -8, -8 },
	{ 0xe0800006, 4, "add r0, r0, r6", 24, -4, -8, -8 },
	{ 0xe0000590, 4, "mul r0, r0, r5", 24, -4, -8, -8 },
	{ 0xe8bd8c70, 4, "pop {r4, r5, r6, sl, fp, pc}", 24, -4, -8, -8 },
};

static const struct step varargs_call_o2[] = {
	{ 0xe24dd00c, 4, "sub sp, sp, #12", 0, 0, 0, 0 },
	{ 0xe92d4800, 4, "push {fp, lr}", 12, 0, 0, 0 },
	{ 0xe1a0b00d, 4, "mov fp, sp", 20, -16, -20, 0 },
	{ 0xe24dd004, 4, "sub sp, sp, #4", 20, -16, -20, -20 },
	{ 0xe28bc008, 4, "add ip, fp, #8", 24, -16, -20, -20 },
	{ 0xe88c000e, 4, "stm ip, {r1, r2, r3}", 24, -16, -20, -20 },
	{ 0xe28b2008, 4, "add r2, fp, #8", 24, -16, -20, -20 },
	{ 0xe2822004, 4, "add r2, r2, #4", 24, -16, -20, -20 },
	{ 0xe58d2000, 4, "str r2, [sp]", 24, -16, -20, -20 },
	{ 0xebfffe42, 4, "bl ext2", 24, -16, -20, -20 },
	{ 0xe2800001, 4, "add r0, r0, #1", 24, -16, -20, -20 },
	{ 0xe1a0d00b, 4, "mov sp, fp", 24, -16, -20, -20 },
	{ 0xe8bd4800, 4, "pop {fp, lr}", 20, -16, -20, -20 },
	{ 0xe28dd00c, 4, "add sp, sp, #12", 12, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step use_alloca_o2[] = {
	{ 0xe92d48f0, 4, "push {r4, r5, r6, r7, fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db010, 4, "add fp, sp, #16", 24, -4, -8, 0 },
	{ 0xe2800007, 4, "add r0, r0, #7", 24, -4, -8, -8 },
	{ 0xe1a0500d, 4, "mov r5, sp", 24, -4, -8, -8 },
	{ 0xe3c04007, 4, "bic r4, r0, #7", 24, -4, -8, -8 },
	{ 0xe0450004, 4, "sub r0, r5, r4", 24, -4, -8, -8 },
	{ 0xe1a0d000, 4, "mov sp, r0", 24, -4, -8, -8, .reg = 0, .val = -24 },
	{ 0xebfffe6a, 4, "bl extp", 24, -4, -8, -8 },
	{ 0xe7550004, 4, "ldrb r0, [r5, -r4]", 24, -4, -8, -8 },
	{ 0xe24bd010, 4, "sub sp, fp, #16", 24, -4, -8, -8 },
	{ 0xe8bd88f0, 4, "pop {r4, r5, r6, r7, fp, pc}", 24, -4, -8, -8 },
};

static const struct step aligned32_o2[] = {
	{ 0xe92d4c10, 4, "push {r4, sl, fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db008, 4, "add fp, sp, #8", 16, -4, -8, 0 },
	{ 0xe24dd050, 4, "sub sp, sp, #80", 16, -4, -8, -8 },
	{ 0xe7c4d01f, 4, "bfc sp, #0, #5", 96, -4, -8, -8 },
	{ 0xe1a04000, 4, "mov r4, r0", 96, -4, -8, -8 },
	{ 0xe1a0000d, 4, "mov r0, sp", 96, -4, -8, -8 },
	{ 0xebfffe0c, 4, "bl extp", 96, -4, -8, -8 },
	{ 0xe5dd0000, 4, "ldrb r0, [sp]", 96, -4, -8, -8 },
	{ 0xe0800004, 4, "add r0, r0, r4", 96, -4, -8, -8 },
	{ 0xe24bd008, 4, "sub sp, fp, #8", 96, -4, -8, -8 },
	{ 0xe8bd8c10, 4, "pop {r4, sl, fp, pc}", 16, -4, -8, -8 },
};

static const struct step big4k_o2[] = {
	{ 0xe92d4c10, 4, "push {r4, sl, fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db008, 4, "add fp, sp, #8", 16, -4, -8, 0 },
	{ 0xe24ddfe2, 4, "sub sp, sp, #904", 16, -4, -8, -8 },
	{ 0xe24dda01, 4, "sub sp, sp, #4096", 920, -4, -8, -8 },
	{ 0xe1a04000, 4, "mov r4, r0", 5016, -4, -8, -8 },
	{ 0xe1a0000d, 4, "mov r0, sp", 5016, -4, -8, -8 },
	{ 0xebfffe2d, 4, "bl extp", 5016, -4, -8, -8 },
	{ 0xe5dd0000, 4, "ldrb r0, [sp]", 5016, -4, -8, -8 },
	{ 0xe0800004, 4, "add r0, r0, r4", 5016, -4, -8, -8 },
	{ 0xe24bd008, 4, "sub sp, fp, #8", 5016, -4, -8, -8 },
	{ 0xe8bd8c10, 4, "pop {r4, sl, fp, pc}", 16, -4, -8, -8 },
};

static const struct step shrink_o2[] = {
	{ 0xe3500000, 4, "cmp r0, #0", 0, 0, 0, 0 },
	{ 0x03e00000, 4, "mvneq r0, #0", 0, 0, 0, 0 },
	{ 0x012fff1e, 4, "bxeq lr", 0, 0, 0, 0 },
	{ 0xe92d4830, 4, "push {r4, r5, fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db008, 4, "add fp, sp, #8", 16, -4, -8, 0 },
	{ 0xe5901000, 4, "ldr r1, [r0]", 16, -4, -8, -8 },
	{ 0xe1a05000, 4, "mov r5, r0", 16, -4, -8, -8 },
	{ 0xe1a00001, 4, "mov r0, r1", 16, -4, -8, -8 },
	{ 0xebfffc26, 4, "bl ext1", 16, -4, -8, -8 },
	{ 0xe5951000, 4, "ldr r1, [r5]", 16, -4, -8, -8 },
	{ 0xe1a04000, 4, "mov r4, r0", 16, -4, -8, -8 },
	{ 0xebfffc28, 4, "bl ext2", 16, -4, -8, -8 },
	{ 0xe0800004, 4, "add r0, r0, r4", 16, -4, -8, -8 },
	{ 0xe8bd8830, 4, "pop {r4, r5, fp, pc}", 16, -4, -8, -8 },
};

static const struct step tail_after_o2[] = {
	{ 0xe92d4c10, 4, "push {r4, sl, fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db008, 4, "add fp, sp, #8", 16, -4, -8, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 16, -4, -8, -8 },
	{ 0xebfffd62, 4, "bl ext1", 16, -4, -8, -8 },
	{ 0xe1a01004, 4, "mov r1, r4", 16, -4, -8, -8 },
	{ 0xe8bd4c10, 4, "pop {r4, sl, fp, lr}", 16, -4, -8, -8 },
	{ 0xeafffd64, 4, "b ext2", 0, 0, 0, 0 },
};

static const struct step locals_addr_o2_ssp[] = {
	{ 0xe92d4800, 4, "push {fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a0b00d, 4, "mov fp, sp", 8, -4, -8, 0 },
	{ 0xe24dd010, 4, "sub sp, sp, #16", 8, -4, -8, -8 },
	{ 0xe3041000, 4, "movw r1, #16384", 24, -4, -8, -8 },
	{ 0xe3401001, 4, "movt r1, #1", 24, -4, -8, -8 },
	{ 0xe5911000, 4, "ldr r1, [r1]", 24, -4, -8, -8 },
	{ 0xe50b1004, 4, "str r1, [fp, #-4]", 24, -4, -8, -8 },
	{ 0xe2801001, 4, "add r1, r0, #1", 24, -4, -8, -8 },
	{ 0xe58d0008, 4, "str r0, [sp, #8]", 24, -4, -8, -8 },
	{ 0xe2800002, 4, "add r0, r0, #2", 24, -4, -8, -8 },
	{ 0xe58d0000, 4, "str r0, [sp]", 24, -4, -8, -8 },
	{ 0xe28d0008, 4, "add r0, sp, #8", 24, -4, -8, -8 },
	{ 0xe58d1004, 4, "str r1, [sp, #4]", 24, -4, -8, -8 },
	{ 0xebfffab7, 4, "bl extp", 24, -4, -8, -8 },
	{ 0xe28d0004, 4, "add r0, sp, #4", 24, -4, -8, -8 },
	{ 0xebfffab5, 4, "bl extp", 24, -4, -8, -8 },
	{ 0xe1a0000d, 4, "mov r0, sp", 24, -4, -8, -8 },
	{ 0xebfffab3, 4, "bl extp", 24, -4, -8, -8 },
	{ 0xe3040000, 4, "movw r0, #16384", 24, -4, -8, -8 },
	{ 0xe99d1002, 4, "ldmib sp, {r1, ip}", 24, -4, -8, -8 },
	{ 0xe3400001, 4, "movt r0, #1", 24, -4, -8, -8 },
	{ 0xe59d2000, 4, "ldr r2, [sp]", 24, -4, -8, -8 },
	{ 0xe51b3004, 4, "ldr r3, [fp, #-4]", 24, -4, -8, -8 },
	{ 0xe5900000, 4, "ldr r0, [r0]", 24, -4, -8, -8 },
	{ 0xe1500003, 4, "cmp r0, r3", 24, -4, -8, -8 },
	{ 0x0081000c, 4, "addeq r0, r1, ip", 24, -4, -8, -8 },
	{ 0x00800002, 4, "addeq r0, r0, r2", 24, -4, -8, -8 },
	{ 0x01a0d00b, 4, "moveq sp, fp", 24, -4, -8, -8 },
	{ 0x08bd8800, 4, "popeq {fp, pc}", 8, -4, -8, -8, .flags = FLAG_Z },
	{ 0xebfffb16, 4, "bl __stack_chk_fail", 24, -4, -8, -8 },
};

static const struct step noreturn_end_o2[] = {
	{ 0xe92d4c10, 4, "push {r4, sl, fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db008, 4, "add fp, sp, #8", 16, -4, -8, 0 },
	{ 0xe3500001, 4, "cmp r0, #1", 16, -4, -8, -8 },
	{ 0xba000003, 4, "blt noreturn_end+0x20", 16, -4, -8, -8 },
	{ 0xe1a04000, 4, "mov r4, r0", 16, -4, -8, -8 },
	{ 0xebfffd8d, 4, "bl ext1", 16, -4, -8, -8 },
	{ 0xe0800004, 4, "add r0, r0, r4", 16, -4, -8, -8 },
	{ 0xe8bd8c10, 4, "pop {r4, sl, fp, pc}", 16, -4, -8, -8 },
	{ 0xe3a00001, 4, "mov r0, #1", 16, -4, -8, -8 },
	{ 0xebfffe37, 4, "bl die", 16, -4, -8, -8 },
};

static const struct step nonleaf2_o0[] = {
	{ 0xe92d4800, 4, "push {fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a0b00d, 4, "mov fp, sp", 8, -4, -8, 0 },
	{ 0xe24dd010, 4, "sub sp, sp, #16", 8, -4, -8, -8 },
	{ 0xe50b0004, 4, "str r0, [fp, #-4]", 24, -4, -8, -8 },
	{ 0xe58d1008, 4, "str r1, [sp, #8]", 24, -4, -8, -8 },
	{ 0xe51b0004, 4, "ldr r0, [fp, #-4]", 24, -4, -8, -8 },
	{ 0xebfffdd4, 4, "bl ext1", 24, -4, -8, -8 },
	{ 0xe58d0004, 4, "str r0, [sp, #4]", 24, -4, -8, -8 },
	{ 0xe59d0008, 4, "ldr r0, [sp, #8]", 24, -4, -8, -8 },
	{ 0xe59d1004, 4, "ldr r1, [sp, #4]", 24, -4, -8, -8 },
	{ 0xebfffddb, 4, "bl ext2", 24, -4, -8, -8 },
	{ 0xe1a01000, 4, "mov r1, r0", 24, -4, -8, -8 },
	{ 0xe59d0004, 4, "ldr r0, [sp, #4]", 24, -4, -8, -8 },
	{ 0xe0800001, 4, "add r0, r0, r1", 24, -4, -8, -8 },
	{ 0xe58d0004, 4, "str r0, [sp, #4]", 24, -4, -8, -8 },
	{ 0xe59d0004, 4, "ldr r0, [sp, #4]", 24, -4, -8, -8 },
	{ 0xe51b1004, 4, "ldr r1, [fp, #-4]", 24, -4, -8, -8 },
	{ 0xe0000190, 4, "mul r0, r0, r1", 24, -4, -8, -8 },
	{ 0xe1a0d00b, 4, "mov sp, fp", 24, -4, -8, -8 },
	{ 0xe8bd8800, 4, "pop {fp, pc}", 8, -4, -8, -8 },
};

const struct function_case cases_aapcs[] = {
	CASE("clang ARM: leaf without a frame", AAPCS, false, leaf_o2),
	CASE("clang ARM: leaf with locals, no frame", AAPCS, false, leaf_locals_o0),
	CASE("clang ARM: calls twice", AAPCS, false, nonleaf2_o2),
	CASE("clang ARM: vararg", AAPCS, false, varargs_call_o2),
	CASE("clang ARM: alloca", AAPCS, false, use_alloca_o2),
	CASE("clang ARM: realigned", AAPCS, false, aligned32_o2),
	CASE("clang ARM: frame of 5000 bytes", AAPCS, false, big4k_o2),
	CASE("clang ARM: conditional return", AAPCS, false, shrink_o2),
	CASE("clang ARM: tail call", AAPCS, false, tail_after_o2),
	CASE("clang ARM: stack protector", AAPCS, false, locals_addr_o2_ssp),
	CASE("clang ARM: call that does not return at the end", AAPCS, false, noreturn_end_o2),
	CASE("clang ARM: calls twice, unoptimised", AAPCS, false, nonleaf2_o0),
};

const u32 nr_cases_aapcs = sizeof(cases_aapcs) / sizeof(cases_aapcs[0]);
