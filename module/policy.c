// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include "detect.h"
#include "file.h"
#include "maps.h"
#include "policy.h"
#include "rules.h"
#include "table.h"

u32 a32_policy_default = A32_ABI_AUTO;

void a32_policy_set_default(u32 abi)
{
	WRITE_ONCE(a32_policy_default, abi);
	a32_maps_all_changed();
	a32_detect_all();
}

/* Protects tagged, every code.abi, code.parts and code.table. */
static DEFINE_MUTEX(policy_lock);
static LIST_HEAD(tagged);		/* files with rules or a table; each holds a reference */

static void publish_parts(struct a32_file *file, const struct a32_rules *rules)
{
	const struct a32_rules *old = file->code.parts;

	/* Pairs with resolve()'s READ_ONCE(). */
	smp_store_release(&file->code.parts, rules);
	a32_rules_free(old);
}

static void publish_table(struct a32_file *file, const struct a32_unwind_table *table,
			  struct a32_tables *gone)
{
	a32_tables_add(gone, file->code.table);
	/* Pairs with the address dependency in a32_space_span(). */
	smp_store_release(&file->code.table, table);
}

static bool has_rules(const struct a32_file *file)
{
	return file->code.abi != A32_ABI_DEFAULT || file->code.parts;
}

/* Keep a file in the list, with a reference, as long as it has rules or a table. */
static void update_list(struct a32_file *file)
{
	bool belongs = has_rules(file) || file->code.table;

	a32_file_forget_wanted(file);
	if (belongs && list_empty(&file->rules)) {
		refcount_inc(&file->ref);
		list_add_tail(&file->rules, &tagged);
	} else if (!belongs && !list_empty(&file->rules)) {
		list_del_init(&file->rules);
		a32_file_put(file);
	}
}

static void drop_rules(struct a32_file *file)
{
	WRITE_ONCE(file->code.abi, A32_ABI_DEFAULT);
	publish_parts(file, NULL);
	update_list(file);
}

static void drop_all(struct a32_file *file, struct a32_tables *gone)
{
	publish_table(file, NULL, gone);
	drop_rules(file);
}

/* Not where a long name has lost its head, nor where it never led anywhere. */
static bool is_path(const struct a32_file *file)
{
	return file->name[0] == '/' && !strstr(file->name, " (deleted)");
}

/* Has what stands under the name changed? */
static bool is_stale(const struct a32_file *file)
{
	struct a32_identity now;
	struct path path;

	if (!is_path(file) || !a32_file_is_named_here(file))
		return false;
	if (kern_path(file->name, LOOKUP_FOLLOW, &path))
		return true;
	a32_file_identify(&path, &now);
	path_put(&path);
	return !a32_file_same(&now, &file->identity);
}

static bool is_earlier_content(const struct a32_file *other, const struct a32_file *file)
{
	if (other == file || other->identity.dev != file->identity.dev)
		return false;
	if (other->identity.ino == file->identity.ino)
		return true;
	/* Replaced: the name is now that of another inode. */
	return is_path(file) && a32_file_is_named_here(file) && other->root == file->root &&
	       !strcmp(other->name, file->name) && !is_stale(file);
}

static bool drop_earlier(const struct a32_file *file, struct a32_tables *gone)
{
	struct a32_file *other, *next;
	bool any = false;

	list_for_each_entry_safe(other, next, &tagged, rules) {
		if (!is_earlier_content(other, file))
			continue;
		any |= has_rules(other);
		drop_all(other, gone);
	}
	return any;
}

static int tag_part(struct a32_file *file, struct a32_abi_rule rule)
{
	struct a32_rules *rules = a32_rules_with(file->code.parts, rule, A32_MAX_RULES);

	if (IS_ERR(rules))
		return PTR_ERR(rules);
	publish_parts(file, rules);
	return 0;
}

int a32_policy_tag_file(const struct path *path, u32 abi, u32 start, u32 end)
{
	struct a32_file *file = a32_file_of_path(path);
	struct a32_tables gone = {};
	int err = 0;

	if (!file)
		return -ENOMEM;
	mutex_lock(&policy_lock);
	if (end)
		err = tag_part(file, (struct a32_abi_rule){ start, end, abi });
	else
		WRITE_ONCE(file->code.abi, abi);
	if (!err)
		drop_earlier(file, &gone);
	update_list(file);
	a32_maps_all_changed();
	mutex_unlock(&policy_lock);
	a32_file_put(file);
	if (gone.first)
		a32_tables_settle(&gone);
	if (!err)
		a32_detect_all();
	return err;
}

static int untag_part(struct a32_file *file, u32 start, u32 end)
{
	struct a32_rules *rules = a32_rules_without(file->code.parts, start, end);

	if (IS_ERR(rules))
		return PTR_ERR(rules);
	publish_parts(file, rules);
	update_list(file);
	return 0;
}

static int untag_all(struct a32_file *file, struct a32_tables *gone)
{
	bool any = has_rules(file);

	drop_rules(file);
	any |= drop_earlier(file, gone);
	return any ? 0 : -ENOENT;
}

int a32_policy_untag_file(const struct path *path, u32 start, u32 end)
{
	struct a32_file *file = a32_file_of_path(path);
	struct a32_tables gone = {};
	int err;

	if (!file)
		return -ENOMEM;
	mutex_lock(&policy_lock);
	err = end ? untag_part(file, start, end) : untag_all(file, &gone);
	a32_maps_all_changed();
	mutex_unlock(&policy_lock);
	a32_file_put(file);
	if (gone.first)
		a32_tables_settle(&gone);
	if (!err)
		a32_detect_all();
	return err;
}

int a32_policy_untag_stale(void)
{
	struct a32_file *file, *next;
	struct a32_tables gone = {};
	int err = -ENOENT;

	mutex_lock(&policy_lock);
	list_for_each_entry_safe(file, next, &tagged, rules) {
		if (!is_stale(file))
			continue;
		drop_all(file, &gone);
		err = 0;
	}
	a32_maps_all_changed();
	mutex_unlock(&policy_lock);
	if (gone.first)
		a32_tables_settle(&gone);
	if (!err)
		a32_detect_all();
	return err;
}

int a32_policy_set_table(struct a32_file *file, const struct a32_unwind_table *table)
{
	struct a32_tables gone = {};
	int err = 0;

	mutex_lock(&policy_lock);
	if (!table && !file->code.table)
		err = -ENOENT;
	publish_table(file, table, &gone);
	if (table)
		drop_earlier(file, &gone);
	update_list(file);
	mutex_unlock(&policy_lock);
	if (!err)
		a32_tables_settle(&gone);
	return err;
}

static void publish_ranges(struct a32_mm *am, struct a32_rules *rules)
{
	const struct a32_rules *old = am->space.ranges;

	/* Pairs with resolve()'s READ_ONCE(). */
	smp_store_release(&am->space.ranges, rules);
	a32_maps_changed(am);
	a32_rules_free(old);
}

/*
 * Add a rule to what are to be @most of them, or, with 0, drop it. Any user may
 * do that to its own memory, so no lock is taken that others wait for.
 */
static int change_range(struct mm_struct *mm, struct a32_abi_rule rule, u32 most)
{
	struct a32_mm *am = a32_maps_get(mm);
	const struct a32_rules *old;
	struct a32_rules *rules;
	int err = 0;

	if (!am)
		return -ENOMEM;
	mutex_lock(&am->lock);
	old = am->space.ranges;
	rules = most ? a32_rules_with(old, rule, most) :
		       a32_rules_without(old, rule.start, rule.end);
	if (IS_ERR(rules))
		err = PTR_ERR(rules);
	else
		publish_ranges(am, rules);
	mutex_unlock(&am->lock);
	if (!err)
		a32_detect_mm(am, mm, 0, TASK_SIZE);
	a32_maps_put(am);
	return err;
}

int a32_policy_tag_range(struct mm_struct *mm, u32 abi, u32 start, u32 end, u32 most)
{
	return change_range(mm, (struct a32_abi_rule){ start, end, abi }, most);
}

int a32_policy_untag_range(struct mm_struct *mm, u32 start, u32 end)
{
	return change_range(mm, (struct a32_abi_rule){ start, end }, 0);
}

/*
 * A cursor is made of the holder's id and the rule's number in it: files
 * first, then processes. The number counts from 1: of a file the table, the rule
 * on all of it, and those on parts.
 */
#define NUMBER_TABLE	1u
#define NUMBER_FILE	2u
#define CURSOR_RANGES	BIT_ULL(63)
#define CURSOR_BITS	16

static u64 cursor_of(u64 id, u32 number)
{
	return id << CURSOR_BITS | number;
}

static u32 how_stale(const struct a32_file *file)
{
	if (is_path(file) && !a32_file_is_named_here(file))
		return A32_STALE_ELSEWHERE;
	return is_stale(file);
}

static void describe_file(const struct a32_file *file, struct a32_rule_item *item)
{
	item->ino = file->identity.ino;
	item->major = MAJOR(file->identity.dev);
	item->minor = MINOR(file->identity.dev);
	item->stale = how_stale(file);
	item->found = file->found;
	item->detect = READ_ONCE(file->detect);
	strscpy(item->path, file->name, sizeof(item->path));
}

static void describe_table(const struct a32_unwind_table *table, struct a32_rule_item *item)
{
	item->kind = A32_RULE_TABLE;
	item->abi = A32_ABI_TABLE;
	item->table_memory = a32_table_bytes(table);
	item->table_rows = a32_table_rows(table);
}

static bool describe_part(const struct a32_rules *parts, u32 nr, struct a32_rule_item *item)
{
	if (!parts || nr >= parts->nr)
		return false;
	item->kind = A32_RULE_PART;
	item->abi = parts->rule[nr].abi;
	item->start = parts->rule[nr].start;
	item->end = parts->rule[nr].end;
	return true;
}

static bool next_of_file(const struct a32_file *file, struct a32_rule_item *item)
{
	u32 number = item->cursor >> CURSOR_BITS == file->id ? (u16)item->cursor : 0;

	if (number < NUMBER_TABLE && file->code.table) {
		number = NUMBER_TABLE;
		describe_table(file->code.table, item);
	} else if (number < NUMBER_FILE && file->code.abi != A32_ABI_DEFAULT) {
		number = NUMBER_FILE;
		item->kind = A32_RULE_FILE;
		item->abi = file->code.abi;
	} else {
		number = max(number, NUMBER_FILE) + 1;
		if (!describe_part(file->code.parts, number - NUMBER_FILE - 1, item))
			return false;
	}
	item->cursor = cursor_of(file->id, number);
	describe_file(file, item);
	return true;
}

/* In the order of ids; the list is in that of tagging. */
static bool next_in_files(struct a32_rule_item *item)
{
	const struct a32_file *file, *next;
	u64 from = item->cursor >> CURSOR_BITS;

	for (;;) {
		next = NULL;
		list_for_each_entry(file, &tagged, rules) {
			if (file->id >= from && (!next || file->id < next->id))
				next = file;
		}
		if (!next)
			return false;
		if (next_of_file(next, item))
			return true;
		from = next->id + 1;
	}
}

struct ranges_search {
	u64 from;
	u32 number;
	u64 id;			/* of the best so far */
	struct mm_struct *mm;
	u32 at;
	struct a32_abi_rule rule;
};

static bool search_ranges(struct a32_mm *am, void *arg)
{
	const struct a32_rules *rules = READ_ONCE(am->space.ranges);
	struct ranges_search *search = arg;
	u32 at = am->id == search->from ? search->number : 0;

	if (!rules || am->id < search->from || at >= rules->nr)
		return false;
	if (search->id && search->id < am->id)
		return false;
	search->id = am->id;
	search->mm = am->mm;
	search->at = at;
	search->rule = rules->rule[at];
	return false;
}

static bool next_in_ranges(struct a32_rule_item *item)
{
	u64 cursor = item->cursor & CURSOR_RANGES ? item->cursor & ~CURSOR_RANGES : 0;
	struct ranges_search search = {
		.from = cursor >> CURSOR_BITS, .number = (u16)cursor,
	};

	a32_maps_each(search_ranges, &search);
	if (!search.id)
		return false;
	item->kind = A32_RULE_RANGE;
	item->abi = search.rule.abi;
	item->start = search.rule.start;
	item->end = search.rule.end;
	item->pid = a32_maps_pid(search.mm);
	item->cursor = CURSOR_RANGES | cursor_of(search.id, search.at + 1);
	return true;
}

int a32_policy_next(struct a32_rule_item *item)
{
	bool found = false;

	mutex_lock(&policy_lock);
	if (!(item->cursor & CURSOR_RANGES))
		found = next_in_files(item);
	if (!found)
		found = next_in_ranges(item);
	mutex_unlock(&policy_lock);
	return found ? 0 : -ENOENT;
}

static bool count_ranges(struct a32_mm *am, void *arg)
{
	const struct a32_rules *rules = READ_ONCE(am->space.ranges);

	*(unsigned int *)arg += rules ? rules->nr : 0;
	return false;
}

unsigned int a32_policy_number(void)
{
	const struct a32_file *file;
	unsigned int nr = 0;

	mutex_lock(&policy_lock);
	list_for_each_entry(file, &tagged, rules) {
		nr += file->code.abi != A32_ABI_DEFAULT;
		nr += file->code.parts ? file->code.parts->nr : 0;
	}
	mutex_unlock(&policy_lock);
	a32_maps_each(count_ranges, &nr);
	return nr;
}

void a32_policy_exit(void)
{
	struct a32_file *file, *next;
	struct a32_tables gone = {};

	mutex_lock(&policy_lock);
	list_for_each_entry_safe(file, next, &tagged, rules)
		drop_all(file, &gone);
	mutex_unlock(&policy_lock);
	if (gone.first)
		a32_tables_settle(&gone);
}
