/* SPDX-License-Identifier: GPL-2.0 */
/*
 * truth - what /proc/PID/maps says is executable, against what NEXT_MAP lists.
 */
#ifndef SELFTESTS_TRUTH_H
#define SELFTESTS_TRUTH_H

#include <sys/types.h>

/**
 * truth_compare() - compare all executable mappings of a process
 * @ctl: the device
 * @pid: a process that doesn't change them meanwhile
 *
 * Return: 0 when both are equal: the same addresses, and at each the same file
 * offset and path. Else the number of differences, which are printed.
 */
int truth_compare(int ctl, pid_t pid);

/* The number of executable mappings in /proc/PID/maps. */
int truth_count(pid_t pid);

#endif /* SELFTESTS_TRUTH_H */
