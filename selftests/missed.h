/* SPDX-License-Identifier: GPL-2.0 */
/*
 * missed - samples that hook=kprobe could not take, because the CPU was at another
 * kprobe. The stock walker has made their chains, which may be anything.
 */
#ifndef SELFTESTS_MISSED_H
#define SELFTESTS_MISSED_H

#include <stdint.h>

/*
 * How many there are since there were @before, which ctl_missed() says, printed unless 0.
 * Where it is more than one in a hundred of all samples since the counts were reset, the
 * result is 0, too: then they are for the test to find bad.
 */
uint64_t missed_since(int ctl, uint64_t before, const char *name);

#endif
