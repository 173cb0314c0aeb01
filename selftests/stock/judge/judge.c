// SPDX-License-Identifier: GPL-2.0
/*
 * judge [-n NAME] [-x N] ROOT PERF.DATA
 *
 * Judges the user chains of a perf.data from perf record -g, by the bytes of
 * the files that were mapped, which are below the folder ROOT. Only processes
 * count whose program is there. Prints tab-separated lines:
 *
 * (NAME is -n's, which may have tabs of its own)
 *   count NAME WHERE SAMPLES ENTRIES OUTERMOST LIMIT IMPOSSIBLE
 *	for WHERE user (user code was sampled) and kernel (the kernel on its behalf): samples with a user
 *	chain; the sum of its entries; how many chains get to where the thread begins; how many have as
 *	many entries as perf records; how many have an entry that can't be
 *   early NAME FILE N
 *	chains that ended with an entry in FILE, of all others; most frequent first
 *   example NAME VERDICT ENTRY...
 *	at most N (-x) chains of each kind that aren't complete, by file and offset; '!': it can't be
 */
#include <unistd.h>

#include "data.h"
#include "process.h"
#include "util.h"

/* kernel.perf_event_max_stack */
#define MAX_STACK	127

/* The user's part of the address space ends below modules, which begin here. */
#define USER_END	0xbf000000

enum verdict { OUTERMOST, LIMIT, EARLY, IMPOSSIBLE, NR_VERDICTS };

static const char * const verdict_names[] = { "outermost", "limit", "early", "impossible" };
static const char * const where_names[] = { "kernel", "user" };

struct tally {
	unsigned long samples, entries, verdicts[NR_VERDICTS];
};

static const char *name = "-", *root;
static unsigned long examples, shown[NR_VERDICTS];
static struct tally tallies[2];

static struct file *where(const struct process *proc, uint32_t addr, uint32_t *offset)
{
	const struct map *map = process_find(proc, addr);

	*offset = map ? addr - map->start + map->offset : addr;
	return map ? map->file : NULL;
}

/* What isn't a file has no bytes here: the vdso, the kernel's helpers and its page that signal handlers return to. */
static bool possible(const struct process *proc, uint64_t entry, bool first, bool *signal)
{
	uint32_t offset;
	const struct file *file = where(proc, entry & ~1, &offset);
	bool interrupted = *signal;

	*signal = false;
	if (entry >= USER_END)
		return entry >= 0xffff0000 && entry <= UINT32_MAX;
	if (!file)
		return false;
	if (!file->image) {
		*signal = !strcmp(file->path, "[sigpage]");
		return true;
	}
	if (first || interrupted)
		return true;
	*signal = file_sigreturn(file, offset);
	return *signal || file_call_before(file, offset);
}

static bool is_outermost(const struct process *proc, uint64_t entry)
{
	uint32_t offset;
	const struct file *file = where(proc, entry & ~1, &offset);

	return file && (file == proc->program || file->loader || file->clone) &&
	       file_outermost(file, offset);
}

static enum verdict judge(const struct process *proc, const uint64_t *ips, size_t nr, bool limit)
{
	bool signal = false;
	size_t i;

	for (i = 0; i < nr; i++)
		if (!possible(proc, ips[i], i == 0, &signal))
			return IMPOSSIBLE;
	if (is_outermost(proc, ips[nr - 1]))
		return OUTERMOST;
	return limit ? LIMIT : EARLY;
}

static void show(const struct process *proc, const uint64_t *ips, size_t nr, enum verdict verdict)
{
	bool signal = false;
	size_t i;

	printf("example\t%s\t%s", name, verdict_names[verdict]);
	for (i = 0; i < nr; i++) {
		uint32_t offset;
		bool good = possible(proc, ips[i], i == 0, &signal);
		const struct file *file = where(proc, ips[i] & ~1, &offset);

		printf("\t%s%s+%x", good ? "" : "!", file ? file_name(file) : "?", offset);
	}
	putchar('\n');
}

static void take_sample(const struct sample *sample)
{
	const struct process *proc = process_get(sample->pid);
	struct tally *tally = &tallies[sample->user_mode];
	enum verdict verdict;
	size_t i, nr = 0;
	uint32_t offset;
	struct file *last;
	const uint64_t *user;

	if (!proc->program || !proc->program->image)
		return;
	for (i = 0; i < sample->nr && sample->ips[i] != (uint64_t)PERF_CONTEXT_USER; i++)
		;
	if (i == sample->nr)
		return;
	user = &sample->ips[i + 1];
	while (i + 1 + nr < sample->nr && user[nr] < (uint64_t)PERF_CONTEXT_MAX)
		nr++;
	/* The stock kernel's last entry may be what marks the end of its records. */
	while (nr > 1 && (!user[nr - 1] || user[nr - 1] == UINT32_MAX))
		nr--;
	if (!nr)
		return;
	verdict = judge(proc, user, nr, i - !!i + nr >= MAX_STACK);
	tally->samples++;
	tally->entries += nr;
	tally->verdicts[verdict]++;
	if (verdict == EARLY) {
		last = where(proc, user[nr - 1] & ~1, &offset);
		if (last)
			last->early++;
	}
	if (verdict != OUTERMOST && shown[verdict]++ < examples)
		show(proc, user, nr, verdict);
}

static void take_map(struct process *proc, uint64_t start, uint64_t len, uint64_t offset, const char *path)
{
	struct map map = { .start = start, .end = start + len, .offset = offset };

	if (start >= UINT32_MAX)
		return;
	map.file = file_get(root, path);
	process_map(proc, &map);
}

/* Bodies of records, from include/uapi/linux/perf_event.h */
struct mmap_body {
	uint32_t pid, tid;
	uint64_t start, len, offset;
	char path[];
};

struct mmap2_body {
	uint32_t pid, tid;
	uint64_t start, len, offset;
	uint8_t identity[24];
	uint32_t prot, flags;
	char path[];
};

struct task_body {
	uint32_t pid, ppid, tid, ptid;
};

static void take(const struct perf_event_header *record)
{
	const void *body = record + 1;
	const struct mmap_body *mmap = body;
	const struct mmap2_body *mmap2 = body;
	const struct task_body *task = body;
	struct sample sample;

	switch (record->type) {
	case PERF_RECORD_MMAP:
		if (!(record->misc & PERF_RECORD_MISC_MMAP_DATA))
			take_map(process_get(mmap->pid), mmap->start, mmap->len, mmap->offset, mmap->path);
		break;
	case PERF_RECORD_MMAP2:
		if (!(record->misc & PERF_RECORD_MISC_MMAP_DATA))
			take_map(process_get(mmap2->pid), mmap2->start, mmap2->len, mmap2->offset, mmap2->path);
		break;
	case PERF_RECORD_COMM:
		if (record->misc & PERF_RECORD_MISC_COMM_EXEC)
			process_exec(process_get(task->pid));
		break;
	case PERF_RECORD_FORK:
		process_fork(task->pid, task->ppid);
		break;
	case PERF_RECORD_SAMPLE:
		data_sample(record, &sample);
		take_sample(&sample);
		break;
	}
}

static void print_counts(void)
{
	int i;

	for (i = 1; i >= 0; i--)
		printf("count\t%s\t%s\t%lu\t%lu\t%lu\t%lu\t%lu\n", name, where_names[i], tallies[i].samples,
		       tallies[i].entries, tallies[i].verdicts[OUTERMOST], tallies[i].verdicts[LIMIT],
		       tallies[i].verdicts[IMPOSSIBLE]);
}

static struct file *most;

static void take_most(struct file *file)
{
	if (file->early && (!most || file->early > most->early))
		most = file;
}

static void print_early(void)
{
	for (;;) {
		most = NULL;
		file_for_each(take_most);
		if (!most)
			return;
		printf("early\t%s\t%s\t%lu\n", name, file_name(most), most->early);
		most->early = 0;
	}
}

int main(int argc, char **argv)
{
	const struct perf_event_header *record;
	int opt;

	while ((opt = getopt(argc, argv, "n:x:")) != -1) {
		switch (opt) {
		case 'n':
			name = optarg;
			break;
		case 'x':
			examples = strtoul(optarg, NULL, 10);
			break;
		default:
			return 2;
		}
	}
	if (argc - optind != 2)
		die("give ROOT and PERF.DATA");
	root = argv[optind];
	data_open(argv[optind + 1]);
	while ((record = data_next()))
		take(record);
	print_counts();
	print_early();
	return 0;
}
