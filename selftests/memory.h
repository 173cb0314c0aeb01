/* SPDX-License-Identifier: GPL-2.0 */
/* memory - what the kernel has allocated, to find out what was not given back */
#ifndef SELFTESTS_MEMORY_H
#define SELFTESTS_MEMORY_H

#define MEMORY_CACHES	64
#define MEMORY_NAME	32

/**
 * struct memory - figures of the kernel
 * @areas: of vmalloc()
 * @nr: caches in @cache
 * @cache: those that kmalloc() takes from: their names, and objects in use
 */
struct memory {
	long areas;
	unsigned int nr;
	struct {
		char name[MEMORY_NAME];
		long objects;
	} cache[MEMORY_CACHES];
};

/* What is free or cached is given back first. Return: 0, or -1 when there are no such figures. */
int memory_read(struct memory *memory);

/**
 * memory_grown() - where has it grown most?
 * @before: figures
 * @after: later ones
 * @name: the cache's name
 *
 * Return: by how many objects
 */
long memory_grown(const struct memory *before, const struct memory *after, const char **name);

#endif /* SELFTESTS_MEMORY_H */
