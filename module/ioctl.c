// SPDX-License-Identifier: GPL-2.0
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "bodies.h"
#include "detect.h"
#include "dev.h"
#include "file.h"
#include "hook.h"
#include "maps.h"
#include "policy.h"
#include "table.h"
#include "wanted.h"

static int info(void *arg)
{
	struct a32_info *info = arg;

	if (info->reserved)
		return -EINVAL;
	info->version = A32_VERSION;
	info->hook = a32_hook_kind;
	info->enabled = READ_ONCE(a32_hook_enabled);
	info->default_abi = READ_ONCE(a32_policy_default);
	info->processes = a32_maps_number();
	info->files = a32_file_number();
	info->rules = a32_policy_number();
	info->missed = a32_hook_missed();
	info->bodies = a32_bodies_kib();
	info->pending = a32_bodies_pending();
	return 0;
}

static int set_default(void *arg)
{
	const struct a32_set *set = arg;

	if (set->value >= A32_ABI_NR)
		return -EINVAL;
	a32_policy_set_default(set->value);
	return 0;
}

static int set_enabled(void *arg)
{
	const struct a32_set *set = arg;

	if (set->value > 1)
		return -EINVAL;
	a32_hook_enable(set->value);
	return 0;
}

static bool is_whole(const struct a32_tag_file *tag)
{
	return !tag->start && !tag->end;
}

static int check_tag_file(const struct a32_tag_file *tag)
{
	if (tag->abi >= A32_ABI_NR || tag->flags)
		return -EINVAL;
	if (is_whole(tag))
		return 0;
	if (tag->start >= tag->end || tag->end > U32_MAX || (tag->start | tag->end) & 1)
		return -EINVAL;
	return 0;
}

/* The file behind a descriptor: regular, and open for reading */
static struct file *get_regular(int fd)
{
	struct file *file = fget(fd);

	if (!file)
		return ERR_PTR(-EBADF);
	if (S_ISREG(file_inode(file)->i_mode) && file->f_mode & FMODE_READ)
		return file;
	fput(file);
	return ERR_PTR(-EACCES);
}

/* The file need not be mapped anywhere, and this is when somebody looks. */
static int tag(struct file *from, const struct a32_tag_file *tag)
{
	struct a32_file *file = a32_file_of_path(&from->f_path);
	int err;

	if (!file)
		return -ENOMEM;
	if (tag->abi == A32_ABI_AUTO)
		a32_detect_read(file, from);
	err = a32_policy_tag_file(&from->f_path, tag->abi, tag->start, tag->end);
	a32_file_put(file);
	return err;
}

static int tag_file(void *arg)
{
	const struct a32_tag_file *tagged = arg;
	int err = check_tag_file(tagged);
	struct file *file;

	if (err)
		return err;
	file = get_regular(tagged->fd);
	if (IS_ERR(file))
		return PTR_ERR(file);
	err = tag(file, tagged);
	fput(file);
	return err;
}

static int untag_file(void *arg)
{
	const struct a32_tag_file *tag = arg;
	int err = tag->abi ? -EINVAL : check_tag_file(tag);
	struct file *file;

	if (tag->flags == A32_UNTAG_STALE && !tag->abi && is_whole(tag))
		return a32_policy_untag_stale();
	if (err)
		return err;
	file = get_regular(tag->fd);
	if (IS_ERR(file))
		return PTR_ERR(file);
	err = a32_policy_untag_file(&file->f_path, tag->start, tag->end);
	fput(file);
	return err;
}

static int load(struct a32_file *file, const struct a32_load_table *load)
{
	struct a32_unwind_table *table;

	table = a32_table_new(u64_to_user_ptr(load->ptr), load->len, file->identity.size);
	return IS_ERR(table) ? PTR_ERR(table) : a32_policy_set_table(file, table);
}

static int unload(struct a32_file *file, const struct a32_load_table *unload)
{
	return a32_policy_set_table(file, NULL);
}

static int with_file(int (*fn)(struct a32_file *file, const struct a32_load_table *load),
		     const struct a32_load_table *load)
{
	struct file *from = get_regular(load->fd);
	struct a32_file *file;
	int err = -ENOMEM;

	if (IS_ERR(from))
		return PTR_ERR(from);
	file = a32_file_of_path(&from->f_path);
	if (file) {
		err = fn(file, load);
		a32_file_put(file);
	}
	fput(from);
	return err;
}

static int load_table(void *arg)
{
	const struct a32_load_table *table = arg;

	if (table->flags)
		return -EINVAL;
	return table->ptr > U32_MAX ? -EFAULT : with_file(load, table);
}

static int unload_table(void *arg)
{
	const struct a32_load_table *table = arg;

	return table->flags || table->ptr || table->len ? -EINVAL : with_file(unload, table);
}

/* The memory of any process, held */
static struct mm_struct *get_mm(s32 nr)
{
	struct mm_struct *mm = NULL;
	struct task_struct *task;
	struct pid *pid;

	pid = nr > 0 ? find_get_pid(nr) : NULL;
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (task) {
		mm = get_task_mm(task);
		put_task_struct(task);
	}
	return mm ? mm : ERR_PTR(-ESRCH);
}

/*
 * The memory of a process whose ranges the caller may tag, held. Without the
 * capability that is its own, and whether there are others it is not told.
 */
static struct mm_struct *get_taggable(s32 nr, u32 *most)
{
	struct mm_struct *mm;

	*most = A32_MAX_RULES;
	if (perfmon_capable())
		return get_mm(nr);
	*most = A32_MAX_OWN_RULES;
	if (nr != task_tgid_vnr(current) && nr != task_pid_vnr(current))
		return ERR_PTR(-EPERM);
	mm = get_task_mm(current);
	return mm ? mm : ERR_PTR(-ESRCH);
}

static int check_tag_range(const struct a32_tag_range *tag)
{
	if (tag->abi >= A32_ABI_NR || tag->flags || tag->start >= tag->end ||
	    tag->end > TASK_SIZE || (tag->start | tag->end) & 1)
		return -EINVAL;
	return 0;
}

static int tag_range(void *arg)
{
	const struct a32_tag_range *tag = arg;
	int err = check_tag_range(tag);
	struct mm_struct *mm;
	u32 most;

	if (err)
		return err;
	mm = get_taggable(tag->pid, &most);
	if (IS_ERR(mm))
		return PTR_ERR(mm);
	err = a32_policy_tag_range(mm, tag->abi, tag->start, tag->end, most);
	mmput(mm);
	return err;
}

static int untag_range(void *arg)
{
	const struct a32_tag_range *tag = arg;
	int err = tag->abi ? -EINVAL : check_tag_range(tag);
	struct mm_struct *mm;
	u32 most;

	if (err)
		return err;
	mm = get_taggable(tag->pid, &most);
	if (IS_ERR(mm))
		return PTR_ERR(mm);
	err = a32_policy_untag_range(mm, tag->start, tag->end);
	mmput(mm);
	return err;
}

/* A listing's result says nothing that the caller put in. */
static int next_rule(void *arg)
{
	struct a32_rule_item *item = arg;
	u64 cursor = item->cursor;

	if (item->reserved)
		return -EINVAL;
	memset(item, 0, sizeof(*item));
	item->cursor = cursor;
	return a32_policy_next(item);
}

static int find_map(struct a32_mm *am, u32 from, struct a32_map_item *item)
{
	const struct a32_range *range = a32_map_next(READ_ONCE(am->space.map), from);
	struct a32_span span;

	if (!range)
		return -ENOENT;
	from = max(from, range->start);
	if (!a32_space_span(&am->space, from, &span))
		return -ENOENT;
	item->start = span.start;
	item->end = span.start + span.size;
	item->abi = span.table ? A32_ABI_TABLE : span.abi;
	item->rule = span.kind & ~A32_KIND_AUTO;
	item->says = span.kind & A32_KIND_AUTO ? A32_ABI_AUTO : item->abi;
	item->found = a32_code_file(span.code)->found;
	item->detect = READ_ONCE(a32_code_file(span.code)->detect);
	item->offset = (u64)range->pgoff * PAGE_SIZE + span.start - range->start;
	strscpy(item->path, a32_code_file(span.code)->name, sizeof(item->path));
	return 0;
}

static int next_map(void *arg)
{
	struct a32_map_item *item = arg;
	u32 from = item->start;
	struct mm_struct *mm;
	struct a32_mm *am;
	s32 pid = item->pid;
	int err;

	mm = get_mm(pid);
	if (IS_ERR(mm))
		return PTR_ERR(mm);
	memset(item, 0, sizeof(*item));
	item->pid = pid;
	/* One that was just forked is indexed when it first runs, or now. */
	am = a32_maps_get(mm);
	if (am) {
		rcu_read_lock();
		err = find_map(am, from, item);
		rcu_read_unlock();
		a32_maps_put(am);
	} else {
		err = -ENOMEM;
	}
	mmput(mm);
	return err;
}

static int stats(void *arg)
{
	struct a32_stats *stats = arg;

	if (stats->reserved)
		return -EINVAL;
	a32_file_totals(stats);
	return 0;
}

static int next_file_stats(void *arg)
{
	struct a32_stats *stats = arg;
	u64 cursor = stats->cursor;

	if (stats->reserved)
		return -EINVAL;
	memset(stats, 0, sizeof(*stats));
	stats->cursor = cursor;
	return a32_file_stats(stats) ? 0 : -ENOENT;
}

static int reset_stats(void *arg)
{
	a32_file_reset_stats();
	return 0;
}

union argument {
	u32 size;
	struct a32_info info;
	struct a32_set set;
	struct a32_tag_file tag_file;
	struct a32_tag_range tag_range;
	struct a32_load_table load_table;
	struct a32_rule_item rule_item;
	struct a32_map_item map_item;
	struct a32_stats stats;
	struct a32_wanted wanted;
};

/**
 * struct request - a command on its way
 * @file: the open device
 * @argument: its copy of what the caller gave, and gets
 */
struct request {
	struct file *file;
	union argument argument;
};

static int next_wanted(void *arg)
{
	struct request *request = container_of(arg, struct request, argument);

	return a32_wanted_next(request->file, arg);
}

/**
 * struct command - an ioctl
 * @cmd: its number; the size in it is that of the newest struct
 * @min_size: size of the struct's first version
 * @fn: what it does; its argument begins with the size, which is left alone
 * @is_own: for all users: it looks by itself at whose memory it is about
 */
struct command {
	unsigned int cmd;
	size_t min_size;
	int (*fn)(void *arg);
	bool is_own;
};

#define COMMAND(cmd, type, fn)	[_IOC_NR(cmd)] = { cmd, sizeof(type), fn }
#define OWN(cmd, type, fn)	[_IOC_NR(cmd)] = { cmd, sizeof(type), fn, true }
/* One whose struct has grown: @last was the last field of the first version. */
#define GROWN(cmd, type, last, fn)	[_IOC_NR(cmd)] = { cmd, offsetofend(type, last), fn }

static const struct command commands[] = {
	GROWN(A32_IOC_INFO, struct a32_info, reserved, info),
	COMMAND(A32_IOC_SET_DEFAULT, struct a32_set, set_default),
	COMMAND(A32_IOC_SET_ENABLED, struct a32_set, set_enabled),
	COMMAND(A32_IOC_TAG_FILE, struct a32_tag_file, tag_file),
	COMMAND(A32_IOC_UNTAG_FILE, struct a32_tag_file, untag_file),
	OWN(A32_IOC_TAG_RANGE, struct a32_tag_range, tag_range),
	OWN(A32_IOC_UNTAG_RANGE, struct a32_tag_range, untag_range),
	GROWN(A32_IOC_NEXT_RULE, struct a32_rule_item, path, next_rule),
	GROWN(A32_IOC_NEXT_MAP, struct a32_map_item, path, next_map),
	COMMAND(A32_IOC_STATS, struct a32_stats, stats),
	COMMAND(A32_IOC_NEXT_FILE_STATS, struct a32_stats, next_file_stats),
	[_IOC_NR(A32_IOC_RESET_STATS)] = { A32_IOC_RESET_STATS, 0, reset_stats },
	COMMAND(A32_IOC_LOAD_TABLE, struct a32_load_table, load_table),
	COMMAND(A32_IOC_UNLOAD_TABLE, struct a32_load_table, unload_table),
	COMMAND(A32_IOC_NEXT_WANTED, struct a32_wanted, next_wanted),
};

/* No holes, so that nothing of the kernel's leaks and callers can compare. */
static void check_abi(void)
{
	BUILD_BUG_ON(sizeof(struct a32_info) != 48);
	BUILD_BUG_ON(sizeof(struct a32_set) != 8);
	BUILD_BUG_ON(sizeof(struct a32_tag_file) != 32);
	BUILD_BUG_ON(sizeof(struct a32_tag_range) != 24);
	BUILD_BUG_ON(sizeof(struct a32_load_table) != 24);
	BUILD_BUG_ON(sizeof(struct a32_table_header) != 64);
	BUILD_BUG_ON(sizeof(struct a32_table_rule) != 16);
	BUILD_BUG_ON(sizeof(struct a32_rule_item) != 80 + A32_PATH_MAX);
	BUILD_BUG_ON(sizeof(struct a32_map_item) != 48 + A32_PATH_MAX);
	BUILD_BUG_ON(sizeof(struct a32_stats) != 32 + 8 * A32_STOP_ROOM + A32_PATH_MAX);
	BUILD_BUG_ON(sizeof(struct a32_wanted) != 64 + A32_PATH_MAX);
	BUILD_BUG_ON(A32_STOP_NR > A32_STOP_ROOM);
	BUILD_BUG_ON(A32_TABLE_REGISTERS > 31);		/* a32_rule.stop */
}

/* The kernel's struct has _IOC_SIZE bytes, the caller's @size. */
static int run(const struct command *command, void __user *user, union argument *arg)
{
	size_t known = _IOC_SIZE(command->cmd);
	u32 size;
	int err;

	if (get_user(size, (u32 __user *)user))
		return -EFAULT;
	if (size < command->min_size)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(arg, known, user, size);
	if (!err)
		err = command->fn(arg);
	if (err || !(_IOC_DIR(command->cmd) & _IOC_READ))
		return err;
	arg->size = size;
	return copy_to_user(user, arg, min_t(size_t, size, known)) ? -EFAULT : 0;
}

/* Commands are told by their number: a newer caller's have another size. */
long a32_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct command *command;
	struct request *request;
	int err;

	check_abi();
	if (_IOC_TYPE(cmd) != A32_IOC_MAGIC || _IOC_NR(cmd) >= ARRAY_SIZE(commands))
		return -ENOTTY;
	command = &commands[array_index_nospec(_IOC_NR(cmd), ARRAY_SIZE(commands))];
	if (_IOC_DIR(cmd) != _IOC_DIR(command->cmd))
		return -ENOTTY;
	/* Asks for the capability in the first user namespace: those of others don't count. */
	if (!command->is_own && !perfmon_capable())
		return -EPERM;
	if (!command->min_size)
		return command->fn(NULL);
	request = kzalloc(sizeof(*request), GFP_KERNEL_ACCOUNT);
	if (!request)
		return -ENOMEM;
	request->file = file;
	err = run(command, (void __user *)arg, &request->argument);
	kfree(request);
	return err;
}
