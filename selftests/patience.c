// SPDX-License-Identifier: GPL-2.0
/*
 * The kselftest harness has alarm() end a test that takes too long: each is
 * linked to get here instead.
 */
#include <unistd.h>

#include "patience.h"

#define SLOWER	10

unsigned int __real_alarm(unsigned int seconds);
unsigned int __wrap_alarm(unsigned int seconds);

/* Kernels for debugging have lockdep. */
unsigned int patience(void)
{
	return access("/proc/lockdep", F_OK) ? 1 : SLOWER;
}

unsigned int __wrap_alarm(unsigned int seconds)
{
	return __real_alarm(seconds * patience());
}
