/* SPDX-License-Identifier: GPL-2.0 */
/* reload - load and unload the module. Each gives 0, or a negative errno. */
#ifndef SELFTESTS_RELOAD_H
#define SELFTESTS_RELOAD_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RELOAD_MODULE	"/a32uwind/a32uwind.ko"

static inline int reload_load(const char *params)
{
	int fd = open(RELOAD_MODULE, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, params, 0) ? -errno : 0;
	close(fd);
	return ret;
}

/* -EWOULDBLOCK while somebody has the device open */
static inline int reload_unload(void)
{
	return syscall(SYS_delete_module, "a32uwind", O_NONBLOCK) ? -errno : 0;
}

static inline bool reload_is_loaded(void)
{
	return !access("/sys/module/a32uwind", F_OK);
}

/* Has this kernel an ftrace that hooks can use? */
static inline bool reload_has_ftrace(void)
{
	return !access("/sys/kernel/tracing/enabled_functions", F_OK);
}

#endif /* SELFTESTS_RELOAD_H */
