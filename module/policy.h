/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which frame ABI holds where: the rules that users set. A change is one
 * store or one RCU publication, so every walk that begins after it follows it.
 */
#ifndef A32_POLICY_H
#define A32_POLICY_H

#include <linux/mm_types.h>
#include <linux/path.h>
#include "file.h"

/*
 * A change of rules that makes A32_ABI_AUTO hold somewhere has the files read
 * that it holds for, before it returns: see detect.h.
 */

/* For code that no rule names; enum a32_abi but A32_ABI_DEFAULT */
extern u32 a32_policy_default;
void a32_policy_set_default(u32 abi);

/**
 * a32_policy_tag_file() - set the ABI of a file, or of a part of it
 * @path: the file
 * @abi: enum a32_abi but A32_ABI_DEFAULT
 * @start: first file offset in bytes
 * @end: offset behind the last byte, 0 for the whole file
 *
 * A part that equals one with a rule gets the new ABI. A rule on the whole
 * file leaves those on its parts. Rules on what stood under the same name, or
 * in the same inode, before it changed go.
 *
 * Context: process, may sleep.
 * Return: 0, -EEXIST, -ENOSPC or -ENOMEM
 */
int a32_policy_tag_file(const struct path *path, u32 abi, u32 start, u32 end);

/**
 * a32_policy_untag_file() - drop rules
 * @path: the file
 * @start: first file offset in bytes of one part
 * @end: offset behind its last byte, 0 for all rules on the file
 *
 * Return: 0, or -ENOENT
 */
int a32_policy_untag_file(const struct path *path, u32 start, u32 end);

/**
 * a32_policy_untag_stale() - drop rules on files that were replaced or changed
 *
 * Return: 0, or -ENOENT where there is none
 */
int a32_policy_untag_stale(void);

/**
 * a32_policy_set_table() - have the frames in a file followed by an unwind table
 * @file: the file
 * @table: its table, which is taken over; NULL for none any more
 *
 * The one that the file had before is freed, and so are those that
 * a32_policy_tag_file() would drop the rules of.
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOENT when there is none to be dropped
 */
int a32_policy_set_table(struct a32_file *file, const struct a32_unwind_table *table);

/**
 * a32_policy_tag_range() - set the ABI of a range of one process's addresses
 * @mm: its memory
 * @abi: enum a32_abi but A32_ABI_DEFAULT
 * @start: first address
 * @end: address behind the last byte
 * @most: how many rules it may have, more than 0
 *
 * Return: 0, -EEXIST, -ENOSPC or -ENOMEM
 */
int a32_policy_tag_range(struct mm_struct *mm, u32 abi, u32 start, u32 end, u32 most);
int a32_policy_untag_range(struct mm_struct *mm, u32 start, u32 end);

/**
 * a32_policy_next() - the next rule of a listing
 * @item: its cursor says behind which one; the rest is the result
 *
 * Return: 0, or -ENOENT past the last one
 */
int a32_policy_next(struct a32_rule_item *item);

unsigned int a32_policy_number(void);
void a32_policy_exit(void);

#endif
