/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does the function around a return address make a record? Its prologue tells,
 * and stands before it.
 */
#ifndef A32_CORE_PROLOGUE_H
#define A32_CORE_PROLOGUE_H

#include "known.h"

enum {
	A32_PROLOGUE_WINDOW	= 512,	/* words (ARM) or halfwords (Thumb) looked at */
	A32_PROLOGUE_COST	= 8,	/* of them that cost as much as a scan's instruction */
	A32_PROLOGUE_INSNS	= 16,	/* from where it begins to push to where it is complete */
	A32_EXTENT_BITS		= 6,
};

/**
 * struct a32_extent - a large function, as far as it is known
 * @tag: see struct a32_known
 * @entry: its entry, bit 0 set in Thumb
 * @push: where its prologue begins to push
 * @end: all from the entry to here is of it; 0 when that isn't known of any
 * @not_from: from here to @not_to, it can't be told whether code is of it
 * @not_to: the last address
 * @from: where a look back has begun that has not come to its end yet, or 0
 * @at: how far it has come
 * @low: what is of one function with @from begins here, but nothing so far goes
 *	there from before; 0 if @at does
 */
struct a32_extent {
	u32 tag;
	u32 entry;
	u32 push;
	u32 end;
	u32 not_from;
	u32 not_to;
	u32 from;
	u32 at;
	u32 low;
};

/**
 * struct a32_look - what may be looked at, and what has been
 * @left: instructions that may be looked at in this and later scans of a walk
 * @tag: see struct a32_known
 * @keeps: what is found is true for later walks as well
 * @found: what earlier scans have found
 * @extent: large functions that have been gone through; nobody else uses them
 */
struct a32_look {
	u32 left;
	u32 tag;
	bool keeps;
	const struct a32_found *found;
	struct a32_extent extent[1 << A32_EXTENT_BITS];
};

static inline void a32_look_charge(struct a32_look *look, u32 insns)
{
	look->left -= insns < look->left ? insns : look->left;
}

/**
 * enum a32_prologue - what the code before a return address says
 * @PROLOGUE_NONE: lr is saved nowhere near
 * @PROLOGUE_FAR: the same, and the function begins no nearer either
 * @PROLOGUE_OTHER: the nearest save of lr is not part of making a record
 * @PROLOGUE_BEFORE: it is, but the code in between has an end, so another
 *	function may begin there
 * @PROLOGUE_LIKELY: and something branches over that end and the return address
 * @PROLOGUE_RECORD: it is, and runs on to the return address
 */
enum a32_prologue {
	PROLOGUE_NONE,
	PROLOGUE_FAR,
	PROLOGUE_OTHER,
	PROLOGUE_BEFORE,
	PROLOGUE_LIKELY,
	PROLOGUE_RECORD,
};

/**
 * a32_prologue_before() - look for the prologue before an address in a function
 * @pc: the address, bit 0 clear
 * @thumb: its instruction set
 * @abi: the frame ABI there
 * @look: what may still be looked at; what is looked at is taken off
 * @at: where lr is saved, but for PROLOGUE_NONE and PROLOGUE_FAR; 0 when code
 *	was not in memory
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 */
enum a32_prologue a32_prologue_before(u32 pc, bool thumb, u32 abi, struct a32_look *look, u32 *at);

/**
 * a32_prologue_is_done() - does the record that a prologue makes hold?
 * @at: where it saves lr, bit 0 clear
 * @pc: where it should hold; the code runs on from @at to there
 * @thumb: the instruction set
 * @abi: the frame ABI there
 * @look: what may still be looked at; what is looked at is taken off
 */
bool a32_prologue_is_done(u32 at, u32 pc, bool thumb, u32 abi, struct a32_look *look);

/**
 * a32_prologue_end() - where is a prologue's record complete?
 * @at: where it begins to push, bit 0 clear
 * @thumb: the instruction set
 * @abi: the frame ABI there
 *
 * Return: the address behind the instruction that sets the frame register, 0
 *	when there is none
 */
u32 a32_prologue_end(u32 at, bool thumb, u32 abi);

/**
 * a32_prologue_evidence() - does a function that calls make a record?
 * @pc: a return address in it, bit 0 clear
 * @thumb: its instruction set
 * @abi: the frame ABI there
 * @ra: address of the return address in the record that it would have
 * @look: as above
 * @at: as above; undefined with PROLOGUE_RECORD
 *
 * As a32_prologue_before(), and where that is not certain: whoever is in the
 * record as the caller has called the function, so a direct call there says
 * where the function begins.
 */
enum a32_prologue a32_prologue_evidence(u32 pc, bool thumb, u32 abi, u32 ra,
					struct a32_look *look, u32 *at);

/**
 * a32_prologue_find() - where is the prologue of a function that makes a record?
 *
 * As a32_prologue_evidence(), but with PROLOGUE_RECORD @at is always set: it is not
 * enough that the record is known to be complete somewhere on the way.
 */
enum a32_prologue a32_prologue_find(u32 pc, bool thumb, u32 abi, u32 ra, struct a32_look *look,
				    u32 *at);

/**
 * a32_prologue_is_entry() - may a function begin at an address?
 * @pc: the address, bit 0 clear
 * @thumb: its instruction set
 * @ra: a return address, bit 0 set in Thumb
 * @look: as above
 *
 * Return: false when it may as well be a label in the function that @ra is in:
 *	code runs on to there, or no other function begins between the two
 */
bool a32_prologue_is_entry(u32 pc, bool thumb, u32 ra, struct a32_look *look);

/**
 * a32_prologue_has_arguments() - does a function push arguments above lr?
 * @pc: its first instruction, bit 0 clear
 * @thumb: its instruction set
 *
 * Vararg functions do, and so do some with a struct that is partly on the
 * stack. A record then says less than the CFA.
 */
bool a32_prologue_has_arguments(u32 pc, bool thumb);

/**
 * a32_prologue_is_first() - does a function begin with pushing lr?
 * @at: where it saves lr, bit 0 clear
 * @thumb: its instruction set
 *
 * As a32_prologue_has_arguments(), for a function whose entry is not known: it is
 * certain that nothing was pushed before when another function ends there.
 */
bool a32_prologue_is_first(u32 at, bool thumb);

/**
 * struct a32_saved - where a prologue saves a register
 * @is_saved: it does
 * @off: bytes from what the frame register points at to the slot
 * @pc: the instruction that saves it
 */
struct a32_saved {
	bool is_saved;
	s32 off;
	u32 pc;
};

/**
 * a32_prologue_slot() - where does a prologue save a register?
 * @pc: where it saves lr, bit 0 clear
 * @thumb: its instruction set
 * @abi: the frame ABI there; the prologue makes its record
 * @reg: register number
 * @slot: the result
 *
 * Return: false when that can't be told
 */
bool a32_prologue_slot(u32 pc, bool thumb, u32 abi, u32 reg, struct a32_saved *slot);

#endif
