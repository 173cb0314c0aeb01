// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "kernel.h"

static unsigned int allocated, left = ~0u;
static void *later[1024];
static unsigned int nr_later;

void shim_fail_allocation(unsigned int nr)
{
	left = nr;
}

unsigned int shim_allocated(void)
{
	return allocated;
}

static void *allocate(size_t size)
{
	void *mem;

	if (left != ~0u && !left--) {
		left = ~0u;
		return NULL;
	}
	mem = malloc(size ? size : 1);
	if (!mem)
		abort();
	memset(mem, 0xa5, size);
	allocated++;
	return mem;
}

void *kmalloc(size_t size, unsigned int flags)
{
	return allocate(size);
}

void *kvmalloc_array(size_t n, size_t size, unsigned int flags)
{
	return allocate(n * size);
}

void *kvzalloc(size_t size, unsigned int flags)
{
	void *mem = allocate(size);

	if (mem)
		memset(mem, 0, size);
	return mem;
}

void kfree(const void *mem)
{
	if (mem)
		allocated--;
	free((void *)mem);
}

void kvfree(const void *mem)
{
	kfree(mem);
}

void shim_free_later(void *mem)
{
	if (nr_later == sizeof(later) / sizeof(later[0]))
		abort();
	later[nr_later++] = mem;
}

void shim_grace_period(void)
{
	while (nr_later)
		kfree(later[--nr_later]);
}
