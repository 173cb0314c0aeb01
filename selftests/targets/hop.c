// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that hand on to whatever comes next on a path that is chosen at
 * run time. Built once for each compiler, ISA and frame ABI, with names that
 * start with LIB.
 */
#include <alloca.h>
#include <stdarg.h>

#include "hop.h"
#include "node.h"

#define PASTE2(a, b)	a ## _ ## b
#define PASTE(a, b)	PASTE2(a, b)
#define N(name)		PASTE(LIB, name)

/* Set by LIB_publish, kept in r7 by LIB_stale, of whichever library. */
extern void *hop_published;

LEAF(N(plain_leaf), 4)

NODE unsigned int N(plain)(const struct hop *hop, unsigned int x)
{
	x = N(plain_leaf)(x);
	return mix(hop[1].fn(&hop[1], x));
}

LEAF(N(again_leaf), 4)

NODE unsigned int N(again)(const struct hop *hop, unsigned int x)
{
	x = N(again_leaf)(x);
	return mix(hop[1].fn(&hop[1], x));
}

LEAF(N(variadic_leaf), 4)

NODE unsigned int N(variadic)(const struct hop *hop, unsigned int x, ...)
{
	va_list ap;

	va_start(ap, x);
	x += va_arg(ap, unsigned int) & 1;
	va_end(ap);
	x = N(variadic_leaf)(x);
	return mix(hop[1].fn(&hop[1], x));
}

LEAF(N(dynamic_leaf), 4)

NODE unsigned int N(dynamic)(const struct hop *hop, unsigned int x)
{
	unsigned int n = 8 + (x & 63);
	void *p;

	OPAQUE(n);
	p = alloca(n);
	KEEP(p);
	x = N(dynamic_leaf)(x);
	x = mix(hop[1].fn(&hop[1], x));
	KEEP(p);
	return x;
}

LEAF(N(large_leaf), 4)

NODE unsigned int N(large)(const struct hop *hop, unsigned int x)
{
	volatile unsigned int big[1500];

	big[x & 1023] = x;
	x = N(large_leaf)(x);
	return mix(hop[1].fn(&hop[1], x) + big[x & 1023]);
}

LEAF(N(saves_leaf), 4)

/* Every callee-saved register is in use, vpush included. */
NODE unsigned int N(saves)(const struct hop *hop, unsigned int x)
{
	unsigned int a = mix(x), b = mix(a), c = mix(b), d = mix(c);
	unsigned int e = mix(d), f = mix(e), g = mix(f);
	double p = a & 7, q = b & 7;

	__asm__("" : "+w"(p), "+w"(q));
	x = N(saves_leaf)(x);
	x = mix(hop[1].fn(&hop[1], x));
	__asm__("" : "+w"(p), "+w"(q));
	return mix(x + a + b + c + d + e + f + g + (unsigned int)(int)(p * q));
}

LEAF(N(publish_leaf), 4)

NODE unsigned int N(publish)(const struct hop *hop, unsigned int x)
{
	hop_published = __builtin_frame_address(0);
	x = N(publish_leaf)(x);
	return mix(hop[1].fn(&hop[1], x));
}

#ifndef __thumb__
LEAF(N(stale_leaf), 4)

/* r7 is another function's frame here, and it isn't the caller's. */
NODE unsigned int N(stale)(const struct hop *hop, unsigned int x)
{
	register void *r7 __asm__("r7") = hop_published;

	__asm__ volatile("" : "+r"(r7));
	x = N(stale_leaf)(x);
	__asm__ volatile("" : "+r"(r7));
	x = mix(hop[1].fn(&hop[1], x));
	__asm__ volatile("" : : "r"(r7));
	return x;
}
#endif

LEAF(N(last_leaf), 40)

NODE unsigned int N(last)(const struct hop *hop, unsigned int x)
{
	KEEP(hop);
	return mix(N(last_leaf)(x));
}
