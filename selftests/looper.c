// SPDX-License-Identifier: GPL-2.0
#include <linux/types.h>
#include <linux/mman.h>
#include <asm/unistd.h>

#include "looper.h"

#define in_section(name) __attribute__((noinline, noclone, used, section("looper_" name)))

typedef unsigned int u32;

static inline __attribute__((always_inline))
long sys(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r7 asm("r7") = nr;
	register long r0 asm("r0") = a;
	register long r1 asm("r1") = b;
	register long r2 asm("r2") = c;
	register long r3 asm("r3") = d;
	register long r4 asm("r4") = e;
	register long r5 asm("r5") = f;

	asm volatile("svc 0" : "+r" (r0)
		     : "r" (r7), "r" (r1), "r" (r2), "r" (r3), "r" (r4), "r" (r5) : "memory");
	return r0;
}

/* Milliseconds, wrapping every 4294 s: no 64-bit division here. */
static inline __attribute__((always_inline)) u32 now_ms(void)
{
	long ts[2] = { 0, 0 };

	sys(__NR_clock_gettime, 1, (long)ts, 0, 0, 0, 0);
	return (u32)ts[0] * 1000 + ((u32)(ts[1] >> 16) * 4295 >> 16);
}

/* One turn of a mode. The loop is for samples to find something to hit. */
in_section("leaf") u32 leaf(char mode, u32 x)
{
	volatile u32 *page;
	u32 i;

	for (i = 0; i < 2000; i++)
		x = x * 1664525 + 1013904223;

	switch (mode) {
	case 'm':
		page = (void *)sys(__NR_mmap2, 0, 16384, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		page[0] = x;
		sys(__NR_mprotect, (long)page, 8192, PROT_READ, 0, 0, 0);
		sys(__NR_munmap, (long)page, 16384, 0, 0, 0, 0);
		break;
	case 'p':
		page = (void *)sys(__NR_mmap2, 0, 65536, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (i = 0; i < 16; i++)
			page[i * 1024] = x;
		sys(__NR_munmap, (long)page, 65536, 0, 0, 0, 0);
		break;
	case 'f':
		i = sys(__NR_fork, 0, 0, 0, 0, 0, 0);
		if (!i)
			sys(__NR_exit, 0, 0, 0, 0, 0, 0);
		sys(__NR_wait4, i, 0, 0, 0, 0, 0);
		break;
	case 'y':
		sys(__NR_sched_yield, 0, 0, 0, 0, 0, 0);
		break;
	}
	return x;
}

in_section("middle") u32 middle(char mode, u32 x)
{
	return leaf(mode, x) + 1;
}

in_section("outer") u32 outer(long *sp)
{
	char **argv = (char **)(sp + 1);
	u32 limit = 0, start, x = 1;
	const char *p;

	if (sp[0] < 3)
		return 2;
	for (p = argv[2]; *p; p++)
		limit = limit * 10 + (*p - '0');
	start = now_ms();
	do {
		x += middle(argv[1][0], x);
	} while (now_ms() - start < limit);
	return x == 0x12345678;
}

/* The outermost frame, as the psABI has it: no frame pointer, no lr. */
asm(".section looper_start, \"ax\", %progbits;"
	".arm;"
	".global _start;"
	".type _start, %function;"
	"_start:"
	"mov	r11, #0;"
	"mov	lr, #0;"
	"mov	r0, sp;"
	"bl	outer;"
	"mov	r7, #1;"
	"svc	0;"
	".size _start, . - _start;"
	".text;");
