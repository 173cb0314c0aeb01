/* SPDX-License-Identifier: GPL-2.0 */
/* "load": rules out of a file, or tables out of a folder. */
#ifndef A32_LOAD_H
#define A32_LOAD_H

#include "conf.h"
#include "report.h"
#include "rules.h"

/**
 * struct load - what is being loaded
 * @ctl: the module
 * @root: where the files are below: "" for the running system
 * @default_abi: the default that there was
 * @rules: the rules and tables that there were
 * @report: what was done
 */
struct load {
	int ctl;
	const char *root;
	__u32 default_abi;
	struct rules rules;
	struct report report;
};

/* Each of these reports each file, and returns an exit status. */
int load_rules(struct load *load, const struct conf *conf);
int load_folder(struct load *load, const char *path);

/* Opens a file below the root. Returns -1 with errno set. @path: to be freed after either */
int load_open(const struct load *load, const char *name, char **path);

/* Is a table of the file in force? @rows: of so many rows; 0: any */
bool load_has_table(const struct load *load, int fd, __u32 rows);

/* Reports that a file could not be done; what is wrong is printed. */
void load_failed(struct load *load, const char *name);

#endif
