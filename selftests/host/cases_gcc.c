// SPDX-License-Identifier: GPL-2.0
/* Columns: code, bytes, text; sp, ra, saved and fp as in struct step */
#include "scan_cases.h"

static const struct step leaf_o2[] = {
	{ 0xe52db004, 4, "push {fp}", 0, 0, 0, 0 },
	{ 0xe0000091, 4, "mul r0, r1, r0", 4, 0, -4, 0 },
	{ 0xe28db000, 4, "add fp, sp, #0", 4, 0, -4, 0 },
	{ 0xe2800007, 4, "add r0, r0, #7", 4, 0, -4, -4 },
	{ 0xe28bd000, 4, "add sp, fp, #0", 4, 0, -4, -4 },
	{ 0xe49db004, 4, "pop {fp}", 4, 0, -4, -4 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step leaf_locals_o2[] = {
	{ 0xe52db004, 4, "push {fp}", 0, 0, 0, 0 },
	{ 0xe28db000, 4, "add fp, sp, #0", 4, 0, -4, 0 },
	{ 0xe24dd014, 4, "sub sp, sp, #20", 4, 0, -4, -4 },
	{ 0xe50b0014, 4, "str r0, [fp, #-20]", 24, 0, -4, -4 },
	{ 0xe50b1010, 4, "str r1, [fp, #-16]", 24, 0, -4, -4 },
	{ 0xe51b3014, 4, "ldr r3, [fp, #-20]", 24, 0, -4, -4 },
	{ 0xe51b2010, 4, "ldr r2, [fp, #-16]", 24, 0, -4, -4 },
	{ 0xe0833002, 4, "add r3, r3, r2", 24, 0, -4, -4 },
	{ 0xe50b300c, 4, "str r3, [fp, #-12]", 24, 0, -4, -4 },
	{ 0xe51b000c, 4, "ldr r0, [fp, #-12]", 24, 0, -4, -4 },
	{ 0xe28bd000, 4, "add sp, fp, #0", 24, 0, -4, -4 },
	{ 0xe49db004, 4, "pop {fp}", 4, 0, -4, -4 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step nonleaf2_o2[] = {
	{ 0xe92d48f0, 4, "push {r4, r5, r6, r7, fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a06001, 4, "mov r6, r1", 24, -4, -8, 0 },
	{ 0xe1a05000, 4, "mov r5, r0", 24, -4, -8, 0 },
	{ 0xe28db014, 4, "add fp, sp, #20", 24, -4, -8, 0 },
	{ 0xebfffe75, 4, "bl ext1", 24, -4, -8, -4 },
	{ 0xe1a04000, 4, "mov r4, r0", 24, -4, -8, -4 },
	{ 0xe1a01004, 4, "mov r1, r4", 24, -4, -8, -4 },
	{ 0xe1a00006, 4, "mov r0, r6", 24, -4, -8, -4 },
	{ 0xebfffe76, 4, "bl ext2", 24, -4, -8, -4 },
	{ 0xe0840000, 4, "add r0, r4, r0", 24, -4, -8, -4 },
	{ 0xe0000095, 4, "mul r0, r5, r0", 24, -4, -8, -4 },
	{ 0xe8bd88f0, 4, "pop {r4, r5, r6, r7, fp, pc}", 24, -4, -8, -4 },
};

static const struct step varargs_call_o2[] = {
	{ 0xe92d000f, 4, "push {r0, r1, r2, r3}", 0, 0, 0, 0 },
	{ 0xe92d4800, 4, "push {fp, lr}", 16, 0, 0, 0 },
	{ 0xe28db004, 4, "add fp, sp, #4", 24, -20, -24, 0 },
	{ 0xe24dd008, 4, "sub sp, sp, #8", 24, -20, -24, -20 },
	{ 0xe28b3008, 4, "add r3, fp, #8", 32, -20, -24, -20 },
	{ 0xe1cb00d4, 4, "ldrd r0, [fp, #4]", 32, -20, -24, -20 },
	{ 0xe50b3008, 4, "str r3, [fp, #-8]", 32, -20, -24, -20 },
	{ 0xebfffe12, 4, "bl ext2", 32, -20, -24, -20 },
	{ 0xe2800001, 4, "add r0, r0, #1", 32, -20, -24, -20 },
	{ 0xe24bd004, 4, "sub sp, fp, #4", 32, -20, -24, -20 },
	{ 0xe8bd4800, 4, "pop {fp, lr}", 24, -20, -24, -20 },
	{ 0xe28dd010, 4, "add sp, sp, #16", 16, 0, 0, 0 },
	{ 0xe12fff1e, 4, "bx lr", 0, 0, 0, 0 },
};

static const struct step use_alloca_o2[] = {
	{ 0xe92d4830, 4, "push {r4, r5, fp, lr}", 0, 0, 0, 0 },
	{ 0xe2800007, 4, "add r0, r0, #7", 16, -4, -8, 0 },
	{ 0xe3c00007, 4, "bic r0, r0, #7", 16, -4, -8, 0 },
	{ 0xe28db00c, 4, "add fp, sp, #12", 16, -4, -8, 0 },
	{ 0xe04dd000, 4, "sub sp, sp, r0", 16, -4, -8, -4 },
	{ 0xe1a0400d, 4, "mov r4, sp", 16, -4, -8, -4 },
	{ 0xe1a00004, 4, "mov r0, r4", 16, -4, -8, -4 },
	{ 0xebfffe44, 4, "bl extp", 16, -4, -8, -4 },
	{ 0xe5d40000, 4, "ldrb r0, [r4]", 16, -4, -8, -4 },
	{ 0xe24bd00c, 4, "sub sp, fp, #12", 16, -4, -8, -4 },
	{ 0xe8bd8830, 4, "pop {r4, r5, fp, pc}", 16, -4, -8, -4 },
};

static const struct step big4k_o2[] = {
	{ 0xe92d4810, 4, "push {r4, fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 12, -4, -8, 0 },
	{ 0xe28db008, 4, "add fp, sp, #8", 12, -4, -8, 0 },
	{ 0xe24ddd4e, 4, "sub sp, sp, #4992", 12, -4, -8, -4 },
	{ 0xe24b0d4e, 4, "sub r0, fp, #4992", 5004, -4, -8, -4 },
	{ 0xe24dd00c, 4, "sub sp, sp, #12", 5004, -4, -8, -4 },
	{ 0xe2400014, 4, "sub r0, r0, #20", 5016, -4, -8, -4 },
	{ 0xebfffe03, 4, "bl extp", 5016, -4, -8, -4 },
	{ 0xe24b3a01, 4, "sub r3, fp, #4096", 5016, -4, -8, -4 },
	{ 0xe243300c, 4, "sub r3, r3, #12", 5016, -4, -8, -4 },
	{ 0xe5530388, 4, "ldrb r0, [r3, #-904]", 5016, -4, -8, -4 },
	{ 0xe0800004, 4, "add r0, r0, r4", 5016, -4, -8, -4 },
	{ 0xe24bd008, 4, "sub sp, fp, #8", 5016, -4, -8, -4 },
	{ 0xe8bd8810, 4, "pop {r4, fp, pc}", 12, -4, -8, -4 },
};

static const struct step big64k_o2[] = {
	{ 0xe92d4830, 4, "push {r4, r5, fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 16, -4, -8, 0 },
	{ 0xe28db00c, 4, "add fp, sp, #12", 16, -4, -8, 0 },
	{ 0xe24dda11, 4, "sub sp, sp, #69632", 16, -4, -8, -4 },
	{ 0xe24b5a11, 4, "sub r5, fp, #69632", 69648, -4, -8, -4 },
	{ 0xe24dde17, 4, "sub sp, sp, #368", 69648, -4, -8, -4 },
	{ 0xe245500c, 4, "sub r5, r5, #12", 70016, -4, -8, -4 },
	{ 0xe2450e17, 4, "sub r0, r5, #368", 70016, -4, -8, -4 },
	{ 0xebfffdf4, 4, "bl extp", 70016, -4, -8, -4 },
	{ 0xe5550170, 4, "ldrb r0, [r5, #-368]", 70016, -4, -8, -4 },
	{ 0xe0800004, 4, "add r0, r0, r4", 70016, -4, -8, -4 },
	{ 0xe24bd00c, 4, "sub sp, fp, #12", 70016, -4, -8, -4 },
	{ 0xe8bd8830, 4, "pop {r4, r5, fp, pc}", 16, -4, -8, -4 },
};

static const struct step tail_after_o2[] = {
	{ 0xe92d4830, 4, "push {r4, r5, fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a04000, 4, "mov r4, r0", 16, -4, -8, 0 },
	{ 0xe28db00c, 4, "add fp, sp, #12", 16, -4, -8, 0 },
	{ 0xebfffd24, 4, "bl ext1", 16, -4, -8, -4 },
	{ 0xe1a01004, 4, "mov r1, r4", 16, -4, -8, -4 },
	{ 0xe24bd00c, 4, "sub sp, fp, #12", 16, -4, -8, -4 },
	{ 0xe8bd4830, 4, "pop {r4, r5, fp, lr}", 16, -4, -8, -4 },
	{ 0xeafffd25, 4, "b ext2", 0, 0, 0, 0 },
};

static const struct step tail_o2[] = {
	{ 0xe52db004, 4, "push {fp}", 0, 0, 0, 0 },
	{ 0xe2800001, 4, "add r0, r0, #1", 4, 0, -4, 0 },
	{ 0xe28db000, 4, "add fp, sp, #0", 4, 0, -4, 0 },
	{ 0xe28bd000, 4, "add sp, fp, #0", 4, 0, -4, -4 },
	{ 0xe49db004, 4, "pop {fp}", 4, 0, -4, -4 },
	{ 0xeafffd28, 4, "b ext1", 0, 0, 0, 0 },
};

static const struct step locals_addr_o2_ssp[] = {
	{ 0xe92d4800, 4, "push {fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a03000, 4, "mov r3, r0", 8, -4, -8, 0 },
	{ 0xe2831001, 4, "add r1, r3, #1", 8, -4, -8, 0 },
	{ 0xe28db004, 4, "add fp, sp, #4", 8, -4, -8, 0 },
	{ 0xe24dd010, 4, "sub sp, sp, #16", 8, -4, -8, -4 },
	{ 0xe24b0014, 4, "sub r0, fp, #20", 24, -4, -8, -4 },
	{ 0xe59f2060, 4, "ldr r2, [pc, #96]", 24, -4, -8, -4 },
	{ 0xe5922000, 4, "ldr r2, [r2]", 24, -4, -8, -4 },
	{ 0xe50b2008, 4, "str r2, [fp, #-8]", 24, -4, -8, -4 },
	{ 0xe3a02000, 4, "mov r2, #0", 24, -4, -8, -4 },
	{ 0xe2832002, 4, "add r2, r3, #2", 24, -4, -8, -4 },
	{ 0xe50b3014, 4, "str r3, [fp, #-20]", 24, -4, -8, -4 },
	{ 0xe50b200c, 4, "str r2, [fp, #-12]", 24, -4, -8, -4 },
	{ 0xe50b1010, 4, "str r1, [fp, #-16]", 24, -4, -8, -4 },
	{ 0xebfff942, 4, "bl extp", 24, -4, -8, -4 },
	{ 0xe24b0010, 4, "sub r0, fp, #16", 24, -4, -8, -4 },
	{ 0xebfff940, 4, "bl extp", 24, -4, -8, -4 },
	{ 0xe24b000c, 4, "sub r0, fp, #12", 24, -4, -8, -4 },
	{ 0xebfff93e, 4, "bl extp", 24, -4, -8, -4 },
	{ 0xe24b0014, 4, "sub r0, fp, #20", 24, -4, -8, -4 },
	{ 0xe890000d, 4, "ldm r0, {r0, r2, r3}", 24, -4, -8, -4 },
	{ 0xe0800002, 4, "add r0, r0, r2", 24, -4, -8, -4 },
	{ 0xe0800003, 4, "add r0, r0, r3", 24, -4, -8, -4 },
	{ 0xe59f301c, 4, "ldr r3, [pc, #28]", 24, -4, -8, -4 },
	{ 0xe5932000, 4, "ldr r2, [r3]", 24, -4, -8, -4 },
	{ 0xe51b3008, 4, "ldr r3, [fp, #-8]", 24, -4, -8, -4 },
	{ 0xe0332002, 4, "eors r2, r3, r2", 24, -4, -8, -4 },
	{ 0xe3a03000, 4, "mov r3, #0", 24, -4, -8, -4 },
	{ 0x1a000001, 4, "bne locals_addr+0x7c", 24, -4, -8, -4 },
	{ 0xe24bd004, 4, "sub sp, fp, #4", 24, -4, -8, -4 },
	{ 0xe8bd8800, 4, "pop {fp, pc}", 8, -4, -8, -4 },
	{ 0xebfff998, 4, "bl __stack_chk_fail", 24, -4, -8, -4 },
};

static const struct step shrink_o2[] = {
	{ 0xe92d4830, 4, "push {r4, r5, fp, lr}", 0, 0, 0, 0 },
	{ 0xe2504000, 4, "subs r4, r0, #0", 16, -4, -8, 0 },
	{ 0xe28db00c, 4, "add fp, sp, #12", 16, -4, -8, 0 },
	{ 0x0a000006, 4, "beq shrink+0x2c", 16, -4, -8, -4 },
	{ 0xe5940000, 4, "ldr r0, [r4]", 16, -4, -8, -4 },
	{ 0xebfffaad, 4, "bl ext1", 16, -4, -8, -4 },
	{ 0xe5941000, 4, "ldr r1, [r4]", 16, -4, -8, -4 },
	{ 0xe1a04000, 4, "mov r4, r0", 16, -4, -8, -4 },
	{ 0xebfffaaf, 4, "bl ext2", 16, -4, -8, -4 },
	{ 0xe0840000, 4, "add r0, r4, r0", 16, -4, -8, -4 },
	{ 0xe8bd8830, 4, "pop {r4, r5, fp, pc}", 16, -4, -8, -4 },
	{ 0xe3e00000, 4, "mvn r0, #0", 16, -4, -8, -4 },
	{ 0xe8bd8830, 4, "pop {r4, r5, fp, pc}", 16, -4, -8, -4 },
};

static const struct step noreturn_end_o2[] = {
	{ 0xe92d4830, 4, "push {r4, r5, fp, lr}", 0, 0, 0, 0 },
	{ 0xe2504000, 4, "subs r4, r0, #0", 16, -4, -8, 0 },
	{ 0xe28db00c, 4, "add fp, sp, #12", 16, -4, -8, 0 },
	{ 0xda000002, 4, "ble noreturn_end+0x1c", 16, -4, -8, -4 },
	{ 0xebfffd54, 4, "bl ext1", 16, -4, -8, -4 },
	{ 0xe0800004, 4, "add r0, r0, r4", 16, -4, -8, -4 },
	{ 0xe8bd8830, 4, "pop {r4, r5, fp, pc}", 16, -4, -8, -4 },
	{ 0xe3a00001, 4, "mov r0, #1", 16, -4, -8, -4 },
	{ 0xebfffdfe, 4, "bl die", 16, -4, -8, -4 },
};

static const struct step nonleaf2_o0[] = {
	{ 0xe92d4800, 4, "push {fp, lr}", 0, 0, 0, 0 },
	{ 0xe28db004, 4, "add fp, sp, #4", 8, -4, -8, 0 },
	{ 0xe24dd010, 4, "sub sp, sp, #16", 8, -4, -8, -4 },
	{ 0xe50b0010, 4, "str r0, [fp, #-16]", 24, -4, -8, -4 },
	{ 0xe50b1014, 4, "str r1, [fp, #-20]", 24, -4, -8, -4 },
	{ 0xe51b0010, 4, "ldr r0, [fp, #-16]", 24, -4, -8, -4 },
	{ 0xebfffda6, 4, "bl ext1", 24, -4, -8, -4 },
	{ 0xe50b0008, 4, "str r0, [fp, #-8]", 24, -4, -8, -4 },
	{ 0xe51b1008, 4, "ldr r1, [fp, #-8]", 24, -4, -8, -4 },
	{ 0xe51b0014, 4, "ldr r0, [fp, #-20]", 24, -4, -8, -4 },
	{ 0xebfffdae, 4, "bl ext2", 24, -4, -8, -4 },
	{ 0xe1a02000, 4, "mov r2, r0", 24, -4, -8, -4 },
	{ 0xe51b3008, 4, "ldr r3, [fp, #-8]", 24, -4, -8, -4 },
	{ 0xe0833002, 4, "add r3, r3, r2", 24, -4, -8, -4 },
	{ 0xe50b3008, 4, "str r3, [fp, #-8]", 24, -4, -8, -4 },
	{ 0xe51b3008, 4, "ldr r3, [fp, #-8]", 24, -4, -8, -4 },
	{ 0xe51b2010, 4, "ldr r2, [fp, #-16]", 24, -4, -8, -4 },
	{ 0xe0030392, 4, "mul r3, r2, r3", 24, -4, -8, -4 },
	{ 0xe1a00003, 4, "mov r0, r3", 24, -4, -8, -4 },
	{ 0xe24bd004, 4, "sub sp, fp, #4", 24, -4, -8, -4 },
	{ 0xe8bd8800, 4, "pop {fp, pc}", 8, -4, -8, -4 },
};

static const struct step aligned32_o2[] = {
	{ 0xe92d4830, 4, "push {r4, r5, fp, lr}", 0, 0, 0, 0 },
	{ 0xe1a05000, 4, "mov r5, r0", 16, -4, -8, 0 },
	{ 0xe28db00c, 4, "add fp, sp, #12", 16, -4, -8, 0 },
	{ 0xe24dd058, 4, "sub sp, sp, #88", 16, -4, -8, -4 },
	{ 0xe24b4045, 4, "sub r4, fp, #69", 104, -4, -8, -4 },
	{ 0xe3c4401f, 4, "bic r4, r4, #31", 104, -4, -8, -4 },
	{ 0xe1a00004, 4, "mov r0, r4", 104, -4, -8, -4 },
	{ 0xebfffddb, 4, "bl extp", 104, -4, -8, -4 },
	{ 0xe5d40000, 4, "ldrb r0, [r4]", 104, -4, -8, -4 },
	{ 0xe0800005, 4, "add r0, r0, r5", 104, -4, -8, -4 },
	{ 0xe24bd00c, 4, "sub sp, fp, #12", 104, -4, -8, -4 },
	{ 0xe8bd8830, 4, "pop {r4, r5, fp, pc}", 16, -4, -8, -4 },
};

const struct function_case cases_gcc[] = {
	CASE("gcc ARM: leaf with nothing but a frame", GCC, false, leaf_o2),
	CASE("gcc ARM: leaf with locals", GCC, false, leaf_locals_o2),
	CASE("gcc ARM: calls twice", GCC, false, nonleaf2_o2),
	CASE("gcc ARM: vararg", GCC, false, varargs_call_o2),
	CASE("gcc ARM: alloca", GCC, false, use_alloca_o2),
	CASE("gcc ARM: frame of 5000 bytes", GCC, false, big4k_o2),
	CASE("gcc ARM: frame of 70000 bytes", GCC, false, big64k_o2),
	CASE("gcc ARM: tail call", GCC, false, tail_after_o2),
	CASE("gcc ARM: tail call of a leaf", GCC, false, tail_o2),
	CASE("gcc ARM: stack protector", GCC, false, locals_addr_o2_ssp),
	CASE("gcc ARM: conditional return", GCC, false, shrink_o2),
	CASE("gcc ARM: call that does not return at the end", GCC, false, noreturn_end_o2),
	CASE("gcc ARM: calls twice, unoptimised", GCC, false, nonleaf2_o0),
	CASE("gcc ARM: realigned", GCC, false, aligned32_o2),
};

const u32 nr_cases_gcc = sizeof(cases_gcc) / sizeof(cases_gcc[0]);
