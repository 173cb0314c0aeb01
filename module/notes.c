// SPDX-License-Identifier: GPL-2.0
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/swait.h>
#include <linux/task_work.h>
#include "maps.h"
#include "notes.h"

#define NR_NOTES	512

/**
 * struct note - something to do before a thread returns to user mode
 * @work: on the thread
 * @task: the thread; NULL once it is at it
 * @mm: whose mappings have changed; compared, and only followed when @is_fork
 * @is_fork: it is new, with a reference; made complete by its first thread, or
 *	by the one that forked where that comes first and matters
 * @parent: fork: whose rules to take, with a reference; or NULL
 * @start: first address
 * @end: address behind the last one
 */
struct note {
	struct callback_head work;
	struct task_struct *task;
	struct mm_struct *mm;
	bool is_fork;
	struct a32_mm *parent;
	u32 start;
	u32 end;
};

/* From a fixed store: hooks can't allocate. In use where the bit is set. */
static struct note notes[NR_NOTES];
static DECLARE_BITMAP(notes_used, NR_NOTES);
static atomic_t nr_notes = ATOMIC_INIT(0);
/* What was left last on a CPU; may be anybody's by now */
static DEFINE_PER_CPU(struct note *, last_note);
/* Its lock is a raw one, also with PREEMPT_RT: none who wakes sleeps in this module. */
static DECLARE_SWAIT_QUEUE_HEAD(notes_done);

static struct note *note_alloc(void)
{
	unsigned int i;

	do {
		i = find_first_zero_bit(notes_used, NR_NOTES);
		if (i == NR_NOTES)
			return NULL;
	} while (test_and_set_bit(i, notes_used));
	atomic_inc(&nr_notes);
	return &notes[i];
}

/* Return: it was the last one. */
static bool note_free(struct note *note)
{
	clear_bit(note - notes, notes_used);
	return atomic_dec_and_test(&nr_notes);
}

static void act_on_fork(const struct note *note)
{
	struct a32_mm *am = a32_maps_create(note->mm);

	if (!am)
		return;
	if (note->parent)
		a32_maps_inherit(am, note->parent);
	a32_maps_complete(am, note->mm);
	a32_maps_put(am);
}

static bool is_whole(const struct note *note)
{
	return note->start == 0 && note->end == TASK_SIZE;
}

/* Another thread has to do it. The memory may be gone: it is not followed. */
static void leave_unhealed(const struct mm_struct *mm)
{
	struct a32_mm *am;

	rcu_read_lock();
	am = a32_maps_find(mm);
	if (am)
		WRITE_ONCE(am->heal, 0);
	rcu_read_unlock();
}

static void act_on_change(const struct note *note)
{
	struct a32_mm *am;
	int missed;

	/* An exiting thread has no mm, one that has called exec another. */
	if (!current->mm || current->mm != note->mm) {
		if (is_whole(note))
			leave_unhealed(note->mm);
		return;
	}
	am = a32_maps_create(current->mm);
	if (!am)
		return;
	missed = atomic_read(&am->missed);
	/* The first note of a process may not be of its first change. */
	if (a32_maps_complete(am, current->mm) ||
	    a32_maps_sync(am, current->mm, note->start, note->end))
		atomic_inc(&am->missed);
	else if (is_whole(note))
		/* Not what was missed meanwhile */
		atomic_cmpxchg(&am->missed, missed, 0);
	if (is_whole(note))
		WRITE_ONCE(am->heal, 0);
	a32_maps_put(am);
}

/* a32_notes_wait() waits for the last one, and then for this to return. */
static void drop_note(struct note *note)
{
	if (note->parent)
		a32_maps_put(note->parent);
	if (note->is_fork)
		mmput(note->mm);
	if (note_free(note))
		swake_up_one(&notes_done);
}

/* On the way back to user mode */
static void act_on_note(struct callback_head *work)
{
	struct note *note = container_of(work, struct note, work);

	WRITE_ONCE(note->task, NULL);
	if (note->is_fork)
		act_on_fork(note);
	else
		act_on_change(note);
	drop_note(note);
}

static bool try_leave_note(struct task_struct *task, const struct note *what)
{
	struct note *note = note_alloc();

	if (!note)
		return false;
	*note = *what;
	note->task = task;
	/* The thread holds its memory, so these are not the last references. */
	if (note->is_fork)
		mmget(note->mm);
	if (note->parent && !refcount_inc_not_zero(&note->parent->ref))
		note->parent = NULL;
	init_task_work(&note->work, act_on_note);
	if (!task_work_add(task, &note->work, TWA_RESUME)) {
		this_cpu_write(last_note, note);
		return true;
	}
	if (note->parent)
		a32_maps_put(note->parent);
	if (note->is_fork)
		atomic_dec(&note->mm->mm_users);
	note->task = NULL;
	/* A hook can't wake anybody, and nobody waits while there are hooks. */
	note_free(note);
	return false;
}

/*
 * One call may change any number of mappings: they all go on the thread's last note,
 * which nobody else changes before the thread is back in user mode.
 */
static bool add_to_last_note(const struct note *what)
{
	struct note *note = this_cpu_read(last_note);

	if (!note || READ_ONCE(note->task) != current || note->is_fork || note->mm != what->mm)
		return false;
	note->start = min(note->start, what->start);
	note->end = max(note->end, what->end);
	return true;
}

/* An index that misses a change is not used until it is made anew. */
static void leave_note(struct task_struct *task, struct note note)
{
	struct a32_mm *am;

	if (!note.is_fork && add_to_last_note(&note))
		return;
	if (try_leave_note(task, &note))
		return;
	rcu_read_lock();
	am = a32_maps_find(note.mm);
	if (am)
		atomic_inc(&am->missed);
	rcu_read_unlock();
}

void a32_notes_heal(struct a32_mm *am)
{
	struct note note = { .mm = current->mm, .end = TASK_SIZE };

	if (current->flags & (PF_KTHREAD | PF_EXITING))
		return;
	/* Once is enough: one is on its way, or something that comes first is. */
	if (am ? READ_ONCE(am->heal) : task_work_pending(current))
		return;
	if (try_leave_note(current, &note) && am)
		WRITE_ONCE(am->heal, 1);
}

/* Is anything between two addresses in the index? */
static bool is_indexed(const struct mm_struct *mm, u32 start, u32 end)
{
	const struct a32_range *range;
	struct a32_mm *am;
	bool any;

	rcu_read_lock();
	am = a32_maps_find(mm);
	range = am ? a32_map_next(READ_ONCE(am->space.map), start) : NULL;
	any = range && range->start < end;
	rcu_read_unlock();
	return any;
}

/* perf_event_mmap(vma), uprobe_mmap(vma), mremap_userfaultfd_prep(vma, ...) */
void a32_notes_on_map(struct pt_regs *regs)
{
	const struct vm_area_struct *vma = (void *)regs->ARM_r0;
	struct note note = { .mm = vma->vm_mm, .start = vma->vm_start, .end = vma->vm_end };

	if (vma->vm_flags & VM_EXEC || is_indexed(note.mm, note.start, note.end))
		leave_note(current, note);
}

/* userfaultfd_unmap_prep(..., start, end, ...): before munmap() acts */
void a32_notes_on_unmap(struct pt_regs *regs)
{
	struct note note = { .mm = current->mm, .start = regs->ARM_r1, .end = regs->ARM_r2 };

	if (note.mm && is_indexed(note.mm, note.start, note.end))
		leave_note(current, note);
}

/* perf_event_fork(task): it has all its memory, and does not run yet */
void a32_notes_on_fork(struct pt_regs *regs)
{
	struct task_struct *task = (void *)regs->ARM_r0;
	struct note note = { .mm = task->mm, .is_fork = true };

	if (!task->mm || task->mm == current->mm)
		return;
	rcu_read_lock();
	if (current->mm)
		note.parent = a32_maps_find(current->mm);
	leave_note(task, note);
	/* Who has the rules may look for them in the child before it has run. */
	if (note.parent && READ_ONCE(note.parent->space.ranges))
		leave_note(current, note);
	rcu_read_unlock();
}

void a32_notes_wait(void)
{
	swait_event_exclusive(notes_done, !atomic_read(&nr_notes));
	/* Who acted on the last note may still be in drop_note(), a BPF program in a chain. */
	synchronize_rcu_tasks();
}
