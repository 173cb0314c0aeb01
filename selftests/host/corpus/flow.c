// SPDX-License-Identifier: GPL-2.0
#include "flow.h"

/* stubs.S */
fn2 plt_short, plt_long, plt_from_thumb, plt_from_thumb_new, plt_thumb2, plt_lld_long,
	plt_absolute, plt_lazy, plt_lazy_lld, plt_lazy_thumb2, stub_any_any,
	stub_v4t_arm_thumb, stub_any_arm_pic, stub_any_thumb_pic, stub_v4t_thumb_thumb,
	stub_v4t_thumb_arm, stub_short_v4t_thumb_arm, stub_v4t_thumb_thumb_pic,
	stub_v4t_thumb_arm_pic, stub_thumb_only, stub_thumb_only_pic, stub_thumb2_only,
	stub_thumb2_pure, thunk_v7_abs, thunk_v7_pi, thunk_thumb_v7_pi, thunk_v6m_abs,
	thunk_v6m_pi, stub_a8, stub_a8_cond, stub_stm32l4xx, call_via, thunk_adjust,
	jumps_from_arm, jumps_from_thumb;

/* hand.S and syscalls.S */
fn1 cond_pop, cond_ldm, cond_bx, cond_tail, cond_over, lr_counts, lr_points, lr_lies,
	calls_twice, one_pc, one_lr, one_pair, one_late, one_writeback, room_first,
	room_above, room_by_ip, room_varargs, room_aligned, room_large,
	room_large_kept, late_frame, kept_in_r4, kept_in_ip, kept_in_vfp, returns_r1,
	returns_r3, returns_mov, works_behind, where_am_i, old_call, half_arm,
	half_thumb, jumps_in, jumps_by_table, sys_push, sys_through_do, sys_ip,
	sys_six, sys_cancel, sys_vfork, sys_loop;
int copies(char *to, const char *from, int n);
fn2 long_leaf;
fn1 long_body, long_loop, long_branches;

/* What _dl_runtime_resolve() calls: leaf() is what is wanted, always. */
int fixup(int got, int offset)
{
	sink = got + offset;
	return (int)leaf;
}

/* One after the other, and by name: what a call is to is worth knowing. */
void stubs(void)
{
	sink = plt_short(3, 4);
	sink = plt_long(3, 4);
	sink = plt_from_thumb(3, 4);
	sink = plt_from_thumb_new(3, 4);
	sink = plt_thumb2(3, 4);
	sink = plt_lld_long(3, 4);
	sink = plt_absolute(3, 4);
	sink = plt_lazy(3, 4);
	sink = plt_lazy_lld(3, 4);
	sink = plt_lazy_thumb2(3, 4);
	sink = stub_any_any(3, 4);
	sink = stub_v4t_arm_thumb(3, 4);
	sink = stub_any_arm_pic(3, 4);
	sink = stub_any_thumb_pic(3, 4);
	sink = stub_v4t_thumb_thumb(3, 4);
	sink = stub_v4t_thumb_arm(3, 4);
	sink = stub_short_v4t_thumb_arm(3, 4);
	sink = stub_v4t_thumb_thumb_pic(3, 4);
	sink = stub_v4t_thumb_arm_pic(3, 4);
	sink = stub_thumb_only(3, 4);
	sink = stub_thumb_only_pic(3, 4);
	sink = stub_thumb2_only(3, 4);
	sink = stub_thumb2_pure(3, 4);
	sink = thunk_v7_abs(3, 4);
	sink = thunk_v7_pi(3, 4);
	sink = thunk_thumb_v7_pi(3, 4);
	sink = thunk_v6m_abs(3, 4);
	sink = thunk_v6m_pi(3, 4);
	sink = stub_a8(3, 4);
	sink = stub_a8_cond(3, 4);
	sink = stub_stm32l4xx(3, 4);
	sink = call_via(3, 4);
	sink = thunk_adjust(3, 4);
	sink = jumps_from_arm(3, 4);
	sink = jumps_from_thumb(3, 4);
}

static noinline void by_hand_once(int a)
{
	sink = cond_pop(a);
	sink = cond_ldm(a);
	sink = cond_bx(a);
	sink = cond_tail(a);
	sink = cond_over(a);
	sink = lr_counts(a);
	sink = lr_points(a);
	sink = lr_lies(a);
	sink = calls_twice(a);
	sink = one_pc(a);
	sink = one_lr(a);
	sink = one_pair(a);
	sink = one_late(a);
	sink = one_writeback(a);
	sink = room_first(a);
	sink = room_above(a);
	sink = room_by_ip(a);
	sink = room_varargs(a);
	sink = room_aligned(a);
	sink = room_large(a);
	sink = room_large_kept(a);
	sink = late_frame(a);
	sink = kept_in_r4(a);
	sink = kept_in_ip(a);
	sink = kept_in_vfp(a);
	sink = returns_r1(a);
	sink = returns_r3(a);
	sink = returns_mov(a);
	sink = works_behind(a);
	sink = where_am_i(a);
	sink = old_call(a);
	sink = half_arm(a);
	sink = half_thumb(a);
	sink = jumps_in(a);
	sink = jumps_by_table(a);
	sink = sys_push(a);
	sink = sys_through_do(a);
	sink = sys_ip(a);
	sink = sys_six(a);
	sink = sys_cancel(a);
	sink = sys_vfork(a);
	sink = sys_loop(a);
	sink = foreign_leaf(a);
	sink = foreign_tail(a);
	sink = foreign_call(a);
	sink = foreign_time(a);
}

void by_hand(void)
{
	static char text[48] = "some text to copy, longer than a few loops";
	char copy[48];
	int i;

	for (i = 3; i < 6; i++)
		by_hand_once(i);
	cond_over(0);
	for (i = 0; i < 40; i += 9)
		copies(copy, text, i);
	copies(copy, text, 32);
	long_leaf(1, 2);
	long_body(1);
	long_loop(1);
	long_branches(2);
	long_branches(180);
}

/* As C libraries do it inline: r7 is the frame pointer in Thumb, so it is kept aside. */
static inline __attribute__((__always_inline__)) int inline_call(int nr, int a)
{
#ifdef __thumb__
	register int r0 __asm__("r0") = a;
	int kept;

	__asm__ volatile("mov %1, r7\n\tmov r7, %2\n\tsvc #0\n\tmov r7, %1"
			 : "+r" (r0), "=&r" (kept) : "r" (nr) : "memory");
#else
	register int r0 __asm__("r0") = a;
	register int r7 __asm__("r7") = nr;

	__asm__ volatile("svc #0" : "+r" (r0) : "r" (r7) : "memory");
#endif
	return r0;
}

int system_call(int a)
{
	return inline_call(20, a);
}

int system_call_between(int a)
{
	int r = ext1(a);

	r += inline_call(20, r);
	r += inline_call(240, r);
	return ext1(r) + a;
}

/* GCC's trampoline for a nested function whose address is taken, which clang doesn't have */
int runs_trampoline(int a)
{
	u32 t[4] = {
		0xe59fc000,		/* ldr ip, [pc] */
		0xe59ff000,		/* ldr pc, [pc] */
		(u32)&a, (u32)nonleaf,
	};

	__asm__ volatile("" : : "r" (t) : "memory");
	return ((fn1 *)t)(a) + a;
}

int returns_early(int a)
{
	if (a < 2)
		return a;
	if (ext1(a) == 4)
		return 7;
	if (ext2(a, 1) > 100)
		return tail(a);
	leaf_void(a);
	return a == 5 ? 1 : ext0();
}

int returns_late(int a, int b)
{
	while (a < b) {
		if (leaf_early(a, b) == 77)
			return leaf(a, b);
		a += 2;
	}
	if (a == b)
		return tail(a);
	return nonleaf2(a, b) == 3 ? tail(b) : b;
}

static inline __attribute__((__always_inline__)) void mix(int *a, int *b)
{
	*a += (*b << 3) + 0x1234567;
	*b ^= *a;
	*a ^= *b >> 5;
}

static inline __attribute__((__always_inline__)) void mix8(int *a, int *b)
{
	mix(a, b);
	mix(a, b);
	mix(a, b);
	mix(a, b);
	mix(a, b);
	mix(a, b);
	mix(a, b);
	mix(a, b);
}

int long_arithmetic(int a)
{
	int b = a + 1;

	mix8(&a, &b);
	mix8(&a, &b);
	mix8(&a, &b);
	mix8(&a, &b);
	mix8(&a, &b);
	mix8(&a, &b);
	return a + b;
}

int long_exits(int a)
{
	int b = ext1(a);

	mix8(&a, &b);
	mix8(&a, &b);
	mix8(&a, &b);
	if (a == 3)
		return b;
	mix8(&a, &b);
	mix8(&a, &b);
	if (b == 3)
		return ext1(a);
	mix8(&a, &b);
	mix8(&a, &b);
	if (a + b == 3)
		return tail(b);
	mix8(&a, &b);
	mix8(&a, &b);
	mix8(&a, &b);
	return a + ext1(b & 7);
}

int long_loops(int a)
{
	int i, j, b = a;

	for (i = 0; i < 2; i++) {
		for (j = 0; j < 3; j++) {
			mix8(&a, &b);
			if (a == b)
				b++;
		}
		mix8(&a, &b);
		mix8(&a, &b);
	}
	return b;
}

int huge_switch(int a, int b)
{
	int s = a;

	switch (a) {
	case 0:
		s += ext1(b + 0);
		break;
	case 1:
		return leaf(b, 1);
	case 2:
		s ^= b * 5;
		mix8(&s, &b);
		fallthrough;
	case 3:
		s += ext1(b + 3);
		break;
	case 4:
		return leaf(b, 4);
	case 5:
		s ^= b * 8;
		mix8(&s, &b);
		fallthrough;
	case 6:
		s += ext1(b + 6);
		break;
	case 7:
		return leaf(b, 7);
	case 8:
		s ^= b * 11;
		mix8(&s, &b);
		fallthrough;
	case 9:
		s += ext1(b + 9);
		break;
	case 10:
		return leaf(b, 10);
	case 11:
		s ^= b * 14;
		mix8(&s, &b);
		fallthrough;
	case 12:
		s += ext1(b + 12);
		break;
	case 13:
		return leaf(b, 13);
	case 14:
		s ^= b * 17;
		mix8(&s, &b);
		fallthrough;
	case 15:
		s += ext1(b + 15);
		break;
	case 16:
		return leaf(b, 16);
	case 17:
		s ^= b * 20;
		mix8(&s, &b);
		fallthrough;
	case 18:
		s += ext1(b + 18);
		break;
	case 19:
		return leaf(b, 19);
	case 20:
		s ^= b * 23;
		mix8(&s, &b);
		fallthrough;
	case 21:
		s += ext1(b + 21);
		break;
	case 22:
		return leaf(b, 22);
	case 23:
		s ^= b * 26;
		mix8(&s, &b);
		fallthrough;
	case 24:
		s += ext1(b + 24);
		break;
	case 25:
		return leaf(b, 25);
	case 26:
		s ^= b * 29;
		mix8(&s, &b);
		fallthrough;
	case 27:
		s += ext1(b + 27);
		break;
	case 28:
		return leaf(b, 28);
	case 29:
		s ^= b * 32;
		mix8(&s, &b);
		fallthrough;
	case 30:
		s += ext1(b + 30);
		break;
	case 31:
		return leaf(b, 31);
	case 32:
		s ^= b * 35;
		mix8(&s, &b);
		fallthrough;
	case 33:
		s += ext1(b + 33);
		break;
	case 34:
		return leaf(b, 34);
	case 35:
		s ^= b * 38;
		mix8(&s, &b);
		fallthrough;
	default:
		s = tail(b);
	}
	return s + b;
}

/* Documentation/arch/arm/kernel_user_helpers.rst */
int kernel_helpers(int a)
{
	static long long wide = 5, from = 5, to = 6;
	static int word = 3;
	int r;

	r = ((int (*)(int, int, int *))0xffff0fc0)(3, a, &word);
	((void (*)(void))0xffff0fa0)();
	r += ((int (*)(long long *, long long *, long long *))0xffff0f60)(&from, &to, &wide);
	((int (*)(void))0xffff0fe0)();
	return r + word;
}

int probed_leaf(int a, int b)
{
	return a * 3 + b;
}

int probed_caller(int a)
{
	return ext1(a) + ext0();
}
