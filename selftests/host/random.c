// SPDX-License-Identifier: GPL-2.0
#include "random.h"

static u64 state = 1;

void random_seed(u64 seed)
{
	state = seed | 1ull << 63;
}

/* xorshift64*, Vigna 2016 */
u32 random32(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull >> 32;
}

u32 random_below(u32 below)
{
	return (u64)random32() * below >> 32;
}

void random_fill(void *bytes, u32 len)
{
	u8 *byte = bytes;
	u32 val, part;

	for (; len; byte += part, len -= part) {
		val = random32();
		part = len < sizeof(val) ? len : sizeof(val);
		memcpy(byte, &val, part);
	}
}
