/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scan: all its paths (scan.c); one path: what its instructions do to
 * registers and stack (path.c), where they leave the function to (leave.c), what
 * rule comes of it (outcome.c), and which code it ran through (runs.c); what a
 * function has done before (since.c); and what is asked besides of a sampled frame
 * (top.c). For these only.
 */
#ifndef A32_CORE_PATH_H
#define A32_CORE_PATH_H

#include "scan.h"

#define TABLE_ENTRIES	3	/* the smallest jump tables that compilers make */

/* Whose values the caller wants back, or that lead to them */
#define FOLLOWED	(1 << R7 | 1 << R11 | 1 << SP | 1 << LR)

/**
 * enum a32_verdict - what becomes of a path with the next instruction
 * @GO_ON: it goes on behind it
 * @MOVED: it goes on elsewhere: now.pc is set
 * @FOUND: it says what the rule is: s->rule is set
 * @NO_WAY: it leads nowhere
 */
enum a32_verdict { GO_ON, MOVED, FOUND, NO_WAY };

/* The address that a VAL_REG is, or that a VAL_MEM is from */
static inline u32 a32_path_address(const struct a32_scan *s, const struct a32_val *v)
{
	return s->r[v->reg] + v->off;
}

static inline bool a32_val_is_start(const struct a32_val *v, u32 reg)
{
	return v->kind == VAL_REG && v->reg == reg && v->off == 0;
}

/*
 * longjmp() and its like load sp and lr from anywhere. In an APCS prologue the
 * frame counts from ip, which sp has been copied to.
 */
static inline bool a32_val_is_stack(const struct a32_scan *s, const struct a32_val *v)
{
	return (v->reg >= 4 && v->reg != IP) ||
	       (s->abi == A32_ABI_APCS && v->reg == IP && (v->by == SP || v->by == R11));
}

/* DDI 0406C, A2.5.2, ITAdvance() */
static inline u8 a32_next_it(u8 it)
{
	return it & 7 ? (it & 0xe0) | (it << 1 & 0x1f) : 0;
}

/* The condition of an instruction, which in an IT block it doesn't have itself */
static inline u32 a32_path_cond(const struct a32_path *p, const struct a32_insn *i)
{
	return i->cond != COND_ALWAYS || !p->it ? i->cond : p->it >> 4;
}

/* scan.c: begin at @pc; follow all paths from there; take one instruction, at s->now.pc */
void a32_scan_start(struct a32_scan *s, u32 pc, bool thumb, u32 it);
enum a32_stop a32_scan_paths(struct a32_scan *s);
enum a32_verdict a32_scan_look(struct a32_scan *s, const struct a32_insn *i);

/* Would a jump at s->now.pc be a call, as it stands behind "mov lr, pc"? */
bool a32_scan_is_old_call(const struct a32_scan *s);

/* A search for a prologue is over: @at is what a32_prologue_before() has set. */
void a32_scan_note_cut(struct a32_scan *s, u32 at);

void a32_val_add(struct a32_val *v, s32 imm);

/* path.c: @i is the instruction at s->now.pc */
void a32_path_set_top(struct a32_scan *s, const struct a32_insn *i);
void a32_path_add_reg(struct a32_path *p, const struct a32_insn *i);
void a32_path_clobber(struct a32_path *p, u32 regs);
void a32_path_load(struct a32_scan *s, const struct a32_insn *i);
void a32_path_load_indexed(struct a32_scan *s, const struct a32_insn *i);

/* Return false when there is no room to note it. */
bool a32_path_store(struct a32_scan *s, const struct a32_insn *i);

/* The value of a slot that register @by reads: what the path stored there, or what was there */
struct a32_val a32_path_slot(struct a32_scan *s, struct a32_val slot, u32 by);

/* Is a register's value known, and not only where it comes from? */
bool a32_path_number(struct a32_scan *s, const struct a32_val *v, u32 *number);

/* runs.c: @written are registers that the instruction before now.pc may have written */
void a32_run_start(struct a32_scan *s);
void a32_run_check(struct a32_scan *s, u32 written);
void a32_run_end(struct a32_scan *s, u32 end);

/* block.c: keep the rule for more of the code around @pc, which it is for */
void a32_block_keep(struct a32_scan *s, u32 pc, struct a32_found *found,
		    const struct a32_found *it);

/* outcome.c: take down a slot, as an offset from the CFA, unless it's far or misaligned */
bool a32_rule_note_slot(struct a32_rule *rule, u32 slot, u32 cfa, s16 *off);

/* outcome.c: set s->rule, if all that it takes is known */
bool a32_outcome_known(struct a32_scan *s, const struct a32_rule *known);
bool a32_outcome_record(struct a32_scan *s);
enum a32_verdict a32_outcome_return(struct a32_scan *s, struct a32_val ra);

/* since.c: set s->rule, if the code runs on from a function's entry to @pc */
bool a32_since_entry(struct a32_scan *s, u32 entry, u32 pc, bool thumb);

/* leave.c */
bool a32_path_is_behind_epilogue(const struct a32_scan *s);
enum a32_verdict a32_leave_to(struct a32_scan *s, u32 addr);
enum a32_verdict a32_leave_by_register(struct a32_scan *s, u32 rm);
enum a32_verdict a32_leave_by_table(struct a32_scan *s, const struct a32_insn *i);
enum a32_verdict a32_leave_by_load(struct a32_scan *s, const struct a32_insn *i);

#endif
