// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "port.h"

struct a32_host_memory a32_memory;

void a32_host_region_add(u32 start, u32 size, const void *data)
{
	if (a32_memory.nr == A32_HOST_REGIONS)
		abort();
	a32_memory.region[a32_memory.nr++] = (struct a32_host_region){ start, size, data };
}
