// SPDX-License-Identifier: GPL-2.0
/*
 * Control that does not go from caller to callee: coroutines, longjmp(), the
 * kernel's helpers, system calls, thread starts, and calls too far for a branch.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "node.h"
#include "page.h"

#define STACK_SIZE	ASMCO_STACK
#define ROUNDS		50
#define FAR		__attribute__((section(".far")))

struct page *page;

/* flowasm.S */
void co_switch(void **save, void *sp);
void asmco_start(void);
unsigned int far_other_isa(unsigned int x);

/* Another stack, entered and left with glibc's swapcontext() */
static ucontext_t co_outside, co_inside;
static unsigned int co_x;

LEAF(co_leaf, 100)

NODE unsigned int co_work(unsigned int x)
{
	return mix(co_leaf(mix(x)));
}

NODE void co_main(void)
{
	page->co_ra = RETURN_ADDRESS();
	for (;;) {
		co_x = co_work(co_x);
		swapcontext(&co_inside, &co_outside);
	}
}

NODE unsigned int enter_co(unsigned int x)
{
	co_x = x;
	swapcontext(&co_outside, &co_inside);
	return mix(co_x);
}

static void make_co(void)
{
	static char stack[STACK_SIZE] __attribute__((aligned(8)));

	getcontext(&co_inside);
	co_inside.uc_stack.ss_sp = stack;
	co_inside.uc_stack.ss_size = sizeof(stack);
	makecontext(&co_inside, co_main, 0);
}

/* The same with a switch of our own */
static void *asmco_outside, *asmco_inside;
static unsigned int asmco_x;

LEAF(asmco_leaf, 100)

NODE unsigned int asmco_work(unsigned int x)
{
	return mix(asmco_leaf(mix(x)));
}

NODE void leave_asmco(void)
{
	co_switch(&asmco_inside, asmco_outside);
	KEEP(page);
}

NODE void asmco_main(void)
{
	page->asmco_ra = RETURN_ADDRESS();
	for (;;) {
		asmco_x = asmco_work(asmco_x);
		leave_asmco();
	}
}

NODE unsigned int enter_asmco(unsigned int x)
{
	asmco_x = x;
	co_switch(&asmco_outside, asmco_inside);
	return mix(asmco_x);
}

/* co_switch() pops r4 to r11 and pc; asmco_start() calls r4. */
static void make_asmco(char *stack)
{
	void **sp = (void **)(stack + STACK_SIZE) - 10;

	memset(sp, 0, 10 * sizeof(*sp));
	sp[0] = asmco_main;
	sp[8] = asmco_start;
	asmco_inside = sp;
}

static jmp_buf buf;

LEAF(jump_leaf, 100)

NODE unsigned int jump_third(unsigned int x)
{
	x = jump_leaf(x);
	KEEP(x);
	longjmp(buf, 1);
}

NODE unsigned int jump_second(unsigned int x)
{
	volatile unsigned int big[200];

	big[x & 63] = x;
	return mix(jump_third(x) + big[x & 63]);
}

NODE unsigned int jump(unsigned int x)
{
	if (!_setjmp(buf))
		x = jump_second(x);
	return mix(x);
}

/* Documentation/arm/kernel_user_helpers.rst */
NODE unsigned int call_cmpxchg(unsigned int x)
{
	int (*cmpxchg)(int, int, volatile int *) = (void *)0xffff0fc0;
	unsigned int n = 40;
	int val = 1;

	do {
		OPAQUE(n);
		x += cmpxchg(val, x & 7, &val);
	} while (--n);
	return mix(x);
}

NODE unsigned int call_cmpxchg64(unsigned int x)
{
	int (*cmpxchg64)(const int64_t *, const int64_t *, volatile int64_t *) =
		(void *)0xffff0f60;
	int64_t a = x, b = x + 1ull, val = a;
	unsigned int n = 40;

	do {
		OPAQUE(n);
		x += cmpxchg64(&a, &b, &val);
	} while (--n);
	return mix(x);
}

NODE unsigned int call_get_tls(unsigned int x)
{
	void *(*get_tls)(void) = (void *)0xffff0fe0;
	unsigned int n = 40;

	do {
		OPAQUE(n);
		x += (uintptr_t)get_tls();
	} while (--n);
	return mix(x);
}

/* Past libc, whose code can't be followed */
static int (*vdso_gettime)(clockid_t id, struct timespec *ts);

static void find_vdso(void)
{
	const char *base = (const char *)getauxval(AT_SYSINFO_EHDR), *strings = NULL;
	const Elf32_Phdr *phdr = (const void *)(base + ((const Elf32_Ehdr *)base)->e_phoff);
	const Elf32_Sym *sym = NULL;
	const Elf32_Dyn *dyn;

	while (phdr->p_type != PT_DYNAMIC)
		phdr++;
	for (dyn = (const void *)(base + phdr->p_offset); dyn->d_tag; dyn++) {
		if (dyn->d_tag == DT_SYMTAB)
			sym = (const void *)(base + dyn->d_un.d_ptr);
		if (dyn->d_tag == DT_STRTAB)
			strings = base + dyn->d_un.d_ptr;
	}
	for (sym++; strcmp(strings + sym->st_name, "__vdso_clock_gettime"); sym++)
		;
	*(const void **)&vdso_gettime = base + sym->st_value;
}

NODE unsigned int call_vdso(unsigned int x)
{
	struct timespec ts = { 0, 0 };
	unsigned int n = 40;

	do {
		OPAQUE(n);
		vdso_gettime(CLOCK_MONOTONIC, &ts);
		x += ts.tv_nsec;
	} while (--n);
	return mix(x);
}

NODE unsigned int call_syscall(unsigned int x)
{
	unsigned int n = 10, ret;

	do {
		OPAQUE(n);
#ifdef __thumb__
		__asm__ volatile("push {r7}\n\tmovs r7, %1\n\tsvc #0\n\tpop {r7}\n\tmov %0, r0"
				 : "=r"(ret) : "I"(SYS_getppid) : "r0", "memory");
#else
		__asm__ volatile("push {r7}\n\tmov r7, %1\n\tsvc #0\n\tpop {r7}\n\tmov %0, r0"
				 : "=r"(ret) : "I"(SYS_getppid) : "r0", "memory");
#endif
		x += ret;
	} while (--n);
	return mix(x);
}

NODE unsigned int call_getppid(unsigned int x)
{
	unsigned int n = 10;

	do {
		OPAQUE(n);
		x += getppid();
	} while (--n);
	return mix(x);
}

/* Through veneers, there and back */
LEAF(near_leaf, 5)

FAR LEAF(far_leaf, 5)

FAR NODE unsigned int far_call(unsigned int x)
{
	return mix(near_leaf(far_leaf(mix(x))));
}

NODE unsigned int call_far(unsigned int x)
{
	unsigned int n = 10;

	do {
		OPAQUE(n);
		x = far_call(x);
	} while (--n);
	return mix(x);
}

NODE unsigned int call_other_isa(unsigned int x)
{
	unsigned int n = 10;

	do {
		OPAQUE(n);
		x = far_other_isa(x);
	} while (--n);
	return mix(x);
}

NODE unsigned int root(unsigned int x)
{
	x = enter_co(x);
	x = enter_asmco(x);
	x = jump(x);
	x = call_cmpxchg(x);
	x = call_cmpxchg64(x);
	x = call_get_tls(x);
	x = call_vdso(x);
	x = call_syscall(x);
	x = call_getppid(x);
	x = call_far(x);
	x = call_other_isa(x);
	return mix(x);
}

/* Started with clone(), without a thread library */
LEAF(cloned_leaf, 500)

NODE unsigned int cloned_work(unsigned int x)
{
	return mix(cloned_leaf(mix(x)));
}

NODE int cloned(void *arg)
{
	unsigned int x = (uintptr_t)arg, n = ROUNDS;

	page->clone_ra = RETURN_ADDRESS();
	do {
		OPAQUE(n);
		x = cloned_work(x);
	} while (--n);
	KEEP(x);
	return 0;
}

static void run_clone(void)
{
	static char stack[STACK_SIZE] __attribute__((aligned(8)));
	static pid_t tid = 1;
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		    CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;

	tid = 1;
	clone(cloned, stack + sizeof(stack), flags, NULL, NULL, NULL, &tid);
	while (*(volatile pid_t *)&tid)
		syscall(SYS_futex, &tid, 0 /* FUTEX_WAIT */, 1, NULL, NULL, 0);
}

LEAF(thread_leaf, 500)

NODE void *thread(void *arg)
{
	unsigned int x = (uintptr_t)arg, n = ROUNDS;

	page->thread_ra = RETURN_ADDRESS();
	do {
		OPAQUE(n);
		x = thread_leaf(x);
	} while (--n);
	return (void *)(uintptr_t)mix(x);
}

/* The coroutine's stack is above all others of this thread. */
NODE int run(void)
{
	char stack[STACK_SIZE] __attribute__((aligned(8)));
	unsigned int x = 1, n;
	pthread_t id;

	make_co();
	make_asmco(stack);
	page->asmco_stack = (uintptr_t)stack;
	find_vdso();
	do {
		if (pthread_create(&id, NULL, thread, NULL))
			return 1;
		run_clone();
		pthread_join(id, NULL);
		n = ROUNDS;
		do {
			OPAQUE(n);
			x = root(x);
		} while (--n);
		/* All starts have been seen. */
		page->ready = 1;
	} while (!*(volatile uint32_t *)&page->stop);
	return 0;
}

int main(void)
{
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED,
		    PAGE_FD, 0);
	if (page == MAP_FAILED)
		return 1;
	page->main_ra = RETURN_ADDRESS();
	return run();
}
