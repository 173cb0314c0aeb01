// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include "core/port.h"

#ifdef CONFIG_UPROBES

/*
 * The list is the current task's own: nobody else changes it. But a sample may
 * interrupt the task while it does. Before 6.11, handle_trampoline() frees an
 * instance while it is still first in the list, and with a tail call it may
 * sleep like that. So nothing in it is trusted to be what it should be: only
 * the linear map is read, a fault is no harm, and the list has to be as long
 * as the task says.
 */
static bool read_instance(const struct return_instance *ri, struct a32_return *r,
			  unsigned long *next)
{
	unsigned long at = (unsigned long)ri, stack, ra;
	bool chained;

	if (at % sizeof(long) || at < PAGE_OFFSET || at >= (unsigned long)high_memory)
		return false;
	__get_kernel_nofault(&stack, &ri->stack, unsigned long, fault);
	__get_kernel_nofault(&ra, &ri->orig_ret_vaddr, unsigned long, fault);
	__get_kernel_nofault(&chained, &ri->chained, bool, fault);
	__get_kernel_nofault(next, (const unsigned long *)&ri->next, unsigned long, fault);
	*r = (struct a32_return){ stack, ra, chained };
	return true;
fault:
	return false;
}

/*
 * prepare_uretprobe() counts an instance before it puts it into the list, and
 * handle_trampoline() counts it out behind that: it may be one short.
 */
static bool is_whole(const struct uprobe_task *utask, u32 nr)
{
	return READ_ONCE(utask->depth) - nr <= 1;
}

u32 a32_uretprobes(struct a32_return *list, u32 room)
{
	const struct uprobe_task *utask = current->utask;
	unsigned long at;
	u32 nr = 0;

	if (!utask)
		return 0;
	for (at = (unsigned long)READ_ONCE(utask->return_instances); at; nr++) {
		if (nr == room || !read_instance((void *)at, &list[nr], &at))
			return 0;
	}
	return is_whole(utask, nr) ? nr : 0;
}

/*
 * handler_chain() says which probe it is at, and holds it. The pc of the thread
 * is that of the breakpoint then.
 */
bool a32_uprobe_insn(u32 pc, u32 *w)
{
	const struct uprobe_task *utask = current->utask;
	const struct arch_uprobe *probe = utask ? READ_ONCE(utask->auprobe) : NULL;

	if (!probe || pc != instruction_pointer(task_pt_regs(current)))
		return false;
	memcpy(w, probe->insn, sizeof(*w));
	return true;
}

#else

bool a32_uprobe_insn(u32 pc, u32 *w)
{
	return false;
}

u32 a32_uretprobes(struct a32_return *list, u32 room)
{
	return 0;
}

#endif
