/* SPDX-License-Identifier: GPL-2.0 */
/* What .debug_frame says at an address, and whether a state agrees with it */
#ifndef A32_ANALYSE_CFI_H
#define A32_ANALYSE_CFI_H

#include <elfutils/libdw.h>

#include "../../tools/analyse_state.h"

enum place_kind { PLACE_SAME, PLACE_SLOT, PLACE_REG, PLACE_UNDEFINED, PLACE_OTHER };

/**
 * struct place - where a caller's register is
 * @kind: enum place_kind
 * @n: PLACE_SLOT: at CFA + @n; PLACE_REG: in that register
 */
struct place {
	int kind;
	int32_t n;
};

enum { CFI_RA, CFI_R7, CFI_R11, CFI_REGS };

/**
 * struct cfi - a row of .debug_frame
 * @start: its first address
 * @end: behind its last
 * @cfa_reg: CFA = this register + @cfa_off; -1 for anything else
 * @cfa_off: bytes
 * @reg: of lr, r7 and r11
 */
struct cfi {
	uint32_t start;
	uint32_t end;
	int cfa_reg;
	int32_t cfa_off;
	struct place reg[CFI_REGS];
};

/* False when there is none. */
bool cfi_read(Dwarf_CFI *dwarf, uint32_t addr, struct cfi *cfi);

/**
 * enum verdict - what comes of a comparison
 * @AGREE: both say the same
 * @STOP: A32_TABLE_STOP
 * @NO_DATA: A32_TABLE_NO_DATA
 * @LOST: the same, but for r7 or r11, which the analysis has lost
 * @DIFFER: they say something else
 * @CFI_EARLY: .debug_frame has a register saved below sp: it isn't yet
 * @CFI_STALE: .debug_frame says the same before and behind an instruction that
 *	changes the register that the CFA counts from
 * @CFI_WRONG: .debug_frame is known to be wrong there
 */
enum verdict { AGREE, STOP, NO_DATA, LOST, DIFFER, CFI_EARLY, CFI_STALE, CFI_WRONG,
	       NR_VERDICTS };

/**
 * cfi_verdict() - compare a row of the analysis with one of .debug_frame
 * @cfi: the one
 * @rule: the other
 * @s: what @rule was made of; a register may well be in two places
 */
enum verdict cfi_verdict(const struct cfi *cfi, const struct a32_table_rule *rule,
			 const struct state *s);

void cfi_print(const struct cfi *cfi, char *text, size_t size);
void cfi_print_rule(const struct a32_table_rule *rule, char *text, size_t size);

#endif
