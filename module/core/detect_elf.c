// SPDX-License-Identifier: GPL-2.0
/*
 * What of a file is its code: the segments that a program header says to map
 * executable. Section headers may be missing, and say no more.
 */
#include "detect.h"

/* System V gABI, chapters 4 and 5; e_machine from ELF for the Arm Architecture */
enum {
	EHDR_SIZE	= 52,
	PHDR_SIZE	= 32,
	E_MACHINE	= 18,
	E_PHOFF		= 28,
	E_PHENTSIZE	= 42,
	E_PHNUM		= 44,
	EM_ARM		= 40,
	P_TYPE		= 0,
	P_OFFSET	= 4,
	P_VADDR		= 8,
	P_FILESZ	= 16,
	P_FLAGS		= 24,
	PT_LOAD		= 1,
	PF_X		= 1,
};

static const u8 magic[4] = { 0x7f, 'E', 'L', 'F' };
static const u8 arm_ident[3] = { 1, 1, 1 };	/* ELFCLASS32, ELFDATA2LSB, EV_CURRENT */

static u32 get16(const u8 *at)
{
	return at[0] | at[1] << 8;
}

static u32 get32(const u8 *at)
{
	return get16(at) | get16(at + 2) << 16;
}

/* All of it, or the reason why not */
static enum a32_detect read_all(const struct a32_source *source, u32 pos, u32 len)
{
	int got = source->read(source->arg, pos, source->buf, len);

	if (got < 0)
		return A32_DETECT_UNREADABLE;
	return got == len ? A32_DETECT_DONE : A32_DETECT_TRUNCATED;
}

static void add_segment(struct a32_segments *segments, const u8 *header)
{
	u32 offset = get32(header + P_OFFSET), size = get32(header + P_FILESZ);

	if (get32(header + P_TYPE) != PT_LOAD || !(get32(header + P_FLAGS) & PF_X) || !size)
		return;
	if (segments->nr == A32_DETECT_SEGMENTS || offset + size < offset)
		return;
	segments->segment[segments->nr].offset = offset;
	segments->segment[segments->nr].address = get32(header + P_VADDR);
	segments->segment[segments->nr].size = size;
	segments->nr++;
	segments->size += size;
}

enum a32_detect a32_detect_segments(const struct a32_source *source,
				    struct a32_segments *segments)
{
	const u8 *buf = source->buf;
	u32 i, nr, phoff;
	enum a32_detect err;
	int got;

	memset(segments, 0, sizeof(*segments));
	got = source->read(source->arg, 0, source->buf, EHDR_SIZE);
	if (got < 0)
		return A32_DETECT_UNREADABLE;
	if (got < sizeof(magic) || memcmp(buf, magic, sizeof(magic)))
		return A32_DETECT_NOT_ELF;
	if (got < EHDR_SIZE)
		return A32_DETECT_TRUNCATED;
	if (memcmp(buf + sizeof(magic), arm_ident, sizeof(arm_ident)) ||
	    get16(buf + E_MACHINE) != EM_ARM)
		return A32_DETECT_NOT_ARM;
	phoff = get32(buf + E_PHOFF);
	nr = get16(buf + E_PHNUM);
	if (get16(buf + E_PHENTSIZE) != PHDR_SIZE || !nr)
		return A32_DETECT_NO_CODE;
	if (nr > A32_DETECT_HEADERS)
		nr = A32_DETECT_HEADERS;
	err = read_all(source, phoff, nr * PHDR_SIZE);
	if (err)
		return err;
	for (i = 0; i < nr; i++)
		add_segment(segments, buf + i * PHDR_SIZE);
	return segments->nr ? A32_DETECT_DONE : A32_DETECT_NO_CODE;
}

/* Count in one window at @at of @left bytes of code, on which it may cut. */
static enum a32_detect count_window(const struct a32_source *source, u32 at, u32 left,
				    struct a32_votes *votes)
{
	u32 len = left < A32_DETECT_BUFFER ? left : A32_DETECT_BUFFER;
	enum a32_detect err = read_all(source, at, len);

	if (!err)
		a32_detect_count(source->buf, len, A32_DETECT_WINDOW, votes);
	return err;
}

enum a32_detect a32_detect_file(const struct a32_source *source, struct a32_votes *votes)
{
	struct a32_segments segments;
	enum a32_detect err;
	u32 i, at, step;

	memset(votes, 0, sizeof(*votes));
	err = a32_detect_segments(source, &segments);
	/* A multiple of 4, and of 8 segments of 4 GiB still less than 4 GiB */
	step = segments.size >> A32_DETECT_SPREAD & ~3;
	if (step < A32_DETECT_WINDOW)
		step = A32_DETECT_WINDOW;
	for (i = 0; i < segments.nr && !err; i++) {
		u32 size = segments.segment[i].size;

		for (at = 0; at < size && !err; at += step) {
			err = count_window(source, segments.segment[i].offset + at, size - at,
					   votes);
			if (size - at <= step)
				break;
		}
	}
	return err;
}
