// SPDX-License-Identifier: GPL-2.0
#include <linux/file.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "bodies.h"
#include "core/detect.h"
#include "detect.h"

int a32_detect_read_at(void *arg, u32 pos, void *buf, u32 len)
{
	loff_t at = pos;
	u32 done = 0;
	ssize_t got;

	while (done < len) {
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		got = kernel_read(arg, buf + done, len - done, &at);
		if (got < 0)
			return got;
		if (!got)
			break;
		done += got;
	}
	return done;
}

/* kernel_read() warns of those that it can't read. */
bool a32_detect_is_readable(const struct file *from)
{
	return S_ISREG(file_inode(from)->i_mode) && from->f_mode & FMODE_READ &&
	       from->f_op->read_iter && !from->f_op->read;
}

bool a32_detect_is_from_user_space(const struct file *from)
{
	return file_inode(from)->i_sb->s_magic == FUSE_SUPER_MAGIC;
}

static enum a32_detect count(struct file *from, struct a32_votes *votes)
{
	struct a32_source source = { .read = a32_detect_read_at, .arg = from };
	enum a32_detect result = A32_DETECT_NOT_YET;

	if (!a32_detect_is_readable(from))
		return A32_DETECT_UNREADABLE;
	source.buf = kvmalloc(A32_DETECT_BUFFER, GFP_KERNEL);
	if (source.buf)
		result = a32_detect_file(&source, votes);
	kvfree(source.buf);
	/* Whoever comes next may have more luck. */
	return fatal_signal_pending(current) ? A32_DETECT_NOT_YET : result;
}

static bool is_known(const struct a32_file *file)
{
	/* Pairs with publish(). */
	return smp_load_acquire(&file->detect) != A32_DETECT_NOT_YET;
}

static void publish(struct a32_file *file, enum a32_detect how, u32 found)
{
	file->found = found;
	if (found != A32_ABI_MIXED)
		WRITE_ONCE(file->code.auto_abi, found);
	/* Pairs with is_known(). */
	smp_store_release(&file->detect, how);
	if (file->code.auto_abi != A32_ABI_NONE)
		a32_maps_all_changed();
}

void a32_detect_read(struct a32_file *file, struct file *from)
{
	struct a32_votes votes;
	enum a32_detect how;

	if (is_known(file) || mutex_lock_killable(&file->detecting))
		return;
	if (!is_known(file)) {
		how = count(from, &votes);
		if (how != A32_DETECT_NOT_YET)
			publish(file, how, how ? A32_ABI_NONE : a32_detect_verdict(&votes));
	}
	mutex_unlock(&file->detecting);
}

static bool any_auto(const struct a32_rules *rules)
{
	u32 i;

	for (i = 0; rules && i < rules->nr; i++) {
		if (rules->rule[i].abi == A32_ABI_AUTO)
			return true;
	}
	return false;
}

/* What the file's rule says, or the default */
static u32 said_abi(const struct a32_space *space, const struct a32_code *code)
{
	u32 abi = READ_ONCE(code->abi);

	return abi == A32_ABI_DEFAULT ? READ_ONCE(*space->default_abi) : abi;
}

/* Is there a rule on any of the file, or of the process, that says "auto"? */
static bool is_wanted(const struct a32_space *space, const struct a32_code *code)
{
	u32 abi = said_abi(space, code);

	return abi == A32_ABI_AUTO || any_auto(READ_ONCE(code->parts)) ||
	       any_auto(READ_ONCE(space->ranges));
}

/* The ABI whose records' bodies are to be found, or A32_ABI_NONE */
static u32 wanted_bodies(const struct a32_space *space, struct a32_code *code)
{
	u32 abi = said_abi(space, code);

	if (abi == A32_ABI_AUTO)
		abi = READ_ONCE(code->auto_abi);
	if (READ_ONCE(code->table) || code->special ||
	    a32_bodies_are_wanted(a32_code_file(code), abi))
		return A32_ABI_NONE;
	return abi;
}

static bool has_to_be_read(const struct a32_space *space, const struct a32_range *range)
{
	if (!is_known(a32_code_file(range->code)) && is_wanted(space, range->code))
		return true;
	return !range->changes && !range->is_copied &&
	       wanted_bodies(space, range->code) != A32_ABI_NONE;
}

/**
 * struct wanted - a mapping whose file is to be read
 * @start: first address
 * @end: address behind the last byte
 */
struct wanted {
	u32 start;
	u32 end;
};

/* The first one between two addresses */
static bool find_wanted(const struct a32_mm *am, u32 from, u32 end, struct wanted *wanted)
{
	const struct a32_range *range;
	bool found = false;

	rcu_read_lock();
	for (;;) {
		range = a32_map_next(READ_ONCE(am->space.map), from);
		if (!range || range->start >= end)
			break;
		wanted->start = range->start;
		wanted->end = range->end;
		if (has_to_be_read(&am->space, range)) {
			found = true;
			break;
		}
		from = range->end;
	}
	rcu_read_unlock();
	return found;
}

/* What is mapped at an address now: its object, and the file */
static struct a32_file *get_mapped(struct mm_struct *mm, u32 addr, struct file **from)
{
	struct a32_file *file = NULL;
	struct vm_area_struct *vma;

	if (mmap_read_lock_killable(mm))
		return NULL;
	vma = vma_lookup(mm, addr);
	if (vma && vma->vm_file)
		file = a32_file_of_vma(vma);
	if (file)
		*from = get_file(vma->vm_file);
	mmap_read_unlock(mm);
	return file;
}

static void read_mapped(struct a32_mm *am, struct a32_file *file, struct file *from, bool is_own)
{
	u32 abi;

	if (!is_own && a32_detect_is_from_user_space(from))
		return;
	if (is_wanted(&am->space, &file->code))
		a32_detect_read(file, from);
	abi = wanted_bodies(&am->space, &file->code);
	if (abi != A32_ABI_NONE)
		a32_bodies_want(file, from, abi);
}

void a32_detect_mm(struct a32_mm *am, struct mm_struct *mm, u32 start, u32 end)
{
	struct wanted wanted;
	struct a32_file *file;
	struct file *from;

	while (start < end && find_wanted(am, start, end, &wanted)) {
		if (fatal_signal_pending(current))
			return;
		file = get_mapped(mm, wanted.start, &from);
		if (file) {
			read_mapped(am, file, from, mm == current->mm);
			a32_file_put(file);
			fput(from);
		}
		start = wanted.end;
	}
}

/* Only one looks through all processes at a time; protects every round. */
static DEFINE_MUTEX(all_lock);
static u32 last_round;

/* Take some processes that have something to be found out, once in a round. */
static unsigned int collect_wanting(struct mm_struct **mm, unsigned int room)
{
	struct task_struct *task;
	struct wanted wanted;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_process(task) {
		struct mm_struct *m = READ_ONCE(task->mm);
		struct a32_mm *am = m ? a32_maps_find(m) : NULL;

		if (!am || am->round == last_round ||
		    !find_wanted(am, 0, TASK_SIZE, &wanted))
			continue;
		am->round = last_round;
		mm[nr] = get_task_mm(task);
		if (mm[nr] && ++nr == room)
			break;
	}
	rcu_read_unlock();
	return nr;
}

void a32_detect_all(void)
{
	struct mm_struct *mm[16];
	struct a32_mm *am;
	unsigned int nr;

	if (mutex_lock_killable(&all_lock))
		return;
	last_round++;
	do {
		unsigned int i;

		nr = collect_wanting(mm, ARRAY_SIZE(mm));
		for (i = 0; i < nr; i++) {
			am = a32_maps_get(mm[i]);
			if (am) {
				a32_detect_mm(am, mm[i], 0, TASK_SIZE);
				a32_maps_put(am);
			}
			mmput(mm[i]);
		}
	} while (nr && !fatal_signal_pending(current));
	mutex_unlock(&all_lock);
}
