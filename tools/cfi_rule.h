/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_CFI_RULE_H
#define A32_CFI_RULE_H

#include <elfutils/libdw.h>

#include "a32table.h"

/**
 * cfi_rule() - what a row of call frame information says
 * @frame: the row
 * @source: where it is from
 * @rule: the result; A32_TABLE_STOP when it says more than a rule can
 */
void cfi_rule(Dwarf_Frame *frame, enum a32_table_source source, struct a32_table_rule *rule);

#endif
