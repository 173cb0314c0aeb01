// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "bodies.h"
#include "core/body.h"
#include "detect.h"
#include "maps.h"
#include "table.h"

enum {
	PENDING_MAX	= 64,
	AT_ONCE		= 2,	/* so that a file that is slow to read holds up no other */
};

/**
 * struct request - a file to be looked at
 * @work: who does it
 * @file: its object; holds a reference
 * @from: the file itself; likewise
 * @abi: whose records its functions make
 */
struct request {
	struct work_struct work;
	struct a32_file *file;
	struct file *from;
	u32 abi;
};

static struct workqueue_struct *queue;
static atomic_t nr_pending = ATOMIC_INIT(0);
static atomic_long_t bytes_in_use = ATOMIC_LONG_INIT(0);
static bool is_exiting;

static u32 line_bytes(const struct a32_bodies *bodies)
{
	return bodies->nr_lines * sizeof(u32);
}

/* Tables have been asked for, and bodies have not: half of the memory is for tables only. */
static bool take_share(u32 bytes)
{
	u64 most = (u64)READ_ONCE(a32_table_memory) * SZ_1M / 2;

	if ((unsigned long)atomic_long_add_return(bytes, &bytes_in_use) <= most)
		return true;
	atomic_long_sub(bytes, &bytes_in_use);
	return false;
}

static u32 *lines_new(const struct a32_bodies *bodies)
{
	u32 bytes = line_bytes(bodies), *line;

	if (!take_share(bytes) && !(a32_file_drop_bodies() && take_share(bytes)))
		return NULL;
	if (!a32_table_reserve(bytes))
		goto err_share;
	line = kvzalloc(bytes, GFP_KERNEL | __GFP_NOWARN);
	if (line)
		return line;
	a32_table_release(bytes);
err_share:
	atomic_long_sub(bytes, &bytes_in_use);
	return NULL;
}

static void lines_free(const struct a32_bodies *bodies, const u32 *line)
{
	if (!line)
		return;
	kvfree(line);
	atomic_long_sub(line_bytes(bodies), &bytes_in_use);
	a32_table_release(line_bytes(bodies));
}

void a32_bodies_free(const struct a32_bodies *bodies)
{
	if (!bodies)
		return;
	lines_free(bodies, bodies->line[0]);
	lines_free(bodies, bodies->line[1]);
	kfree(bodies);
}

static int read_at(void *arg, u32 pos, void *buf, u32 len)
{
	return READ_ONCE(is_exiting) ? -EINTR : a32_detect_read_at(arg, pos, buf, len);
}

static const u32 *find_lines(const struct a32_source *source, const struct a32_bodies *bodies,
			     bool thumb, struct a32_body_work *work)
{
	u32 *line = lines_new(bodies);
	bool any;

	if (!line)
		return NULL;
	if (!a32_bodies_find(source, bodies, thumb, line, work, &any) && any)
		return line;
	lines_free(bodies, line);
	return NULL;
}

/* Return NULL when the file has none, or memory is short. */
static struct a32_bodies *find(const struct request *request)
{
	struct a32_source source = { .read = read_at, .arg = request->from };
	struct a32_body_work *work = kvmalloc(sizeof(*work), GFP_KERNEL | __GFP_NOWARN);
	struct a32_bodies *bodies = kzalloc(sizeof(*bodies), GFP_KERNEL);

	if (!work || !bodies)
		goto none;
	bodies->abi = request->abi;
	/* The headers are not needed beside the code. */
	source.buf = work->code;
	if (a32_bodies_extent(&source, bodies))
		goto none;
	bodies->line[0] = find_lines(&source, bodies, false, work);
	bodies->line[1] = find_lines(&source, bodies, true, work);
	kvfree(work);
	if (bodies->line[0] || bodies->line[1])
		return bodies;
	kfree(bodies);
	return NULL;
none:
	kvfree(work);
	kfree(bodies);
	return NULL;
}

/* Is it what it was when it was mapped? It may have been written while it was read. */
static bool is_unchanged(const struct request *request)
{
	struct a32_identity now;

	a32_file_identify(&request->from->f_path, &now);
	return a32_file_same(&now, &request->file->identity);
}

/*
 * What the file had before is freed as tables are: see a32_tables_settle(). If another
 * ABI has been asked for meanwhile, its bodies may be there already.
 */
static void publish(struct a32_file *file, const struct a32_bodies *bodies)
{
	const struct a32_bodies *old = bodies;

	mutex_lock(&file->detecting);
	if (READ_ONCE(file->bodies_abi) == bodies->abi) {
		old = file->code.bodies;
		/* Pairs with the address dependency in a32_space_span(). */
		smp_store_release(&file->code.bodies, bodies);
	}
	mutex_unlock(&file->detecting);
	if (old && old != bodies) {
		synchronize_rcu();
		a32_maps_all_changed();
		synchronize_rcu();
	}
	a32_bodies_free(old);
}

static void request_free(struct request *request)
{
	a32_file_put(request->file);
	fput(request->from);
	kfree(request);
	atomic_dec(&nr_pending);
}

static void work_on(struct work_struct *work)
{
	struct request *request = container_of(work, struct request, work);
	struct a32_bodies *bodies = READ_ONCE(is_exiting) ? NULL : find(request);

	if (bodies && is_unchanged(request))
		publish(request->file, bodies);
	else
		a32_bodies_free(bodies);
	request_free(request);
}

bool a32_bodies_are_wanted(const struct a32_file *file, u32 abi)
{
	return READ_ONCE(file->bodies_abi) == abi;
}

void a32_bodies_want(struct a32_file *file, struct file *from, u32 abi)
{
	struct request *request;
	u32 before = READ_ONCE(file->bodies_abi);

	if (before == abi)
		return;
	/* Nor will it be looked at another time. */
	if (!a32_detect_is_readable(from) || a32_detect_is_from_user_space(from)) {
		WRITE_ONCE(file->bodies_abi, abi);
		return;
	}
	/* Whoever comes next may have more luck. */
	if (atomic_inc_return(&nr_pending) > PENDING_MAX)
		goto full;
	request = kmalloc(sizeof(*request), GFP_KERNEL);
	if (!request)
		goto full;
	if (cmpxchg(&file->bodies_abi, before, abi) != before) {
		kfree(request);
		goto full;
	}
	INIT_WORK(&request->work, work_on);
	refcount_inc(&file->ref);
	request->file = file;
	request->from = get_file(from);
	request->abi = abi;
	queue_work(queue, &request->work);
	return;
full:
	atomic_dec(&nr_pending);
}

unsigned int a32_bodies_kib(void)
{
	return atomic_long_read(&bytes_in_use) >> 10;
}

unsigned int a32_bodies_pending(void)
{
	return atomic_read(&nr_pending);
}

int a32_bodies_init(void)
{
	queue = alloc_workqueue("a32uwind", WQ_UNBOUND, AT_ONCE);
	return queue ? 0 : -ENOMEM;
}

void a32_bodies_exit(void)
{
	WRITE_ONCE(is_exiting, true);
	destroy_workqueue(queue);
}
