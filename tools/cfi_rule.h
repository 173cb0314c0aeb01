/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_CFI_RULE_H
#define A32_CFI_RULE_H

#include <elfutils/libdw.h>

#include "a32table.h"

/**
 * cfi_rule() - what a row of call frame information says
 * @frame: the row
 * @source: where it is from
 *
 * Return: the rule; A32_TABLE_STOP when it says more than one can
 */
struct a32_table_rule cfi_rule(struct Dwarf_Frame_s *frame, enum a32_table_source source);

#endif
