// SPDX-License-Identifier: GPL-2.0
#include "corpus.h"

int shrink(int *p)
{
	int r;

	if (!p)
		return -1;
	r = ext1(*p);
	r += ext2(r, *p);
	return r;
}

int shrink2(int *p, int n)
{
	int s = 0, i;

	if (n <= 0)
		return 0;
	if (p[0] == n)
		return 1;
	for (i = 0; i < n; i++)
		s += ext2(p[i], s);
	return s;
}

int shrink3(int a, int b)
{
	if (likely(a == b))
		return a;
	sink = ext1(a);
	return ext2(a, b) + ext4(a, b, a, b);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b + (sink & 0);
}

static int compare_slow(const void *a, const void *b)
{
	return ext2(*(const int *)a, 0) > ext2(*(const int *)b, 0);
}

int callback(int *p, int n)
{
	sort(p, n, compare);
	sort(p, n, compare_slow);
	return p[0];
}

static noinline int inner1(int a)
{
	return ext1(a) + 2;
}

static noinline int inner2(int a, int b)
{
	return inner1(a) * inner1(b) + ext2(a, b);
}

int nested(int a)
{
	return inner2(a, a + 1) + inner1(a);
}

int dense_switch(int a, int b)
{
	switch (a) {
	case 0:
		return ext1(b);
	case 1:
		return ext2(b, 1);
	case 2:
		return ext0() + 3;
	case 3:
		return b * 5;
	case 4:
		return ext1(b + 1) + 6;
	case 5:
		return ext4(1, 2, 3, 4);
	case 6:
		return 9 - b;
	case 7:
		return ext1(7) * b;
	default:
		return ext2(a, b) + 1;
	}
}

int sparse_switch(int a, int b)
{
	int s = 0;

	switch (a) {
	case 3:
		s = ext1(b);
		break;
	case 70:
	case 1000:
		return b;
	case 5000:
		s = ext2(a, b);
		fallthrough;
	case 99999:
		s += b;
		break;
	case 0x12345678:
		return -1;
	}
	sink = s;
	return s * 2;
}

u64 long_long(u64 a, u64 b)
{
	return a * b + (u64)ext1((int)a) * (b | 1) + (a >> (b & 7));
}

int locals_addr(int a)
{
	int x = a, y = a + 1, z = a + 2;

	extp(&x);
	extp(&y);
	extp(&z);
	return x + y + z;
}

int loop_call(int n)
{
	int s = 0, i;

	for (i = 0; i < n; i++)
		s += ext1(i);
	return s;
}

int loop_nested(int n, int m)
{
	int i, j, s = 0;

	for (i = 0; i < n; i++) {
		for (j = 0; j < m; j++) {
			if ((i ^ j) & 1)
				continue;
			s += i * j;
		}
		if (s > 100)
			s -= ext1(s);
	}
	return s;
}

int ret_addr(int a)
{
	return ((int)__builtin_return_address(0) & 1) + ext1(a);
}

int frame_addr(int a)
{
	return ((int)__builtin_frame_address(0) & 1) + ext1(a);
}

static noinline __attribute__((__cold__)) int cold(int a)
{
	return ext1(a) + ext0();
}

int hot_cold(int a)
{
	if (unlikely(a > 100)) {
		ext1(1);
		ext1(2);
		cold(a);
		ext4(a, a, a, a);
		die(4);
	}
	return ext1(a) + a;
}

int conditional_call(int a, int b)
{
	if (a > 3)
		leaf_void(a);
	if (b < 2)
		ext1(b);
	return a > b ? a : b;
}

int early_returns(int a)
{
	int r;

	if (a == 1)
		return 5;
	r = ext1(a);
	if (r == 3)
		return 1;
	if (r > 90)
		return r;
	r = ext1(r);
	if (r & 1)
		return 2;
	leaf_void(r);
	return 3;
}

int computed_goto(const int *p)
{
	static const void *const labels[] = { &&add, &&call, &&end, &&twice };
	int s = 1;

	goto *labels[*p++ & 3];
add:
	s += 3;
	goto *labels[*p++ & 3];
call:
	s += ext1(s);
	goto *labels[*p++ & 3];
twice:
	s *= 2;
	goto *labels[*p++ & 3];
end:
	return s;
}

int through_pointer(fn1 *f, int a)
{
	return f(a) + f(a + 1);
}

int interpreter(const unsigned char *code, int a)
{
	for (;;) {
		switch (*code++) {
		case 0:
			return a;
		case 1:
			a++;
			break;
		case 2:
			a *= 3;
			break;
		case 3:
			a = ext1(a);
			break;
		case 4:
			a = -a;
			break;
		case 5:
			a ^= 0x55;
			break;
		case 6:
			code += *code;
			break;
		case 7:
			if (a > 10)
				return ext2(a, 1);
			break;
		default:
			die(5);
		}
	}
}

int uses_inline_asm(int a)
{
	int r;

	__asm__ volatile("mov ip, %1\n\tmov %0, ip" : "=r" (r) : "r" (a) : "ip");
	return r;
}

/* As inline system calls do; lr gets a number that is no address. */
int clobbers_frame_regs(int a)
{
	int r = ext1(a);

	__asm__ volatile("mov lr, %0\n\tmov ip, lr" : : "r" (a) : "lr", "ip", "r4", "r5", "r6");
	return r + a;
}

/* Thumb-1 can't add to lr what is not in a register. */
#if defined(__thumb__) && !defined(__thumb2__)
#define ADD_TO_LR	"add lr, pc"
#else
#define ADD_TO_LR	"add lr, lr, #8"
#endif

/* lr as any other register: something on the stack, then something in code */
int clobbers_all(int a)
{
	int r = ext1(a);

	__asm__ volatile("mov lr, sp\n\tmov ip, lr" : : : "lr", "ip", "memory");
	__asm__ volatile("mov lr, %0\n\tmov ip, lr\n\t" ADD_TO_LR "\n\tmov ip, lr"
			 : : "r" (leaf) : "lr", "ip", "r4", "r5", "r6", "r8", "r9", "r10");
	return r;
}

void empty(void)
{
}
