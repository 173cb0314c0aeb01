/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expect - what the chain of a sampled pc has to be, from the tables that
 * targets/expect.awk made of the disassembly.
 *
 * Every function has one call site below each root, so a pc has one chain.
 */
#ifndef _EXPECT_H
#define _EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define EXPECT_MAX	256		/* entries in a chain */

struct expect;

/* What the sampled pc means for its function's frame record. */
enum expect_class {
	EXPECT_BODY,
	EXPECT_PROLOGUE,
	EXPECT_EPILOGUE,
	EXPECT_FRAMELESS,
	EXPECT_ODD,
	EXPECT_STUB,
	EXPECT_ENDLESS,
	EXPECT_VFP,
	EXPECT_FOREIGN,		/* in no table: libc, the kernel's own pages */
	EXPECT_CLASS_NR,
};

extern const char *const expect_class_names[EXPECT_CLASS_NR];

enum expect_verdict {
	EXPECT_EXACT,
	EXPECT_SHORT,
	EXPECT_WRONG,
	EXPECT_VERDICT_NR,
};

extern const char *const expect_verdict_names[EXPECT_VERDICT_NR];

/**
 * expect_load() - read the tables of all that a process has mapped
 * @dir: where the NAME.expect are
 * @pid: a process that has mapped everything it will run
 *
 * Return: NULL, with a line on stdout, on failure.
 */
struct expect *expect_load(const char *dir, pid_t pid);
void expect_free(struct expect *self);

/* Read DIR/@name: roots, indirect calls, recursions. */
int expect_read_edges(struct expect *self, const char *dir, const char *name);

/* The call through a register in @caller goes to @callee. */
int expect_indirect(struct expect *self, const char *caller, const char *callee);

bool expect_has_root(const struct expect *self, const char *root);
/* The function of root @root returns to @ra: the outermost entry that is known. */
int expect_root(struct expect *self, const char *root, uint32_t ra);

/* Call after all edges are known. Fails when a pc could have two chains. */
int expect_resolve(struct expect *self);

/**
 * expect_chain() - the true chain
 * @pc: where it starts, as it is
 * @root: name of the root the thread started with
 * @seen: what was sampled from @pc on; only looked at to learn how deep in a
 *	recursion @pc is when it lies in the recursive function itself
 * @seen_nr: entries in @seen
 * @out: EXPECT_MAX entries
 *
 * Return: entries in @out; 0 when @pc is in no table or below no such root.
 */
unsigned int expect_chain(const struct expect *self, uint32_t pc,
			  const char *root, const uint64_t *seen,
			  unsigned int seen_nr, uint32_t *out);

enum expect_class expect_class(const struct expect *self, uint32_t pc);
bool expect_is_vdso(const struct expect *self, uint32_t pc);

/*
 * Is this all that a chain from foreign code may have? That is its pc, and, where
 * it is in the vdso, what of libc has called that.
 */
bool expect_is_foreign(const struct expect *self, const uint64_t *got, unsigned int got_nr);

enum expect_verdict expect_compare(const uint32_t *want, unsigned int want_nr,
				   const uint64_t *got, unsigned int got_nr);

/* FUNCTION+0xOFFSET, FILE+0xOFFSET, or the address. */
const char *expect_symbol(const struct expect *self, uint32_t addr, char *buf,
			  size_t size);
/* Address of the function @name, 0 when there is none. */
uint32_t expect_address(const struct expect *self, const char *name);
/* @want and @got side by side, as TAP diagnostics. */
void expect_print(const struct expect *self, const uint32_t *want,
		  unsigned int want_nr, const uint64_t *got,
		  unsigned int got_nr);

#endif /* _EXPECT_H */
