/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is mapped executable: files, and what the kernel or the process made
 * itself. One object per content: a file that changes becomes another one.
 */
#ifndef A32_FILE_H
#define A32_FILE_H

#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/path.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include "core/map.h"
#include "stats.h"

/**
 * struct a32_identity - a file's content, as far as its inode tells
 * @dev: device; 0 for what is no file
 * @ino: inode number; hash of the name for what is no file
 * @size: bytes
 * @mtime_sec: modification time
 * @mtime_nsec: its nanoseconds
 */
struct a32_identity {
	dev_t dev;
	u64 ino;
	loff_t size;
	s64 mtime_sec;
	long mtime_nsec;
};

/**
 * struct a32_file - something that is mapped executable, or has a rule
 * @code: what the walk sees of it
 * @ref: one per mapping, one while it has a rule
 * @node: in the table of files, by identity
 * @found: what A32_ABI_AUTO has found of it: enum a32_abi, A32_ABI_MIXED
 *	included; walks look at @code's auto_abi
 * @detect: enum a32_detect: how that came; written under @detecting
 * @detecting: who reads it to find out
 * @is_kept: nobody has a reference any more, but there are counts to show
 * @bodies_abi: the ABI that its bodies were asked for with, or 0
 * @rules: in the list of files with rules; policy.c's
 * @wanted: its number in the list of files that a table is wanted of; 0 when it
 *	has none yet
 * @is_told: it was listed there
 * @sampled: whose memory, when its code's want was noted; compared only
 * @id: counts up with each new object; a cursor for listings
 * @identity: what it is
 * @rcu: for its end: walks may still hold @code
 * @name: path or [name]
 * @root: the root directory that a path counts from; compared only
 * @counts: @code's; a32_counts_nr() of them
 */
struct a32_file {
	struct a32_code code;
	refcount_t ref;
	struct hlist_node node;
	u8 found;
	u8 detect;
	struct mutex detecting;		/* of the first write to detect, and of code.bodies */
	bool is_kept;
	u32 bodies_abi;
	struct list_head rules;
	u64 wanted;
	bool is_told;
	const struct mm_struct *sampled;
	u64 id;
	struct a32_identity identity;
	struct rcu_head rcu;
	char name[A32_PATH_MAX];
	const struct dentry *root;
	struct a32_counts counts[];
};

static inline struct a32_file *a32_code_file(struct a32_code *code)
{
	return container_of(code, struct a32_file, code);
}

/**
 * a32_file_of_vma() - get the object of a mapping
 * @vma: the mapping; its mmap_lock is held
 *
 * Context: process, may sleep.
 * Return: a reference, or NULL without memory
 */
struct a32_file *a32_file_of_vma(struct vm_area_struct *vma);

/**
 * a32_file_may_change() - may what is mapped be written meanwhile?
 * @vma: the mapping; its mmap_lock is held
 */
bool a32_file_may_change(const struct vm_area_struct *vma);

/**
 * a32_file_of_path() - get the object of a file, mapped or not
 * @path: the file
 *
 * Context: process, may sleep.
 * Return: a reference, or NULL without memory
 */
struct a32_file *a32_file_of_path(const struct path *path);

/**
 * a32_file_put() - give a reference back
 * @file: the object; may be freed after a grace period
 *
 * Context: process, or softirq.
 */
void a32_file_put(struct a32_file *file);

/**
 * a32_file_identify() - say what a file's content is now
 * @path: the file
 * @identity: the result
 */
void a32_file_identify(const struct path *path, struct a32_identity *identity);

/* Are they the same content? */
bool a32_file_same(const struct a32_identity *a, const struct a32_identity *b);

/* Does the caller's root have the name, whatever it leads to there by now? */
bool a32_file_is_named_here(const struct a32_file *file);

/**
 * a32_file_stats() - the counts of the next file
 * @stats: its cursor says behind which one; the rest is the result
 *
 * Return: false past the last one
 */
bool a32_file_stats(struct a32_stats *stats);

/**
 * a32_file_init() - make the object that stands for no mapping at all
 *
 * Return: 0, or -ENOMEM
 */
int a32_file_init(void);

/**
 * a32_file_next_wanted() - the next file that a table is wanted of
 * @cursor: behind which one; the file's own afterwards
 * @lost: files that have gone before they were listed
 *
 * One with a rule is left out: it has what its user wants.
 *
 * Return: a reference, or NULL past the last one
 */
struct a32_file *a32_file_next_wanted(u64 *cursor, u32 *lost);

/* Its rules or its table have changed: a table may be wanted of it anew. */
void a32_file_forget_wanted(struct a32_file *file);

/* Where chains end, and begin, that are in no mapping: "[unmapped]" */
extern struct a32_file *a32_file_nowhere;

/**
 * a32_file_totals() - the counts of all files, those that are gone included
 * @stats: its samples, frames and stop are the result
 */
void a32_file_totals(struct a32_stats *stats);

/* Set all counts to 0, and forget files that were only kept for theirs. */
void a32_file_reset_stats(void);

/**
 * a32_file_drop_bodies() - free files that have bodies, and nobody who maps them
 *
 * Their counts stay in the totals.
 *
 * Context: process, may sleep.
 * Return: there were any
 */
bool a32_file_drop_bodies(void);

/* No file is kept for its counts any more. */
void a32_file_exit(void);
unsigned int a32_file_number(void);

#endif
