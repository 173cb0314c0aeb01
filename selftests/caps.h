/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_CAPS_H
#define SELFTESTS_CAPS_H

#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Keeps just the capabilities of the mask. */
static inline int caps_keep(uint64_t mask)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = mask, .permitted = mask },
		{ .effective = mask >> 32, .permitted = mask >> 32 },
	};

	return syscall(SYS_capset, &head, data);
}

#endif /* SELFTESTS_CAPS_H */
