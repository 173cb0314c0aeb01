// SPDX-License-Identifier: GPL-2.0
/*
 * Random requests by the thousand: whatever is refused has changed nothing,
 * and what is listed stays consistent. The seed is printed; a run repeats with
 * A32_SEED=N in the environment.
 */
#include <time.h>

#include "ioctl.h"

#define ROUNDS	20000

static uint64_t seed;

static uint32_t random_u32(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 32;
}

/* Values at the edges of what is checked come up far more often. */
static uint32_t random_word(void)
{
	static const uint32_t edge[] = {
		0, 1, 2, 3, 4, 5, 6, 255, 0x1000, 0x2000, 0x10000, 0x20000, 0x7fffffff, 0x80000000,
		0xc0000000, 0xfffff000, 0xfffffffe, 0xffffffff,
	};

	switch (random_u32() % 8) {
	case 0:
		return random_u32();
	case 1:
		return random_u32() & 0xfffffe;
	case 2:
		return getpid();
	default:
		return edge[random_u32() % ARRAY_SIZE(edge)];
	}
}

/* A table with one bit wrong, which it may do without: half of the time */
static void mangle_table(void)
{
	static uint8_t mangled[8192];
	struct a32_load_table *load = (void *)arg_words;

	if (random_u32() & 1 || ioctl_table_size > sizeof(mangled))
		return;
	memcpy(mangled, ioctl_table, ioctl_table_size);
	mangled[random_u32() % ioctl_table_size] ^= 1 << random_u32() % 8;
	load->ptr = (uintptr_t)mangled;
}

/* Half of them start out valid, with one or two words replaced. */
static const struct request *random_request(int fd, uint32_t default_abi)
{
	const struct request *r = &requests[random_u32() % ARRAY_SIZE(requests)];
	size_t words = r->size / 4, i;

	valid_arg(r, fd, default_abi);
	if (r->cmd == A32_IOC_LOAD_TABLE)
		mangle_table();
	if (random_u32() & 1) {
		arg_words[random_u32() % words] = random_word();
		arg_words[random_u32() % words] = random_word();
		return r;
	}
	for (i = 0; i < words + 4; i++)
		arg_words[i] = random_word();
	if (random_u32() % 8)
		arg_words[0] = r->size;
	/* The first field after the size is the descriptor, or the process. */
	if (random_u32() & 1)
		arg_words[1] = random_u32() & 1 ? fd : getpid();
	return r;
}

/* Ranges of other processes outlive this one. */
static void untag_ranges(int ctl)
{
	struct a32_rule_item item = {};

	while (!ctl_next_rule(ctl, &item)) {
		if (item.kind != A32_RULE_RANGE)
			continue;
		ctl_untag_range(ctl, item.pid, item.start, item.end);
		item.cursor = 0;
	}
}

TEST_F_TIMEOUT(ioctl, random_requests_change_nothing_when_refused, 120)
{
	const char *env = getenv("A32_SEED");
	const struct request *r;
	unsigned int done = 0, round;
	struct ctl_state now;
	int ret;

	seed = env ? strtoull(env, NULL, 0) : (uint64_t)time(NULL) << 16 ^ getpid();
	printf("# A32_SEED=%llu\n", (unsigned long long)seed);
	for (round = 0; round < ROUNDS; round++) {
		r = random_request(self->fd, self->info.default_abi);
		ret = ctl_call(self->ctl, r->cmd, arg_words);
		ASSERT_EQ(0, ctl_state(self->ctl, &now));
		ASSERT_EQ(now.rules, now.listed)
			TH_LOG("round %u: after %s (%d)", round, r->name, ret);
		if (!ret) {
			self->state = now;
			done++;
			continue;
		}
		ASSERT_EQ(0, memcmp(&now, &self->state, sizeof(now)))
			TH_LOG("round %u: %s failed with %d and changed something", round, r->name,
			       ret);
	}
	untag_ranges(self->ctl);
	printf("# %u of %u were served\n", done, ROUNDS);
	/* Both happen, or the test tries nothing. */
	EXPECT_LT(ROUNDS / 20, done);
	EXPECT_GT(ROUNDS - ROUNDS / 20, done);
}

TEST_HARNESS_MAIN
