// SPDX-License-Identifier: GPL-2.0
/*
 * A tree of the frame shapes that compilers make. tree.edges names what the
 * disassembly can't tell.
 */
#include <alloca.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "node.h"
#include "page.h"

#define DEPTH		12	/* as in tree.edges */
#define ROUNDS		100

struct page *page;

LEAF(plain_leaf, 6)

NODE unsigned int plain(unsigned int x)
{
	return mix(plain_leaf(mix(x)));
}

/* Short enough that most of its time is its prologue and epilogue. */
NODE unsigned int tiny_leaf(unsigned int x)
{
	return x * 3 + 1;
}

NODE unsigned int tiny(unsigned int x)
{
	x = tiny_leaf(x);
	OPAQUE(x);
	return x;
}

NODE unsigned int tiny_loop(unsigned int x)
{
	unsigned int n = 8;

	do {
		OPAQUE(n);
		x = tiny(x);
	} while (--n);
	return x;
}

LEAF(variadic_leaf, 3)

NODE unsigned int variadic(unsigned int count, ...)
{
	unsigned int x = 0;
	va_list ap;

	va_start(ap, count);
	while (count--)
		x += va_arg(ap, unsigned int);
	va_end(ap);
	return mix(variadic_leaf(x));
}

LEAF(variadic3_leaf, 3)

NODE unsigned int variadic3(unsigned int a, unsigned int b, unsigned int c, ...)
{
	unsigned int x;
	va_list ap;

	va_start(ap, c);
	x = va_arg(ap, unsigned int);
	va_end(ap);
	return mix(variadic3_leaf(x + a + b + c));
}

NODE unsigned int dynamic_leaf(volatile unsigned int *p, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		p[i] = i;
	return p[n / 2];
}

NODE unsigned int dynamic(unsigned int x)
{
	unsigned int n = 4 + (x & 3);
	unsigned int *p;

	OPAQUE(n);
	p = alloca(n * sizeof(*p));
	return mix(x + dynamic_leaf(p, n));
}

NODE unsigned int vla_leaf(volatile unsigned int *p, unsigned int n)
{
	while (n--)
		p[n] = n;
	return p[0];
}

NODE unsigned int vla(unsigned int x)
{
	unsigned int n = 5 + (x & 7);

	OPAQUE(n);
	{
		unsigned int v[n];

		x += vla_leaf(v, n);
		KEEP(v);
	}
	return mix(x);
}

NODE double vfp_leaf(double a, double b)
{
	return a * b + 0.5;
}

/* Two doubles live across a call: saved with vpush. */
NODE unsigned int vfp(unsigned int x)
{
	double a = x & 15, b = a + 1.5, c = b * 2, sum = 0;
	unsigned int n = 3;

	do {
		OPAQUE(n);
		sum += vfp_leaf(a, sum) * b + c;
	} while (--n);
	return mix((unsigned int)(int)sum & 255);
}

LEAF(large_leaf, 3)

NODE unsigned int large(unsigned int x)
{
	volatile unsigned int big[1900];

	big[x & 1023] = x;
	x = large_leaf(x);
	return mix(x + big[x & 1023]);
}

LEAF(many_leaf, 3)

NODE unsigned int many(unsigned int a, unsigned int b, unsigned int c,
		       unsigned int d, unsigned int e, unsigned int f,
		       unsigned int g, unsigned int h, unsigned int i)
{
	return mix(many_leaf(a + b + c + d) + e + f + g + h + i);
}

LEAF(recurse_leaf, 6)

NODE unsigned int recurse(unsigned int x, unsigned int depth)
{
	if (!depth)
		return mix(recurse_leaf(x));
	return mix(recurse(x, depth - 1));
}

LEAF(tail_leaf, 3)

NODE unsigned int tail_target(unsigned int x)
{
	return mix(tail_leaf(x));
}

NODE unsigned int tail(unsigned int x)
{
	return tail_target(mix(x));
}

LEAF(shrink_leaf, 3)

NODE unsigned int shrink(unsigned int x, unsigned int *p)
{
	unsigned int n = 2;

	if (x & 3)
		return x + 1;
	do {
		OPAQUE(n);
		*p += shrink_leaf(x);
	} while (--n);
	return *p;
}

struct split {
	unsigned int v[6];
};

LEAF(split_leaf, 3)

/* The struct lies half in r1 to r3, half on the stack. */
NODE unsigned int split(unsigned int x, struct split s)
{
	KEEP(&s);
	return mix(split_leaf(x + s.v[0]) + s.v[5]);
}

LEAF(aligned_leaf, 3)

NODE unsigned int aligned(unsigned int x)
{
	unsigned int v[8] __attribute__((aligned(64)));

	v[x & 7] = x;
	KEEP(v);
	return mix(aligned_leaf(x) + v[x & 7]);
}

LEAF(pressure_leaf, 3)

/* More live values than registers: lr and r7 hold values, too. */
NODE unsigned int pressure(const volatile unsigned int *p)
{
	unsigned int a = p[0], b = p[1], c = p[2], d = p[3], e = p[4];
	unsigned int f = p[5], g = p[6], h = p[7], i = p[0], j = p[1];
	unsigned int n;

	for (n = 0; n < 4; n++) {
		a += b ^ j;
		b += c ^ a;
		c += d ^ b;
		d += e ^ c;
		e += f ^ d;
		f += g ^ e;
		g += h ^ f;
		h += i ^ g;
		i += j ^ h;
		j += a ^ i;
	}
	n = pressure_leaf(a + p[2]);
	return mix(n + a + b + c + d + e + f + g + h + i + j);
}

LEAF(callback_leaf, 3)

NODE unsigned int callback_target(unsigned int x)
{
	return mix(callback_leaf(x));
}

NODE unsigned int callback(unsigned int (*fn)(unsigned int x), unsigned int x)
{
	OPAQUE(fn);
	return mix(fn(x));
}

NODE unsigned int root(unsigned int x)
{
	static const struct split zero;
	unsigned int v[8] = { x, 1, 2, 3, 4, 5, 6, 7 };

	x = plain(x);
	x = tiny_loop(x);
	x += variadic(3, x, 1, 2);
	x += variadic3(x, 1, 2, 3);
	x = dynamic(x);
	x = vla(x);
	x = vfp(x);
	x = large(x);
	x = many(x, 1, 2, 3, 4, 5, 6, 7, 8);
	x = recurse(x, DEPTH);
	x = tail(x);
	x = shrink(x, v);
	x = split(x, zero);
	x = aligned(x);
	x = pressure(v);
	x = callback(callback_target, x);
	return mix(x);
}

/* The compiler does not see into asm, where it says in .debug_frame what is on the stack. */
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define CFI_PUSHED_R7	".cfi_adjust_cfa_offset 4\n\t.cfi_rel_offset r7, 0\n\t"
#define CFI_POPPED_R7	".cfi_adjust_cfa_offset -4\n\t.cfi_restore r7\n\t"
#else
#define CFI_PUSHED_R7
#define CFI_POPPED_R7
#endif

LEAF(vanish_leaf, 2000)

/* Ends the thread without libc's help, after a while. */
NODE __attribute__((noreturn)) void vanish(unsigned int x)
{
	x = vanish_leaf(x);
	KEEP(x);
	for (;;) {
#ifdef __thumb__
		__asm__ volatile("push {r7}\n\t" CFI_PUSHED_R7
				 "mov r7, %0\n\tmov r0, #0\n\tsvc #0\n\tpop {r7}\n\t" CFI_POPPED_R7
				 : : "I"(SYS_exit) : "r0", "memory");
#else
		__asm__ volatile("mov r7, %0\n\tmov r0, #0\n\tsvc #0"
				 : : "I"(SYS_exit) : "r0", "r7", "memory");
#endif
	}
}

/* Its last instruction is a call: the return address lies behind its end. */
NODE __attribute__((noreturn)) void finish(unsigned int x)
{
	volatile unsigned int big[40];

	big[x & 31] = x;
	vanish(big[x & 31] + 1);
}

LEAF(after_finish, 1)

NODE void *thread(void *arg)
{
	unsigned int x = (uintptr_t)arg, n = ROUNDS;

	page->thread_ra = RETURN_ADDRESS();
	do {
		OPAQUE(n);
		x = root(x);
	} while (--n);
	finish(x);
}

int main(void)
{
	unsigned int x = 1, n;
	pthread_t id;

	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED,
		    PAGE_FD, 0);
	if (page == MAP_FAILED)
		return 1;
	page->main_ra = RETURN_ADDRESS();
	page->ready = 1;

	while (!*(volatile uint32_t *)&page->stop) {
		if (pthread_create(&id, NULL, thread, (void *)(uintptr_t)x))
			return 1;
		n = ROUNDS;
		do {
			OPAQUE(n);
			x = root(x);
		} while (--n);
		pthread_join(id, NULL);
	}
	return 0;
}
