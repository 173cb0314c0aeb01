/* SPDX-License-Identifier: GPL-2.0 */
/* Asking the meter, for all that measure walks. */
#ifndef BENCH_WALKS_H
#define BENCH_WALKS_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "meter/meter.h"

enum { R7 = 7, R11 = 11, SP = 13, LR = 14, PC = 15, PSR_USER = 0x10, PSR_THUMB = 0x20 };

static inline void fail(const char *what)
{
	perror(what);
	_exit(1);
}

static inline int meter_open(void)
{
	int fd = open(METER_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fail(METER_DEVICE);
	return fd;
}

/* Instructions of one walk, without those of the loop around it */
static inline double meter_cost(int fd, struct meter *meter)
{
	struct meter nothing = *meter;

	if (ioctl(fd, METER_NOTHING, &nothing) || ioctl(fd, METER_WALK, meter))
		fail("meter");
	return ((double)meter->ns - (double)nothing.ns) / meter->loops;
}

#endif
