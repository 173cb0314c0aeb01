/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the event tests share.
 */
#ifndef SELFTESTS_EVENTS_H
#define SELFTESTS_EVENTS_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "attrs.h"
#include "looping.h"

#define RING_PAGES	256
/* Called in each turn of the looper's "m" mode, and in all kernels. */
#define PROBED_FUNCTION	"do_mmap"

#endif /* SELFTESTS_EVENTS_H */
