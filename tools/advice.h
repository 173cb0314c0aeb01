/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_ADVICE_H
#define A32_ADVICE_H

#include "file_stats.h"
#include "rules.h"

/**
 * advice_untagged - the file that most chains end in for want of an ABI
 * @samples: all chains; less than 1 % of them is not worth advice
 *
 * Not the C library nor the dynamic linker: every chain through main() ends
 * there. Returns NULL when there is none.
 */
const struct a32_stats *advice_untagged(const struct file_stats *files,
					const struct rules *rules,
					__u64 samples);

/**
 * advice_mistagged - the file with a rule that most chains end in for reasons
 *	that come of a wrong ABI
 *
 * Returns NULL when it is less than 5 % of each file's chains.
 */
const struct a32_stats *advice_mistagged(const struct file_stats *files,
					 const struct rules *rules);

#endif
