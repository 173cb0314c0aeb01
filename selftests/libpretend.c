// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded into a32uwctl, it has it see or do what is not so. PRETEND says what:
 *
 *	version		the module is of another version
 *	old		the same, and it knows nothing but to say so
 *	tag=N		each file is tagged with ABI N, whatever is asked for
 *	table		an unwind table's frames are 8 bytes larger than they are
 *	user		it is run by an unprivileged user
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../uapi/a32table.h"
#include "../uapi/a32uwind.h"

#define USER	1000

static const char *pretend(void)
{
	const char *what = getenv("PRETEND");

	return what ? what : "";
}

__attribute__((constructor)) static void become_user(void)
{
	/* So is what the program starts. */
	if (strcmp(pretend(), "user") || geteuid())
		return;
	/* Who changes users can't be looked into until the next exec, not even by perf. */
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) || setresuid(USER, USER, USER) ||
	    prctl(PR_SET_DUMPABLE, 1))
		_exit(99);
}

static void spoil_table(struct a32_load_table *load)
{
	struct a32_table_header *header;
	struct a32_table_rule *rule;
	unsigned int i;

	header = malloc(load->len);
	memcpy(header, (void *)(uintptr_t)load->ptr, load->len);
	rule = (void *)((char *)header + load->len - header->nr_rules * sizeof(*rule));
	for (i = 0; i < header->nr_rules; i++)
		if (rule[i].kind == A32_TABLE_FRAME)
			rule[i].cfa_off += 8;
	load->ptr = (uintptr_t)header;
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int fd, unsigned long request, ...);
	const char *what = pretend();
	va_list ap;
	void *arg;
	int ret;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (!next)
		next = dlsym(RTLD_NEXT, "ioctl");
	if (request == A32_IOC_TAG_FILE && !strncmp(what, "tag=", 4))
		((struct a32_tag_file *)arg)->abi = strtoul(what + 4, NULL, 10);
	if (request == A32_IOC_LOAD_TABLE && !strcmp(what, "table"))
		spoil_table(arg);
	if (request != A32_IOC_INFO && !strcmp(what, "old")) {
		errno = ENOTTY;
		return -1;
	}
	ret = next(fd, request, arg);
	if (request == A32_IOC_INFO && (!strcmp(what, "version") || !strcmp(what, "old")))
		((struct a32_info *)arg)->version++;
	return ret;
}
