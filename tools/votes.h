/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_VOTES_H
#define A32_VOTES_H

#include "../module/core/detect.h"

/**
 * votes_read() - what a file's own functions speak for
 * @fd: the file, open for reading
 * @votes: the result
 *
 * Return: A32_DETECT_DONE, or why not; errno says more of A32_DETECT_UNREADABLE
 */
enum a32_detect votes_read(int fd, struct a32_votes *votes);

#endif
