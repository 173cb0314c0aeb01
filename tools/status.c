// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "json.h"
#include "msg.h"
#include "names.h"
#include "rules.h"

#define ENABLED_FILE "/sys/class/misc/a32uwind/enabled"

/**
 * struct known - what the module says
 * @info: of itself
 * @stats: of all samples
 * @tables: how many unwind tables there are
 */
struct known {
	struct a32_info info;
	struct a32_stats stats;
	size_t tables;
};

static int print_json(const struct known *known)
{
	const struct a32_info *info = &known->info;
	json_t *status = json_new_object();

	json_put_count(status, "module_version", info->version);
	json_put_count(status, "tool_version", A32_VERSION);
	json_put_name(status, "hook", name_hook(info->hook));
	json_put_count(status, "missed", info->missed);
	json_put_bool(status, "enabled", info->enabled);
	json_put_name(status, "default_abi", name_abi(info->default_abi));
	json_put_count(status, "processes", info->processes);
	json_put_count(status, "files", info->files);
	json_put_count(status, "rules", info->rules);
	json_put_count(status, "tables", known->tables);
	json_put_count(status, "bodies_kib", info->bodies);
	json_put_count(status, "pending", info->pending);
	json_put_count(status, "samples", known->stats.samples);
	return json_print(status);
}

static const char *hook_cost(__u32 hook)
{
	switch (hook) {
	case A32_HOOK_FTRACE:
		return " (sees every sample)";
	case A32_HOOK_KPROBE:
		return " (misses samples that kprobe events take: they keep the stock chain)";
	default:
		return "";
	}
}

/* Samples that nobody walks, or that end where they begin, say nothing. */
static bool is_walking(const struct known *known)
{
	return known->info.enabled && (known->info.default_abi != A32_ABI_NONE ||
				       known->info.rules || known->tables);
}

static void print_hints(const struct known *known)
{
	const struct a32_info *info = &known->info;

	if (info->version != A32_VERSION)
		printf("\nThe module and this tool are of different versions: use both of one.\n");
	if (!info->enabled)
		printf("\nChains are the stock walker's. To have them walked by the module:\n"
		       "  echo 1 > " ENABLED_FILE "\n");
	if (info->default_abi == A32_ABI_NONE)
		printf("\nFiles without a rule or a table are not walked: chains end there. To\n"
		       "have the ABI of each file found out:\n"
		       "  a32uwctl default auto\n");
	if (!is_walking(known))
		return;
	if (!known->stats.samples)
		printf("\nNo samples yet. Take some:\n"
		       "  perf record -g COMMAND\n");
	else
		printf("\nWhere chains ended, and why:\n"
		       "  a32uwctl stats\n");
}

static const char *what_default_is(__u32 abi)
{
	switch (abi) {
	case A32_ABI_AUTO:
		return " (what each file's own functions say)";
	case A32_ABI_NONE:
		return " (files without a rule are not walked)";
	default:
		return " (files without a rule are taken for that)";
	}
}

static int print_text(const struct known *known)
{
	const struct a32_info *info = &known->info;

	printf("version    module %u, tool %u\n", info->version, A32_VERSION);
	printf("hook       %s%s\n", name_hook(info->hook), hook_cost(info->hook));
	if (info->hook == A32_HOOK_KPROBE || info->missed)
		printf("missed     %u\n", info->missed);
	printf("enabled    %s\n", info->enabled ? "yes" : "no");
	printf("default    %s%s\n", name_abi(info->default_abi),
	       what_default_is(info->default_abi));
	printf("processes  %u\n", info->processes);
	printf("files      %u\n", info->files);
	printf("rules      %u\n", info->rules);
	printf("tables     %zu\n", known->tables);
	printf("bodies     %u KiB%s\n", info->bodies,
	       info->pending ? " (files are still being gone through)" : "");
	printf("samples    %llu\n", (unsigned long long)known->stats.samples);
	print_hints(known);
	return DONE;
}

static int count_tables(int ctl, size_t *tables)
{
	struct rules rules;
	int err = rules_read(ctl, &rules);
	size_t i;

	for (i = 0; i < rules.nr; i++)
		*tables += rules.items[i].kind == A32_RULE_TABLE;
	rules_free(&rules);
	return err;
}

int command_status(const struct args *args)
{
	struct known known = { 0 };
	int ctl, err, status;

	if (args->nr_words)
		return msg_misuse("it takes no '%s'", args->words[0]);
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	err = ctl_info(ctl, &known.info);
	if (!err)
		err = ctl_stats(ctl, &known.stats);
	if (!err)
		err = count_tables(ctl, &known.tables);
	if (err)
		status = ctl_fail(ctl, err, "status", "");
	else if (args_json(args))
		status = print_json(&known);
	else
		status = print_text(&known);
	close(ctl);
	return status;
}
