// SPDX-License-Identifier: GPL-2.0
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "detect.h"
#include "file.h"
#include "maps.h"
#include "policy.h"
#include "ranges.h"
#include "rules.h"

#define MM_BITS		10

static DEFINE_HASHTABLE(mms, MM_BITS);
/* Protects mms and nr_mms. Raw: taken in hooks, where preemption is off. */
static DEFINE_RAW_SPINLOCK(mms_lock);
static unsigned int nr_mms;
static atomic64_t last_id = ATOMIC64_INIT(0);

void a32_maps_changed(struct a32_mm *am)
{
	a32_ranges_changed(&am->space);
}

static u32 hash(const struct mm_struct *mm)
{
	return hash_ptr(mm, MM_BITS);
}

struct a32_mm *a32_maps_find(const struct mm_struct *mm)
{
	struct a32_mm *am;

	hlist_for_each_entry_rcu(am, &mms[hash(mm)], node, true) {
		if (am->mm == mm)
			return am;
	}
	return NULL;
}

static void free_mm(struct rcu_head *rcu)
{
	struct a32_mm *am = container_of(rcu, struct a32_mm, rcu);

	a32_ranges_free(am->space.map);
	a32_rules_free(am->space.ranges);
	kfree(am);
}

void a32_maps_put(struct a32_mm *am)
{
	if (refcount_dec_and_test(&am->ref))
		call_rcu(&am->rcu, free_mm);
}

static struct a32_mm *find_get(const struct mm_struct *mm)
{
	struct a32_mm *am;

	rcu_read_lock();
	am = a32_maps_find(mm);
	if (am && !refcount_inc_not_zero(&am->ref))
		am = NULL;
	rcu_read_unlock();
	return am;
}

static struct a32_mm *create(struct mm_struct *mm)
{
	struct a32_mm *am = kzalloc(sizeof(*am), GFP_KERNEL_ACCOUNT);

	if (!am)
		return NULL;
	am->mm = mm;
	am->id = atomic64_inc_return(&last_id);
	a32_maps_changed(am);
	mutex_init(&am->lock);
	refcount_set(&am->ref, 2);
	am->space.default_abi = &a32_policy_default;
	am->space.map = a32_ranges_new();
	if (am->space.map)
		return am;
	kfree(am);
	return NULL;
}

/* Find or make an empty one. The caller holds mm, so it can't end meanwhile. */
struct a32_mm *a32_maps_create(struct mm_struct *mm)
{
	struct a32_mm *am = find_get(mm), *other;

	if (am)
		return am;
	am = create(mm);
	if (!am)
		return NULL;
	raw_spin_lock(&mms_lock);
	other = a32_maps_find(mm);
	if (other) {
		refcount_inc(&other->ref);
	} else {
		hlist_add_head_rcu(&am->node, &mms[hash(mm)]);
		nr_mms++;
	}
	raw_spin_unlock(&mms_lock);
	if (!other)
		return am;
	free_mm(&am->rcu);
	return other;
}

static void remove(struct mm_struct *mm)
{
	struct a32_mm *am;

	raw_spin_lock(&mms_lock);
	am = a32_maps_find(mm);
	if (am) {
		hlist_del_rcu(&am->node);
		nr_mms--;
	}
	raw_spin_unlock(&mms_lock);
	if (am)
		a32_maps_put(am);
}

static u32 count_executable(struct mm_struct *mm, u32 start, u32 end)
{
	VMA_ITERATOR(vmi, mm, start);
	struct vm_area_struct *vma;
	u32 nr = 0;

	for_each_vma_range(vmi, vma, end)
		nr += !!(vma->vm_flags & VM_EXEC);
	return nr;
}

static int collect(struct mm_struct *mm, u32 start, u32 end, struct a32_range *range, u32 *nr)
{
	VMA_ITERATOR(vmi, mm, start);
	struct vm_area_struct *vma;

	for_each_vma_range(vmi, vma, end) {
		struct a32_range *r = &range[*nr];
		struct a32_file *file;

		if (!(vma->vm_flags & VM_EXEC))
			continue;
		file = a32_file_of_vma(vma);
		if (!file)
			return -ENOMEM;
		r->start = max_t(u32, vma->vm_start, start);
		r->end = min_t(u32, vma->vm_end, end);
		r->pgoff = vma->vm_pgoff + ((r->start - vma->vm_start) >> PAGE_SHIFT);
		r->changes = a32_file_may_change(vma);
		r->is_copied = !!vma->anon_vma;
		r->code = &file->code;
		++*nr;
	}
	return 0;
}

/* Make the index say what is mapped between two addresses. */
static int sync_locked(struct a32_mm *am, struct mm_struct *mm, u32 start, u32 end)
{
	struct a32_range *range;
	u32 nr = 0;
	int err;

	range = kvmalloc_array(count_executable(mm, start, end) + 1, sizeof(*range), GFP_KERNEL);
	if (!range)
		return -ENOMEM;
	err = collect(mm, start, end, range, &nr);
	if (!err)
		err = a32_ranges_splice(&am->space, start, end, range, nr);
	if (err) {
		while (nr--)
			a32_file_put(a32_code_file(range[nr].code));
	}
	kvfree(range);
	return err;
}

int a32_maps_sync(struct a32_mm *am, struct mm_struct *mm, u32 start, u32 end)
{
	int err;

	mmap_read_lock(mm);
	mutex_lock(&am->lock);
	err = sync_locked(am, mm, start, end);
	if (!err && start == 0 && end == TASK_SIZE)
		am->is_complete = true;
	mutex_unlock(&am->lock);
	mmap_read_unlock(mm);
	if (!err)
		a32_detect_mm(am, mm, start, end);
	return err;
}

void a32_maps_inherit(struct a32_mm *am, struct a32_mm *parent)
{
	const struct a32_rules *rules;
	struct a32_rules *copy = NULL;

	mutex_lock(&parent->lock);
	rules = parent->space.ranges;
	if (rules)
		copy = a32_rules_copy(rules, rules->nr);
	mutex_unlock(&parent->lock);
	if (rules && !copy)
		return;
	mutex_lock(&am->lock);
	if (copy && !am->has_inherited && !am->space.ranges) {
		/* Pairs with resolve()'s READ_ONCE(). */
		smp_store_release(&am->space.ranges, copy);
		/* It may have been walked before. */
		a32_maps_changed(am);
		copy = NULL;
	}
	am->has_inherited = true;
	mutex_unlock(&am->lock);
	a32_rules_free(copy);
}

int a32_maps_complete(struct a32_mm *am, struct mm_struct *mm)
{
	if (READ_ONCE(am->is_complete))
		return 0;
	return a32_maps_sync(am, mm, 0, TASK_SIZE);
}

struct a32_mm *a32_maps_get(struct mm_struct *mm)
{
	struct a32_mm *am = a32_maps_create(mm);

	if (am && a32_maps_complete(am, mm)) {
		a32_maps_put(am);
		return NULL;
	}
	return am;
}

void a32_maps_on_exit(struct pt_regs *regs)
{
	remove((void *)regs->ARM_r0);
}

/* Take some processes that have no index yet. */
static unsigned int collect_unindexed(struct mm_struct **mm, unsigned int room)
{
	struct task_struct *task;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_process(task) {
		struct mm_struct *m = READ_ONCE(task->mm);

		if (!m || a32_maps_find(m))
			continue;
		mm[nr] = get_task_mm(task);
		if (mm[nr] && ++nr == room)
			break;
	}
	rcu_read_unlock();
	return nr;
}

/* Forks and execs go on meanwhile, but those are followed already. */
static int index_all(void)
{
	struct mm_struct *mm[32];
	struct a32_mm *am;
	unsigned int nr;
	int err = 0;

	do {
		unsigned int i;

		nr = collect_unindexed(mm, ARRAY_SIZE(mm));
		for (i = 0; i < nr; i++) {
			am = err ? NULL : a32_maps_get(mm[i]);
			if (am)
				a32_maps_put(am);
			else
				err = -ENOMEM;
			mmput(mm[i]);
		}
		cond_resched();
	} while (nr && !err);
	return err;
}

static void remove_all(void)
{
	struct hlist_node *next;
	struct a32_mm *am;
	unsigned int i;

	hash_for_each_safe(mms, i, next, am, node)
		remove(am->mm);
}

int a32_maps_init(void)
{
	return index_all();
}

void a32_maps_exit(void)
{
	remove_all();
	/* Freeing an index puts its files, which are freed after another time. */
	rcu_barrier();
	rcu_barrier();
}

void a32_maps_each(bool (*fn)(struct a32_mm *am, void *arg), void *arg)
{
	struct a32_mm *am;
	unsigned int i;
	bool end = false;

	rcu_read_lock();
	hash_for_each_rcu(mms, i, am, node) {
		end = fn(am, arg);
		if (end)
			break;
	}
	rcu_read_unlock();
}

static bool changed(struct a32_mm *am, void *arg)
{
	a32_maps_changed(am);
	return false;
}

void a32_maps_all_changed(void)
{
	a32_maps_each(changed, NULL);
}

s32 a32_maps_pid(const struct mm_struct *mm)
{
	struct task_struct *task;
	s32 pid = 0;

	rcu_read_lock();
	for_each_process(task) {
		if (READ_ONCE(task->mm) == mm) {
			pid = task_pid_vnr(task);
			break;
		}
	}
	rcu_read_unlock();
	return pid;
}

unsigned int a32_maps_number(void)
{
	return READ_ONCE(nr_mms);
}
