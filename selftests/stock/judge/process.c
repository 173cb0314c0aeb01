// SPDX-License-Identifier: GPL-2.0
#include "process.h"
#include "util.h"

static struct process **procs;
static size_t nr_procs;

/* A number that is used again is forked again: the last one is the one. */
struct process *process_get(uint32_t pid)
{
	size_t i;

	for (i = 0; i < nr_procs; i++)
		if (procs[i]->pid == pid)
			return procs[i];
	procs = grow(procs, nr_procs, sizeof(*procs));
	procs[nr_procs] = grow(NULL, 0, sizeof(**procs));
	procs[nr_procs]->pid = pid;
	return procs[nr_procs++];
}

void process_exec(struct process *proc)
{
	free(proc->maps);
	proc->maps = NULL;
	proc->nr_maps = 0;
	proc->program = NULL;
}

void process_map(struct process *proc, const struct map *map)
{
	/* exec() maps the program first, then the dynamic linker. */
	if (!proc->nr_maps)
		proc->program = map->file;
	proc->maps = grow(proc->maps, proc->nr_maps, sizeof(*proc->maps));
	proc->maps[proc->nr_maps++] = *map;
}

void process_fork(uint32_t pid, uint32_t parent)
{
	struct process *from = process_get(parent), *to = process_get(pid);
	size_t i;

	if (to == from)
		return;
	process_exec(to);
	for (i = 0; i < from->nr_maps; i++)
		process_map(to, &from->maps[i]);
}

const struct map *process_find(const struct process *proc, uint32_t addr)
{
	size_t i;

	for (i = proc->nr_maps; i--;)
		if (addr >= proc->maps[i].start && addr < proc->maps[i].end)
			return &proc->maps[i];
	return NULL;
}
