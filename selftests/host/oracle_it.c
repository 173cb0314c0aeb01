// SPDX-License-Identifier: GPL-2.0
#include "oracle_it.h"

/*
 * Unicorn does not stop at instructions of an IT block whose condition fails,
 * either.
 */
void oracle_it_enter(struct oracle_it *it, u32 pc)
{
	u32 h, err = 0;

	while (it->state && it->pc < pc) {
		a32_load16(it->pc, &h, &err);
		it->pc += a32_thumb_is_wide(h) ? 4 : 2;
		it->state = it->state & 7 ? (it->state & 0xe0) | (it->state << 1 & 0x1f) : 0;
	}
	if (it->pc != pc)
		it->state = 0;
}

/* Behind an IT, its block begins. */
void oracle_it_follow(struct oracle_it *it, u32 pc, bool thumb)
{
	u32 h, err = 0;

	if (it->state || !thumb)
		return;
	a32_load16(pc, &h, &err);
	if ((h & 0xff00) == 0xbf00 && h & 15)
		*it = (struct oracle_it){ h & 0xff, pc + 2 };
}

/* DDI 0406C, B1.3.3 */
static u32 it_bits(u32 it)
{
	return (it & 3) << 25 | (it >> 2) << 10;
}

u32 oracle_it_cpsr(const struct oracle_it *it, u32 cpsr)
{
	return (cpsr & ~it_bits(0xff)) | it_bits(it->state);
}

void oracle_read_registers(uc_engine *uc, u32 *r, u32 *cpsr)
{
	static int ids[17] = {
		UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2, UC_ARM_REG_R3, UC_ARM_REG_R4,
		UC_ARM_REG_R5, UC_ARM_REG_R6, UC_ARM_REG_R7, UC_ARM_REG_R8, UC_ARM_REG_R9,
		UC_ARM_REG_R10, UC_ARM_REG_R11, UC_ARM_REG_R12, UC_ARM_REG_SP, UC_ARM_REG_LR,
		UC_ARM_REG_PC, UC_ARM_REG_CPSR,
	};
	void *vals[17];
	uc_err err;
	int i;

	for (i = 0; i < 16; i++)
		vals[i] = &r[i];
	vals[16] = cpsr;
	err = uc_reg_read_batch(uc, ids, vals, 17);
	if (err)
		oracle_die("registers: %s", uc_strerror(err));
}
