// SPDX-License-Identifier: GPL-2.0
/*
 * judge [-g] [-n NAME] [-x N] ROOT PERF.DATA
 *
 * Judges the user chains of a perf.data from perf record -g, by the bytes of
 * the files that were mapped, which are below the folder ROOT. Only processes
 * count whose program is there. Prints tab-separated lines:
 *
 * -g leaves out the first caller of each chain that has two, to see whether that
 * is seen; other chains don't count.
 *
 * (NAME is -n's, which may have tabs of its own)
 *   count NAME WHERE SAMPLES ENTRIES OUTERMOST LIMIT EARLY IMPOSSIBLE GAP
 *	for WHERE user (user code was sampled) and kernel (the kernel on its
 *	behalf): samples with a user chain, the sum of its entries, and how
 *	many chains have each verdict (see chain.h)
 *   checked NAME N UNCHECKED
 *	callers that were checked against where the call goes to, and ones that can't be
 *   early NAME FILE N
 *	chains that ended early with an entry in FILE; most frequent first
 *   end NAME FILE+OFFSET N
 *	and with which entry; at most N (-x)
 *   example NAME VERDICT ENTRY...
 *	at most N (-x) chains that are impossible or have a gap, by file and offset; '!': that entry
 */
#include <unistd.h>

#include "chain.h"
#include "data.h"
#include "util.h"

static const char * const verdict_names[] = VERDICT_NAMES;
static const char * const where_names[] = { "kernel", "user" };

struct tally {
	unsigned long samples, entries, verdicts[NR_VERDICTS];
};

static const char *name = "-", *root;
static unsigned long examples, shown;
static bool leave_out;
static struct tally tallies[2];

static void note_end(const struct chain *chain)
{
	uint32_t offset;
	struct file *file = chain_place(chain, chain->nr - 1, &offset);
	size_t i;

	if (!file)
		return;
	file->early++;
	for (i = 0; i < file->nr_ends; i++)
		if (file->ends[i].offset == offset)
			break;
	if (i == file->nr_ends) {
		file->ends = grow(file->ends, file->nr_ends, sizeof(*file->ends));
		file->ends[file->nr_ends++].offset = offset;
	}
	file->ends[i].nr++;
}

static void show(const struct chain *chain, enum verdict verdict, size_t bad)
{
	size_t i;

	if (shown++ >= examples)
		return;
	printf("example\t%s\t%s", name, verdict_names[verdict]);
	for (i = 0; i < chain->nr; i++) {
		uint32_t offset;
		const struct file *file = chain_place(chain, i, &offset);

		printf("\t%s%s+%x", i == bad ? "!" : "", file ? file_name(file) : "?", offset);
	}
	putchar('\n');
}

/* The stock kernel's last entry may be what marks the end of the records. */
static bool is_mark(uint64_t entry)
{
	return !entry || entry == UINT32_MAX;
}

/* The user's part of a chain; false when it has none. */
static bool user_chain(const struct sample *sample, struct chain *chain)
{
	size_t i, k;

	for (i = 0; i < sample->nr && sample->ips[i] != (uint64_t)PERF_CONTEXT_USER; i++)
		;
	for (k = i + 1; k < sample->nr && sample->ips[k] < (uint64_t)PERF_CONTEXT_MAX; k++)
		;
	if (k <= i + 1)
		return false;
	chain->proc = process_get(sample->pid);
	chain->ips = &sample->ips[i + 1];
	chain->nr = k - (i + 1);
	/* The marks don't count: the user's, and the kernel's when there is one. */
	chain->full = k - 1 - !!i >= MAX_STACK;
	while (chain->nr > 1 && is_mark(chain->ips[chain->nr - 1]))
		chain->nr--;
	return chain->proc->program && chain->proc->program->image;
}

static bool without_caller(struct chain *chain)
{
	static uint64_t ips[2 * MAX_STACK];

	if (chain->nr < 3 || chain->nr > 2 * MAX_STACK)
		return false;
	ips[0] = chain->ips[0];
	memcpy(&ips[1], &chain->ips[2], (chain->nr - 2) * sizeof(*ips));
	chain->ips = ips;
	chain->nr--;
	return true;
}

static void take_sample(const struct sample *sample)
{
	struct tally *tally = &tallies[sample->user_mode];
	enum verdict verdict;
	struct chain chain;
	size_t bad;

	if (!user_chain(sample, &chain))
		return;
	if (leave_out && !without_caller(&chain))
		return;
	verdict = chain_judge(&chain, &bad);
	tally->samples++;
	tally->entries += chain.nr;
	tally->verdicts[verdict]++;
	if (verdict == EARLY)
		note_end(&chain);
	if (verdict == IMPOSSIBLE || verdict == GAP)
		show(&chain, verdict, bad);
}

/* Bodies of records, from include/uapi/linux/perf_event.h: both kinds of mapping begin the same. */
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

static void take_map(const struct perf_event_header *record, const char *path)
{
	const struct mmap_body *body = (const void *)(record + 1);
	struct map map = {
		.start = body->start, .end = body->start + body->len, .offset = body->offset,
	};

	if (record->misc & PERF_RECORD_MISC_MMAP_DATA || body->start >= UINT32_MAX)
		return;
	map.file = file_get(root, path);
	process_map(process_get(body->pid), &map);
}

static void take(const struct perf_event_header *record)
{
	const void *body = record + 1;
	const struct task_body *task = body;
	struct sample sample;

	switch (record->type) {
	case PERF_RECORD_MMAP:
		take_map(record, ((const struct mmap_body *)body)->path);
		break;
	case PERF_RECORD_MMAP2:
		take_map(record, ((const struct mmap2_body *)body)->path);
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
	int i, v;

	for (i = 1; i >= 0; i--) {
		printf("count\t%s\t%s\t%lu\t%lu", name, where_names[i],
		       tallies[i].samples, tallies[i].entries);
		for (v = 0; v < NR_VERDICTS; v++)
			printf("\t%lu", tallies[i].verdicts[v]);
		putchar('\n');
	}
	printf("checked\t%s\t%lu\t%lu\n", name, chain_checked, chain_unchecked);
}

static struct file *most;
static struct end *most_end;

static void find_most(struct file *file)
{
	if (file->early && (!most || file->early > most->early))
		most = file;
}

static void find_end(struct file *file)
{
	size_t i;

	for (i = 0; i < file->nr_ends; i++) {
		if (!file->ends[i].nr || (most_end && file->ends[i].nr <= most_end->nr))
			continue;
		most_end = &file->ends[i];
		most = file;
	}
}

static void print_early(void)
{
	for (;;) {
		most = NULL;
		file_for_each(find_most);
		if (!most)
			break;
		printf("early\t%s\t%s\t%lu\n", name, file_name(most), most->early);
		most->early = 0;
	}
	while (examples--) {
		most_end = NULL;
		file_for_each(find_end);
		if (!most_end)
			break;
		printf("end\t%s\t%s+%x\t%lu\n", name, file_name(most),
		       most_end->offset, most_end->nr);
		most_end->nr = 0;
	}
}

int main(int argc, char **argv)
{
	const struct perf_event_header *record;
	int opt;

	while ((opt = getopt(argc, argv, "gn:x:")) != -1) {
		switch (opt) {
		case 'g':
			leave_out = true;
			break;
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
