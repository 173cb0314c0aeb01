// SPDX-License-Identifier: GPL-2.0
#include "oracle_shadow.h"

void oracle_shadow_push(struct oracle_shadow *s, struct oracle_call call)
{
	if (s->nr == ORACLE_DEPTH)
		oracle_die("calls deeper than %d", ORACLE_DEPTH);
	s->call[s->nr++] = call;
}

/* b, bx, mov pc, ldr pc */
static bool is_jump(u32 w)
{
	return (w >> 24 & 15) == 10 ||
	       (w & 0x0ffffff0) == 0x012fff10 || (w & 0x0ffffff0) == 0x01a0f000 ||
	       (w & 0x0f70f000) == 0x0510f000;
}

/*
 * ARMv4 has no BLX: "mov lr, pc" and a jump; pc reads as 8 bytes further. clang
 * calls functions that don't return with a B in its place.
 */
static bool follows_mov_lr_pc(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc - 4, &w, &err);
	return w == 0xe1a0e00f;
}

/* DDI 0406C, A8.8.25 and A8.8.26: BL, BLX (immediate), BLX (register) */
static u32 arm_call(u32 pc)
{
	u32 w, err = 0;

	a32_load32(pc, &w, &err);
	if (w >> 28 == 15)
		return (w >> 25) == 0x7d ? 4 : 0;
	if (is_jump(w) && follows_mov_lr_pc(pc))
		return 4;
	return (w >> 24 & 15) == 11 || (w & 0x0ffffff0) == 0x012fff30 ? 4 : 0;
}

static u32 thumb_call(u32 pc)
{
	u32 h1, h2, err = 0;

	a32_load16(pc, &h1, &err);
	if (h1 >> 7 == 0x8f)
		return 2;
	if (h1 >> 11 != 0x1e)
		return 0;
	a32_load16(pc + 2, &h2, &err);
	return h2 >> 14 == 3 ? 4 : 0;
}

static void pop(struct oracle_shadow *s, u32 pc, u32 sp)
{
	const struct oracle_call *top = &s->call[s->nr - 1];

	if (s->nr && top->ret == pc && top->sp == sp && !top->interrupted)
		s->nr--;
}

void oracle_shadow_unwind(struct oracle_shadow *s, u32 sp)
{
	while (s->nr && s->call[s->nr - 1].sp <= sp && !s->call[s->nr - 1].interrupted)
		s->nr--;
	s->maybe = false;
}

void oracle_shadow_step(struct oracle_shadow *s, u32 pc, bool thumb, u32 sp)
{
	u32 len;

	if (s->maybe && pc != s->behind)
		oracle_shadow_push(s, s->pending);
	else
		pop(s, pc, sp);
	len = thumb ? thumb_call(pc) : arm_call(pc);
	s->maybe = len;
	s->behind = pc + len;
	s->pending = (struct oracle_call){ .ret = pc + len, .sp = sp };
}

void oracle_shadow_resume(struct oracle_shadow *s)
{
	while (s->nr && !s->call[s->nr - 1].interrupted)
		s->nr--;
	if (!s->nr)
		oracle_die("return from no signal");
	s->nr--;
	s->maybe = false;
}

void oracle_shadow_list_probed(const struct oracle_shadow *s, struct a32_host_returns *list)
{
	u32 i;

	list->nr = 0;
	for (i = s->nr; i-- > 0 && list->nr < A32_HOST_RETURNS;) {
		if (s->call[i].probed)
			list->call[list->nr++] = (struct a32_host_call){
				.stack = s->call[i].sp, .ra = s->call[i].ret,
			};
	}
}

void oracle_shadow_chain(const struct oracle_shadow *s, u32 pc, struct oracle_chain *chain)
{
	u32 i;

	chain->nr = 0;
	chain->entry[chain->nr++] = pc;
	for (i = s->nr; i-- > 0;)
		chain->entry[chain->nr++] = s->call[i].ret;
}
