// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "file.h"
#include "maps.h"
#include "table.h"

unsigned int a32_table_memory = 64;

/* Of all tables and bodies that are there, or about to be */
static atomic_long_t bytes_in_use = ATOMIC_LONG_INIT(0);

/**
 * struct table_mem - a table, and what it points into
 * @table: the table
 * @bytes: of all of this
 * @next: in a list of those that are to be freed
 * @data: what was uploaded; behind that are the rules, to be followed, and the
 *	lines
 */
struct table_mem {
	struct a32_unwind_table table;
	u32 bytes;
	struct table_mem *next;
	u64 data[];
};

static struct table_mem *table_mem(const struct a32_unwind_table *table)
{
	return (struct table_mem *)container_of(table, struct table_mem, table);
}

static bool reserve(u32 bytes)
{
	u64 most = (u64)READ_ONCE(a32_table_memory) * SZ_1M;

	/* Not more than that at a time, or the sum might wrap. */
	if (bytes > most)
		return false;
	if ((unsigned long)atomic_long_add_return(bytes, &bytes_in_use) <= most)
		return true;
	atomic_long_sub(bytes, &bytes_in_use);
	return false;
}

/* What is in use comes before what might be. */
bool a32_table_reserve(u32 bytes)
{
	return reserve(bytes) || (a32_file_drop_bodies() && reserve(bytes));
}

void a32_table_release(u32 bytes)
{
	atomic_long_sub(bytes, &bytes_in_use);
}

static struct table_mem *mem_new(u32 bytes)
{
	struct table_mem *mem;

	if (!a32_table_reserve(bytes))
		return ERR_PTR(-EFBIG);
	mem = kvmalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!mem) {
		a32_table_release(bytes);
		return ERR_PTR(-ENOMEM);
	}
	mem->bytes = bytes;
	return mem;
}

static void mem_free(struct table_mem *mem)
{
	a32_table_release(mem->bytes);
	kvfree(mem);
}

/* Behind what was uploaded, which ends at a multiple of 4 */
static u32 rules_at(u32 len)
{
	return offsetof(struct table_mem, data) + round_up(len, sizeof(u64));
}

static u32 lines_at(u32 len, const struct a32_table_header *header)
{
	return rules_at(len) + header->nr_rules * sizeof(struct a32_rule);
}

static u32 bytes_of(u32 len, const struct a32_table_header *header)
{
	return lines_at(len, header) + header->nr_blocks * A32_TABLE_LINES * sizeof(u32);
}

/* It is checked as it was copied: the user may change what is there. */
static int fill(struct table_mem *mem, const void __user *from, u32 len, u64 file_size,
		const struct a32_table_header *seen)
{
	const struct a32_table_header *header = (const void *)mem->data;
	void *start = mem;

	if (copy_from_user(mem->data, from, len))
		return -EFAULT;
	if (header->nr_rules != seen->nr_rules || header->nr_blocks != seen->nr_blocks ||
	    !a32_table_check(mem->data, len))
		return -EBADMSG;
	if (header->file_size != file_size)
		return -ESTALE;
	a32_table_open(&mem->table, mem->data, start + rules_at(len),
		       start + lines_at(len, header));
	return 0;
}

struct a32_unwind_table *a32_table_new(const void __user *from, u32 len, u64 file_size)
{
	struct a32_table_header header;
	struct table_mem *mem;
	int err;

	if (len > A32_TABLE_SIZE_MAX)
		return ERR_PTR(-EFBIG);
	if (len < sizeof(header))
		return ERR_PTR(-EBADMSG);
	if (copy_from_user(&header, from, sizeof(header)))
		return ERR_PTR(-EFAULT);
	/* No table has more of them than fit. */
	if (header.nr_rules > len / sizeof(struct a32_table_rule) ||
	    header.nr_blocks > len / sizeof(u32) / 2)
		return ERR_PTR(-EBADMSG);
	mem = mem_new(bytes_of(len, &header));
	if (IS_ERR(mem))
		return ERR_CAST(mem);
	err = fill(mem, from, len, file_size, &header);
	if (!err)
		return &mem->table;
	mem_free(mem);
	return ERR_PTR(err);
}

void a32_table_free(const struct a32_unwind_table *table)
{
	mem_free(table_mem(table));
}

void a32_tables_add(struct a32_tables *gone, const struct a32_unwind_table *table)
{
	struct table_mem *mem;

	if (!table)
		return;
	mem = table_mem(table);
	mem->next = gone->first;
	gone->first = mem;
}

void a32_tables_settle(struct a32_tables *gone)
{
	struct table_mem *mem, *next;

	/*
	 * A walk that still sees what a file had before must be in a process that
	 * is in the list of all by now, as one that has just been forked may not
	 * be: what it keeps goes with the process's tag.
	 */
	synchronize_rcu();
	a32_maps_all_changed();
	if (!gone->first)
		return;
	/* Nor is there a walk any more that has begun with the old tag. */
	synchronize_rcu();
	for (mem = gone->first; mem; mem = next) {
		next = mem->next;
		mem_free(mem);
	}
	gone->first = NULL;
}

u32 a32_table_bytes(const struct a32_unwind_table *table)
{
	return table_mem(table)->bytes;
}

u32 a32_table_rows(const struct a32_unwind_table *table)
{
	return table->nr_rows;
}
