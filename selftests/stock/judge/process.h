/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which file was mapped where, in each process, as perf's records tell.
 */
#ifndef STOCK_PROCESS_H
#define STOCK_PROCESS_H

#include <stdint.h>

#include "file.h"

struct map {
	uint32_t start;
	uint32_t end;
	uint32_t offset;	/* in the file, of @start */
	struct file *file;
};

/**
 * struct process - a process of the guest
 * @pid: its
 * @program: what it runs; NULL before its first exec()
 * @maps: its executable mappings, later ones last
 * @nr_maps: how many
 */
struct process {
	uint32_t pid;
	struct file *program;
	struct map *maps;
	size_t nr_maps;
};

struct process *process_get(uint32_t pid);
void process_fork(uint32_t pid, uint32_t parent);
void process_exec(struct process *proc);
void process_map(struct process *proc, const struct map *map);

/* The mapping that @addr is in, or NULL. */
const struct map *process_find(const struct process *proc, uint32_t addr);

#endif /* STOCK_PROCESS_H */
