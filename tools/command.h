/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_COMMAND_H
#define A32_COMMAND_H

#include "args.h"

/**
 * struct command - one subcommand
 * @run: gets the words behind the command's name; returns an enum exit_status
 * @options: OPT_* bits it takes
 * @usage: its forms, one a line, without the program's name
 * @summary: what it does, a line
 * @help: more on it; "" when @summary says it all
 * @example: command lines, one a line
 */
struct command {
	const char *name;
	int (*run)(const struct args *args);
	unsigned int options;
	const char *usage;
	const char *summary;
	const char *help;
	const char *example;
};

/* A table that ends with a NULL name. */
extern const struct command commands[];

int command_auto(const struct args *args);
int command_default(const struct args *args);
int command_detect(const struct args *args);
int command_doctor(const struct args *args);
int command_explain(const struct args *args);
int command_help(const struct args *args);
int command_list(const struct args *args);
int command_load(const struct args *args);
int command_maps(const struct args *args);
int command_save(const struct args *args);
int command_stats(const struct args *args);
int command_status(const struct args *args);
int command_table(const struct args *args);
int command_tag(const struct args *args);
int command_untag(const struct args *args);
int command_watch(const struct args *args);

/* Returns NULL when there is none. */
const struct command *command_find(const char *name);

/* As "build" is of "table build FILE" */
bool command_has_part(const struct command *command, const char *word);

void help_print_command(const struct command *command);
void help_print_all(FILE *out);

#endif
