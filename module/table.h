/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unwind tables in the kernel's memory: made of what a user uploads, and freed
 * when no walk can see them any more. Which file has which is policy.c's.
 */
#ifndef A32_TABLE_H
#define A32_TABLE_H

#include <linux/types.h>
#include "core/table.h"

/* The most that all tables and bodies together may take, in MiB; a module parameter */
extern unsigned int a32_table_memory;

/**
 * a32_table_reserve() - take some of that memory
 * @bytes: how much; for a32_table_release()
 *
 * Where it is short, bodies of files that nobody maps make room.
 *
 * Context: process, may sleep.
 * Return: false when there is not so much left
 */
bool a32_table_reserve(u32 bytes);
void a32_table_release(u32 bytes);

/**
 * a32_table_new() - copy a table from user space, and check it
 * @from: where it is
 * @len: its bytes
 * @file_size: bytes of the file that it is for
 *
 * Context: process, may sleep.
 * Return: the table; or an ERR_PTR() of -EFBIG, -ENOMEM, -EFAULT, -EBADMSG or
 *	-ESTALE, as uapi/a32uwind.h explains them
 */
struct a32_unwind_table *a32_table_new(const void __user *from, u32 len, u64 file_size);

/* Free a table that no walk has ever seen. */
void a32_table_free(const struct a32_unwind_table *table);

/**
 * struct a32_tables - tables that no file has any more
 * @first: private
 */
struct a32_tables {
	struct table_mem *first;
};

/**
 * a32_tables_add() - take down a table that a file does not have any more
 * @gone: the list
 * @table: the table, or NULL
 */
void a32_tables_add(struct a32_tables *gone, const struct a32_unwind_table *table);

/**
 * a32_tables_settle() - have all walks follow what files have now
 * @gone: what they had before; is freed
 *
 * Every walk that begins after it goes by the new tables, and by nothing that
 * was known of the old ones.
 *
 * Context: process, may sleep.
 */
void a32_tables_settle(struct a32_tables *gone);

/* Bytes that it takes, and its rows */
u32 a32_table_bytes(const struct a32_unwind_table *table);
u32 a32_table_rows(const struct a32_unwind_table *table);

#endif
