// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>

#include "command.h"
#include "compiler.h"
#include "msg.h"

static const struct option_info {
	int option;
	const char *name;
	const char *argument;
	const char *help;
	size_t slot;	/* of the argument in struct args */
} options[] = {
	{ OPT_JSON,	"json",	   NULL, "print JSON", 0 },
	{ OPT_PID,	"pid",	   "PID", "the process whose memory it is about",
	  offsetof(struct args, pid) },
	{ OPT_RANGE,	"range",   "START-END",
	  "addresses, 0x... or decimal; END is behind the last byte",
	  offsetof(struct args, range) },
	{ OPT_RESET,	"reset",   NULL, "set all counts to 0, print nothing", 0 },
	{ OPT_STALE,	"stale",   NULL,
	  "the rules and tables of files that were replaced, changed or removed", 0 },
	{ OPT_OUTPUT,	"output",  "OUT", "what to write to; also -o OUT",
	  offsetof(struct args, output) },
	{ OPT_DEBUG,	"debug",   "FILE", "the file's debug file; else it is looked for",
	  offsetof(struct args, debug) },
	{ OPT_SOURCE,	"source",  "SOURCE[,...]",
	  "use these only: debug_frame, eh_frame, exidx, code",
	  offsetof(struct args, source) },
	{ OPT_SYSROOT,	"sysroot", "DIR", "the target's files are below DIR, not /",
	  offsetof(struct args, sysroot) },
	{ OPT_ONCE,	"once",	   NULL, "end when nothing is left to do", 0 },
	{ OPT_HELP,	"help",	   NULL, "print help", 0 },
	{ OPT_VERSION,	"version", NULL, "print the version", 0 },
};

#define NR_OPTIONS ARRAY_SIZE(options)

static void make_getopt_table(struct option table[NR_OPTIONS + 1])
{
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++)
		table[i] = (struct option){
			.name = options[i].name,
			.has_arg = options[i].argument ? required_argument :
							 no_argument,
			.val = options[i].option,
		};
	table[i] = (struct option){ 0 };
}

static const struct option_info *find_option(unsigned int option)
{
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++)
		if ((unsigned int)options[i].option == option)
			return &options[i];
	return NULL;
}

static int take_option(struct args *args, unsigned int option, char *argument)
{
	const struct option_info *info = find_option(option);
	const char **slot;

	args->given |= option;
	if (!info->argument)
		return DONE;
	slot = (const char **)((char *)args + info->slot);
	if (*slot)
		return msg_misuse("--%s is given twice", info->name);
	*slot = argument;
	return DONE;
}

/* One-letter names of options */
static int long_option(int option)
{
	return option == 'h' ? OPT_HELP : option == 'o' ? OPT_OUTPUT : option;
}

static int refuse(char **argv, int reason)
{
	if (reason == ':')
		return msg_misuse("option %s needs an argument",
				  argv[optind - 1]);
	if (optopt > 0 && optopt < OPT_JSON)
		return msg_misuse("unknown option -%c", optopt);
	if (optopt)
		return msg_misuse("option --%s takes no argument",
				  args_option_name((unsigned int)optopt));
	return msg_misuse("unknown option %s", argv[optind - 1]);
}

/* What is wrong with an option behind the command's name is for that command's help to explain. */
static void take_word(struct args *args, char *word)
{
	const struct command *command = command_find(args->nr_words ? args->words[0] : word);

	if (command && !args->nr_words)
		msg_set_command(command->name, NULL);
	else if (command && args->nr_words == 1 && command_has_part(command, word))
		msg_set_command(command->name, word);
	args->words[args->nr_words++] = word;
}

int args_parse(int argc, char **argv, struct args *args)
{
	/* '-': words come as option 1, whatever POSIXLY_CORRECT says. */
	static const char in_order[] = "-:ho:";
	struct option table[NR_OPTIONS + 1];
	int option, err;

	*args = (struct args){ 0 };
	args->words = calloc((size_t)argc + 1, sizeof(*args->words));
	if (!args->words)
		msg_no_memory();

	make_getopt_table(table);
	opterr = 0;
	while ((option = getopt_long(argc, argv, in_order, table, NULL)) != -1) {
		if (option == '?' || option == ':')
			return refuse(argv, option);
		if (option == 1) {
			take_word(args, optarg);
			continue;
		}
		err = take_option(args, (unsigned int)long_option(option), optarg);
		if (err)
			return err;
	}
	while (optind < argc)
		take_word(args, argv[optind++]);
	return DONE;
}

const char *args_option_name(unsigned int mask)
{
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++)
		if (mask & (unsigned int)options[i].option)
			return options[i].name;
	return "?";
}

void args_print_options(unsigned int mask)
{
	char name[32];
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++) {
		if (!(mask & (unsigned int)options[i].option))
			continue;
		snprintf(name, sizeof(name), "--%s%s%s", options[i].name,
			 options[i].argument ? " " : "",
			 options[i].argument ? options[i].argument : "");
		printf("  %-20s %s\n", name, options[i].help);
	}
}
