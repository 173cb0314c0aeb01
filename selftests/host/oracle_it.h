/* SPDX-License-Identifier: GPL-2.0 */
/* What Unicorn does not say: where in an IT block it is. */
#ifndef A32_ORACLE_IT_H
#define A32_ORACLE_IT_H

#include <unicorn/unicorn.h>
#include "oracle.h"

/**
 * struct oracle_it - the IT block it is in
 * @state: ITSTATE (DDI 0406C, A2.5.2), 0 outside
 * @pc: the instruction that it is for
 */
struct oracle_it {
	u32 state;
	u32 pc;
};

/* Call it at each instruction, before it runs. */
void oracle_it_enter(struct oracle_it *it, u32 pc);

/* Then this, at least at each IT. */
void oracle_it_follow(struct oracle_it *it, u32 pc, bool thumb);

/* cpsr with the IT state, from where the walk takes it */
u32 oracle_it_cpsr(const struct oracle_it *it, u32 cpsr);

/* r0 to r15 and cpsr */
void oracle_read_registers(uc_engine *uc, u32 *r, u32 *cpsr);

#endif
