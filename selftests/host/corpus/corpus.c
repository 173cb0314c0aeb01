// SPDX-License-Identifier: GPL-2.0
#include "corpus.h"

int leaf(int a, int b)
{
	return a * b + 7;
}

int leaf_locals(int a, int b)
{
	volatile int x[4];

	x[0] = a;
	x[1] = b;
	x[2] = x[0] + x[1];
	return x[2];
}

int leaf_regs(const int *p, int n)
{
	int a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, i;

	for (i = 0; i < n; i++) {
		a += p[i] * b;
		b ^= p[i + 1] + c;
		c += p[i + 2] ^ d;
		d -= p[i + 3] * e;
		e += a ^ f;
		f += b * g;
		g ^= c + h;
		h += d;
	}
	return a + b + c + d + e + f + g + h;
}

void leaf_void(int a)
{
	sink = a;
}

int leaf_big(int a)
{
	volatile char b[600];

	b[a & 255] = a;
	b[400] = 1;
	return b[a & 255] + b[400];
}

int leaf_early(int a, int b)
{
	if (a == b)
		return 1;
	if (a > b + 100)
		return a - b;
	return (a ^ b) * 3;
}

int leaf_loop(int n)
{
	int i, s = 0;

	for (i = 0; i < n; i++)
		s = s * 31 + (i ^ s);
	return s;
}

int nonleaf(int a)
{
	return ext1(a) + 1;
}

int nonleaf2(int a, int b)
{
	int r = ext1(a);

	r += ext2(b, r);
	return r * a;
}

void nonleaf_void(int a)
{
	ext1(a);
	sink = a;
}

int many_args(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return ext8(h, g, f, e, d, c, b, a) + a + h;
}

int many_live(int a, int b, int c, int d)
{
	int x = ext1(a), y = ext1(b), z = ext1(c), w = ext1(d);
	int v = ext0(), u = ext0(), t = ext0(), s = ext0(), r = ext0();

	return ext8(x, y, z, w, v, u, t, s) + r + x * y - z * w + v * u;
}

int varargs(int n, ...)
{
	va_list ap;
	int s = 0;

	__builtin_va_start(ap, n);
	while (n--)
		s += __builtin_va_arg(ap, int);
	__builtin_va_end(ap);
	return s;
}

int varargs_call(int n, ...)
{
	va_list ap;
	int s;

	__builtin_va_start(ap, n);
	s = ext2(n, __builtin_va_arg(ap, int));
	__builtin_va_end(ap);
	return s + 1;
}

int varargs_late(int a, int b, int c, ...)
{
	va_list ap;
	int s = ext1(a);

	__builtin_va_start(ap, c);
	s += ext2(b + c, __builtin_va_arg(ap, int));
	__builtin_va_end(ap);
	return s;
}

int use_alloca(int n)
{
	char *p = __builtin_alloca(n);

	extp(p);
	return p[0];
}

int use_vla(int n, int m)
{
	int a[n], s;

	extp(a);
	s = ext1(m);
	return a[0] + s;
}

int vla_loop(int n)
{
	int i, s = 0;

	for (i = 1; i < n; i++) {
		int a[i];

		extp(a);
		s += a[0];
	}
	return s;
}

int mid_frame(int n)
{
	int b[150];

	extp(b);
	return b[0] + n;
}

int big4k(int n)
{
	char b[5000];

	extp(b);
	return b[0] + n;
}

int big64k(int n)
{
	char b[70000];

	extp(b);
	return b[0] + n;
}

int big1m(int n)
{
	char b[1100000];

	extp(b);
	return b[0] + n;
}

int aligned32(int n)
{
	char b[64] __attribute__((aligned(32)));

	extp(b);
	return b[0] + n;
}

int aligned32_args(int a, int b, int c, int d, int e, int f)
{
	char x[64] __attribute__((aligned(32)));

	extp(x);
	return x[0] + a + b + c + d + e + f;
}

int aligned_alloca(int n)
{
	char b[64] __attribute__((aligned(64)));
	char *p = __builtin_alloca(n);

	extp(p);
	extp(b);
	return b[0] + p[0];
}

int noreturn_end(int a)
{
	if (a > 0)
		return ext1(a) + a;
	die(1);
}

void only_noreturn(int a)
{
	ext1(a);
	die(2);
}

int noreturn_leafy(int a)
{
	if (unlikely(a < 0))
		die(3);
	return a + 1;
}

int noreturn_args(int a, int b)
{
	char buf[40];

	if (a == b)
		die_from(a, "equal");
	extp(buf);
	if (buf[0] == 77)
		die_from(b, buf);
	return buf[0] + a;
}

int tail(int a)
{
	return ext1(a + 1);
}

int tail_after(int a)
{
	int r = ext1(a);

	return ext2(r, a);
}

int tail_ptr(fn1 *f, int a)
{
	ext0();
	return f(a);
}

int tail_frame(int a, int b, int c, int d, int e)
{
	int r = ext4(a, b, c, d);

	sink = e;
	return ext4(r, e, a, b);
}

int fact(int n)
{
	return n < 2 ? 1 : n * fact(n - 1);
}

int fib(int n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2);
}

static noinline int odd(int n)
{
	sink = n;
	return n == 0 ? 0 : even(n - 1);
}

int even(int n)
{
	sink = n;
	return n == 0 ? 1 : odd(n - 1);
}

double dbl(double a, double b)
{
	double x = extd(a, b), y = extd(b, a), z = extd(x, y);

	return x * y + z * a - b;
}

double dbl_many(double a, double b, double c, double d, int n)
{
	double s = 0;
	int i;

	for (i = 0; i < n; i++)
		s += extd(a + i, b) * c - d * s;
	return s + extf((float)a);
}

float flt(float a, float b, float c)
{
	return extf(a) * b + extf(c) - b;
}

int stack_guarded(const char *s)
{
	char b[64];
	int i;

	for (i = 0; s[i] && i < 63; i++)
		b[i] = s[i];
	b[i] = 0;
	extp(b);
	return b[0];
}

struct big by_value(struct big s)
{
	s.v[0]++;
	return exts(s);
}

int by_value_sum(struct big s, int k)
{
	return s.v[0] + s.v[9] + k;
}

struct pair ret_pair(int a)
{
	struct pair p = { ext1(a), ext1(a + 1) };

	return p;
}

int split_struct(int a, int b, struct big s)
{
	extp(&s);
	return a + b + s.v[3];
}

int two_big(struct big a, struct big b)
{
	struct big c = by_value(a);

	return by_value_sum(c, b.v[2]) + by_value_sum(exts(b), 1);
}

int saves_context(int a)
{
	volatile int q = a;
	int buf[16];

	if (save_context(buf))
		return q + ext1(a);
	ext1(a);
	if (a & 1)
		load_context(buf, 1);
	return q;
}
