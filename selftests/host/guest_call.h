/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system calls that programs make which compute: arch/arm/tools/syscall.tbl
 * in Linux. Files can be read, and nothing can be written but standard output.
 */
#ifndef A32_HOST_GUEST_CALL_H
#define A32_HOST_GUEST_CALL_H

#include "guest.h"

/**
 * struct guest_call - a system call
 * @nr: its number
 * @run: does it with r0 to r5, and returns r0
 */
struct guest_call {
	u32 nr;
	u32 (*run)(struct guest *g, const u32 *r);
};

/* Up to one without @run */
extern const struct guest_call guest_file_calls[];
extern const struct guest_call guest_map_calls[];
extern const struct guest_call guest_event_calls[];

/* A descriptor of the process's for one of the host's, which is closed when there is none left */
u32 guest_new_fd(struct guest *g, int fd);

/* What r0 is when it has failed */
static inline u32 guest_error(int error)
{
	return -error;
}

/* The host's file descriptor for the process's, -1 for none */
static inline int guest_fd(const struct guest *g, u32 fd)
{
	return fd < GUEST_FDS ? g->fd[fd] - 1 : -1;
}

/* The host's pointer to guest memory, NULL if some of it is not mapped */
static inline void *guest_at(struct guest *g, u32 addr, u32 size)
{
	return guest_memory_has(&g->mem, addr, size) ? g->mem.base + addr : NULL;
}

#endif
