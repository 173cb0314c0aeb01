// SPDX-License-Identifier: GPL-2.0
/*
 * What the oracle has to follow in a Linux program: callbacks out of the C
 * library, longjmp() out of many frames, more frames than perf has room for,
 * and a call by hand.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODE	__attribute__((noinline, noclone))
#ifdef __clang__
#undef NODE
#define NODE	__attribute__((noinline))
#endif

static jmp_buf out;
static volatile int sum;

static NODE int compare(const void *a, const void *b)
{
	sum++;
	return *(const int *)a - *(const int *)b;
}

static NODE void sort(void)
{
	int i, array[50];

	for (i = 0; i < 50; i++)
		array[i] = i * 31 % 50;
	qsort(array, 50, sizeof(array[0]), compare);
	if (array[0] != 0 || array[49] != 49)
		exit(2);
}

static NODE int deep(int n)
{
	char buf[n % 5 + 1];

	memset(buf, n, sizeof(buf));
	return n ? deep(n - 1) + buf[0] - (char)n + 1 : 0;
}

static NODE void __attribute__((noreturn)) leave(int n)
{
	if (n == 3)
		qsort(&n, 1, sizeof(n), compare);
	longjmp(out, n + 1);
}

static NODE int fall(int n)
{
	if (n == 0)
		leave(sum % 7);
	return fall(n - 1) + 1;
}

static NODE int jump(void)
{
	volatile int times = 0;
	int got = setjmp(out);

	if (times++ < 20)
		return fall(times) + got;
	return got;
}

static NODE int add_one(int n)
{
	return n + 1;
}

static NODE int by_hand(int n)
{
#ifdef __arm__
#ifndef __thumb__
	register int r0 __asm__("r0") = n;

	__asm__ volatile("mov lr, pc\n\tbx %1" : "+r"(r0) : "r"(add_one)
			 : "r1", "r2", "r3", "ip", "lr", "cc", "memory");
	return r0;
#endif
#endif
	return add_one(n);
}

int main(void)
{
	char text[32];
	int i;

	for (i = 0; i < 20; i++) {
		sort();
		sum += deep(i * 10);
		sum += jump();
		sum = by_hand(sum);
	}
	snprintf(text, sizeof(text), "%d %s %.3f\n", sum, "done", sum / 7.0);
	return fputs(text, stdout) < 0;
}
