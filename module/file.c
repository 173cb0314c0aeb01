// SPDX-License-Identifier: GPL-2.0
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/stringhash.h>
#include "bodies.h"
#include "compat.h"
#include "file.h"
#include "rules.h"
#include "wanted.h"

#define FILE_BITS	8
#define KEPT_MAX	1024

static DEFINE_HASHTABLE(files, FILE_BITS);
/* Protects files, every is_kept, wanted and is_told, gone, and the numbers. */
static DEFINE_SPINLOCK(files_lock);
static unsigned int nr_files;
static unsigned int nr_kept;
static bool is_exiting;
static struct a32_stats gone;		/* counts of files that were freed */
static u64 last_wanted;
static u32 nr_lost;

struct a32_file *a32_file_nowhere;
static u64 last_id;

static u32 hash(const struct a32_identity *identity)
{
	u64 key = identity->ino ^ (u64)identity->dev << 40;

	/* The same file comes again whenever it was changed. */
	key ^= ((u64)identity->mtime_sec << 30 ^ identity->mtime_nsec) * GOLDEN_RATIO_64;
	return hash_64(key ^ (u64)identity->size << 20, FILE_BITS);
}

bool a32_file_same(const struct a32_identity *a, const struct a32_identity *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	       a->mtime_sec == b->mtime_sec && a->mtime_nsec == b->mtime_nsec;
}

/* The file itself, where @path is on an overlay: that is what gets mapped. */
void a32_file_identify(const struct path *path, struct a32_identity *identity)
{
	const struct inode *inode = d_real_inode(path->dentry);

	identity->dev = inode->i_sb->s_dev;
	identity->ino = inode->i_ino;
	identity->size = i_size_read(inode);
	identity->mtime_sec = inode_get_mtime_sec(inode);
	identity->mtime_nsec = inode_get_mtime_nsec(inode);
}

static struct a32_file *find_get(const struct a32_identity *identity)
{
	struct a32_file *file;

	hlist_for_each_entry(file, &files[hash(identity)], node) {
		if (a32_file_same(&file->identity, identity) && refcount_inc_not_zero(&file->ref))
			return file;
	}
	return NULL;
}

static struct a32_file *find_get_locked(const struct a32_identity *identity)
{
	struct a32_file *file;

	spin_lock_bh(&files_lock);
	file = find_get(identity);
	spin_unlock_bh(&files_lock);
	return file;
}

static struct a32_file *create(const struct a32_identity *identity)
{
	struct a32_file *file;

	file = kzalloc(struct_size(file, counts, a32_counts_nr()), GFP_KERNEL_ACCOUNT);
	if (!file)
		return NULL;
	refcount_set(&file->ref, 1);
	INIT_LIST_HEAD(&file->rules);
	file->identity = *identity;
	mutex_init(&file->detecting);
	file->detect = A32_DETECT_NOT_YET;
	file->code.abi = A32_ABI_DEFAULT;
	file->code.counts = file->counts;
	return file;
}

/* Publish a new object, unless somebody else was faster. */
static struct a32_file *add(struct a32_file *file)
{
	struct a32_file *other;

	spin_lock_bh(&files_lock);
	other = find_get(&file->identity);
	if (!other) {
		file->id = ++last_id;
		nr_files++;
		hlist_add_head(&file->node, &files[hash(&file->identity)]);
	}
	spin_unlock_bh(&files_lock);
	if (!other)
		return file;
	kfree(file);
	return other;
}

/* The tail of a path that is too long says more than its head. */
static void set_name(struct a32_file *file, const struct path *path)
{
	char *page = (char *)__get_free_page(GFP_KERNEL), *name;
	size_t len;

	if (!page)
		return;
	name = d_path(path, page, PAGE_SIZE);
	if (!IS_ERR(name)) {
		len = strlen(name);
		if (len >= sizeof(file->name))
			name += len - sizeof(file->name) + 1;
		strscpy(file->name, name, sizeof(file->name));
	}
	free_page((unsigned long)page);
}

/* Whose root a name of d_path()'s counts from; of a path that it does not lead to, nobody's */
static const struct dentry *root_of(const struct path *path)
{
	struct path root;
	bool is_under;

	get_fs_root(current->fs, &root);
	is_under = path_is_under(path, &root);
	path_put(&root);
	return is_under ? root.dentry : NULL;
}

bool a32_file_is_named_here(const struct a32_file *file)
{
	struct path root;

	get_fs_root(current->fs, &root);
	path_put(&root);
	return file->root == root.dentry;
}

struct a32_file *a32_file_of_path(const struct path *path)
{
	struct a32_identity identity;
	struct a32_file *file;

	a32_file_identify(path, &identity);
	file = find_get_locked(&identity);
	if (file)
		return file;
	file = create(&identity);
	if (!file)
		return NULL;
	set_name(file, path);
	file->root = root_of(path);
	return add(file);
}

/* Memory without a file: the kernel's special mappings have names. */
static struct a32_file *of_name(const char *name, enum a32_special special)
{
	struct a32_identity identity = { .ino = full_name_hash(NULL, name, strlen(name)) };
	struct a32_file *file = find_get_locked(&identity);

	if (file)
		return file;
	file = create(&identity);
	if (!file)
		return NULL;
	file->code.special = special;
	file->code.want = WANT_NEVER;
	file->detect = A32_DETECT_NO_FILE;
	strscpy(file->name, name, sizeof(file->name));
	return add(file);
}

/*
 * JIT compilers write their code through a second mapping of a file that
 * nobody else can open: a memfd, or one without a name any more.
 */
bool a32_file_may_change(const struct vm_area_struct *vma)
{
	const struct inode *inode;

	if (!vma->vm_file)
		return true;
	inode = file_inode(vma->vm_file);
	return vma->vm_flags & VM_WRITE || !inode->i_nlink || inode->i_sb->s_flags & SB_KERNMOUNT ||
	       inode_is_open_for_write(inode);
}

static enum a32_special special_of(const char *name)
{
	if (!strcmp(name, "[sigpage]"))
		return SPECIAL_SIGPAGE;
	if (!strcmp(name, "[uprobes]"))
		return SPECIAL_UPROBES;
	return strcmp(name, "[vdso]") ? SPECIAL_CODE : SPECIAL_VDSO;
}

struct a32_file *a32_file_of_vma(struct vm_area_struct *vma)
{
	const char *name = NULL;

	if (vma->vm_file)
		return a32_file_of_path(&vma->vm_file->f_path);
	if (vma->vm_ops && vma->vm_ops->name)
		name = vma->vm_ops->name(vma);
	if (!name)
		return of_name("[anon]", SPECIAL_NONE);
	return of_name(name, special_of(name));
}

static void free_file(struct rcu_head *rcu)
{
	struct a32_file *file = container_of(rcu, struct a32_file, rcu);

	a32_rules_free(file->code.parts);
	a32_bodies_free(file->code.bodies);
	kfree(file);
}

static bool has_counts(const struct a32_file *file)
{
	unsigned int i;

	for (i = 0; i < a32_counts_nr(); i++) {
		if (file->counts[i].frames)
			return true;
	}
	return false;
}

static void add_counts(struct a32_stats *to, const struct a32_file *file)
{
	struct a32_stats stats;
	unsigned int r;

	a32_stats_sum(file->counts, &stats);
	to->samples += stats.samples;
	to->frames += stats.frames;
	for (r = 0; r < A32_STOP_NR; r++)
		to->stop[r] += stats.stop[r];
}

/*
 * Statistics outlive the process they speak of. So do bodies: short programs run
 * one after the other, and are not to be gone through each time.
 */
static bool is_worth_keeping(const struct a32_file *file)
{
	if (nr_kept < KEPT_MAX / 2 && file->code.bodies)
		return true;
	return nr_kept < KEPT_MAX && has_counts(file);
}

static void free_unkept(struct a32_file *file)
{
	nr_lost += file->code.want == WANT_NOTED && !file->is_told;
	add_counts(&gone, file);
	hlist_del(&file->node);
	nr_files--;
	call_rcu(&file->rcu, free_file);
}

/* Its last reference is gone. */
static void keep_or_free(struct a32_file *file)
{
	if (!is_exiting && is_worth_keeping(file)) {
		refcount_set(&file->ref, 1);
		file->is_kept = true;
		nr_kept++;
		return;
	}
	free_unkept(file);
}

static void put_locked(struct a32_file *file)
{
	if (refcount_dec_and_test(&file->ref))
		keep_or_free(file);
}

static void unkeep(struct a32_file *file)
{
	file->is_kept = false;
	nr_kept--;
}

void a32_file_put(struct a32_file *file)
{
	spin_lock_bh(&files_lock);
	put_locked(file);
	spin_unlock_bh(&files_lock);
}

bool a32_file_stats(struct a32_stats *stats)
{
	struct a32_file *file, *next = NULL;
	unsigned int i;

	spin_lock_bh(&files_lock);
	hash_for_each(files, i, file, node) {
		if (file->id > stats->cursor && (!next || file->id < next->id))
			next = file;
	}
	if (next) {
		a32_stats_sum(next->counts, stats);
		stats->cursor = next->id;
		strscpy(stats->path, next->name, sizeof(stats->path));
	}
	spin_unlock_bh(&files_lock);
	return next;
}

void a32_file_totals(struct a32_stats *stats)
{
	struct a32_file *file;
	unsigned int i;

	spin_lock_bh(&files_lock);
	*stats = gone;
	hash_for_each(files, i, file, node)
		add_counts(stats, file);
	spin_unlock_bh(&files_lock);
}

void a32_file_reset_stats(void)
{
	struct hlist_node *next;
	struct a32_file *file;
	unsigned int i;

	spin_lock_bh(&files_lock);
	memset(&gone, 0, sizeof(gone));
	hash_for_each_safe(files, i, next, file, node) {
		a32_stats_reset(file->counts);
		if (file->is_kept) {
			unkeep(file);
			put_locked(file);
		}
	}
	spin_unlock_bh(&files_lock);
}

bool a32_file_drop_bodies(void)
{
	struct hlist_node *next;
	struct a32_file *file;
	bool any = false;
	unsigned int i;

	spin_lock_bh(&files_lock);
	hash_for_each_safe(files, i, next, file, node) {
		if (!file->is_kept || !file->code.bodies)
			continue;
		unkeep(file);
		if (refcount_dec_and_test(&file->ref)) {
			free_unkept(file);
			any = true;
		}
	}
	spin_unlock_bh(&files_lock);
	if (any)
		rcu_barrier();
	return any;
}

static bool has_rule(const struct a32_code *code)
{
	u8 abi = READ_ONCE(code->abi);

	return (abi != A32_ABI_DEFAULT && abi != A32_ABI_AUTO) || READ_ONCE(code->parts) ||
	       READ_ONCE(code->table);
}

/* Numbers are given where they are looked for: none can come behind a higher one. */
static bool is_wanted(struct a32_file *file)
{
	if (READ_ONCE(file->code.want) != WANT_NOTED)
		return false;
	if (!file->wanted)
		file->wanted = ++last_wanted;
	return !has_rule(&file->code);
}

struct a32_file *a32_file_next_wanted(u64 *cursor, u32 *lost)
{
	struct a32_file *file, *next = NULL;
	unsigned int i;

	spin_lock_bh(&files_lock);
	hash_for_each(files, i, file, node) {
		if (is_wanted(file) && file->wanted > *cursor &&
		    (!next || file->wanted < next->wanted))
			next = file;
	}
	if (next) {
		refcount_inc(&next->ref);
		next->is_told = true;
		*cursor = next->wanted;
		*lost = nr_lost;
	}
	spin_unlock_bh(&files_lock);
	return next;
}

void a32_file_forget_wanted(struct a32_file *file)
{
	spin_lock_bh(&files_lock);
	file->wanted = 0;
	file->is_told = false;
	cmpxchg(&file->code.want, WANT_NOTED, WANT_UNKNOWN);
	spin_unlock_bh(&files_lock);
}

int a32_file_init(void)
{
	a32_file_nowhere = of_name("[unmapped]", SPECIAL_CODE);
	return a32_file_nowhere ? 0 : -ENOMEM;
}

void a32_file_exit(void)
{
	is_exiting = true;
	a32_file_put(a32_file_nowhere);
	a32_file_reset_stats();
}

unsigned int a32_file_number(void)
{
	return READ_ONCE(nr_files);
}
