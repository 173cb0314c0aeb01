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
	unsigned int options;	/* OPT_* bits it takes */
} actions[] = {
	{ "build", table_build, OPT_JSON | OPT_OUTPUT | OPT_DEBUG | OPT_SOURCE },
	{ "dump", table_dump, OPT_JSON | OPT_DEBUG | OPT_SOURCE },
	{ "load", table_load, 0 },
	{ "unload", table_unload, 0 },
};

static int run(const struct action *action, const struct args *args)
{
	unsigned int excess = args->given & ~action->options;

	return excess ? msg_misuse("it takes no --%s", args_option_name(excess)) :
			action->run(args);
}

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
			return run(&actions[i], &rest);
	return msg_misuse("'%s' can't be done with tables; build, dump, load or unload can",
			  args->words[0]);
}
