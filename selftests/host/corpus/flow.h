/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What neither keeps to a frame ABI nor comes from a compiler: linkers' stubs,
 * hand-written functions, system calls, other stacks.
 */
#ifndef A32_CORPUS_FLOW_H
#define A32_CORPUS_FLOW_H

#include "corpus.h"

/* contexts.S */
struct context {
	u32 r4, r5, r6, r7, r8, r9, r10, r11, sp, lr, pc;
};

void swap_context(struct context *from, const struct context *to);
void swap_context_lr(struct context *from, const struct context *to);
void swap_context_ldm(struct context *from, const struct context *to);
void __attribute__((noreturn)) set_context(const struct context *to);
void jump_context(void **from, void *to, int val);
void run_context(void **from, void *to, fn1 *fn);
void __attribute__((noreturn)) end_context(void *to);
void context_start(void);
void context_start_clean(void);
void context_jump(void);
void startcontext(void);
void process_start(void);
void process_start_musl(void);
int clone_glibc(fn1 *fn, void *sp, int flags, int arg);
int clone_musl(fn1 *fn, void *sp, int flags, int arg);
int call_on(void *sp, fn1 *fn, int arg);
int call_on_saved(void *sp, fn1 *fn, int arg);
int call_on_kept(void *sp, fn1 *fn, int arg);
int eh_catch(void);
extern char stack_high[0x2000], high_end[];

/* foreign.S */
fn1 foreign_leaf, foreign_tail, foreign_call, foreign_time;

/* flow.c; on what is named probed_ there is a uretprobe */
void stubs(void);
void by_hand(void);
int fixup(int got, int offset);
int system_call(int a);
int system_call_between(int a);
int runs_trampoline(int a);
int returns_early(int a);
int returns_late(int a, int b);
int long_arithmetic(int a);
int long_exits(int a);
int long_loops(int a);
int huge_switch(int a, int b);
int kernel_helpers(int a);
int probed_leaf(int a, int b);
int probed_caller(int a);

/* stacks.c */
void stacks(int a);

#endif
