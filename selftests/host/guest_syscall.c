// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include "guest_call.h"

/* arch/arm/include/uapi/asm/unistd.h: those of 32-bit ARM alone */
enum { ARM_CACHEFLUSH = 0x0f0002, ARM_SET_TLS = 0x0f0005 };

enum { PID = 1000, NO_SUCH_CALL = 38 };	/* ENOSYS */

static u32 do_nothing(struct guest *g, const u32 *r)
{
	return 0;
}

static u32 do_pid(struct guest *g, const u32 *r)
{
	return PID;
}

static u32 do_exit(struct guest *g, const u32 *r)
{
	g->ended = true;
	g->status = r[0];
	uc_emu_stop(g->uc);
	return 0;
}

/* There are no signals: the process ends, as the shell would say it. */
static u32 kill_process(struct guest *g, u32 signal)
{
	const u32 status = 128 + signal;

	return signal ? do_exit(g, &status) : 0;
}

static u32 do_kill(struct guest *g, const u32 *r)
{
	return kill_process(g, r[1]);
}

static u32 do_tgkill(struct guest *g, const u32 *r)
{
	return kill_process(g, r[2]);
}

static u32 do_set_tls(struct guest *g, const u32 *r)
{
	guest_set_tls(g, r[0]);
	return 0;
}

static u32 do_uname(struct guest *g, const u32 *r)
{
	static const char names[6][65] = {
		"Linux", "oracle", "6.1.0", "#1", "armv7l", "(none)",
	};
	void *to = guest_at(g, r[0], sizeof(names));

	if (!to)
		return guest_error(EFAULT);
	memcpy(to, names, sizeof(names));
	return 0;
}

enum { START_SECONDS = 1700000000, NSEC_PER_SEC = 1000000000, NSEC_PER_LOOK = 1000 };

static u64 look_at_clock(struct guest *g)
{
	g->clock += NSEC_PER_LOOK;
	return g->clock;
}

static u32 do_clock_gettime(struct guest *g, const u32 *r)
{
	u32 *to = guest_at(g, r[1], 8);
	u64 now = look_at_clock(g);

	if (!to)
		return guest_error(EFAULT);
	to[0] = START_SECONDS + now / NSEC_PER_SEC;
	to[1] = now % NSEC_PER_SEC;
	return 0;
}

static u32 do_clock_gettime64(struct guest *g, const u32 *r)
{
	u64 *to = guest_at(g, r[1], 16);
	u64 now = look_at_clock(g);

	if (!to)
		return guest_error(EFAULT);
	memcpy(to, (u64[]){ START_SECONDS + now / NSEC_PER_SEC, now % NSEC_PER_SEC }, 16);
	return 0;
}

static u32 do_gettimeofday(struct guest *g, const u32 *r)
{
	u32 *to = guest_at(g, r[0], 8);
	u64 now = look_at_clock(g);

	if (!to)
		return guest_error(EFAULT);
	to[0] = START_SECONDS + now / NSEC_PER_SEC;
	to[1] = now % NSEC_PER_SEC / 1000;
	return 0;
}

static u32 do_times(struct guest *g, const u32 *r)
{
	return look_at_clock(g) / (NSEC_PER_SEC / 100);
}

static u32 do_getrandom(struct guest *g, const u32 *r)
{
	u8 *to = guest_at(g, r[0], r[1]);
	u32 i;

	if (!to)
		return guest_error(EFAULT);
	for (i = 0; i < r[1]; i++)
		to[i] = i * 7919 >> 3;
	return r[1];
}

/* Nobody else could wake it, or has to be woken. */
static u32 do_futex(struct guest *g, const u32 *r)
{
	return r[1] & 1 ? 0 : guest_error(EAGAIN);
}

static u32 do_prlimit64(struct guest *g, const u32 *r)
{
	u64 *old = guest_at(g, r[3], 16);
	const u64 limit[2] = { r[1] == 3 ? STACK_SIZE : -1ull, -1ull };

	if (r[3] && !old)
		return guest_error(EFAULT);
	if (r[3])
		memcpy(old, limit, 16);
	return 0;
}

static u32 do_getrlimit(struct guest *g, const u32 *r)
{
	u32 *to = guest_at(g, r[1], 8);

	if (!to)
		return guest_error(EFAULT);
	to[0] = r[0] == 3 ? STACK_SIZE : -1u;
	to[1] = -1u;
	return 0;
}

static const struct guest_call calls[] = {
	{ 1, do_exit }, { 20, do_pid }, { 37, do_kill }, { 43, do_times }, { 78, do_gettimeofday },
	{ 122, do_uname }, { 174, do_nothing }, { 175, do_nothing }, { 186, do_nothing },
	{ 191, do_getrlimit }, { 199, do_pid }, { 200, do_pid }, { 201, do_pid },
	{ 202, do_pid }, { 220, do_nothing }, { 224, do_pid }, { 238, do_kill }, { 240, do_futex },
	{ 248, do_exit }, { 256, do_pid }, { 263, do_clock_gettime },
	{ 268, do_tgkill }, { 338, do_nothing },
	{ 369, do_prlimit64 }, { 384, do_getrandom }, { 403, do_clock_gettime64 },
	{ 422, do_futex }, { ARM_CACHEFLUSH, do_nothing },
	{ ARM_SET_TLS, do_set_tls }, { }
};

static const struct guest_call *find_call(u32 nr)
{
	static const struct guest_call *const tables[] = {
		calls, guest_file_calls, guest_map_calls, guest_event_calls,
	};
	const struct guest_call *call;
	u32 i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (call = tables[i]; call->run; call++) {
			if (call->nr == nr)
				return call;
		}
	}
	return NULL;
}

void guest_syscall(struct guest *g)
{
	static int ids[] = {
		UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2, UC_ARM_REG_R3, UC_ARM_REG_R4,
		UC_ARM_REG_R5, UC_ARM_REG_R7,
	};
	u32 r[7], ret = guest_error(NO_SUCH_CALL);
	const struct guest_call *call;
	void *vals[7];
	int i;

	for (i = 0; i < 7; i++)
		vals[i] = &r[i];
	uc_reg_read_batch(g->uc, ids, vals, 7);
	call = find_call(r[6]);
	if (call)
		ret = call->run(g, r);
	else if (g->talk)
		fprintf(stderr, "%s: no system call %u(%#x, %#x, %#x)\n", g->name, r[6], r[0], r[1],
			r[2]);
	uc_reg_write(g->uc, UC_ARM_REG_R0, &ret);
}
