// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "command.h"
#include "compiler.h"
#include "msg.h"
#include "table_build.h"
#include "table_dump.h"
#include "table_load.h"

static const struct action {
	const char *name;
	int (*run)(const struct args *args);
} actions[] = {
	{ "build", table_build },
	{ "dump", table_dump },
	{ "load", table_load },
	{ "unload", table_unload },
};

int command_table(const struct args *args)
{
	struct args rest = *args;
	size_t i;

	if (!args->nr_words)
		return msg_misuse("say what to do: build, dump, load or unload");
	rest.words++;
	rest.nr_words--;
	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(args->words[0], actions[i].name))
			return actions[i].run(&rest);
	return msg_misuse("'%s' can't be done with tables; build, dump, load or unload can",
			  args->words[0]);
}
