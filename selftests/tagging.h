/* SPDX-License-Identifier: GPL-2.0 */
/* tagging - what the module is told about the programs of targets/. */
#ifndef _TAGGING_H
#define _TAGGING_H

#define TAGGING_NAME	64

/*
 * Give each file in @dir that has expectations the ABI that they name, and the
 * unwind table that there are rows for.
 */
int tagging_all(int ctl, const char *dir);

/* Drop the rules on these files; unwind tables stay. */
int tagging_none(int ctl, const char *dir);

/*
 * Load an unwind table for each FILE in @dir that FILE.rows is there for and the
 * pattern @files fits.
 */
int tagging_tables(int ctl, const char *dir, const char *files);

/* Unload them. */
int tagging_no_tables(int ctl, const char *dir, const char *files);

/*
 * The names in @dir/targets.list that begin with @prefix and, if @wanted names any,
 * are among them. @wanted ends with NULL. Return: how many.
 */
unsigned int tagging_list(const char *dir, const char *prefix, char **wanted,
			  char (*names)[TAGGING_NAME], unsigned int max);

/* What chains ended for since the counts were reset, as a TAP diagnostic. */
void tagging_print_stops(int ctl, const char *name);

#endif /* _TAGGING_H */
