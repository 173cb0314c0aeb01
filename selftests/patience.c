// SPDX-License-Identifier: GPL-2.0
/*
 * The kselftest harness has alarm() end a test that takes too long: each is
 * linked to get here instead. A kernel with lockdep, which is one for debugging,
 * takes several times as long for all it does.
 */
#include <unistd.h>

#define SLOWER	10

unsigned int __real_alarm(unsigned int seconds);
unsigned int __wrap_alarm(unsigned int seconds);

unsigned int __wrap_alarm(unsigned int seconds)
{
	return __real_alarm(seconds * (access("/proc/lockdep", F_OK) ? 1 : SLOWER));
}
