/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The index: for every process, what it has mapped executable. It is kept up
 * to date while processes map, so that walks find it ready.
 *
 * notes.h says how.
 */
#ifndef A32_MAPS_H
#define A32_MAPS_H

#include <linux/atomic.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include "core/map.h"

/**
 * struct a32_mm - one process's memory
 * @node: in the table, by @mm
 * @mm: whose it is; never followed
 * @space: what walks read, under RCU
 * @lock: who changes @space; inside the mmap_lock
 * @ref: one for the table, one for each who works on it
 * @is_complete: all of the process has been indexed once; under @lock
 * @missed: changes that were missed: the index is not to be used until it is made anew
 * @has_inherited: the rules of who forked it have been taken, or are not wanted; under @lock
 * @heal: 1 while a rebuild that a walk asked for is on its way
 * @id: cursor for listings of rules on ranges
 * @round: when a32_detect_all() came here last
 * @rcu: for its end
 */
struct a32_mm {
	struct hlist_node node;
	struct mm_struct *mm;
	struct a32_space space;
	struct mutex lock;		/* of changes to space */
	refcount_t ref;
	bool is_complete;
	bool has_inherited;
	atomic_t missed;
	int heal;
	u64 id;
	u32 round;
	struct rcu_head rcu;
};

/**
 * a32_maps_init() - index all processes
 *
 * The hooks are in place, so that those that begin or change meanwhile are
 * seen.
 */
int a32_maps_init(void);

/* The hooks are gone, and so are all walks and notes. */
void a32_maps_exit(void);

/* The hook at the entry of exit_mmap(mm) */
void a32_maps_on_exit(struct pt_regs *regs);

/**
 * a32_maps_find() - find a process's index
 * @mm: its memory
 *
 * Context: any, under RCU (preemption off will do).
 * Return: NULL if there is none
 */
struct a32_mm *a32_maps_find(const struct mm_struct *mm);

/**
 * a32_maps_get() - find or make a process's index, to change or read it
 * @mm: its memory, which the caller holds
 *
 * Context: process, may sleep, without the mmap_lock.
 * Return: an index with a reference, complete; NULL without memory
 */
struct a32_mm *a32_maps_get(struct mm_struct *mm);
void a32_maps_put(struct a32_mm *am);

/**
 * a32_maps_create() - find or make a process's index, empty if it is new
 * @mm: its memory, which the caller holds
 *
 * Return: an index with a reference, NULL without memory
 */
struct a32_mm *a32_maps_create(struct mm_struct *mm);

/**
 * a32_maps_sync() - make an index say what is mapped between two addresses
 * @am: the index
 * @mm: whose it is; the caller holds it
 * @start: first address
 * @end: address behind the last one
 *
 * Files that have to be read for it (detect.h) are, behind the update.
 *
 * Context: process, may sleep, without the mmap_lock.
 */
int a32_maps_sync(struct a32_mm *am, struct mm_struct *mm, u32 start, u32 end);

/**
 * a32_maps_complete() - make an index complete, if it is not
 * @am: the index
 * @mm: whose it is; the caller holds it
 */
int a32_maps_complete(struct a32_mm *am, struct mm_struct *mm);

/**
 * a32_maps_inherit() - take over rules on ranges, unless there are own ones
 * @am: the index of a process that was forked
 * @parent: that of the one that did
 */
void a32_maps_inherit(struct a32_mm *am, struct a32_mm *parent);

/**
 * a32_maps_changed() - forget what is known of a process's return addresses
 * @am: its index, or rules on files in it, have changed
 */
void a32_maps_changed(struct a32_mm *am);

/* The same for all processes */
void a32_maps_all_changed(void);

/**
 * a32_maps_each() - call a function for each index
 * @fn: the function
 * @arg: its argument
 *
 * @fn runs under RCU and may not sleep. It returns true to end it.
 */
void a32_maps_each(bool (*fn)(struct a32_mm *am, void *arg), void *arg);

/**
 * a32_maps_pid() - find a process by its memory
 * @mm: the memory; compared only
 *
 * Return: its number as the caller sees it, or 0
 */
s32 a32_maps_pid(const struct mm_struct *mm);

unsigned int a32_maps_number(void);

#endif
