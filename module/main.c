// SPDX-License-Identifier: GPL-2.0
/*
 * a32uwind - user call chains for perf on 32-bit ARM
 */
#define pr_fmt(fmt) "a32uwind: " fmt

#include <linux/module.h>
#include <linux/string.h>
#include "bodies.h"
#include "dev.h"
#include "file.h"
#include "hook.h"
#include "maps.h"
#include "notes.h"
#include "policy.h"
#include "probe.h"
#include "table.h"
#include "wanted.h"

unsigned int a32_hook_kind;

static char *hook = "auto";
module_param(hook, charp, 0444);
MODULE_PARM_DESC(hook, "ftrace, kprobe, or auto: ftrace where the kernel has it (default)");

static char *default_abi = "auto";
module_param(default_abi, charp, 0444);
MODULE_PARM_DESC(default_abi, "frame ABI of files without a rule at load: auto (what the file's prologues say, default), none, apcs, aapcs, gcc, aapcs-r7");

module_param_named(table_memory, a32_table_memory, uint, 0644);
MODULE_PARM_DESC(table_memory, "MiB of memory that all unwind tables and bodies of functions together may take (default 64)");

static const char * const abi_names[] = A32_ABI_NAMES;
static const char * const hook_names[] = {
	[A32_HOOK_FTRACE] = "ftrace", [A32_HOOK_KPROBE] = "kprobe",
};

static struct a32_probe probe[] = {
	{ "perf_callchain_user", a32_hook_on_callchain },
	/* Before any that begin an index, and gone after them. */
	{ "exit_mmap", a32_maps_on_exit },
	{ "perf_event_mmap", a32_notes_on_map },
	{ "perf_event_fork", a32_notes_on_fork },
	/* Without these, what is unmapped or moved is noticed late. */
	{ "userfaultfd_unmap_prep", a32_notes_on_unmap, .optional = true },
	{ "mremap_userfaultfd_prep", a32_notes_on_map, .optional = true },
	{ "uprobe_mmap", a32_notes_on_map, .optional = true },
};

static_assert(ARRAY_SIZE(probe) <= A32_PROBES_MAX);

static struct a32_probes probes = { .probe = probe, .nr = ARRAY_SIZE(probe) };

unsigned long a32_hook_missed(void)
{
	return a32_probes_missed(&probes);
}

static int start_probes(void)
{
	const char *why = "";
	unsigned int kind;
	int err = -EINVAL;

	for (kind = A32_HOOK_FTRACE; kind <= A32_HOOK_KPROBE; kind++) {
		if (strcmp(hook, "auto") && strcmp(hook, hook_names[kind]))
			continue;
		probes.hook = kind;
		err = a32_probes_register(&probes);
		if (!err) {
			a32_hook_kind = kind;
			return 0;
		}
		why = err == -EBUSY && kind == A32_HOOK_FTRACE ?
		      ": sysctl kernel.ftrace_enabled is 0" : "";
		if (kind == A32_HOOK_FTRACE && !strcmp(hook, "auto"))
			pr_info("no ftrace hook here (error %d%s)\n", err, why);
	}
	if (err == -EINVAL)
		pr_err("hook=%s is none of ftrace, kprobe, auto\n", hook);
	else
		pr_err("can't hook perf_callchain_user() (hook=%s, error %d%s): the kernel needs CONFIG_DYNAMIC_FTRACE_WITH_REGS or CONFIG_KPROBES\n",
		       hook, err, why);
	return err;
}

static int __init a32_init(void)
{
	int abi = match_string(abi_names, A32_ABI_NR, default_abi);
	int err;

	if (abi < 0) {
		pr_err("default_abi=%s is none of auto, none, apcs, aapcs, gcc, aapcs-r7\n",
		       default_abi);
		return -EINVAL;
	}
	a32_policy_default = abi;
	err = a32_file_init();
	if (err)
		return err;
	err = a32_bodies_init();
	if (err)
		goto err_file;
	err = a32_hook_init();
	if (err)
		goto err_bodies;
	err = start_probes();
	if (err)
		goto err_hook;
	err = a32_maps_init();
	if (err)
		goto err_maps;
	err = a32_dev_init();
	if (err)
		goto err_maps;
	pr_info("version %d, %s hook\n", A32_VERSION, hook_names[a32_hook_kind]);
	return 0;

err_maps:
	a32_probes_unregister(&probes);
	a32_notes_wait();
	a32_wanted_exit();
	a32_maps_exit();
err_hook:
	a32_hook_exit();
err_bodies:
	a32_bodies_exit();
err_file:
	a32_file_exit();
	rcu_barrier();
	return err;
}

static void __exit a32_exit(void)
{
	a32_dev_exit();
	a32_probes_unregister(&probes);
	a32_notes_wait();
	a32_bodies_exit();
	a32_wanted_exit();
	a32_policy_exit();
	a32_file_exit();
	a32_maps_exit();
	a32_hook_exit();
}

module_init(a32_init);
module_exit(a32_exit);

MODULE_AUTHOR("The a32uwind developers");
MODULE_DESCRIPTION("User call chains for perf on 32-bit ARM");
MODULE_LICENSE("GPL");
