/* SPDX-License-Identifier: GPL-2.0 */
/* tagging - what the module is told about the programs of targets/. */
#ifndef _TAGGING_H
#define _TAGGING_H

#define TAGGING_NAME	64

/* Give each file in @dir that has a table the ABI that the table names. */
int tagging_all(int ctl, const char *dir);

/* Drop the rules on these files. */
int tagging_none(int ctl, const char *dir);

/*
 * The names in @dir/targets.list that begin with @prefix and, if @wanted names any,
 * are among them. @wanted ends with NULL. Return: how many.
 */
unsigned int tagging_list(const char *dir, const char *prefix, char **wanted,
			  char (*names)[TAGGING_NAME], unsigned int max);

/* What chains ended for since the counts were reset, as a TAP diagnostic. */
void tagging_print_stops(int ctl, const char *name);

#endif /* _TAGGING_H */
