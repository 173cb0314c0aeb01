/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_SPARSE_H
#define A32_SPARSE_H

#include <sys/types.h>

/**
 * sparse_next() - where there is something in a file
 * @fd: the file; its offset is moved
 * @at: where to begin
 *
 * What is left out in between reads as zeros, and may be any length.
 *
 * Return: the first such offset from @at on, or -1 if there is none
 */
off_t sparse_next(int fd, off_t at);

#endif
