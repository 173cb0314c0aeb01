// SPDX-License-Identifier: GPL-2.0
#include "flow.h"

#define STACK_WORDS	1024

/* The linker script puts them below the usual stack; stack_high is above. */
static u32 __attribute__((aligned(8))) stack_low[STACK_WORDS];
static u32 __attribute__((aligned(8))) alt_low[STACK_WORDS];

typedef void swap_fn(struct context *from, const struct context *to);

static struct context here, there;
static swap_fn *swap;
static void *here_sp, *there_sp;

static noinline int yields(int a)
{
	swap(&there, &here);
	return a + 1;
}

/* Never returns: another function begins behind it. */
static noinline __attribute__((__noreturn__)) int body(int a)
{
	for (;;)
		sink = ext1(a) + yields(a);
}

/* Returns, so what it returns to is reached. */
static noinline int body_once(int a)
{
	return yields(a) + ext1(a);
}

static noinline int body_leaves(int a)
{
	leaf_void(a);
	set_context(&here);
}

/* The frame register is anything, for example what it was where this was prepared. */
static void prepare(void (*start)(void), u32 *top, fn1 *fn, void *fp)
{
	there = (struct context){
		.r4 = (u32)fn, .r5 = 3, .r7 = (u32)fp, .r11 = (u32)fp, .sp = (u32)top,
		.lr = (u32)start, .pc = (u32)start,
	};
}

static noinline void resume(int times)
{
	while (times--)
		swap(&here, &there);
}

static noinline void start_with(swap_fn *how, void (*start)(void), u32 *top)
{
	swap = how;
	prepare(start, top, body, (void *)0);
	resume(2);
	prepare(start, top, body, __builtin_frame_address(0));
	resume(1);
}

static noinline void starts(u32 *top)
{
	start_with(swap_context, context_start, top);
	start_with(swap_context_lr, context_start, top);
	start_with(swap_context_ldm, context_start, top);
	start_with(swap_context, context_start_clean, top);
	start_with(swap_context, context_jump, top);
}

/* getcontext() and makecontext() leave the frame register as it is. */
static noinline void makes(u32 *top)
{
	struct context once;

	swap = swap_context;
	prepare((void (*)(void))body_once, top, (fn1 *)&once, __builtin_frame_address(0));
	there.lr = (u32)startcontext;
	resume(1);
	once = here;
	swap_context(&once, &there);
}

/* lr is what it was in ld.so, which is none of the caller's business. */
static noinline void processes(u32 *top, void (*start)(void))
{
	volatile int step = 0;

	swap = swap_context;
	top[-1] = 0;
	top[-2] = (u32)top;
	top[-3] = 1;
	prepare(start, top - 4, body_leaves, __builtin_frame_address(0));
	there.lr = (u32)__builtin_return_address(0);
	resume(1);
	step++;
}

static noinline __attribute__((__noreturn__)) int jump_back(int a)
{
	for (;;)
		jump_context(&there_sp, here_sp, a);
}

/* As make_fcontext(): {what r0 is, r4 to r11, lr, where it starts} */
static noinline void jumps(u32 *top)
{
	static void *from;
	u32 *sp = top - 16;

	sp[0] = (u32)&from;
	sp[1] = (u32)jump_back;
	sp[2] = 3;
	sp[4] = (u32)__builtin_frame_address(0);
	sp[8] = (u32)__builtin_frame_address(0);
	sp[9] = (u32)context_jump;
	sp[10] = (u32)context_start;
	jump_context(&here_sp, sp, 1);
	jump_context(&here_sp, there_sp, 2);
}

static int ends(int a)
{
	ext1(a);
	end_context(here_sp);
}

static noinline int thread(int a)
{
	return nonleaf(a) + leaf(a, 2);
}

static noinline void threads(u32 *top)
{
	clone_glibc(thread, top, 0, 3);
	clone_musl(thread, top, 0, 3);
}

/* Not another thread: these calls have callers on the stack that they are made from. */
static noinline void calls_on(void *top)
{
	call_on(top, nonleaf, 3);
	call_on_saved(top, nonleaf, 3);
	call_on_kept(top, nonleaf, 3);
	call_on(top, leaf_loop, 3);
}

static noinline void all_on(u32 *top)
{
	starts(top);
	makes(top);
	jumps(top);
	run_context(&here_sp, top, ends);
	threads(top);
}

void stacks(int a)
{
	all_on(stack_low + STACK_WORDS);
	all_on((u32 *)(stack_high + sizeof(stack_high)));
	processes(stack_low + STACK_WORDS, process_start);
	processes(stack_low + STACK_WORDS, process_start_musl);
	calls_on(alt_low + STACK_WORDS);
	calls_on(high_end);
	eh_catch();
	sink = a;
}
