// SPDX-License-Identifier: GPL-2.0
/*
 * Calls the kernel's own perf_callchain_user(), hooked or not, with registers
 * that the caller gives, and says how long that took. A sample costs the same
 * instructions whatever took it; this way nothing else is measured with them.
 */
#include <asm/irq_regs.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "meter.h"

typedef void callchain_fn(struct perf_callchain_entry_ctx *ctx, struct pt_regs *regs);

/* From /proc/kallsyms: the function is not exported. */
static unsigned long addr;
module_param(addr, ulong, 0400);
MODULE_PARM_DESC(addr, "address of perf_callchain_user");

static noinline notrace void nothing(struct perf_callchain_entry_ctx *ctx, struct pt_regs *regs)
{
	barrier();
}

/*
 * Interrupts off: nothing but the walks is between the two clock readings. It looks as
 * if the clock's interrupt had come to user code, as most samples are taken.
 */
static noinline void run(struct meter *meter, callchain_fn *fn, struct perf_callchain_entry *entry)
{
	struct perf_callchain_entry_ctx ctx = { .entry = entry, .max_stack = meter->room };
	struct pt_regs regs = {}, *last;
	unsigned long flags;
	u64 start;
	u32 i;

	memcpy(regs.uregs, meter->r, sizeof(meter->r));
	regs.ARM_cpsr = meter->cpsr;
	local_irq_save(flags);
	preempt_count_add(HARDIRQ_OFFSET);
	last = set_irq_regs(&regs);
	start = ktime_get_mono_fast_ns();
	for (i = 0; i < meter->loops; i++) {
		entry->nr = 0;
		ctx.nr = 0;
		fn(&ctx, &regs);
	}
	meter->ns = ktime_get_mono_fast_ns() - start;
	set_irq_regs(last);
	preempt_count_sub(HARDIRQ_OFFSET);
	local_irq_restore(flags);
	meter->nr = entry->nr;
}

static long meter_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	callchain_fn *fn = cmd == METER_WALK ? (callchain_fn *)addr : nothing;
	struct perf_callchain_entry *entry;
	struct meter *meter;
	long err = -ENOMEM;

	if (cmd != METER_WALK && cmd != METER_NOTHING)
		return -ENOTTY;
	meter = memdup_user((void __user *)arg, sizeof(*meter));
	if (IS_ERR(meter))
		return PTR_ERR(meter);
	entry = kzalloc(sizeof(*entry) + sizeof(meter->entry), GFP_KERNEL);
	if (!entry)
		goto out;
	err = -EINVAL;
	if (!meter->room || meter->room > METER_ENTRIES || !meter->loops || meter->loops > 4096)
		goto out;
	run(meter, fn, entry);
	memcpy(meter->entry, entry->ip, sizeof(meter->entry));
	err = copy_to_user((void __user *)arg, meter, sizeof(*meter)) ? -EFAULT : 0;
out:
	kfree(entry);
	kfree(meter);
	return err;
}

static const struct file_operations meter_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = meter_ioctl,
};

static struct miscdevice meter_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "meter",
	.fops = &meter_fops,
	.mode = 0600,
};

static int __init meter_init(void)
{
	return addr ? misc_register(&meter_misc) : -EINVAL;
}

static void __exit meter_exit(void)
{
	misc_deregister(&meter_misc);
}

module_init(meter_init);
module_exit(meter_exit);

MODULE_DESCRIPTION("Cost of user call chains, for a32uwind's bench");
MODULE_LICENSE("GPL");
