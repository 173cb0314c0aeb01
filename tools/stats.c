// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "command.h"
#include "ctl.h"
#include "file_stats.h"
#include "json.h"
#include "msg.h"
#include "names.h"
#include "quote.h"
#include "rules.h"
#include "table.h"

static double share(__u64 part, __u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void print_totals(const struct a32_stats *total)
{
	static const struct column columns[] = {
		{ "ENDED FOR", TO_LEFT }, { "CHAINS", TO_RIGHT },
		{ "SHARE", TO_RIGHT }, { NULL, TO_LEFT },
	};
	struct table *table = table_new(columns);
	__u32 i;

	printf("samples  %llu\nframes   %llu\n\n",
	       (unsigned long long)total->samples,
	       (unsigned long long)total->frames);
	for (i = 0; i < A32_STOP_ROOM; i++) {
		if (!total->stop[i])
			continue;
		table_cell(table, "%s", name_stop(i));
		table_cell(table, "%llu", (unsigned long long)total->stop[i]);
		table_cell(table, "%.1f%%", share(total->stop[i], total->samples));
	}
	table_print(table);
	table_free(table);
}

static void add_row(struct table *table, const struct a32_stats *file,
		    __u64 samples)
{
	__u64 ended = file_stats_ended(file);

	table_cell(table, "%llu", (unsigned long long)ended);
	table_cell(table, "%.1f%%", share(ended, samples));
	table_cell(table, "%s", ended ? name_stop(file_stats_main_stop(file)) : "-");
	table_cell(table, "%llu", (unsigned long long)file->samples);
	table_cell(table, "%llu", (unsigned long long)file->frames);
	table_cell(table, "%s", file->path);
}

static void print_files(const struct file_stats *files, __u64 samples)
{
	static const struct column columns[] = {
		{ "CUT SHORT", TO_RIGHT }, { "SHARE", TO_RIGHT },
		{ "MOSTLY FOR", TO_LEFT }, { "SAMPLES", TO_RIGHT },
		{ "FRAMES", TO_RIGHT }, { "IN", TO_LEFT },
		{ NULL, TO_LEFT },
	};
	struct table *table = table_new(columns);
	size_t i;

	for (i = 0; i < files->nr; i++)
		add_row(table, &files->items[i], samples);
	putchar('\n');
	table_print(table);
	table_free(table);
}

static void advise_tag(const char *why, const struct a32_stats *file)
{
	printf("\n%s: a32uwctl tag ABI ", why);
	quote(stdout, file->path);
	printf(" (%s)\n", name_all_abis());
}

static void advise_untagged(const struct a32_stats *file, __u32 default_abi)
{
	if (default_abi != A32_ABI_AUTO) {
		advise_tag("To follow chains through it (if it was built with frame pointers)",
			   file);
		return;
	}
	printf("\nNo ABI is found for it; to see what its functions say: a32uwctl detect ");
	quote(stdout, file->path);
	putchar('\n');
}

static void print_advice(const struct a32_stats *total,
			 const struct file_stats *files,
			 const struct rules *rules, __u32 default_abi)
{
	const struct a32_stats *file;

	file = advice_mistagged(files, rules);
	if (file)
		advise_tag("It may follow another ABI than it is tagged with",
			   file);
	file = advice_untagged(files, rules, total->samples);
	if (file)
		advise_untagged(file, default_abi);
	printf("\nWhat would mend each of these: a32uwctl explain\n");
}

static int print_text(const struct a32_stats *total, const struct file_stats *files,
		      const struct rules *rules, __u32 default_abi)
{
	if (!total->samples) {
		printf("No samples yet; take some with 'perf record -g COMMAND'.\n");
		return DONE;
	}
	print_totals(total);
	if (files->nr)
		print_files(files, total->samples);
	print_advice(total, files, rules, default_abi);
	return DONE;
}

static json_t *counts_to_json(const struct a32_stats *stats)
{
	json_t *object = json_new_object();
	json_t *stop = json_new_object();
	__u32 i;

	for (i = 0; i < A32_STOP_ROOM; i++)
		if (i < A32_STOP_NR || stats->stop[i])
			json_put_count(stop, name_stop(i), stats->stop[i]);
	json_put_count(object, "samples", stats->samples);
	json_put_count(object, "frames", stats->frames);
	json_put(object, "stop", stop);
	return object;
}

static int print_json(const struct a32_stats *total,
		      const struct file_stats *files)
{
	json_t *object = counts_to_json(total);
	json_t *array = json_new_array();
	json_t *file;
	size_t i;

	for (i = 0; i < files->nr; i++) {
		file = counts_to_json(&files->items[i]);
		json_put_count(file, "cut_short",
			       file_stats_ended(&files->items[i]));
		json_put_path(file, "path", files->items[i].path);
		json_add(array, file);
	}
	json_put(object, "files", array);
	return json_print(object);
}

static int show(int ctl, bool json)
{
	struct file_stats files = { 0 };
	struct rules rules = { 0 };
	struct a32_stats total;
	struct a32_info info;
	int err, status;

	err = ctl_stats(ctl, &total);
	if (!err)
		err = ctl_info(ctl, &info);
	if (!err)
		err = file_stats_read(ctl, &files);
	if (!err && !json)
		err = rules_read(ctl, &rules);
	if (err)
		status = ctl_fail(ctl, err, "counts", "");
	else
		status = json ? print_json(&total, &files) :
				print_text(&total, &files, &rules, info.default_abi);
	rules_free(&rules);
	file_stats_free(&files);
	return status;
}

static int reset(int ctl)
{
	int err = ctl_reset_stats(ctl);

	return err ? ctl_fail(ctl, err, "counts", "") : DONE;
}

int command_stats(const struct args *args)
{
	int ctl, status;

	if (args->nr_words)
		return msg_misuse("it takes no '%s'", args->words[0]);
	if ((args->given & OPT_RESET) && args_json(args))
		return msg_misuse("--reset prints nothing; leave --json out");
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	status = args->given & OPT_RESET ? reset(ctl) : show(ctl, args_json(args));
	close(ctl);
	return status;
}
