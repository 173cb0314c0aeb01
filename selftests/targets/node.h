/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The makings of call trees whose every function has one call site, so that
 * the sampled pc alone says what the chain is.
 */
#ifndef _TARGETS_NODE_H
#define _TARGETS_NODE_H

#ifdef __clang__
#define NODE		__attribute__((noinline, used))
#else
#define NODE		__attribute__((noinline, noclone, used))
#endif

/* Keeps a value from being known, and a call from becoming a tail call. */
#define OPAQUE(x)	__asm__ volatile("" : "+r"(x))
#define KEEP(p)		__asm__ volatile("" : : "r"(p) : "memory")

#define RETURN_ADDRESS() ((uint32_t)(uintptr_t)__builtin_return_address(0) & ~1u)

static inline __attribute__((always_inline)) unsigned int mix(unsigned int x)
{
	x = x * 33 ^ x >> 5;
	OPAQUE(x);
	return x;
}

#define LEAF(name, rounds)						\
NODE unsigned int name(unsigned int x)					\
{									\
	unsigned int i;							\
									\
	for (i = 0; i < (rounds); i++)					\
		x = mix(x);						\
	return x;							\
}

#endif /* _TARGETS_NODE_H */
