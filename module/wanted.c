// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "file.h"
#include "maps.h"
#include "wanted.h"

static DECLARE_WAIT_QUEUE_HEAD(readers);
/* Counts marks. An open device keeps what it was at the end of the list. */
static atomic_t nr_notes = ATOMIC_INIT(0);

/* Not from a walk itself: that may hold a run queue's lock. */
static void wake(struct irq_work *work)
{
	wake_up_interruptible_poll(&readers, EPOLLIN | EPOLLRDNORM);
}

static DEFINE_IRQ_WORK(wake_work, wake);

void a32_want_table(struct a32_code *code)
{
	if (likely(READ_ONCE(code->want) != WANT_UNKNOWN) ||
	    cmpxchg(&code->want, WANT_UNKNOWN, WANT_NOTED) != WANT_UNKNOWN)
		return;
	WRITE_ONCE(a32_code_file(code)->sampled, current->mm);
	/* Behind the mark: pairs with a32_wanted_next(). */
	smp_mb__before_atomic();
	atomic_inc(&nr_notes);
	irq_work_queue(&wake_work);
}

int a32_wanted_open(struct inode *inode, struct file *file)
{
	file->private_data = NULL;
	return 0;
}

static void describe(const struct a32_file *file, struct a32_wanted *wanted)
{
	const struct a32_identity *identity = &file->identity;

	wanted->ino = identity->ino;
	wanted->file_size = identity->size;
	wanted->mtime_sec = identity->mtime_sec;
	wanted->mtime_nsec = identity->mtime_nsec;
	wanted->major = MAJOR(identity->dev);
	wanted->minor = MINOR(identity->dev);
	strscpy(wanted->path, file->name, sizeof(wanted->path));
}

/**
 * struct mapping - where a file is mapped
 * @code: the file
 * @sampled: whose memory it is looked for in first
 * @mm: whose memory; compared only
 * @start: first address
 * @end: address behind the last byte
 */
struct mapping {
	const struct a32_code *code;
	const struct mm_struct *sampled;
	const struct mm_struct *mm;
	u32 start;
	u32 end;
};

/* Most processes map the C library: what else the sampled one maps is what its callers are in. */
static bool find_mapping(struct a32_mm *am, void *arg)
{
	const struct a32_range *range;
	struct mapping *mapping = arg;
	u32 from = 0;

	if (mapping->mm && am->mm != mapping->sampled)
		return false;
	while ((range = a32_map_next(READ_ONCE(am->space.map), from))) {
		if (range->code == mapping->code) {
			mapping->mm = am->mm;
			mapping->start = range->start;
			mapping->end = range->end;
			return am->mm == mapping->sampled;
		}
		from = range->end;
	}
	return false;
}

static void locate(const struct a32_file *file, struct a32_wanted *wanted)
{
	struct mapping mapping = {
		.code = &file->code, .sampled = READ_ONCE(file->sampled),
	};

	a32_maps_each(find_mapping, &mapping);
	if (!mapping.mm)
		return;
	wanted->pid = a32_maps_pid(mapping.mm);
	wanted->start = mapping.start;
	wanted->end = mapping.end;
}

int a32_wanted_next(struct file *file, struct a32_wanted *wanted)
{
	unsigned long notes = atomic_read_acquire(&nr_notes);
	u64 cursor = wanted->cursor;
	struct a32_file *next;

	memset(wanted, 0, sizeof(*wanted));
	next = a32_file_next_wanted(&cursor, &wanted->lost);
	if (!next) {
		/* What is marked behind the search counts up. */
		WRITE_ONCE(file->private_data, (void *)notes);
		return -ENOENT;
	}
	wanted->cursor = cursor;
	describe(next, wanted);
	locate(next, wanted);
	a32_file_put(next);
	return 0;
}

__poll_t a32_wanted_poll(struct file *file, struct poll_table_struct *table)
{
	if (!perfmon_capable())
		return EPOLLERR;
	poll_wait(file, &readers, table);
	if ((unsigned long)READ_ONCE(file->private_data) == atomic_read(&nr_notes))
		return 0;
	return EPOLLIN | EPOLLRDNORM;
}

void a32_wanted_exit(void)
{
	irq_work_sync(&wake_work);
}
