/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by expect.c, which reads the tables, and expect_chain.c. */
#ifndef _EXPECT_TABLES_H
#define _EXPECT_TABLES_H

#include "expect.h"

#define MAX_MAPS	64
#define MAX_FUNCS	2048
#define MAX_CLASSES	8192
#define MAX_SITES	4096
#define MAX_ROOTS	8
#define NAME_SIZE	64

#define NO_SITE		(-1)
#define MANY_SITES	(-2)	/* a PLT entry: what it says is not judged */

struct map {
	uint32_t start;
	uint32_t end;
	char name[NAME_SIZE];
};

struct class {
	uint32_t start;
	enum expect_class class;
};

struct func {
	uint32_t start;
	uint32_t end;
	unsigned int file;
	unsigned int class;	/* first one */
	unsigned int depth;	/* calls to itself when its other calls are made */
	int caller[MAX_ROOTS];	/* site, NO_SITE or MANY_SITES */
	char name[NAME_SIZE];
};

/* A tail call leaves no return address. */
struct site {
	uint32_t ra;
	bool tail;
	unsigned int file;
	int caller;
	int callee;
	char callee_name[NAME_SIZE];
};

struct root {
	char name[NAME_SIZE];
	int func;
	uint32_t ra;
};

struct expect {
	unsigned int maps, funcs, classes, sites, roots, files;
	struct map map[MAX_MAPS];
	struct func func[MAX_FUNCS];
	struct class class[MAX_CLASSES];
	struct site site[MAX_SITES];
	struct root root[MAX_ROOTS];
};

/* Prints a line and gives -1. */
__attribute__((format(printf, 1, 2))) int expect_complain(const char *fmt, ...);

/* Index of the function @name, in @file if it is there; or -1. */
int expect_find_name(const struct expect *self, unsigned int file,
		     const char *name);

#endif /* _EXPECT_TABLES_H */
