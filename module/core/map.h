/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The executable mappings of a process, and which frame ABI each follows.
 *
 * All of it is read under RCU and never changed in place: who changes it
 * publishes a new copy.
 */
#ifndef A32_CORE_MAP_H
#define A32_CORE_MAP_H

#include "port.h"
#include "../../uapi/a32uwind.h"

/**
 * struct a32_rules - frame ABIs of parts of a file, or of ranges of a process
 * @nr: number of rules
 * @rule: sorted by start, without overlap
 * @start: file offset in bytes, or address
 * @end: the first one behind it
 * @abi: enum a32_abi
 */
struct a32_rules {
	u32 nr;
	struct a32_abi_rule {
		u32 start;
		u32 end;
		u32 abi;
	} rule[];
};

/**
 * struct a32_counts - what one CPU counted at one level of interruption
 * @samples: chains that began here
 * @frames: entries
 * @stop: chains that ended here, by enum a32_stop
 *
 * Written by its owner only, so plain increments are exact. A reader on
 * another CPU may see one of 2^32 a carry short.
 */
struct a32_counts {
	u64 samples;
	u64 frames;
	u64 stop[A32_STOP_NR];
};

/**
 * enum a32_special - code that the kernel has made, which follows no rule
 * @SPECIAL_NONE: it has not
 * @SPECIAL_CODE: what there may be besides
 * @SPECIAL_VDSO: ordinary code, without frame records
 * @SPECIAL_SIGPAGE: nothing but signal trampolines
 * @SPECIAL_UPROBES: where return probes return to, and probed instructions
 */
enum a32_special { SPECIAL_NONE, SPECIAL_CODE, SPECIAL_SIGPAGE, SPECIAL_UPROBES, SPECIAL_VDSO };

struct a32_unwind_table;
struct a32_bodies;

/**
 * struct a32_code - what all mappings of one file share
 * @abi: the whole file's, A32_ABI_DEFAULT without a rule of its own
 * @special: enum a32_special
 * @auto_abi: what A32_ABI_AUTO stands for here: an ABI with records, or
 *	A32_ABI_NONE
 * @want: see a32_want_table(); not core/'s
 * @parts: rules on parts of it, or NULL
 * @table: its unwind table, or NULL; comes before all rules
 * @bodies: the bodies of its functions, or NULL
 * @counts: one for each CPU and level
 */
struct a32_code {
	u8 abi;
	u8 special;
	u8 auto_abi;
	u8 want;
	const struct a32_rules *parts;
	const struct a32_unwind_table *table;
	const struct a32_bodies *bodies;
	struct a32_counts *counts;
};

/**
 * struct a32_range - an executable mapping
 * @start: first address
 * @end: address behind the last byte
 * @pgoff: file offset of @start in pages of 4 KiB
 * @changes: may be written while it is mapped (JIT code): what is known of it
 *	is only true for one walk
 * @is_copied: some of it may not be what the file has any more: a debugger's or
 *	uprobe's breakpoints, or relocated code
 * @code: what is mapped there; never NULL
 */
struct a32_range {
	u32 start;
	u32 end;
	u32 pgoff;
	u16 changes;
	u16 is_copied;
	struct a32_code *code;
};

/**
 * struct a32_map - the executable mappings of a process
 * @nr: number of slots, at least 1
 * @start: lowest address that belongs to the slot's chunk; 0 in the first
 *	slot. The chunk's mappings end below the next slot's.
 * @chunk: some mappings, sorted by start, without overlap
 *
 * In two levels, so that a change copies one chunk and not all of them.
 */
struct a32_map {
	u32 nr;
	struct a32_slot {
		u32 start;
		const struct a32_chunk {
			u32 nr;
			struct a32_range range[];
		} *chunk;
	} slot[];
};

/**
 * struct a32_space - all that decides an ABI in one process
 * @map: its mappings
 * @ranges: rules on ranges of its addresses, or NULL
 * @default_abi: for code without a rule
 * @tag: see struct a32_known; published behind what it stands for
 */
struct a32_space {
	const struct a32_map *map;
	const struct a32_rules *ranges;
	const u32 *default_abi;
	u32 tag;
};

#define A32_KIND_AUTO	0x80

/**
 * struct a32_span - addresses around one, as far as all of them have one ABI
 * @start: first address
 * @size: bytes; 0 for none
 * @abi: enum a32_abi, resolved: A32_ABI_AUTO is not among them; A32_ABI_NONE
 *	with a @table
 * @kind: enum a32_rule_kind, with A32_KIND_AUTO when it says A32_ABI_AUTO
 * @changes: as in struct a32_range
 * @code: what is mapped there
 * @table: the file's unwind table, or NULL
 * @bodies: the bodies of functions with records of @abi, or NULL
 * @to_offset: with one of these: what makes of an address a file offset, when it is
 *	added
 * @lookup_start: first address of those in the table that a return address may
 *	be kept of, a multiple of the page size
 * @lookup_size: bytes; 0 for none
 * @line: the table's line of @lookup_start
 */
struct a32_span {
	u32 start;
	u32 size;
	u8 abi;
	u8 kind;
	u8 changes;
	struct a32_code *code;
	const struct a32_unwind_table *table;
	const struct a32_bodies *bodies;
	u32 to_offset;
	u32 lookup_start;
	u32 lookup_size;
	const u32 *line;
};

/**
 * a32_map_slot() - find the slot that an address belongs to
 * @map: the mappings
 * @addr: the address
 */
u32 a32_map_slot(const struct a32_map *map, u32 addr);

/**
 * a32_map_next() - find the mapping at or above an address
 * @map: the mappings
 * @addr: the address
 *
 * Return: the first range that ends above @addr, NULL for none
 */
const struct a32_range *a32_map_next(const struct a32_map *map, u32 addr);

/**
 * a32_rules_find() - find the rule at or above an address or offset
 * @rules: the rules
 * @addr: the address or offset
 *
 * Return: index of the first rule that ends above @addr, rules->nr for none
 */
u32 a32_rules_find(const struct a32_rules *rules, u32 addr);

/**
 * a32_space_span() - find what holds at an address
 * @space: the process
 * @addr: the address, bit 0 clear
 * @span: the result
 *
 * Context: any, under RCU. Takes O(log(mappings) + log(rules)).
 * Return: false when no executable mapping has @addr
 */
bool a32_space_span(const struct a32_space *space, u32 addr, struct a32_span *span);

static inline bool a32_span_has(const struct a32_span *span, u32 addr)
{
	return addr - span->start < span->size;
}

#endif
