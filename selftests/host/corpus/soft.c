// SPDX-License-Identifier: GPL-2.0
/*
 * What the run-time ABI (IHI 0043, 4.1.2 and 4.2) has for code without floating
 * point or long shifts. Built with both, whatever calls it.
 */
#define BASE	__attribute__((pcs("aapcs")))
#define u64	unsigned long long

BASE double __aeabi_dadd(double a, double b)
{
	return a + b;
}

BASE double __aeabi_dsub(double a, double b)
{
	return a - b;
}

BASE double __aeabi_dmul(double a, double b)
{
	return a * b;
}

BASE float __aeabi_fadd(float a, float b)
{
	return a + b;
}

BASE float __aeabi_fsub(float a, float b)
{
	return a - b;
}

BASE float __aeabi_fmul(float a, float b)
{
	return a * b;
}

BASE float __aeabi_fdiv(float a, float b)
{
	return a / b;
}

BASE double __aeabi_f2d(float a)
{
	return a;
}

BASE float __aeabi_d2f(double a)
{
	return a;
}

BASE double __aeabi_i2d(int a)
{
	return a;
}

BASE float __aeabi_i2f(int a)
{
	return a;
}

BASE double __aeabi_ui2d(unsigned int a)
{
	return a;
}

BASE float __aeabi_ui2f(unsigned int a)
{
	return a;
}

BASE int __aeabi_d2iz(double a)
{
	return a;
}

BASE int __aeabi_f2iz(float a)
{
	return a;
}

u64 __aeabi_llsr(u64 a, int n)
{
	return a >> n;
}

u64 __aeabi_lmul(u64 a, u64 b)
{
	return a * b;
}
