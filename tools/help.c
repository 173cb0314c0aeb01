// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <string.h>

#include "command.h"
#include "msg.h"
#include "names.h"

static void print_lines(const char *prefix, const char *text)
{
	int len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = (int)strcspn(text, "\n");
		printf("%s%.*s\n", prefix, len, text);
	}
}

void help_print_command(const struct command *command)
{
	printf("Usage:\n");
	print_lines("  a32uwctl ", command->usage);
	printf("\n%s: %s.\n", command->name, command->summary);
	if (*command->help)
		printf("\n%s", command->help);
	if (strstr(command->usage, "ABI"))
		printf("\nABIs: %s\n", name_all_abis());
	printf("\nOptions:\n");
	args_print_options(command->options | OPT_HELP);
	printf("\nExample:\n");
	print_lines("  ", command->example);
}

void help_print_all(FILE *out)
{
	const struct command *command;

	fprintf(out, "Usage: a32uwctl COMMAND [ARGUMENT]...\n"
		"Says which frame ABI each mapped file follows, for a32uwind.ko.\n\n");
	for (command = commands; command->name; command++)
		fprintf(out, "  %-8s %s\n", command->name, command->summary);
	fprintf(out, "\n'a32uwctl help COMMAND' explains one; --version prints the version.\n"
		"Exit status: 0 done, 1 refused or failed, 2 wrong usage.\n");
}

int command_help(const struct args *args)
{
	const struct command *command;

	if (!args->nr_words) {
		help_print_all(stdout);
		return DONE;
	}
	command = command_find(args->words[0]);
	/* The list of commands is what helps on. */
	msg_set_command(NULL, NULL);
	if (!command)
		return msg_misuse("no command is called '%s'", args->words[0]);
	if (args->nr_words > 2 ||
	    (args->nr_words == 2 && !command_has_part(command, args->words[1])))
		return msg_misuse("help takes one command's name, or 'table build' and the like");
	help_print_command(command);
	return DONE;
}
