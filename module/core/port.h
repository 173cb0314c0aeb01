/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What core/ needs from where it runs. In the kernel, user memory is read
 * with user access opened once for the whole walk (module/uaccess.h); in the
 * host tests it is the emulator's memory.
 */
#ifndef A32_CORE_PORT_H
#define A32_CORE_PORT_H

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include "../uaccess.h"
#else
#include "../../selftests/host/port.h"
#endif

#endif
