/* SPDX-License-Identifier: GPL-2.0 */
/* Files, for core/detect.c to read. */
#ifndef A32_HOST_DETECT_READ_H
#define A32_HOST_DETECT_READ_H

#include "../../module/core/detect.h"

/* What the functions of a file say. */
enum a32_detect detect_read(const char *path, struct a32_votes *votes);

#endif
