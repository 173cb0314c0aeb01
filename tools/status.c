// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "json.h"
#include "msg.h"
#include "names.h"

#define ENABLED_FILE "/sys/class/misc/a32uwind/enabled"

static int print_json(const struct a32_info *info, const struct a32_stats *stats)
{
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
	json_put_count(status, "samples", stats->samples);
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

static void print_hints(const struct a32_info *info,
			const struct a32_stats *stats)
{
	if (info->version != A32_VERSION)
		printf("\nThe module and this tool are of different versions: use both of one.\n");
	if (!info->enabled)
		printf("\nChains are the stock walker's. To have them walked by the module:\n"
		       "  echo 1 > " ENABLED_FILE "\n");
	if (!info->rules && info->default_abi == A32_ABI_NONE)
		printf("\nNothing is tagged, so chains end where they start. Have the ABI of each\n"
		       "file found out, or say which one (%s) it is:\n"
		       "  a32uwctl default auto\n"
		       "  a32uwctl tag ABI FILE...\n", name_all_abis());
	else if (!stats->samples)
		printf("\nNo samples yet. Take some:\n"
		       "  perf record -g COMMAND\n");
	else
		printf("\nWhere chains ended, and why:\n"
		       "  a32uwctl stats\n");
}

static const char *what_auto_is(__u32 abi)
{
	return abi == A32_ABI_AUTO ? " (what each file's own functions say)" : "";
}

static int print_text(const struct a32_info *info,
		      const struct a32_stats *stats)
{
	printf("version    module %u, tool %u\n", info->version, A32_VERSION);
	printf("hook       %s%s\n", name_hook(info->hook), hook_cost(info->hook));
	if (info->hook == A32_HOOK_KPROBE || info->missed)
		printf("missed     %u\n", info->missed);
	printf("enabled    %s\n", info->enabled ? "yes" : "no");
	printf("default    %s%s\n", name_abi(info->default_abi),
	       what_auto_is(info->default_abi));
	printf("processes  %u\n", info->processes);
	printf("files      %u\n", info->files);
	printf("rules      %u\n", info->rules);
	printf("samples    %llu\n", (unsigned long long)stats->samples);
	print_hints(info, stats);
	return DONE;
}

int command_status(const struct args *args)
{
	struct a32_stats stats;
	struct a32_info info;
	int ctl, err, status;

	if (args->nr_words)
		return msg_misuse("it takes no '%s'", args->words[0]);
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	err = ctl_info(ctl, &info);
	if (!err)
		err = ctl_stats(ctl, &stats);
	if (err)
		status = ctl_fail(ctl, err, "status", "");
	else if (args_json(args))
		status = print_json(&info, &stats);
	else
		status = print_text(&info, &stats);
	close(ctl);
	return status;
}
