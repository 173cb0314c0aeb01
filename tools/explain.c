// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "command.h"
#include "ctl.h"
#include "file_stats.h"
#include "json.h"
#include "mend.h"
#include "msg.h"
#include "names.h"
#include "parse.h"
#include "rules.h"
#include "table.h"
#include "text.h"
#include "votes.h"

#define SHOWN	20	/* reasons, in text */

/**
 * struct cut - chains that ended early in a file, for one reason
 * @file: of struct known's
 */
struct cut {
	const struct a32_stats *file;
	__u32 stop;
	__u64 chains;
};

/**
 * struct known - what the module says
 * @pid: the process to be explained; 0: all
 * @paths: names of what it maps
 */
struct known {
	struct a32_info info;
	struct a32_stats total;
	struct file_stats files;
	struct rules rules;
	__s32 pid;
	char **paths;
	size_t nr_paths;
	struct cut *cuts;
	size_t nr_cuts;
};

/* Returns 0 or -errno. */
static int read_paths(int ctl, struct known *known)
{
	struct a32_map_item item = { .pid = known->pid };
	size_t room = 0;
	int more;

	while ((more = ctl_next_map(ctl, &item)) == 1) {
		known->paths = array_grow(known->paths, known->nr_paths, &room,
					  sizeof(*known->paths));
		known->paths[known->nr_paths] = strdup(item.path);
		if (!known->paths[known->nr_paths++])
			msg_no_memory();
	}
	return more;
}

static int read_all(int ctl, struct known *known)
{
	int err = ctl_info(ctl, &known->info);

	if (!err)
		err = ctl_stats(ctl, &known->total);
	if (!err)
		err = file_stats_read(ctl, &known->files);
	if (!err)
		err = rules_read(ctl, &known->rules);
	if (!err && known->pid)
		err = read_paths(ctl, known);
	return err;
}

static void free_all(struct known *known)
{
	while (known->nr_paths)
		free(known->paths[--known->nr_paths]);
	free(known->paths);
	free(known->cuts);
	rules_free(&known->rules);
	file_stats_free(&known->files);
}

static bool is_asked(const struct known *known, const char *path)
{
	size_t i;

	for (i = 0; i < known->nr_paths; i++)
		if (!strcmp(known->paths[i], path))
			return true;
	return !known->pid;
}

static int most_first(const void *a, const void *b)
{
	const struct cut *left = a, *right = b;

	if (left->chains != right->chains)
		return left->chains < right->chains ? 1 : -1;
	return strcmp(left->file->path, right->file->path);
}

static void find_cuts(struct known *known)
{
	const struct a32_stats *file;
	size_t i;
	__u32 stop;

	known->cuts = calloc(known->files.nr * A32_STOP_ROOM + 1, sizeof(*known->cuts));
	if (!known->cuts)
		msg_no_memory();
	for (i = 0; i < known->files.nr; i++) {
		file = &known->files.items[i];
		for (stop = 0; stop < A32_STOP_ROOM; stop++)
			if (stop != A32_STOP_OUTERMOST && file->stop[stop] &&
			    is_asked(known, file->path))
				known->cuts[known->nr_cuts++] = (struct cut){
					file, stop, file->stop[stop],
				};
	}
	qsort(known->cuts, known->nr_cuts, sizeof(*known->cuts), most_first);
}

static __u32 speaks_for(const char *path)
{
	__u32 found = A32_ABI_DEFAULT;
	struct a32_votes votes;
	int fd = -1;

	if (path[0] == '/')
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return found;
	if (votes_read(fd, &votes) == A32_DETECT_DONE)
		found = a32_detect_verdict(&votes);
	close(fd);
	return found;
}

/* What the process has by that name, which may be another file, as in a container */
static bool is_elsewhere(__s32 pid, const char *path)
{
	char *there = text_format("/proc/%d/root%s", pid, path);
	struct stat its, ours;
	bool is;

	is = !stat(there, &its) && (stat(path, &ours) || its.st_dev != ours.st_dev ||
				    its.st_ino != ours.st_ino);
	free(there);
	return is;
}

static struct mend_file about(const struct known *known, const char *path)
{
	struct mend_file file = {
		.path = path, .exists = !access(path, F_OK), .tagged = A32_ABI_DEFAULT,
		.default_abi = known->info.default_abi, .found = speaks_for(path),
	};
	const struct a32_rule_item *rule;
	size_t i;

	if (known->pid && is_elsewhere(known->pid, path)) {
		file.pid = known->pid;
		file.found = A32_ABI_DEFAULT;
	}
	for (i = 0; i < known->rules.nr; i++) {
		rule = &known->rules.items[i];
		if (rule->kind == A32_RULE_RANGE || strcmp(rule->path, path) ||
		    rule->stale != (file.pid ? A32_STALE_ELSEWHERE : 0))
			continue;
		if (rule->kind == A32_RULE_TABLE)
			file.has_table = true;
		else
			file.tagged = rule->abi;
	}
	return file;
}

static char *mend_cut(const struct known *known, const struct cut *cut)
{
	struct mend_file file = about(known, cut->file->path);

	return mend(&file, cut->stop);
}

static double share(const struct known *known, const struct cut *cut)
{
	return 100.0 * (double)cut->chains / (double)known->total.samples;
}

static void print_cuts(const struct known *known)
{
	static const struct column columns[] = {
		{ "CHAINS", TO_RIGHT }, { "SHARE", TO_RIGHT }, { "ENDED FOR", TO_LEFT },
		{ "IN", TO_LEFT }, { "TO MEND IT", TO_LEFT }, { NULL, TO_LEFT },
	};
	struct table *table = table_new(columns);
	const struct cut *cut;
	char *text;
	size_t i;

	for (i = 0; i < known->nr_cuts && i < SHOWN; i++) {
		cut = &known->cuts[i];
		text = mend_cut(known, cut);
		table_cell(table, "%llu", (unsigned long long)cut->chains);
		table_cell(table, "%.1f%%", share(known, cut));
		table_cell(table, "%s", name_stop(cut->stop));
		table_cell(table, "%s", cut->file->path);
		table_cell(table, "%s", text);
		free(text);
	}
	table_print(table);
	table_free(table);
	if (known->nr_cuts > SHOWN)
		printf("And %zu more, less frequent; --json has all.\n", known->nr_cuts - SHOWN);
}

static int print_text(const struct known *known)
{
	if (!known->total.samples) {
		printf("No samples yet; take some with 'perf record -g COMMAND'.\n");
		return DONE;
	}
	if (known->pid)
		printf("In files that process %d maps; chains of all processes count.\n\n",
		       known->pid);
	if (known->nr_cuts)
		print_cuts(known);
	else
		printf("No chain has ended early.\n");
	return DONE;
}

static int print_json(const struct known *known)
{
	json_t *object = json_new_object(), *array = json_new_array(), *item;
	char *text;
	size_t i;

	for (i = 0; i < known->nr_cuts; i++) {
		text = mend_cut(known, &known->cuts[i]);
		item = json_new_object();
		json_put_count(item, "chains", known->cuts[i].chains);
		json_put_name(item, "reason", name_stop(known->cuts[i].stop));
		json_put_path(item, "path", known->cuts[i].file->path);
		json_put_path(item, "mend", text);
		json_put_bool(item, "can_be_mended", mend_is_command(text));
		json_add(array, item);
		free(text);
	}
	if (known->pid)
		json_put(object, "pid", json_integer(known->pid));
	json_put_count(object, "samples", known->total.samples);
	json_put(object, "cuts", array);
	return json_print(object);
}

static int explain(int ctl, struct known *known, bool json)
{
	char what[32] = "counts";
	int err = read_all(ctl, known);

	if (known->pid)
		snprintf(what, sizeof(what), "process %d", known->pid);
	if (err)
		return ctl_fail(ctl, err, what, "");
	find_cuts(known);
	return json ? print_json(known) : print_text(known);
}

int command_explain(const struct args *args)
{
	struct known known = { 0 };
	int ctl, status;

	if (args->nr_words > 1)
		return msg_misuse("it takes one PID, or none");
	if (args->nr_words) {
		status = parse_pid(args->words[0], &known.pid);
		if (status)
			return status;
	}
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	status = explain(ctl, &known, args_json(args));
	free_all(&known);
	close(ctl);
	return status;
}
