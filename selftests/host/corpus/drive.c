// SPDX-License-Identifier: GPL-2.0
#include "flow.h"

int escape[16];

static const struct big some = { { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3 } };
static int numbers[] = { 5, 2, 9, 1, 7, 3, 8, 4 };
static const unsigned char code[] = { 1, 2, 3, 4, 5, 6, 1, 0, 4, 1, 2, 7, 0 };
static const int labels[] = { 0, 1, 3, 1, 0, 3, 2 };

static noinline void leaves(void)
{
	empty();
	leaf(3, 4);
	leaf_locals(1, 2);
	leaf_regs(numbers, 3);
	leaf_void(1);
	leaf_big(7);
	leaf_early(1, 1);
	leaf_early(200, 1);
	leaf_early(1, 200);
	leaf_loop(5);
	asm_leaf(1);
	uses_inline_asm(4);
}

static noinline void calls(int a)
{
	nonleaf(a);
	nonleaf2(a, 2);
	nonleaf_void(a);
	many_args(a, 2, 3, 4, 5, 6, 7, 8);
	many_live(a, 2, 3, 4);
	varargs(3, a, 2, 3);
	varargs(0);
	varargs_call(a, 1, 2);
	varargs_late(a, 1, 2, 3);
	tail(a);
	tail_after(a);
	tail_ptr(nonleaf, a);
	tail_ptr(leaf_loop, 2);
	tail_frame(a, 2, 3, 4, 5);
	nested(a);
	clobbers_frame_regs(a);
	clobbers_all(a);
	ret_addr(a);
	frame_addr(a);
	through_pointer(nonleaf, a);
	through_pointer(fact, 3);
}

static noinline void frames(int a)
{
	use_alloca(40 + a);
	use_vla(12 + a, 2);
	vla_loop(4);
	mid_frame(a);
	big4k(a);
	big64k(a);
	big1m(a);
	aligned32(a);
	aligned32_args(a, 2, 3, 4, 5, 6);
	aligned_alloca(24 + a);
	stack_guarded("hello");
	locals_addr(a);
	by_value(some);
	by_value_sum(some, a);
	ret_pair(a);
	split_struct(a, 2, some);
	two_big(some, some);
}

static noinline void flows(int a)
{
	int i;

	for (i = 0; i < 10; i++)
		dense_switch(i, a);
	sparse_switch(3, a);
	sparse_switch(1000, a);
	sparse_switch(5000, a);
	sparse_switch(7, a);
	for (i = 0; i < 5; i++)
		early_returns(i * a);
	shrink((void *)0);
	shrink(numbers);
	shrink2(numbers, 0);
	shrink2(numbers, numbers[0]);
	shrink2(numbers, 2);
	shrink3(a, a);
	shrink3(a, a + 1);
	fact(4);
	fib(4);
	even(4);
	loop_call(3);
	loop_nested(5, 6);
	conditional_call(a, 3);
	conditional_call(9, 1);
	computed_goto(labels);
	interpreter(code, a);
}

static noinline void numbers_and_lists(int a)
{
	int copy[5], i;

	for (i = 0; i < 5; i++)
		copy[i] = numbers[i];
	callback(copy, 5);
	dbl(a, 2);
	dbl_many(a, 2, 3, 4, 2);
	flt(a, 2, 3);
	long_long(a, 0x123456789ull);
	saves_context(a);
	saves_context(a + 1);
}

static noinline void escapes(int a)
{
	volatile int step = 0;

	save_context(escape);
	switch (step++) {
	case 0:
		noreturn_end(-a);
		break;
	case 1:
		only_noreturn(a);
		break;
	case 2:
		noreturn_leafy(-a);
		break;
	case 3:
		hot_cold(100 + a);
		break;
	case 4:
		noreturn_args(a, a);
		break;
	case 5:
		interpreter((const unsigned char *)"\x01\x09", a);
		break;
	}
	noreturn_end(a);
	noreturn_leafy(a);
	noreturn_args(a, a + 1);
	hot_cold(a);
}

static noinline void all(int a)
{
	leaves();
	fuel = 10;
	calls(a);
	fuel = 10;
	frames(a);
	fuel = 10;
	flows(a);
	fuel = 10;
	numbers_and_lists(a);
	fuel = 6;
	escapes(a);
}

static noinline void flow(int a)
{
	stubs();
	by_hand();
	system_call(a);
	system_call_between(a);
	returns_early(1);
	returns_early(a);
	returns_early(90);
	returns_late(1, 4);
	returns_late(2, 4);
	long_arithmetic(a);
	long_exits(a);
	long_loops(a);
	huge_switch(1, a);
	huge_switch(3, a);
	huge_switch(32, a);
	huge_switch(19, a);
	huge_switch(200, a);
	kernel_helpers(a);
	probed_leaf(a, 3);
	probed_caller(a);
	stacks(a);
}

int main(void)
{
	static fn1 * const backs[] = {
		leaf_loop, nonleaf, use_alloca, tail, fact, loop_call, mid_frame,
	};
	u32 i;

	back = (void *)0;
	all(1);
	for (i = 0; i < sizeof(backs) / sizeof(backs[0]); i++) {
		back = backs[i];
		all(2 + (i & 1));
	}
	flow(3);
	/* Last, as the emulator is slow with a stack that code is on */
	runs_trampoline(3);
	return sink;
}
