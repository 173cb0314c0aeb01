/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What core/ gets from the kernel, for the tests on the host. User memory is
 * a few regions that a test fills in.
 */
#ifndef A32_HOST_PORT_H
#define A32_HOST_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define U32_MAX		((u32)~0u)
#define S32_MAX		((s32)(U32_MAX >> 1))
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define noinline	__attribute__((noinline))
#ifndef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#endif
#define READ_ONCE(x)	(*(const volatile __typeof__(x) *)&(x))
/* Nothing runs beside a test: a plain load does. */
#define smp_load_acquire(p)	READ_ONCE(*(p))
#define a32_index_nospec(index, size) ((void)(size), (index))
#define fallthrough	__attribute__((__fallthrough__))
#define hweight16(w)	((unsigned int)__builtin_popcount((w) & 0xffff))

enum { A32_HOST_REGIONS = 16 };

/**
 * struct a32_host_region - some memory of the walked process
 * @start: its first address
 * @size: bytes; @start + @size is at most 4 GiB
 * @data: what it holds
 */
struct a32_host_region {
	u32 start;
	u32 size;
	const void *data;
};

/**
 * struct a32_host_memory - all memory of the walked process
 * @nr: regions in use
 * @region: the regions, the more often used first
 * @flat: instead of regions, if set: where address 0 is
 * @page: then, for each page of 4 KiB: bit 0 is set if it can be read
 * @loads: reads so far
 * @misaligned: reads so far at an address that the kernel's would not take
 */
struct a32_host_memory {
	u32 nr;
	struct a32_host_region region[A32_HOST_REGIONS];
	const u8 *flat;
	const u8 *page;
	u64 loads;
	u64 misaligned;
};

extern struct a32_host_memory a32_memory;

enum { A32_HOST_RETURNS = 8 };

/**
 * struct a32_host_returns - what the kernel knows of probes
 * @nr: calls
 * @call: they, the latest one first
 * @asked: how often it was asked for
 * @insn_at: where a32_uprobe_insn() knows an instruction
 * @insn: which; 0 for nowhere
 */
struct a32_host_returns {
	u32 nr;
	struct a32_host_call {
		u32 stack;
		u32 ra;
		bool is_tail;
	} call[A32_HOST_RETURNS];
	u32 asked;
	u32 insn_at;
	u32 insn;
};

extern struct a32_host_returns *a32_host_returns;

void a32_host_region_add(u32 start, u32 size, const void *data);

static inline void a32_host_load_flat(u32 addr, u32 size, void *buf, u32 *err)
{
	u32 last = addr + size - 1;

	if (last < addr || !(a32_memory.page[addr >> 12] & a32_memory.page[last >> 12] & 1))
		*err = 1;
	else
		memcpy(buf, a32_memory.flat + addr, size);
}

/* As in module/uaccess.h: *val is 0 on a fault, and *err set to 1. */
static inline void a32_host_load(u32 addr, u32 size, void *buf, u32 *err)
{
	const struct a32_host_region *region = a32_memory.region;
	u32 i;

	a32_memory.loads++;
	if (addr % size)
		a32_memory.misaligned++;
	if (a32_memory.flat) {
		a32_host_load_flat(addr, size, buf, err);
		return;
	}
	for (i = 0; i < a32_memory.nr; i++, region++) {
		if (addr - region->start >= region->size ||
		    region->size - (addr - region->start) < size)
			continue;
		memcpy(buf, (const u8 *)region->data + (addr - region->start), size);
		return;
	}
	*err = 1;
}

static inline void a32_load32(u32 addr, u32 *val, u32 *err)
{
	*val = 0;
	a32_host_load(addr, 4, val, err);
}

#define A32_USER_END	0xbf000000
#define A32_KUSER_START	0xffff0f60

static inline void a32_load_kuser(u32 addr, u32 *val, u32 *err)
{
	a32_load32(addr, val, err);
}

static inline void a32_load16(u32 addr, u32 *val, u32 *err)
{
	u16 half = 0;

	a32_host_load(addr, 2, &half, err);
	*val = half;
}

static inline void a32_load32_pair(u32 addr, u32 off1, u32 *val1, u32 off2, u32 *val2)
{
	u32 err = 0;

	a32_load32(addr + off1, val1, &err);
	a32_load32(addr + off2, val2, &err);
	if (err)
		*val1 = 0;
}

static inline unsigned int a32_user_begin(void)
{
	return 0;
}

static inline void a32_user_end(unsigned int flags)
{
	(void)flags;
}

/**
 * struct a32_host_kernel - what the kernel is doing for the thread
 * @at_work: something
 * @syscall: the number of the latest system call
 * @in_syscall: it is in that
 * @alternate_stack: where its alternate stack ends
 */
struct a32_host_kernel {
	bool at_work;
	u32 syscall;
	bool in_syscall;
	u32 alternate_stack;
};

extern struct a32_host_kernel a32_host_kernel;

static inline bool a32_in_kernel(void)
{
	return a32_host_kernel.at_work;
}

static inline u32 a32_last_syscall(void)
{
	return a32_host_kernel.syscall;
}

static inline bool a32_in_syscall(const u32 *r)
{
	(void)r;
	return a32_host_kernel.in_syscall;
}

static inline u32 a32_alternate_stack(void)
{
	return a32_host_kernel.alternate_stack;
}

static inline bool a32_pc_is_ahead(const u32 *r)
{
	(void)r;
	return false;
}

#endif
