// SPDX-License-Identifier: GPL-2.0
#include "corpus.h"

int (*back)(int a);
int fuel;
volatile int sink;
u32 __stack_chk_guard = 0x12345678;

static noinline int call_back(int a)
{
	if (!back || fuel <= 0)
		return a;
	fuel--;
	return back(a & 7);
}

int ext0(void)
{
	return call_back(1) & 0xff;
}

int ext1(int a)
{
	int r = call_back(a);

	return r + 1;
}

int ext2(int a, int b)
{
	return a > b ? call_back(a) - b : a + b;
}

int ext4(int a, int b, int c, int d)
{
	return ext2(a, b) + ext2(c, d);
}

int ext8(int a, int b, int c, int d, int e, int f, int g, int h)
{
	int s = ext4(a, b, c, d);

	return s + ext4(e, f, g, h);
}

void extp(void *p)
{
	volatile int *v = p;

	*(volatile char *)p = 1;
	v = (void *)((u32)v & ~3);
	sink = call_back(*v & 15);
}

double extd(double a, double b)
{
	return a * 2 + b + call_back(3);
}

float extf(float a)
{
	return a / 2 + call_back(2);
}

struct big exts(struct big s)
{
	s.v[1] = call_back(s.v[0] & 7);
	return s;
}

static void swap(int *a, int *b)
{
	int t = *a;

	*a = *b;
	*b = t;
}

void sort(int *p, int n, int (*cmp)(const void *a, const void *b))
{
	int i, j;

	for (i = 1; i < n; i++) {
		for (j = i; j > 0 && cmp(&p[j - 1], &p[j]) > 0; j--)
			swap(&p[j - 1], &p[j]);
	}
}

void die(int why)
{
	call_back(why);
	load_context(escape, why);
}

void die_from(int why, const char *where)
{
	sink = *where;
	die(why);
}

void __stack_chk_fail(void)
{
	die(99);
}

/* Compilers call them for structs and arrays. */
void *memcpy(void *to, const void *from, u32 n)
{
	char *t = to;
	const char *f = from;

	while (n--)
		*t++ = *f++;
	return to;
}

void *memset(void *to, int val, u32 n)
{
	char *t = to;

	while (n--)
		*t++ = val;
	return to;
}

int on_signal(int signo)
{
	volatile int seen = signo;

	return leaf_locals(seen, 3) + leaf(seen, 1);
}
