/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where is lr? A record says it once it is made; before, after, and in
 * functions that make none, the instructions from pc on say it: what they will
 * pop is what has been pushed.
 */
#ifndef A32_CORE_SCAN_H
#define A32_CORE_SCAN_H

#include "known.h"
#include "prologue.h"

enum {
	A32_WALK_INSNS		= 2048,	/* instructions looked at in one walk */
	A32_FAULT_COST		= 64,	/* of them, for what a scan can't read: a few faults */
	A32_SCAN_INSNS		= 256,	/* of them in one scan, over all its paths */
	A32_SCAN_SEEN		= 32,	/* branch targets that are not gone to again */
	A32_SCAN_PATHS		= 6,	/* untaken branches kept for later */
	A32_SCAN_STORES		= 40,	/* registers that the caller wants, stored on a path */
	A32_SCAN_RUNS		= 24,	/* straight pieces of a path */
	A32_SCAN_DIRTY		= 256,	/* stack words that are told apart as overwritten */
};

/**
 * struct a32_val - what a register holds, in terms of the start of the scan
 * @kind: one of VAL_*
 * @reg: VAL_REG and VAL_MEM: the register it counts from
 * @by: VAL_MEM: the register that it was loaded by
 * @off: VAL_REG: added to it; VAL_MEM: the offset of the slot; VAL_CONST and
 *	VAL_DATA: the value, from the code and from memory
 */
struct a32_val {
	u8 kind;
	u8 reg;
	u8 by;
	s32 off;
};

enum { VAL_UNKNOWN, VAL_REG, VAL_MEM, VAL_CONST, VAL_DATA };

/**
 * struct a32_run - a straight piece of a path
 * @start: its first instruction, bit 0 clear
 * @end: the address behind its last one
 * @thumb: its instruction set
 * @changed: FOLLOWED registers that are not what they were at the start, or are
 *	in memory as well: on another way to there they may be something else
 * @sp: the address in sp; 0 when it isn't known, U32_MAX when it's the caller's
 */
struct a32_run {
	u32 start;
	u32 end;
	bool thumb;
	u16 changed;
	u32 sp;
};

/**
 * struct a32_path - a way through the code that may be taken from the start
 * @pc: next instruction, bit 0 clear
 * @thumb: its instruction set
 * @it: ITSTATE (Thumb)
 * @assumed: condition that holds on this path until the flags are set again,
 *	COND_ALWAYS for none
 * @flags_known: they are still those of the start
 * @depends: registers or data have decided where it goes, and not only code
 * @tables: tables read
 * @jumps: jumps by them
 * @stores: how many of the scan's stores are on it
 * @split: what is here depends on a condition
 * @forked: there was a system call, which may have begun a thread
 * @copied: FOLLOWED registers whose value at the start is in memory as well
 * @ways: @split, @forked and @copied as they were when a run was last looked at
 * @runs: how many of its runs
 * @run: the one that it is on
 * @val: the registers there
 */
struct a32_path {
	u32 pc;
	bool thumb;
	u8 it;
	u8 assumed;
	bool flags_known;
	bool depends;
	u8 tables;
	u8 jumps;
	u8 stores;
	u8 runs;
	bool split;
	bool forked;
	u16 copied;
	u32 ways;
	struct a32_run run;
	struct a32_val val[16];
};

/**
 * struct a32_scan - a scan: what to look for, and its working memory
 * @abi: the frame ABI the code follows
 * @start: first address that @abi holds for
 * @size: bytes from there
 * @bodies: for a32_scan_top(): the bodies of functions with its records, or NULL
 * @to_offset: what makes of an address a file offset, when it is added
 * @known: registers that are followed from the start on, a bit each
 * @right: those of them that have the right value in @r, and may be counted from
 * @r: their values
 * @cpsr: the flags, for a32_scan_top()
 * @record: the rule that the record would give, once there is a record
 * @has_record: @record is set
 * @record_is_static: as @is_static, of @record
 * @record_ra: address of the return address in it
 * @evidence: what stands before the call that needs @record
 * @passed: return addresses that are known to have a record
 * @wanted: of 1 << FRAME_R7 and 1 << FRAME_R11, those that the result must not lose
 * @look: what may be looked at, what earlier scans have found, and its tag
 * @rule: the result
 * @is_record: @rule is @record
 * @is_static: the result follows from the code, whatever registers and data are
 */
struct a32_scan {
	u8 abi;
	u32 start;
	u32 size;
	const struct a32_bodies *bodies;
	u32 to_offset;
	u16 known;
	u16 right;
	const u32 *r;
	u32 cpsr;
	struct a32_rule record;
	bool has_record;
	bool record_is_static;
	u32 record_ra;
	enum a32_prologue evidence;
	const struct a32_known *passed;
	u8 wanted;
	struct a32_look look;
	struct a32_rule rule;
	bool is_record;
	bool is_static;

	/* private */
	bool uses_frame;
	bool leaves_bare;
	bool cut;
	bool starts_thumb;
	u32 back;
	bool behind_call;
	bool since_entry;
	bool calls;
	u32 first;
	u32 behind;
	bool record_at_calls;
	u32 own;
	u32 base;
	u32 nr_seen;
	u32 seen[A32_SCAN_SEEN];
	u32 dirty[A32_SCAN_DIRTY / 32];
	u32 budget;
	u32 nr_later;
	struct a32_path now;
	struct a32_path later[A32_SCAN_PATHS];
	struct a32_store {
		u32 at;			/* address */
		struct a32_val val;
	} store[A32_SCAN_STORES];
	struct a32_run done[A32_SCAN_RUNS];
};

/**
 * a32_scan_top() - find the rule of a sampled or interrupted frame
 * @s: the scan; @abi, @start, @size, @known, @right, @r, @passed and
 *	@tag are set
 * @pc: its next instruction, bit 0 clear
 * @thumb: its instruction set
 * @it: cpsr's ITSTATE
 *
 * Follows the code until it returns: that gives away where everything is. If
 * it calls before, its ABI wants a record by then, and that is where the frame
 * register will point; what is stored on the way there is not stored yet. The
 * way from there to the return must agree, because not all code in a file
 * follows its ABI: libgcc's divisions call without a record.
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 * Return: A32_STOP_NR when s->rule is the rule, else why there is none:
 *	A32_STOP_UNDECIDED or A32_STOP_CODE_FAULT
 */
enum a32_stop a32_scan_top(struct a32_scan *s, u32 pc, bool thumb, u32 it);

/**
 * a32_top_is_behind_svc() - has the last instruction been a system call, or one near it?
 * @pc: a sampled pc, bit 0 clear
 * @thumb: its instruction set
 */
bool a32_top_is_behind_svc(u32 pc, bool thumb);

/**
 * a32_top_is_new_thread() - has the system call before made this thread?
 * @r: the registers there
 *
 * It has its parent's registers, and a stack of its own: no code says what is
 * on that.
 */
bool a32_top_is_new_thread(const u32 *r);

/**
 * a32_scan_caller() - find the rule of a frame that has called
 * @s: the scan; as above, but of @r only SP, R7 and R11; and @record,
 *	@has_record and @record_ra
 * @pc: its return address, bit 0 clear
 * @thumb: its instruction set
 * @it: 0; or as with a32_scan_top(), for a second look at such a frame
 *
 * Context and return: as a32_scan_top()
 */
enum a32_stop a32_scan_caller(struct a32_scan *s, u32 pc, bool thumb, u32 it);

/**
 * a32_since_prologue() - how far is the frame register from sp?
 * @s: the scan; as above, but for the record
 * @at: where the function's prologue saves lr, bit 0 clear; it makes a record
 * @pc: an address in it that the code runs on to
 * @thumb: its instruction set
 * @off: bytes up from sp; set when the result is true
 *
 * Context: as a32_scan_top()
 * Return: false when that can't be told
 */
bool a32_since_prologue(struct a32_scan *s, u32 at, u32 pc, bool thumb, s32 *off);

/**
 * a32_scan_keep() - keep the result of a scan for all the code it holds at
 * @s: the scan; its result is static
 * @pc: where the result is for, bit 0 clear
 * @found: the table of @s
 * @code: what is mapped there
 *
 * On the way that it has found, the rule holds until a register changes that
 * it depends on.
 */
void a32_scan_keep(struct a32_scan *s, u32 pc, struct a32_found *found,
		   struct a32_code *code);

#endif
