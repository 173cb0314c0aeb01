/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bodies of a file's functions: where their records are complete. Found once,
 * from the file and before samples need it, so that most of them need no look at
 * the code.
 */
#ifndef A32_CORE_BODY_H
#define A32_CORE_BODY_H

#include "detect.h"
#include "known.h"

enum {
	A32_BODY_WINDOW	= 1 << 17,	/* bytes of code that are looked at together */
	A32_BODY_INSNS	= 1 << 14,	/* instructions of a function */
	A32_BODY_MAX	= 1 << 26,	/* bytes of code in a file */
};

/**
 * struct a32_bodies - of one file
 * @abi: the frame ABI whose records they make
 * @first: file offset of the first line, a multiple of A32_LINE
 * @nr_lines: lines of A32_LINE bytes
 * @line: of ARM, and of Thumb code: for each line a bit for each halfword at which
 *	an instruction begins that has the record complete before it; NULL where
 *	there is none
 */
struct a32_bodies {
	u32 abi;
	u32 first;
	u32 nr_lines;
	const u32 *line[2];
};

/* Is an instruction at a file offset in a body? */
static inline bool a32_bodies_have(const struct a32_bodies *bodies, u32 offset, u32 thumb)
{
	u32 at = offset - bodies->first, size = bodies->nr_lines * A32_LINE;

	if (!bodies->line[thumb] || at >= size)
		return false;
	at = a32_index_nospec(at, size);
	return bodies->line[thumb][at / A32_LINE] >> (at / 2 % 32) & 1;
}

/**
 * struct a32_body_hint - bodies as a walk looks them up
 * @tag: see struct a32_known; 0 for none
 * @start: address of the first line, or higher: where the mapping begins
 * @size: bytes
 * @line: as above, from @start on
 * @found: what holds in them: the ABI's record
 */
struct a32_body_hint {
	u32 tag;
	u32 start;
	u32 size;
	const u32 *line[2];
	struct a32_found found;
};

/**
 * a32_body_has() - is a sampled pc in a body?
 * @hint: bodies
 * @tag: of the walk
 * @pc: the address, bit 0 clear
 * @thumb: its instruction set
 */
static __always_inline bool a32_body_has(const struct a32_body_hint *hint, u32 tag, u32 pc,
					 u32 thumb)
{
	u32 at = pc - hint->start;
	const u32 *line;

	if (hint->tag != tag || at >= hint->size)
		return false;
	line = hint->line[thumb];
	if (unlikely(!line))
		return false;
	at = a32_index_nospec(at, hint->size);
	return line[at / A32_LINE] >> (at / 2 % 32) & 1;
}

/**
 * a32_body_calls() - is a call in a body?
 * @span: what holds there; it has bodies
 * @ra: the return address; bit 0 set in Thumb. There is a call before it
 *
 * Context: within a32_user_begin() and a32_user_end().
 * The record was complete then, wherever the code goes on.
 */
bool a32_body_calls(const struct a32_span *span, u32 ra);

/**
 * a32_body_hint() - make a hint of what a file has
 * @bodies: the file's
 * @span: what holds where they are to be looked up
 * @tag: see struct a32_known
 * @hint: the result; its tag is 0 when none of them are in @span
 */
void a32_body_hint(const struct a32_bodies *bodies, const struct a32_span *span, u32 tag,
		   struct a32_body_hint *hint);

/**
 * struct a32_body_node - an instruction of the function that is gone through
 * @sp: bytes from sp up to where the frame register points, or BODY_SP_UNKNOWN
 * @flags: BODY_*
 */
struct a32_body_node {
	s32 sp : 24;
	u32 flags : 8;
};

/**
 * struct a32_body_work - working memory
 * @abi: the frame ABI
 * @thumb: the instruction set that is looked for
 * @own: the number of its frame register
 * @ra_at: bytes from what that points at to the return address
 * @own_at: to the caller's frame register
 * @to_address: what makes of a file offset the address that the file is linked for,
 *	when it is added
 * @start: file offset of the window, a multiple of 4
 * @size: bytes in it
 * @code: they
 * @node: one for each halfword
 * @data: a bit for each halfword that is read as data
 * @left: steps left for the window
 * @nr: instructions of the function so far
 * @insn: they, as halfwords from @start
 * @nr_todo: instructions whose successors have not been looked at
 * @todo: they
 */
struct a32_body_work {
	u32 abi;
	bool thumb;
	u32 own;
	s32 ra_at;
	s32 own_at;
	u32 to_address;
	u32 start;
	u32 size;
	u8 code[A32_BODY_WINDOW];
	struct a32_body_node node[A32_BODY_WINDOW / 2];
	u32 data[A32_BODY_WINDOW / 2 / 32];
	u32 left;
	u32 nr;
	u16 insn[A32_BODY_INSNS];
	u32 nr_todo;
	u16 todo[2 * A32_BODY_INSNS];
};

/**
 * a32_bodies_extent() - which part of a file has code?
 * @source: the file
 * @bodies: its first and nr_lines are the result
 *
 * Return: 0; else there is none, or too much, or it can't be read
 */
enum a32_detect a32_bodies_extent(const struct a32_source *source, struct a32_bodies *bodies);

/**
 * a32_bodies_find() - find the bodies of a file's functions
 * @source: the file; it is read by windows
 * @bodies: its abi, first and nr_lines
 * @thumb: the instruction set
 * @line: the result, bodies->nr_lines long, all zero at first
 * @work: working memory
 * @any: set when there is one
 *
 * Context: as @source's read, which is called often enough to let others run.
 */
enum a32_detect a32_bodies_find(const struct a32_source *source, const struct a32_bodies *bodies,
				bool thumb, u32 *line, struct a32_body_work *work, bool *any);

/**
 * a32_body_window() - find those in the window
 * @work: what is looked at, the window filled in; the rest need not be
 * @end: bytes from its start: only functions whose prologue is before are gone into
 * @mark: called for each instruction, with its offset in the window
 * @arg: its first argument
 *
 * From the end of each prologue that makes the ABI's record, the function is gone
 * through on all its ways. An instruction is in its body, if there is a way from it
 * to where the record is taken down. What is behind a call that does not return may
 * be another function: all that leads to what no body has, like another push of lr,
 * or bx lr, is left out, back to the call.
 */
void a32_body_window(struct a32_body_work *work, u32 end,
		     void (*mark)(void *arg, u32 at), void *arg);

#endif
