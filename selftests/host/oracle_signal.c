// SPDX-License-Identifier: GPL-2.0
#include "oracle_signal.h"

/*
 * arch/arm/kernel/signal.h, include/uapi/asm/ucontext.h and sigcontext.h in
 * Linux: in words. A struct ucontext is uc_flags, uc_link, uc_stack (3), the
 * sigcontext (21), the mask, its room up to 32 words in all, and 128 words for
 * coprocessors.
 */
enum {
	UC_SIGCONTEXT	= 5,
	SC_R0		= 3,
	SC_CPSR		= 19,
	UC_WORDS	= 5 + 21 + 32 + 128 + 2,
	SIGINFO_WORDS	= 32,
	RETCODE_WORDS	= 4,
	PLAIN_MAGIC	= 0x5ac3c35a,
	NR_SIGRETURN	= 119,
	SIGUSR1_NR	= 10,
};

static void write_word(struct uc_struct *uc, u32 addr, u32 val)
{
	if (uc_mem_write(uc, addr, &val, 4))
		oracle_die("no stack for a signal at %#x", addr);
}

static u32 read_word(struct uc_struct *uc, u32 addr)
{
	u32 val = 0;

	if (uc_mem_read(uc, addr, &val, 4))
		oracle_die("no signal frame at %#x", addr);
	return val;
}

static u32 read_register(struct uc_struct *uc, int id)
{
	u32 val = 0;

	uc_reg_read(uc, id, &val);
	return val;
}

const int oracle_general[15] = {
	UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2, UC_ARM_REG_R3, UC_ARM_REG_R4,
	UC_ARM_REG_R5, UC_ARM_REG_R6, UC_ARM_REG_R7, UC_ARM_REG_R8, UC_ARM_REG_R9,
	UC_ARM_REG_R10, UC_ARM_REG_R11, UC_ARM_REG_R12, UC_ARM_REG_SP, UC_ARM_REG_LR,
};

/* The program's restorer decides which kind of frame it is. */
static bool wants_plain(struct uc_struct *uc, u32 restorer)
{
	u32 word = read_word(uc, restorer & ~1);

	return (restorer & 1 ? word >> 16 & 0xff : word & 0xff) == NR_SIGRETURN;
}

u32 oracle_signal_deliver(struct uc_struct *uc, const struct oracle_program *p, const u32 *r,
			  u32 cpsr, struct oracle_shadow *shadow)
{
	bool plain = wants_plain(uc, p->restorer);
	u32 words = UC_WORDS + RETCODE_WORDS + (plain ? 0 : SIGINFO_WORDS);
	u32 sp = (r[SP] - 4 * words) & ~7, uc_at = plain ? sp : sp + 4 * SIGINFO_WORDS;
	u32 signo = SIGUSR1_NR, lr = p->restorer, sc = uc_at + 4 * UC_SIGCONTEXT, i;

	if (!plain)
		write_word(uc, sp, signo);		/* si_signo */
	write_word(uc, uc_at, plain ? PLAIN_MAGIC : 0);
	for (i = 0; i < 16; i++)
		write_word(uc, sc + 4 * (SC_R0 + i), r[i]);
	write_word(uc, sc + 4 * SC_CPSR, cpsr);
	oracle_shadow_push(shadow, (struct oracle_call){
		.ret = r[PC], .sp = r[SP], .interrupted = true });
	oracle_shadow_push(shadow, (struct oracle_call){ .ret = lr & ~1, .sp = sp });
	uc_reg_write(uc, UC_ARM_REG_R0, &signo);
	uc_reg_write(uc, UC_ARM_REG_R1, &sp);
	uc_reg_write(uc, UC_ARM_REG_R2, &uc_at);
	uc_reg_write(uc, UC_ARM_REG_SP, &sp);
	uc_reg_write(uc, UC_ARM_REG_LR, &lr);
	return p->handler;
}

u32 oracle_signal_return(struct uc_struct *uc, struct oracle_shadow *shadow)
{
	u32 sp = read_register(uc, UC_ARM_REG_SP), i, val, cpsr, pc, sc;

	if (read_register(uc, UC_ARM_REG_R7) != NR_SIGRETURN)
		sp += 4 * SIGINFO_WORDS;
	sc = sp + 4 * UC_SIGCONTEXT;
	for (i = 0; i < 15; i++) {
		val = read_word(uc, sc + 4 * (SC_R0 + i));
		uc_reg_write(uc, oracle_general[i], &val);
	}
	cpsr = read_word(uc, sc + 4 * SC_CPSR);
	pc = read_word(uc, sc + 4 * (SC_R0 + 15)) | (cpsr >> 5 & 1);
	uc_reg_write(uc, UC_ARM_REG_CPSR, &cpsr);
	oracle_shadow_resume(shadow);
	return pc;
}

void oracle_signal_enable_vfp(struct uc_struct *uc)
{
	u32 cpacr = 0xf << 20, fpexc = 1 << 30;

	if (uc_reg_write(uc, UC_ARM_REG_C1_C0_2, &cpacr) ||
	    uc_reg_write(uc, UC_ARM_REG_FPEXC, &fpexc))
		oracle_die("no floating point");
}
