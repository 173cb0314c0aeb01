// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "ctl.h"
#include "json.h"
#include "msg.h"
#include "names.h"
#include "parse.h"
#include "table.h"

/* A module of before "auto" does not say what the rule says. */
static __u32 says(const struct a32_map_item *item)
{
	return item->says ? item->says : item->abi;
}

static json_t *map_to_json(const struct a32_map_item *item)
{
	json_t *map = json_new_object();

	json_put_count(map, "start", item->start);
	json_put_count(map, "end", item->end);
	json_put_name(map, "abi", name_abi(item->abi));
	json_put_name(map, "rule", name_rule(item->rule));
	json_put_name(map, "says", name_abi(says(item)));
	if (says(item) == A32_ABI_AUTO) {
		json_put_name(map, "found", name_abi(item->found));
		json_put_name(map, "detect", name_detect(item->detect));
	}
	json_put_count(map, "offset", item->offset);
	json_put_path(map, "path", item->path);
	return map;
}

static void add_row(struct table *table, const struct a32_map_item *item)
{
	table_cell(table, "0x%08x-0x%08x", item->start, item->end);
	table_cell(table, "%s", name_says(says(item), item->found, item->detect));
	table_cell(table, "%s", name_rule(item->rule));
	table_cell(table, "0x%llx", (unsigned long long)item->offset);
	table_cell(table, "%s", item->path);
}

/* Returns 0 or -errno, as ctl_next_map() does. */
static int collect(int ctl, __s32 pid, struct table *table, json_t *array)
{
	struct a32_map_item item = { .pid = pid };
	int more;

	while ((more = ctl_next_map(ctl, &item)) == 1) {
		add_row(table, &item);
		json_add(array, map_to_json(&item));
	}
	return more;
}

static void print(__s32 pid, const struct table *table, json_t *array, bool json)
{
	json_t *maps;

	if (!json && !json_array_size(array)) {
		printf("No executable memory of process %d is indexed.\n", pid);
		return;
	}
	if (!json) {
		table_print(table);
		return;
	}
	maps = json_new_object();
	json_put(maps, "pid", json_integer(pid));
	json_put(maps, "maps", json_incref(array));
	json_print(maps);
}

static int show(int ctl, __s32 pid, bool json)
{
	static const struct column columns[] = {
		{ "RANGE", TO_LEFT }, { "ABI", TO_LEFT }, { "RULE", TO_LEFT },
		{ "OFFSET", TO_RIGHT }, { "PATH", TO_LEFT },
		{ NULL, TO_LEFT },
	};
	struct table *table = table_new(columns);
	json_t *array = json_new_array();
	int err = collect(ctl, pid, table, array);
	char what[32];

	snprintf(what, sizeof(what), "process %d", pid);
	if (err)
		err = ctl_fail(ctl, err, what, "");
	else
		print(pid, table, array, json);
	json_decref(array);
	table_free(table);
	return err;
}

int command_maps(const struct args *args)
{
	int ctl, status;
	__s32 pid;

	if (args->nr_words != 1)
		return msg_misuse("it takes one PID");
	status = parse_pid(args->words[0], &pid);
	if (status)
		return status;
	ctl = ctl_open();
	if (ctl < 0)
		return REFUSED;

	status = show(ctl, pid, args_json(args));
	close(ctl);
	return status;
}
