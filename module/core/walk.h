/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_CORE_WALK_H
#define A32_CORE_WALK_H

#include "body.h"
#include "map.h"
#include "scan.h"

enum {
	A32_SIG_DEPTH	= 16,	/* nested signal frames in one walk */
	A32_TRAIL	= 32,	/* frames that can be gone back to */
	A32_RETURNS	= 64,	/* MAX_URETPROBE_DEPTH in linux/uprobes.h */
	A32_BODY_HINTS	= 4,
};

/**
 * struct a32_walk - one walk, from the sampled registers outwards
 * @space: mappings and rules of the process
 * @entry: where the entries go; an entry is an address, bit 0 clear
 * @room: entries that fit, at least 1
 * @nr: entries written
 * @known: A32_KNOWN entries that nobody else uses meanwhile, kept from walk to
 *	walk; all zero at first
 * @found: A32_FOUND entries, likewise
 * @nowhere: stands for what is not mapped
 * @index: which of a32_code.counts is the walk's
 * @r: r0 to r15 of the sampled frame, as the kernel has saved them, then of the
 *	interrupted one; bit 0 of the pc is not looked at
 * @cpsr: of that frame
 * @tag: of @space, at the start
 * @body_tag: the tag that a hint in @body was last made with
 * @body: where sampled pcs were, by a32_body_hint_of(); kept from walk to walk
 * @where: what is mapped at the last entry
 * @accounted: entries that are counted
 * @span: what holds around the last pc looked up
 * @sig_depth: signal frames gone through
 * @depth: frames since the sampled or interrupted one, which is 0
 * @interrupted: registers out of a signal frame, or behind a uretprobe
 * @caller: registers of a frame that is scanned
 * @rule: of the last frame
 * @frame: the last frames; the frame of a depth is at depth % A32_TRAIL
 * @top: one that was found by a scan
 * @scan: working memory
 * @returns: working memory of uretprobe.c
 */
struct a32_walk {
	const struct a32_space *space;
	u64 *entry;
	u32 room;
	u32 nr;
	struct a32_known *known;
	struct a32_found *found;
	struct a32_code *nowhere;
	u32 index;
	const u32 *r;
	u32 cpsr;

	/* private */
	u32 tag;
	u32 body_tag;
	struct a32_body_hint body[A32_BODY_HINTS];
	struct a32_code *where;
	u32 accounted;
	struct a32_span span;
	u32 sig_depth;
	u32 depth;
	u32 interrupted[16];
	u32 caller[16];
	const struct a32_rule *rule;
	struct a32_frame frame[A32_TRAIL];
	struct a32_rule top;
	struct a32_scan scan;
	struct a32_return returns[A32_RETURNS];
};

/**
 * a32_walk() - write the chain of a thread
 * @w: the walk; @space, @entry, @room, @known, @found, @nowhere, @index, @r and @cpsr
 *	are set
 *
 * The first entry is the pc, and so is the first one behind a signal
 * trampoline; all others are return addresses. The work is bounded by @room,
 * A32_SIG_DEPTH and A32_SCAN_INSNS whatever the stack holds.
 *
 * Context: any, under RCU.
 * Return: why the chain ended; counted with all else where it belongs
 */
enum a32_stop a32_walk(struct a32_walk *w);

#endif
