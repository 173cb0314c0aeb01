/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does the function around a return address make a record? Its prologue tells,
 * and stands before it.
 */
#ifndef A32_CORE_PROLOGUE_H
#define A32_CORE_PROLOGUE_H

#include "rule.h"

enum {
	A32_PROLOGUE_WINDOW	= 4096,	/* words (ARM) or halfwords (Thumb) looked at */
	A32_PROLOGUE_COST	= 8,	/* of them that cost as much as a scan's instruction */
};

/**
 * enum a32_prologue - what the code before a return address says
 * @PROLOGUE_NONE: lr is saved nowhere near
 * @PROLOGUE_OTHER: the nearest save of lr is not part of making a record
 * @PROLOGUE_LIKELY: it is, but the code in between has an end, so another
 *	function may begin there
 * @PROLOGUE_RECORD: it is, and runs on to the return address
 */
enum a32_prologue {
	PROLOGUE_NONE,
	PROLOGUE_OTHER,
	PROLOGUE_LIKELY,
	PROLOGUE_RECORD,
};

/**
 * a32_prologue_before() - look for the prologue before a return address
 * @pc: the return address, bit 0 clear
 * @thumb: its instruction set
 * @abi: the frame ABI there
 * @left: what a32_scan() may still look at; what is looked at is taken off
 *
 * Context: any, within a32_user_begin() and a32_user_end().
 */
enum a32_prologue a32_prologue_before(u32 pc, bool thumb, u32 abi, u32 *left);

/**
 * a32_prologue_at() - is there a prologue that makes a record at an address?
 * @pc: the first instruction of a function, bit 0 clear
 * @thumb: its instruction set
 * @abi: the frame ABI there
 */
bool a32_prologue_at(u32 pc, bool thumb, u32 abi);

#endif
