/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The little of the kernel that module/ranges.c needs, for a single thread:
 * memory that can be made to run out, and grace periods that end when the test
 * says so.
 */
#ifndef A32_SHIM_KERNEL_H
#define A32_SHIM_KERNEL_H

#include <errno.h>
#include <stddef.h>
#include <sys/types.h>
#include "../port.h"

#define __rcu
#define PAGE_SHIFT	12
#define GFP_KERNEL	0
#define GFP_KERNEL_ACCOUNT 0

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define min(a, b)	((a) < (b) ? (a) : (b))
#define max(a, b)	((a) > (b) ? (a) : (b))
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))

/* slab.h, mm.h */
void *kmalloc(size_t size, unsigned int flags);
void *kvzalloc(size_t size, unsigned int flags);
void *kvmalloc_array(size_t n, size_t size, unsigned int flags);
void kfree(const void *mem);
void kvfree(const void *mem);

/* rcupdate.h */
struct rcu_head {
	void *next;
};

void shim_free_later(void *mem);
#define kvfree_rcu(ptr, ...)		shim_free_later(ptr)
#define rcu_assign_pointer(p, v)	((p) = (v))
#define rcu_dereference_protected(p, c)	((c) ? (p) : NULL)
/* Pairs with nothing: there is one thread. */
typedef struct { int counter; } atomic_t;

#define ATOMIC_INIT(i)			{ (i) }
#define atomic_fetch_add_unless(v, a, u)	\
	((u32)(v)->counter == (u) ? (u32)(v)->counter : (u32)((v)->counter += (a)) - (a))
/* There is one thread. */
#define smp_store_release(p, v)		(*(p) = (v))

/**
 * shim_grace_period() - end one: what was to be freed later is freed
 */
void shim_grace_period(void);

/**
 * shim_fail_allocation() - let an allocation fail
 * @nr: how many succeed before that; ~0u for all
 */
void shim_fail_allocation(unsigned int nr);

/* Pieces of memory in use; those to be freed later count */
unsigned int shim_allocated(void);

/* refcount.h */
#define refcount_t	struct refcount
struct refcount {
	int refs;
};

static inline void refcount_inc(refcount_t *r)
{
	r->refs++;
}

/* types.h, mm_types.h, path.h, smp.h, preempt.h: only so that file.h compiles */
struct hlist_node {
	void *next;
};

struct list_head {
	void *next;
};

struct vm_area_struct;
struct path;

/* mutex.h: only ever part of a struct here */
struct mutex {
	int owner;
};

extern unsigned int nr_cpu_ids;
unsigned int smp_processor_id(void);
unsigned int preempt_count(void);
#define HARDIRQ_MASK	0xf0000
#define SOFTIRQ_OFFSET	0x100

#endif
