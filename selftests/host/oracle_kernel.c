// SPDX-License-Identifier: GPL-2.0
#include "oracle_kernel.h"
#include "oracle_signal.h"

enum { HELPERS = 0xffff0000, HELPERS_SIZE = 0x1000, NEW_THREAD = 77 };

/*
 * arch/arm/kernel/entry-armv.S, __kuser_helper_start, as it is for ARMv7 with
 * several CPUs. See Documentation/arch/arm/kernel_user_helpers.rst.
 */
static const u32 cmpxchg64[] = {		/* at 0xffff0f60 */
	0xe92d00f0,	/*	push	{r4, r5, r6, r7} */
	0xe1c040d0,	/*	ldrd	r4, [r0] */
	0xe1c160d0,	/*	ldrd	r6, [r1] */
	0xf57ff05b,	/*	dmb	ish */
	0xe1b20f9f,	/* 1:	ldrexd	r0, [r2] */
	0xe0303004,	/*	eors	r3, r0, r4 */
	0x00313005,	/*	eorseq	r3, r1, r5 */
	0x01a23f96,	/*	strexdeq r3, r6, [r2] */
	0x03330001,	/*	teqeq	r3, #1 */
	0x0afffff9,	/*	beq	1b */
	0xf57ff05b,	/*	dmb	ish */
	0xe2730000,	/*	rsbs	r0, r3, #0 */
	0xe8bd00f0,	/*	pop	{r4, r5, r6, r7} */
	0xe12fff1e,	/*	bx	lr */
};

static const u32 memory_barrier[] = {		/* at 0xffff0fa0 */
	0xf57ff05b,	/*	dmb	ish */
	0xe12fff1e,	/*	bx	lr */
};

static const u32 cmpxchg[] = {			/* at 0xffff0fc0 */
	0xf57ff05b,	/*	dmb	ish */
	0xe1923f9f,	/* 1:	ldrex	r3, [r2] */
	0xe0533000,	/*	subs	r3, r3, r0 */
	0x01823f91,	/*	strexeq	r3, r1, [r2] */
	0x03330001,	/*	teqeq	r3, #1 */
	0x0afffffa,	/*	beq	1b */
	0xe2730000,	/*	rsbs	r0, r3, #0 */
	0xeaffffef,	/*	b	0xffff0fa0 */
};

static const u32 get_tls[] = {			/* at 0xffff0fe0 */
	0xee1d0f70,	/*	mrc	p15, 0, r0, c13, c0, 3 */
	0xe12fff1e,	/*	bx	lr */
};

static u32 page[HELPERS_SIZE / 4];

/*
 * A uretprobe's trampoline is a breakpoint; the kernel goes on where the
 * function would have returned to. Here the machine has a jump to there.
 */
static u32 trampoline[UPROBES_SIZE / 4] = { 0xe7f001f9 };	/* UPROBE_SWBP_ARM_INSN */
static const u32 jump = 0xe51ff004;				/* ldr pc, [pc, #-4] */

void oracle_kernel_map(struct uc_struct *uc)
{
	memcpy(&page[0xf60 / 4], cmpxchg64, sizeof(cmpxchg64));
	memcpy(&page[0xfa0 / 4], memory_barrier, sizeof(memory_barrier));
	memcpy(&page[0xfc0 / 4], cmpxchg, sizeof(cmpxchg));
	memcpy(&page[0xfe0 / 4], get_tls, sizeof(get_tls));
	if (uc_mem_map_ptr(uc, HELPERS, HELPERS_SIZE, UC_PROT_READ | UC_PROT_EXEC, page))
		oracle_die("no room for the kernel's helpers");
	a32_host_region_add(HELPERS, HELPERS_SIZE, page);
	if (uc_mem_map(uc, UPROBES, UPROBES_SIZE, UC_PROT_ALL))
		oracle_die("no room for the kernel's trampoline");
	a32_host_region_add(UPROBES, UPROBES_SIZE, trampoline);
}

static bool has_probe(const struct oracle_program *p, u32 pc)
{
	u32 i;

	for (i = 0; i < p->nr_probes; i++) {
		if (p->probe[i] == pc)
			return true;
	}
	return false;
}

void oracle_kernel_probe(struct uc_struct *uc, const struct oracle_program *p, u32 *r,
			 struct oracle_shadow *shadow)
{
	struct oracle_call *call = &shadow->call[shadow->nr - 1];

	if (!has_probe(p, r[PC]) || !shadow->nr || call->ret != r[LR] || call->probed)
		return;
	if (uc_mem_write(uc, UPROBES, &jump, 4) || uc_mem_write(uc, UPROBES + 4, &r[LR], 4))
		oracle_die("no trampoline");
	call->probed = true;
	r[LR] = UPROBES;
	uc_reg_write(uc, UC_ARM_REG_LR, &r[LR]);
}

static void write_result(struct uc_struct *uc, u32 val)
{
	uc_reg_write(uc, UC_ARM_REG_R0, &val);
}

/* clone(flags, sp, ...): the child has its parent's registers, but for r0 and sp. */
static void start_thread(struct oracle_kernel *k, struct uc_struct *uc,
			 struct oracle_stacks *stacks)
{
	u32 i;

	for (i = 0; i < 15; i++)
		uc_reg_read(uc, oracle_general[i], &k->parent[i]);
	oracle_stacks_begin(stacks, k->parent[1]);
	uc_reg_write(uc, UC_ARM_REG_SP, &k->parent[1]);
	write_result(uc, 0);
	k->in_child = true;
}

static void end_thread(struct oracle_kernel *k, struct uc_struct *uc)
{
	u32 i;

	for (i = 0; i < 15; i++)
		uc_reg_write(uc, oracle_general[i], &k->parent[i]);
	write_result(uc, NEW_THREAD);
	k->in_child = false;
}

void oracle_kernel_call(struct oracle_kernel *k, struct uc_struct *uc,
			struct oracle_stacks *stacks)
{
	u32 nr = 0;

	uc_reg_read(uc, UC_ARM_REG_R7, &nr);
	if (nr == KERNEL_NR_CLONE && !k->in_child)
		start_thread(k, uc, stacks);
	else if (nr == KERNEL_NR_EXIT && k->in_child)
		end_thread(k, uc);
	else if (nr == KERNEL_NR_EXIT || nr == KERNEL_NR_CLONE)
		oracle_die("%s: system call %u", stacks->p->name, nr);
	else
		write_result(uc, 0);
}
