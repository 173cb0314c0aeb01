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
