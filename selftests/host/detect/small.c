// SPDX-License-Identifier: GPL-2.0
/*
 * A library of three functions that call, and what they bring in of libgcc:
 * crt*.o and that have more functions than it has itself.
 */
extern int other(int x);

int ask(int x)
{
	return other(x) + 1;
}

int divide(int x, int y)
{
	return other(x / y) % 7 + ask(y);
}

long long divide_long(long long x, long long y)
{
	return x / y + other((int)(x % y));
}
