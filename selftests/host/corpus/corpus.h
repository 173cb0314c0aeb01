/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A freestanding program whose functions make every kind of frame that
 * compilers have for them. All of it executes and terminates.
 */
#ifndef A32_CORPUS_H
#define A32_CORPUS_H

#define va_list	__builtin_va_list
#define u32	unsigned int
#define u64	unsigned long long
typedef int fn1(int);
typedef int fn2(int, int);

#define noinline	__attribute__((__noinline__))
#define fallthrough	__attribute__((__fallthrough__))
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

struct big {
	int v[10];
};

struct pair {
	int a, b;
};

/* calls.c: what corpus.c calls; each may call back through back(), while there is fuel */
extern fn1 *back;
extern int fuel;
extern volatile int sink;
int ext0(void);
int ext1(int a);
int ext2(int a, int b);
int ext4(int a, int b, int c, int d);
int ext8(int a, int b, int c, int d, int e, int f, int g, int h);
void extp(void *p);
double extd(double a, double b);
float extf(float a);
struct big exts(struct big s);
void sort(int *p, int n, int (*cmp)(const void *a, const void *b));
void __attribute__((noreturn)) die(int why);
void __attribute__((noreturn)) die_from(int why, const char *where);

/* start.S */
int __attribute__((returns_twice)) save_context(void *buf);
void __attribute__((noreturn)) load_context(void *buf, int val);
extern int escape[16];	/* where die() goes */

/* corpus.c and corpus_more.c, in the order in which drive.c calls them */
int leaf(int a, int b);
int leaf_locals(int a, int b);
int leaf_regs(const int *p, int n);
void leaf_void(int a);
int leaf_big(int a);
int leaf_early(int a, int b);
int leaf_loop(int n);
int nonleaf(int a);
int nonleaf2(int a, int b);
void nonleaf_void(int a);
int many_args(int a, int b, int c, int d, int e, int f, int g, int h);
int many_live(int a, int b, int c, int d);
int varargs(int n, ...);
int varargs_call(int n, ...);
int varargs_late(int a, int b, int c, ...);
int use_alloca(int n);
int use_vla(int n, int m);
int vla_loop(int n);
int mid_frame(int n);
int big4k(int n);
int big64k(int n);
int big1m(int n);
int aligned32(int n);
int aligned32_args(int a, int b, int c, int d, int e, int f);
int aligned_alloca(int n);
int noreturn_end(int a);
void only_noreturn(int a);
int noreturn_leafy(int a);
int noreturn_args(int a, int b);
int tail(int a);
int tail_after(int a);
int tail_ptr(fn1 *f, int a);
int tail_frame(int a, int b, int c, int d, int e);
int fact(int n);
int fib(int n);
int even(int n);
double dbl(double a, double b);
double dbl_many(double a, double b, double c, double d, int n);
float flt(float a, float b, float c);
int stack_guarded(const char *s);
struct big by_value(struct big s);
int by_value_sum(struct big s, int k);
struct pair ret_pair(int a);
int split_struct(int a, int b, struct big s);
int saves_context(int a);
int shrink(int *p);
int shrink2(int *p, int n);
int shrink3(int a, int b);
int callback(int *p, int n);
int nested(int a);
int dense_switch(int a, int b);
int sparse_switch(int a, int b);
u64 long_long(u64 a, u64 b);
int locals_addr(int a);
int loop_call(int n);
int loop_nested(int n, int m);
int ret_addr(int a);
int frame_addr(int a);
int hot_cold(int a);
int conditional_call(int a, int b);
int early_returns(int a);
int computed_goto(const int *p);
int through_pointer(fn1 *f, int a);
int interpreter(const unsigned char *code, int a);
int uses_inline_asm(int a);
int clobbers_frame_regs(int a);
int clobbers_all(int a);
void empty(void);
int asm_leaf(int a);
int two_big(struct big a, struct big b);

#endif
