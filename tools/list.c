// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "json.h"
#include "msg.h"
#include "names.h"
#include "rules.h"
#include "table.h"

static json_t *rule_to_json(const struct a32_rule_item *item)
{
	json_t *rule = json_new_object();
	char device[32];

	json_put_name(rule, "kind", name_rule(item->kind));
	json_put_name(rule, "abi", name_abi(item->abi));
	json_put_count(rule, "start", item->start);
	json_put_count(rule, "end", item->end);
	if (item->kind == A32_RULE_RANGE) {
		json_put(rule, "pid", json_integer(item->pid));
		return rule;
	}
	if (item->kind == A32_RULE_TABLE) {
		json_put_count(rule, "memory", item->table_memory);
		json_put_count(rule, "rows", item->table_rows);
	}
	if (item->abi == A32_ABI_AUTO) {
		json_put_name(rule, "found", name_abi(item->found));
		json_put_name(rule, "detect", name_detect(item->detect));
	}
	snprintf(device, sizeof(device), "%u:%u", item->major, item->minor);
	json_put_name(rule, "device", device);
	json_put_count(rule, "inode", item->ino);
	json_put_bool(rule, "stale", item->stale == 1);
	json_put_bool(rule, "in_another_root", item->stale == A32_STALE_ELSEWHERE);
	json_put_path(rule, "path", item->path);
	return rule;
}

static int print_json(const struct rules *rules)
{
	json_t *list = json_new_object();
	json_t *array = json_new_array();
	size_t i;

	for (i = 0; i < rules->nr; i++)
		json_add(array, rule_to_json(&rules->items[i]));
	json_put(list, "rules", array);
	return json_print(list);
}

static const char *remark(const struct a32_rule_item *item)
{
	if (item->stale == A32_STALE_ELSEWHERE)
		return " (in another root)";
	return item->stale ? " (stale: the file has changed)" : "";
}

static void add_row(struct table *table, const struct a32_rule_item *item)
{
	table_cell(table, "%s", name_rule(item->kind));
	/* What it comes to in a process's memory differs from file to file. */
	table_cell(table, "%s", item->kind == A32_RULE_RANGE ? name_abi(item->abi) :
		   name_says(item->abi, item->found, item->detect));
	if (item->kind == A32_RULE_FILE || item->kind == A32_RULE_TABLE)
		table_cell(table, "-");
	else
		table_cell(table, "0x%llx-0x%llx",
			   (unsigned long long)item->start,
			   (unsigned long long)item->end);
	if (item->kind == A32_RULE_TABLE)
		table_cell(table, "%u KiB", (item->table_memory + 1023) / 1024);
	else
		table_cell(table, "-");
	if (item->kind == A32_RULE_RANGE)
		table_cell(table, "process %d", item->pid);
	else
		table_cell(table, "%s%s", item->path, remark(item));
}

static int print_text(const struct rules *rules)
{
	static const struct column columns[] = {
		{ "KIND", TO_LEFT }, { "ABI", TO_LEFT },
		{ "RANGE", TO_LEFT }, { "MEMORY", TO_RIGHT },
		{ "OF", TO_LEFT },
		{ NULL, TO_LEFT },
	};
	struct table *table;
	bool stale = false;
	size_t i;

	if (!rules->nr) {
		printf("No rules: the default holds for all; 'a32uwctl tag ABI FILE' makes one.\n");
		return DONE;
	}
	table = table_new(columns);
	for (i = 0; i < rules->nr; i++) {
		add_row(table, &rules->items[i]);
		stale |= rules->items[i].stale == 1;
	}
	table_print(table);
	table_free(table);
	if (stale)
		printf("\nStale rules are not followed; 'a32uwctl untag --stale' drops them.\n");
	return DONE;
}

int command_list(const struct args *args)
{
	struct rules rules;
	int ctl, err, status;

	if (args->nr_words)
		return msg_misuse("it takes no '%s'", args->words[0]);
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	err = rules_read(ctl, &rules);
	if (err)
		status = ctl_fail(ctl, err, "rules", "");
	else
		status = args_json(args) ? print_json(&rules) : print_text(&rules);
	rules_free(&rules);
	close(ctl);
	return status;
}
