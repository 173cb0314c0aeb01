/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads of user memory for a whole walk: user access is opened once, because
 * opening it for each word (get_user) costs more than the walk itself.
 */
#ifndef A32_UACCESS_H
#define A32_UACCESS_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>
#include <asm/irq_regs.h>
#include <asm/ptrace.h>
#include <asm/unistd.h>

/* The first helper, __kuser_cmpxchg64() (arch/arm/kernel/entry-armv.S) */
#define A32_KUSER_START	0xffff0f60

/*
 * Any address is safe to ask for: one outside of user space becomes 0, with a
 * conditional move, so that it is not read under speculation either
 * (Documentation/admin-guide/hw-vuln/spectre.rst, variant 1). A fault sets
 * *err and leaves *val 0; nothing is ever paged in, see a32_user_begin().
 */
#define A32_USER_LOAD(insn)							\
	asm volatile(							\
	"	cmp	%2, %3\n"					\
	"	it	hi\n"						\
	"	movhi	%2, #0\n"					\
	"	csdb\n"							\
	"1:	" insn " %1, [%2]\n"					\
	"2:\n"								\
	"	.pushsection .text.fixup,\"ax\"\n"			\
	"	.align	2\n"						\
	"3:	mov	%0, #1\n"					\
	"	mov	%1, #0\n"					\
	"	b	2b\n"						\
	"	.popsection\n"						\
	"	.pushsection __ex_table,\"a\"\n"			\
	"	.align	3\n"						\
	"	.long	1b, 3b\n"					\
	"	.popsection"						\
	: "+r" (*err), "=&r" (*val), "+r" (addr)			\
	: "r" (TASK_SIZE - 4)						\
	: "cc")

/**
 * a32_load32() - read a word of the current process's memory
 * @addr: address, a multiple of 4
 * @val: the word, 0 on a fault
 * @err: set to 1 on a fault, else left alone, so that one test serves several
 *	loads
 */
static __always_inline void a32_load32(u32 addr, u32 *val, u32 *err)
{
	A32_USER_LOAD("ldr");
}

/**
 * a32_load16() - read a halfword of the current process's memory
 * @addr: address, a multiple of 2
 * @val: the halfword, 0 on a fault
 * @err: set to 1 on a fault, else left alone
 */
static __always_inline void a32_load16(u32 addr, u32 *val, u32 *err)
{
	A32_USER_LOAD("ldrh");
}

/**
 * a32_load32_pair() - read two words near each other
 * @addr: address, a multiple of 4
 * @off1: offset of the first one, a multiple of 4, 0 to 16
 * @val1: the first word, 0 on a fault
 * @off2: offset of the second one
 * @val2: the second word, undefined on a fault
 */
static __always_inline void a32_load32_pair(u32 addr, u32 off1, u32 *val1, u32 off2, u32 *val2)
{
	asm volatile(
	"	cmp	%2, %5\n"
	"	it	hi\n"
	"	movhi	%2, #0\n"
	"	csdb\n"
	"1:	ldr	%0, [%2, %3]\n"
	"2:	ldr	%1, [%2, %4]\n"
	"3:\n"
	"	.pushsection .text.fixup,\"ax\"\n"
	"	.align	2\n"
	"4:	mov	%0, #0\n"
	"	b	3b\n"
	"	.popsection\n"
	"	.pushsection __ex_table,\"a\"\n"
	"	.align	3\n"
	"	.long	1b, 4b\n"
	"	.long	2b, 4b\n"
	"	.popsection"
	: "=&r" (*val1), "=&r" (*val2), "+r" (addr)
	: "r" (off1), "r" (off2), "r" (TASK_SIZE - 20)
	: "cc");
}

#undef A32_USER_LOAD

#define A32_USER_END	TASK_SIZE

/**
 * a32_load_kuser() - read a word of the kernel's helpers for user space
 * @addr: address, a multiple of 4
 * @val: the word, 0 where user space can't execute it either
 * @err: set to 1 then, else left alone
 *
 * Of the kernel's memory nothing else is read. They are at the end of the
 * vectors page, at 0xffff0000 (arch/arm/kernel/traps.c, kuser_init()).
 */
static inline void a32_load_kuser(u32 addr, u32 *val, u32 *err)
{
	if (!IS_ENABLED(CONFIG_KUSER_HELPERS) || addr < A32_KUSER_START)
		goto fault;
	__get_kernel_nofault(val, (const u32 *)addr, u32, fault);
	return;
fault:
	*val = 0;
	*err = 1;
}

/**
 * a32_user_begin() - open user memory for a32_load32() and a32_load16()
 *
 * Page faults are refused until a32_user_end(). Any context.
 *
 * Return: what a32_user_end() takes
 */
static __always_inline unsigned int a32_user_begin(void)
{
	pagefault_disable();
	return uaccess_save_and_enable();
}

static __always_inline void a32_user_end(unsigned int flags)
{
	uaccess_restore(flags);
	pagefault_enable();
}

/**
 * a32_in_kernel() - was the kernel at work for the thread when it was sampled?
 *
 * It may have been writing the thread's registers. It was not, if an interrupt
 * came to user code, and the sample is taken in that.
 */
static inline bool a32_in_kernel(void)
{
	const struct pt_regs *regs = get_irq_regs();

	return !(in_hardirq() && regs && user_mode(regs));
}

/* Which system call has the current thread been in last, or is it in? */
static inline u32 a32_last_syscall(void)
{
	return current_thread_info()->abi_syscall & __NR_SYSCALL_MASK;
}

/* Are these the registers of a thread in a system call? A few of those that are seem not to be. */
static inline bool a32_in_syscall(const u32 *r)
{
	return ((const struct pt_regs *)r)->ARM_ORIG_r0 != -1;
}

/* Where the current thread's alternate stack for signals ends; 0: it has none */
static inline u32 a32_alternate_stack(void)
{
	return current->sas_ss_sp + current->sas_ss_size;
}

/**
 * a32_pc_is_ahead() - may a sampled pc be ahead of the other registers?
 * @r: the sampled registers, a struct pt_regs
 *
 * It may while the kernel deals with an exception of the thread. That is not a
 * system call, which has an ORIG_r0, and not what has interrupted the thread.
 */
static inline bool a32_pc_is_ahead(const u32 *r)
{
	return !a32_in_syscall(r) && a32_in_kernel();
}

#endif
