/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of a whole file, from all that it offers. */
#ifndef A32_SOURCES_H
#define A32_SOURCES_H

#include "elf_file.h"
#include "rows.h"

/**
 * struct source_figures - what came of one source
 * @functions: those that begin with its rows
 * @rows: rows
 * @bytes: of code that they are about
 * @stop_bytes: of these, where they say that the chain ends
 */
struct source_figures {
	uint64_t functions;
	uint64_t rows;
	uint64_t bytes;
	uint64_t stop_bytes;
};

/**
 * struct figures - what came of all of them
 * @source: by enum a32_table_source
 * @functions: all that were found
 * @conflicts: those of which .ARM.exidx says one thing and the code another
 * @corrected: bytes of code of which call frame information was wrong, and the code is right
 * @doubted: those of which only the former is certain
 */
struct figures {
	struct source_figures source[A32_TABLE_SOURCE_NR];
	uint64_t functions;
	uint64_t conflicts;
	uint64_t corrected;
	uint64_t doubted;
};

struct combination;

/**
 * sources_ask_code() - add what a file's code and its index of unwind data say
 * @c: what there is
 * @rows: what call frame information says; then, what all say. What is known of a
 *	function from the former is not asked for again, but where the code says that
 *	it is something else, the code is right.
 * @figures: gets what became of that
 */
void sources_ask_code(struct combination *c, struct rows *rows, struct figures *figures);

/**
 * sources_ask() - make a file's rows
 * @file: the file
 * @debug: its debug file; may be without a handle
 * @mask: bits of enum a32_table_source: those that are asked, of which each
 *	address has what the first says that says anything
 * @rows: the result
 * @figures: figures of it
 */
void sources_ask(const struct elf_file *file, const struct elf_file *debug, unsigned int mask,
		 struct rows *rows, struct figures *figures);

#endif
