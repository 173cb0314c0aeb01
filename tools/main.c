// SPDX-License-Identifier: GPL-2.0
/* a32uwctl - says which frame ABI each mapped file follows, and shows it */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "a32uwind.h"
#include "command.h"
#include "msg.h"
#include "text.h"

#define PART_HELP							\
	"A part of a file is FILE@START-END, in file offsets (0x... or decimal);\n" \
	"END is behind the last byte. A name that holds an '@' is taken as it is\n" \
	"when a file of that name exists.\n"

#define AUTO_HELP							\
	"'auto' is what the file's own functions say; 'a32uwctl detect' shows them.\n"

const struct command commands[] = {
	{ "status", command_status, OPT_JSON,
	  "status [--json]",
	  "say whether chains are walked, and how", "",
	  "a32uwctl status" },
	{ "default", command_default, OPT_JSON,
	  "default [ABI] [--json]",
	  "show or set the ABI of files without a rule",
	  AUTO_HELP "It is 'auto' at first.\n",
	  "a32uwctl default\n"
	  "a32uwctl default none" },
	{ "detect", command_detect, OPT_JSON,
	  "detect [--json] FILE...",
	  "say which ABI files were built with",
	  "It counts the functions that make each ABI's frame record, and under NONE those\n"
	  "that save lr and make none, as the module does for 'auto'. 'mixed' means that no\n"
	  "ABI holds for all of the file, 'none' that too few functions have frame records.\n"
	  "Chains end in either. Needs no module.\n",
	  "a32uwctl detect /usr/bin/prog /usr/lib/lib*.so" },
	{ "auto", command_auto, OPT_JSON | OPT_PID | OPT_OUTPUT | OPT_SYSROOT,
	  "auto [--sysroot DIR] PATH... [--json]\n"
	  "auto --pid PID [PATH...] [--json]\n"
	  "auto [--sysroot DIR] -o TABLES [PATH...] [--json]",
	  "have programs and all that they load followed",
	  "PATH is a program, with all libraries that the dynamic linker loads for it, or a\n"
	  "folder with programs and libraries; a PID, all that the process has mapped. Files\n"
	  "without frame pointers, or of several ABIs, get an unwind table; others are left\n"
	  "to the default, or tagged if it says otherwise. Tables are kept for the next time\n"
	  "in /var/cache/a32uwind.\n"
	  "With -o, tables are written to the folder TABLES, for 'a32uwctl load TABLES' on\n"
	  "another machine; this needs no module. Without a PATH, it is all of DIR. Each file\n"
	  "is a line of columns, separated by tabs: what was done, its ABI, its name, and why.\n",
	  "a32uwctl auto /usr/bin/prog /usr/lib/prog/plugins\n"
	  "a32uwctl auto --pid 321\n"
	  "a32uwctl auto --sysroot board-root -o tables /usr/bin/prog" },
	{ "tag", command_tag, OPT_PID | OPT_RANGE,
	  "tag ABI FILE[@START-END]...\n"
	  "tag ABI --pid PID --range START-END",
	  "say which ABI files, or a process's memory, follow",
	  PART_HELP AUTO_HELP
	  "A file that is no program or library for 32-bit ARM is tagged by part only.\n"
	  "All of the files are tagged, or none. A file's unwind table comes before its rules:\n"
	  "'a32uwctl table unload' takes it away.\n",
	  "a32uwctl tag aapcs /usr/lib/libfoo.so.1 /usr/bin/bar@0x1000-0x2400\n"
	  "a32uwctl tag apcs --pid 321 --range 0xb6d00000-0xb6d40000" },
	{ "untag", command_untag, OPT_PID | OPT_RANGE | OPT_STALE,
	  "untag FILE[@START-END]...\n"
	  "untag --pid PID --range START-END\n"
	  "untag --stale",
	  "remove rules; with --stale those of files that have changed",
	  PART_HELP "FILE alone also removes the rules on its parts.\n"
	  "The rules of all of the files are removed, or none.\n"
	  "--stale removes the rules and tables of all files that were replaced, changed or\n"
	  "removed. Else tables stay: 'a32uwctl table unload' takes them away.\n",
	  "a32uwctl untag /usr/lib/libfoo.so.1\n"
	  "a32uwctl untag --stale" },
	{ "list", command_list, OPT_JSON,
	  "list [--json]",
	  "list the rules on files, parts and ranges, and unwind tables",
	  "A stale rule is one whose file has changed; it isn't followed any more;\n"
	  "'a32uwctl untag --stale' drops it.\n",
	  "a32uwctl list" },
	{ "maps", command_maps, OPT_JSON,
	  "maps PID [--json]",
	  "list a process's executable memory and the ABI in force",
	  "'auto: gcc' is what 'auto' has found. RULE is what kind of rule says so; 'special'\n"
	  "is the kernel's own code, which follows none.\n",
	  "a32uwctl maps 321" },
	{ "table", command_table, OPT_JSON | OPT_OUTPUT | OPT_DEBUG | OPT_SOURCE,
	  "table build FILE [-o OUT] [--debug FILE] [--source SOURCE[,...]] [--json]\n"
	  "table dump TABLE|FILE [--debug FILE] [--source SOURCE[,...]] [--json]\n"
	  "table load TABLE [FILE...]\n"
	  "table unload FILE...",
	  "make, print, load and unload the unwind tables of files",
	  "For code without frame pointers. A table is made of the file's, or its debug\n"
	  "file's, .debug_frame, of its .eh_frame and .ARM.exidx, and of its machine code.\n"
	  "OUT is the file's own name with '.a32t' in the current folder unless it is given.\n"
	  "That needs no module, and makes the same table on each machine.\n"
	  "'load' has the frames in FILE followed by a table, which has to be that file's: size,\n"
	  "code and build-id are compared. Without FILE, each file that is mapped now and that\n"
	  "the table is for gets it. One that a file had before is replaced.\n",
	  "a32uwctl table build /usr/lib/libfoo.so.1 -o libfoo.a32t\n"
	  "a32uwctl table dump libfoo.a32t\n"
	  "a32uwctl table load libfoo.a32t /usr/lib/libfoo.so.1\n"
	  "a32uwctl table unload /usr/lib/libfoo.so.1" },
	{ "save", command_save, 0,
	  "save [FILE]",
	  "write the rules and tables in force to a file",
	  "FILE is /etc/a32uwind.conf unless it is given: text, a rule a line. Rules on ranges\n"
	  "of processes are left out. Of tables, the files are named; the tables themselves are\n"
	  "those that 'auto' and 'load' keep in /var/cache/a32uwind.\n",
	  "a32uwctl save\n"
	  "a32uwctl save board.conf" },
	{ "load", command_load, OPT_JSON | OPT_SYSROOT,
	  "load [FILE | TABLES] [--sysroot DIR] [--json]",
	  "put the rules of a file in force, or the tables in a folder",
	  "FILE is what 'a32uwctl save' has written, /etc/a32uwind.conf unless it is given.\n"
	  "Rules are added to those in force. Nothing is done when a line can't be read; files\n"
	  "that have changed since are named and left out.\n"
	  "TABLES is a folder that 'a32uwctl auto -o TABLES' has written, on any machine. Files\n"
	  "that are not there, or of another build, are named.\n",
	  "a32uwctl load\n"
	  "a32uwctl load tables" },
	{ "stats", command_stats, OPT_JSON | OPT_RESET,
	  "stats [--json | --reset]",
	  "say why chains ended, and in which files",
	  "CUT SHORT are chains that ended in the file before they were complete. The counts\n"
	  "grow until --reset; the manual page explains the reasons.\n",
	  "a32uwctl stats --reset; perf record -g ./prog; a32uwctl stats" },
	{ "explain", command_explain, OPT_JSON,
	  "explain [PID] [--json]",
	  "say for what reasons chains ended in which files, and what would mend each",
	  "Of the files that a process maps, or of all. The most frequent first. What begins\n"
	  "with 'nothing' is no command: there is none that would help.\n",
	  "a32uwctl stats --reset; perf record -g -p 321 sleep 10; a32uwctl explain 321" },
	{ "doctor", command_doctor, OPT_JSON,
	  "doctor [--json]",
	  "check that all is there that chains need, and that they are true",
	  "A line a check: ok, warn or fail; what was found, and what to do. At last it runs a\n"
	  "built-in program for each frame ABI, whose call chains are known, samples it, and\n"
	  "counts the chains that are exact, short (but true) and wrong. Exits with 1 when a\n"
	  "check fails. Needs no root, but sees less without.\n",
	  "a32uwctl doctor\n"
	  "a32uwctl doctor --json | jq -r '.checks[] | select(.result != \"ok\") | .todo'" },
	{ "watch", command_watch, OPT_ONCE,
	  "watch [--once]",
	  "make and load the tables that chains want, as they are sampled",
	  "For code without frame pointers, so that no file need be named: once a chain has\n"
	  "ended in a file that follows no ABI and has no table, its table is made, one at a\n"
	  "time and when nothing else wants the CPU, kept under /var/cache/a32uwind, and\n"
	  "loaded; and those of what else the process has mapped. It says which file it takes\n"
	  "up, and what came of it. It runs until SIGTERM or SIGINT; with --once until nothing\n"
	  "is left to do.\n"
	  "The systemd unit a32uwind.service runs it.\n",
	  "systemctl enable --now a32uwind\n"
	  "perf record -g ./prog; a32uwctl watch --once; perf record -g ./prog" },
	{ "help", command_help, 0,
	  "help [COMMAND [ACTION]]",
	  "explain a command", "",
	  "a32uwctl help tag\n"
	  "a32uwctl help table build" },
	{ NULL, NULL, 0, NULL, NULL, NULL, NULL },
};

const struct command *command_find(const char *name)
{
	const struct command *command;

	for (command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/* One of its usage's lines begins with both. What stands for something is in capitals there. */
bool command_has_part(const struct command *command, const char *word)
{
	char *start = text_format("%s %s ", command->name, word);
	const char *line = islower((unsigned char)*word) ? command->usage : NULL;
	bool has;

	while (line && strncmp(line, start, strlen(start))) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	has = line;
	free(start);
	return has;
}

static int run(const struct command *command, struct args *args)
{
	unsigned int excess = args->given & ~command->options;

	args->words++;
	args->nr_words--;
	if (args->given & OPT_HELP) {
		help_print_command(command);
		return DONE;
	}
	if (excess)
		return msg_misuse("it takes no --%s", args_option_name(excess));
	return command->run(args);
}

static int print_version(void)
{
	printf("a32uwctl version %u\n", A32_VERSION);
	return DONE;
}

static int dispatch(int argc, char **argv)
{
	const struct command *command;
	struct args args;
	int err;

	err = args_parse(argc, argv, &args);
	if (err)
		return err;
	if (args.given & OPT_VERSION)
		return print_version();
	if (!args.nr_words) {
		help_print_all(args.given & OPT_HELP ? stdout : stderr);
		return args.given & OPT_HELP ? DONE : MISUSED;
	}

	command = command_find(args.words[0]);
	if (!command)
		return msg_misuse("no command is called '%s'", args.words[0]);
	return run(command, &args);
}

int main(int argc, char **argv)
{
	int status = dispatch(argc, argv);

	if ((fflush(stdout) || ferror(stdout)) && status == DONE)
		return msg_fail("can't write to standard output; %s",
				"look whether it is closed, or the disk full");
	return status;
}
