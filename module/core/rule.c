// SPDX-License-Identifier: GPL-2.0
#include "rule.h"

/*
 * Sources: apcs: ARM Procedure Call Standard, as in GCC's arm_expand_prologue
 * ("mov ip, sp; push {fp, ip, lr, pc}; sub fp, ip, #4"). aapcs: AAPCS32
 * section 6.2.1.4, the frame record is {fp, lr}, lowest first. gcc:
 * "push {fp, lr}; add fp, sp, #4". aapcs-r7: "push {r7, lr}; mov r7, sp".
 */
static const struct a32_rule rules[A32_ABI_NR] = {
	/* CFA = r11 + 4; ra = [r11 - 4]; r11 = [r11 - 12] */
	[A32_ABI_APCS] = {
		.cfa_reg = FRAME_R11, .stop = A32_STOP_NR, .cfa_off = 4, .ra_off = -8, .low = 16,
		.saved = 1 << FRAME_R11 | FRAME_NEAR_SP, .lost = 1 << FRAME_R7,
		.off[FRAME_R11] = -16,
	},
	/* CFA = r11 + 8; ra = [r11 + 4]; r11 = [r11] */
	[A32_ABI_AAPCS] = {
		.cfa_reg = FRAME_R11, .stop = A32_STOP_NR, .cfa_off = 8, .ra_off = -4, .low = 8,
		.saved = 1 << FRAME_R11 | FRAME_NEAR_SP, .lost = 1 << FRAME_R7,
		.off[FRAME_R11] = -8,
	},
	/* CFA = r11 + 4; ra = [r11]; r11 = [r11 - 4] */
	[A32_ABI_GCC] = {
		.cfa_reg = FRAME_R11, .stop = A32_STOP_NR, .cfa_off = 4, .ra_off = -4, .low = 8,
		.saved = 1 << FRAME_R11 | FRAME_NEAR_SP, .lost = 1 << FRAME_R7,
		.off[FRAME_R11] = -8,
	},
	/* CFA = r7 + 8; ra = [r7 + 4]; r7 = [r7] */
	[A32_ABI_AAPCS_R7] = {
		.cfa_reg = FRAME_R7, .stop = A32_STOP_NR, .cfa_off = 8, .ra_off = -4, .low = 8,
		.saved = 1 << FRAME_R7 | FRAME_NEAR_SP, .lost = 1 << FRAME_R11,
		.off[FRAME_R7] = -8,
	},
};

const struct a32_rule *a32_abi_rule(u32 abi)
{
	return &rules[abi];
}
