/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * a32uwind - the unwind table of one file: what "a32uwctl table build" writes
 * and the module looks up.
 *
 * A table says, for each instruction of a file's code, where the caller's
 * registers are. It is an array of rows sorted by address; a row holds from
 * its start to the next one's. Rows that say the same share one rule, so that
 * a row is 4 bytes. Nothing in it is interpreted: a lookup is an index and a
 * binary search.
 *
 *	struct a32_table_header
 *	__u32 block[nr_blocks + 1]	first row of each block; the last is nr_rows
 *	__u32 row[nr_rows]		A32_TABLE_ROW(start, rule): bytes from the
 *					block's first address, even; index into rules[]
 *	struct a32_table_rule rules[nr_rules]
 *
 * Addresses are file offsets, so that they hold wherever the file is mapped.
 * Block b is the code at file offsets first + b * A32_TABLE_BLOCK and on. Its
 * first row starts at 0, so that a lookup never leaves its block; the others
 * follow in ascending order. Offsets outside of all blocks have no row.
 *
 * All fields are little-endian, with these sizes and without holes; the same
 * file gives the same table on every machine, byte by byte.
 *
 * The module refuses what is not of this form. It can't tell whether rows are
 * true, nor whether they are of that file: no more than its size is compared.
 * Wrong rows harm nothing but chains. These may have entries that are no callers,
 * since what is left on a stack of earlier calls passes all checks of a frame.
 */
#ifndef _UAPI_A32TABLE_H
#define _UAPI_A32TABLE_H

#include <linux/types.h>

#define A32_TABLE_MAGIC		0x54323341	/* "A32T" */
#define A32_TABLE_VERSION	1
#define A32_TABLE_BLOCK		4096		/* bytes of code */
#define A32_TABLE_BUILD_ID	20		/* bytes */
#define A32_TABLE_SIZE_MAX	(64 << 20)	/* bytes of one table */

/* A row: rows of a block are in ascending order as these numbers, too. */
#define A32_TABLE_ROW(start, rule)	((__u32)(start) << 16 | (rule))
#define A32_TABLE_ROW_START(row)	((row) >> 16)
#define A32_TABLE_ROW_RULE(row)		((row) & 0xffff)

/**
 * struct a32_table_header - what a table begins with
 * @magic: A32_TABLE_MAGIC
 * @version: A32_TABLE_VERSION
 * @size: bytes of the table, this header included
 * @nr_blocks: blocks of code, at least 1
 * @nr_rows: rows, at least @nr_blocks
 * @nr_rules: distinct rules, 1 to 65536
 * @first: file offset of the first block, a multiple of A32_TABLE_BLOCK
 * @build_id_size: bytes of @build_id that the file has, 0 to A32_TABLE_BUILD_ID
 * @build_id: of the file; the rest is 0
 * @code_crc: CRC-32 (zlib's crc32()) of the bytes of the file's executable
 *	segments, in the order of its program headers
 * @file_size: bytes of the file
 */
struct a32_table_header {
	__u32 magic;
	__u32 version;
	__u32 size;
	__u32 nr_blocks;
	__u32 nr_rows;
	__u32 nr_rules;
	__u32 first;
	__u32 build_id_size;
	__u8 build_id[A32_TABLE_BUILD_ID];
	__u32 code_crc;
	__u64 file_size;
};

/**
 * enum a32_table_kind - what a rule says
 * @A32_TABLE_FRAME: where the caller's registers are
 * @A32_TABLE_OUTERMOST: there is no caller
 * @A32_TABLE_STOP: not known; the chain ends there
 * @A32_TABLE_NO_DATA: nothing says anything of this code
 *
 * All but A32_TABLE_FRAME have 0 in every other field but the source.
 */
enum a32_table_kind {
	A32_TABLE_FRAME		= 0,
	A32_TABLE_OUTERMOST	= 1,
	A32_TABLE_STOP		= 2,
	A32_TABLE_NO_DATA	= 3,
};

/* Where a rule was found, the most reliable first */
enum a32_table_source {
	A32_TABLE_DEBUG_FRAME	= 0,	/* .debug_frame, of the file or its debug file */
	A32_TABLE_EH_FRAME	= 1,	/* .eh_frame */
	A32_TABLE_EXIDX		= 2,	/* .ARM.exidx with the machine code */
	A32_TABLE_CODE		= 3,	/* the machine code alone */
	A32_TABLE_SOURCE_NR,
};

#define A32_TABLE_SOURCE_NAMES { "debug_frame", "eh_frame", "exidx", "code" }

/* In place of an offset */
#define A32_TABLE_SAME		0x7fff	/* the register still holds the caller's value */
#define A32_TABLE_LOST		0x7ffe	/* the caller's value is not known */
#define A32_TABLE_IN_REG(r)	(0x7fe0 + (r))	/* in register r, 0 to 14; a topmost frame only */

/**
 * struct a32_table_rule - how to get from a frame to its caller's
 * @kind: enum a32_table_kind
 * @source: enum a32_table_source
 * @cfa_reg: register that the CFA counts from: 13, 7 or 11; any of 0 to 14 in
 *	a topmost frame only. The CFA is sp at the call, as in DWARF.
 * @indirect: 1 in a topmost frame only: the CFA is counted from the word at
 *	cfa_reg + @cfa_off, which sp was saved in before it was aligned. Else 0
 * @cfa_off: bytes, a multiple of 4; CFA = cfa_reg + cfa_off
 * @ra: words; the return address is at CFA + 4 * @ra. A32_TABLE_IN_REG(14):
 *	lr still holds it. Neither A32_TABLE_SAME nor A32_TABLE_LOST
 * @r7: words; the caller's r7 is at CFA + 4 * @r7; A32_TABLE_SAME,
 *	A32_TABLE_LOST or A32_TABLE_IN_REG()
 * @r11: likewise
 * @from_saved: words; with @indirect, CFA = the word + 4 * @from_saved. Else 0
 *
 * Offsets in words are -4096 to 4095.
 */
struct a32_table_rule {
	__u8 kind;
	__u8 source;
	__u8 cfa_reg;
	__u8 indirect;
	__s32 cfa_off;
	__s16 ra;
	__s16 r7;
	__s16 r11;
	__s16 from_saved;
};

#endif /* _UAPI_A32TABLE_H */
