/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which frame ABI does a file follow? The prologues of its own functions say.
 */
#ifndef A32_CORE_DETECT_H
#define A32_CORE_DETECT_H

#include "port.h"
#include "../../uapi/a32uwind.h"

enum {
	A32_DETECT_WINDOW	= 8192,	/* bytes of code read at once */
	A32_DETECT_SPREAD	= 5,	/* log2 of how many of these make a file's share */
	A32_DETECT_AHEAD	= 128,	/* bytes read behind a window: what follows a push */
	A32_DETECT_SEGMENTS	= 4,	/* executable segments looked at */
	A32_DETECT_HEADERS	= 64,	/* program headers looked at */
	A32_DETECT_BUFFER	= A32_DETECT_WINDOW + A32_DETECT_AHEAD,
};

/**
 * struct a32_votes - how many functions speak for what
 * @abi: by enum a32_abi: those that make its record; in [A32_ABI_NONE], those
 *	that save lr and make none
 * @r7_bottom: those of the latter that set r7 to the bottom of their frame:
 *	gcc -mthumb -fno-omit-frame-pointer
 *
 * A function that saves lr in two places speaks twice. One that never does
 * says nothing, but for gcc's ARM leaf with a frame pointer.
 */
struct a32_votes {
	u32 abi[A32_ABI_AUTO];
	u32 r7_bottom;
};

/**
 * a32_detect_count() - count what the functions in some code speak for
 * @code: the code
 * @len: bytes of it
 * @from: only pushes in front of this offset count: what is behind it is for
 *	looking ahead
 * @votes: added to
 *
 * @code is at an address that is a multiple of 4. It may be ARM or Thumb, and
 * data may be in between: of each push of lr, the code around it tells.
 *
 * Context: any. Takes O(@len).
 */
void a32_detect_count(const u8 *code, u32 len, u32 from, struct a32_votes *votes);

/**
 * a32_detect_verdict() - what do all of them together say?
 * @votes: the counts
 *
 * Return: an ABI with records, A32_ABI_NONE or A32_ABI_MIXED
 */
u32 a32_detect_verdict(const struct a32_votes *votes);

/**
 * struct a32_source - a file, to be read
 * @read: reads up to @len bytes at @pos into @buf. Returns how many it were:
 *	fewer only at the file's end; or a negative number when it can't be read
 * @arg: its first argument
 * @buf: room for A32_DETECT_BUFFER bytes
 */
struct a32_source {
	int (*read)(void *arg, u32 pos, void *buf, u32 len);
	void *arg;
	u8 *buf;
};

/**
 * struct a32_segments - the executable segments of a file
 * @nr: how many
 * @size: bytes in all of them
 * @segment: where they are in the file, and the address that each is linked for
 */
struct a32_segments {
	u32 nr;
	u64 size;
	struct {
		u32 offset;
		u32 size;
		u32 address;
	} segment[A32_DETECT_SEGMENTS];
};

/**
 * a32_detect_segments() - find the code of an ELF file
 * @source: the file
 * @segments: the result; at least one, when all is well
 */
enum a32_detect a32_detect_segments(const struct a32_source *source,
				    struct a32_segments *segments);

/**
 * a32_detect_file() - count what the functions of an ELF file speak for
 * @source: the file
 * @votes: the result
 *
 * Its executable segments are read: all of them, when that is no more than
 * A32_DETECT_WINDOW << A32_DETECT_SPREAD bytes, else windows spread evenly.
 * Either way it is less than 300 KiB.
 *
 * Context: as @source's read.
 */
enum a32_detect a32_detect_file(const struct a32_source *source, struct a32_votes *votes);

#endif
