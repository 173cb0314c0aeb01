/* SPDX-License-Identifier: GPL-2.0 */
/* Rules from DWARF call frame information, through libdw. */
#ifndef A32_CFI_H
#define A32_CFI_H

#include "elf_file.h"
#include "rows.h"

/**
 * cfi_debug_frame() - rows of .debug_frame
 * @file: the file whose code it is about
 * @from: the file that has it: the same, or its debug file
 * @rows: gets rows; A32_TABLE_NO_DATA where no FDE is
 */
void cfi_debug_frame(const struct elf_file *file, const struct elf_file *from,
		     struct rows *rows);

/* The same with .eh_frame, which only the file itself can have. */
void cfi_eh_frame(const struct elf_file *file, struct rows *rows);

#endif
