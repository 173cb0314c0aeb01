// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) "a32uwind: " fmt

#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "probe.h"
#include "../uapi/a32uwind.h"

#ifdef CONFIG_KPROBES

static int on_kprobe(struct kprobe *kprobe, struct pt_regs *regs)
{
	container_of(kprobe, struct a32_probe, kprobe)->fn(regs);
	return 0;
}

NOKPROBE_SYMBOL(on_kprobe);

/* Together: the kernel waits for RCU once. */
static void kprobes_unregister(struct a32_probes *probes, unsigned int nr)
{
	struct kprobe *kprobe[A32_PROBES_MAX];
	unsigned int registered = 0;

	while (nr--) {
		if (probes->probe[nr].kprobe.addr)
			kprobe[registered++] = &probes->probe[nr].kprobe;
	}
	unregister_kprobes(kprobe, registered);
}

static int kprobe_register(struct a32_probe *probe, u32 flags)
{
	int err;

	probe->kprobe = (struct kprobe){
		.symbol_name = probe->name, .pre_handler = on_kprobe, .flags = flags,
	};
	err = register_kprobe(&probe->kprobe);
	if (err)
		probe->kprobe.addr = NULL;
	return err;
}

/*
 * In a Thumb kernel, kprobes carry out 16-bit instructions by an asm statement that
 * loads r7 without saying so, and calls what the compiler may have put there
 * (t16_emulate_push() and others, arch/arm/probes/kprobes/actions-thumb.c, up to
 * 7.2 at least): the kernel jumps to what the probed function's caller had in r7.
 */
static bool is_safe(struct a32_probe *probe)
{
	bool is_wide;

	if (!IS_ENABLED(CONFIG_THUMB2_KERNEL))
		return true;
	/* What is wrong with it is found again. */
	if (kprobe_register(probe, KPROBE_FLAG_DISABLED))
		return true;
	is_wide = probe->kprobe.opcode > U16_MAX;
	unregister_kprobe(&probe->kprobe);
	probe->kprobe.addr = NULL;
	if (!is_wide)
		pr_info("no kprobe on %s(): it begins with a 16-bit instruction\n", probe->name);
	return is_wide;
}

static int kprobes_register(struct a32_probes *probes)
{
	unsigned int i;
	int err;

	for (i = 0; i < probes->nr; i++) {
		err = is_safe(&probes->probe[i]) ?
		      kprobe_register(&probes->probe[i], 0) : -EOPNOTSUPP;
		if (err && !probes->probe[i].optional) {
			kprobes_unregister(probes, i);
			return err;
		}
	}
	return 0;
}

/* Kprobes that are never armed know where their functions are. */
static void __maybe_unused find_addresses(struct a32_probes *probes, unsigned long *address)
{
	unsigned int i;

	for (i = 0; i < probes->nr; i++) {
		kprobe_register(&probes->probe[i], KPROBE_FLAG_DISABLED);
		address[i] = (unsigned long)probes->probe[i].kprobe.addr;
	}
	kprobes_unregister(probes, probes->nr);
}

static unsigned long kprobes_missed(const struct a32_probes *probes)
{
	return probes->probe[0].kprobe.nmissed;
}

#else
static void kprobes_unregister(struct a32_probes *probes, unsigned int nr)
{
}

static int kprobes_register(struct a32_probes *probes)
{
	return -EOPNOTSUPP;
}

static void __maybe_unused find_addresses(struct a32_probes *probes, unsigned long *address)
{
}

static unsigned long kprobes_missed(const struct a32_probes *probes)
{
	return 0;
}
#endif

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

static noinline struct a32_probe *find_by_name(struct a32_probes *probes, unsigned long ip)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	sprint_symbol_no_offset(name, ip);
	for (i = 0; i < probes->nr; i++) {
		if (!strcmp(probes->probe[i].name, name)) {
			WRITE_ONCE(probes->probe[i].ip, ip);
			return &probes->probe[i];
		}
	}
	return NULL;
}

/*
 * Which of the functions is at ip? Found by name once, known afterwards. One
 * ftrace_ops serves them all: with several, each hit would look through the
 * filters of all.
 */
static struct a32_probe *find_probe(struct a32_probes *probes, unsigned long ip)
{
	unsigned int i;

	for (i = 0; i < probes->nr; i++) {
		if (READ_ONCE(probes->probe[i].ip) == ip)
			return &probes->probe[i];
	}
	return find_by_name(probes, ip);
}

static void notrace on_ftrace(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct a32_probes *probes = container_of(ops, struct a32_probes, ops);
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct a32_probe *probe;

	if (unlikely(!regs))
		return;
	probe = find_probe(probes, ip);
	if (likely(probe))
		probe->fn(regs);
}

/*
 * By its name, ftrace finds a function by decoding the names of all functions:
 * a second on a slow CPU for all probes.
 */
static int set_filter(struct ftrace_ops *ops, const char *name, unsigned long address)
{
	if (address && !ftrace_set_filter_ip(ops, address, 0, 0))
		return 0;
	return ftrace_set_filter(ops, (unsigned char *)name, strlen(name), 0);
}

static int ftrace_register(struct a32_probes *probes)
{
	unsigned long address[A32_PROBES_MAX] = {};
	unsigned int i, nr = 0;
	int err;

	probes->ops.func = on_ftrace;
	/* Permanent: refused while sysctl kernel.ftrace_enabled is 0, which then stays 1. */
	probes->ops.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT;
	find_addresses(probes, address);
	for (i = 0; i < probes->nr; i++) {
		struct a32_probe *probe = &probes->probe[i];

		probe->ip = 0;
		err = set_filter(&probes->ops, probe->name, address[i]);
		if (!err)
			nr++;
		else if (!probe->optional)
			goto err_filter;
	}
	/* Without a filter it would be called at every function. */
	err = nr ? register_ftrace_function(&probes->ops) : -ENOENT;
	if (!err)
		return 0;
err_filter:
	ftrace_free_filter(&probes->ops);
	return err;
}

static void ftrace_unregister(struct a32_probes *probes)
{
	unregister_ftrace_function(&probes->ops);
	ftrace_free_filter(&probes->ops);
}

#else
static int ftrace_register(struct a32_probes *probes)
{
	return -EOPNOTSUPP;
}

static void ftrace_unregister(struct a32_probes *probes)
{
}
#endif

int a32_probes_register(struct a32_probes *probes)
{
	if (probes->hook == A32_HOOK_FTRACE)
		return ftrace_register(probes);
	return kprobes_register(probes);
}

void a32_probes_unregister(struct a32_probes *probes)
{
	if (probes->hook == A32_HOOK_FTRACE)
		ftrace_unregister(probes);
	else
		kprobes_unregister(probes, probes->nr);
	/* Who has changed registers; who is preempted with them: a32_notes_wait() */
	synchronize_rcu();
}

unsigned long a32_probes_missed(const struct a32_probes *probes)
{
	return probes->hook == A32_HOOK_KPROBE ? kprobes_missed(probes) : 0;
}
