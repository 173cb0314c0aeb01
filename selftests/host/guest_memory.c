// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <sys/mman.h>
#include "guest.h"
#include "oracle_bodies.h"
#include "oracle_tables.h"

static const u32 default_abi = A32_ABI_NONE;

static void *reserve(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		oracle_die("no room for the address space");
	return p;
}

void guest_memory_init(struct guest_memory *m)
{
	m->base = reserve((size_t)GUEST_PAGES * GUEST_PAGE);
	m->page = calloc(GUEST_PAGES, 1);
	m->file = calloc(GUEST_PAGES, 1);
	m->pgoff = calloc(GUEST_PAGES, sizeof(*m->pgoff));
	m->map = calloc(1, sizeof(*m->map) + sizeof(m->map->slot[0]));
	if (!m->page || !m->file || !m->pgoff || !m->map)
		oracle_die("out of memory");
	m->map->nr = 1;
	m->space = (struct a32_space){ .map = m->map, .default_abi = &default_abi };
}

void guest_memory_free(struct guest_memory *m)
{
	u32 i;

	for (i = 0; i < m->nr_files; i++) {
		oracle_table_free(m->files[i].code.table);
		oracle_bodies_free(m->files[i].code.bodies);
		free((void *)m->files[i].code.parts);
		free(m->files[i].path);
		munmap(m->files[i].data, m->files[i].size);
	}
	munmap(m->base, (size_t)GUEST_PAGES * GUEST_PAGE);
	free(m->page);
	free(m->file);
	free(m->pgoff);
	free(m->chunk);
	free(m->map);
}

static u32 pages(u32 size)
{
	return (size + GUEST_PAGE - 1) / GUEST_PAGE;
}

void guest_memory_map(struct guest_memory *m, u32 addr, u32 size, u32 prot)
{
	u32 first = addr / GUEST_PAGE, nr = pages(size);

	/* Anonymous pages: they hold zeroes after it. */
	madvise(m->base + addr, (size_t)nr * GUEST_PAGE, MADV_DONTNEED);
	memset(m->page + first, GUEST_MAPPED | prot, nr);
	memset(m->file + first, 0, nr);
}

void guest_memory_unmap(struct guest_memory *m, u32 addr, u32 size)
{
	memset(m->page + addr / GUEST_PAGE, 0, pages(size));
	memset(m->file + addr / GUEST_PAGE, 0, pages(size));
}

void guest_memory_protect(struct guest_memory *m, u32 addr, u32 size, u32 prot)
{
	memset(m->page + addr / GUEST_PAGE, GUEST_MAPPED | prot, pages(size));
}

void guest_memory_back(struct guest_memory *m, u32 addr, u32 size, const struct guest_file *file,
		       u32 offset)
{
	u32 i;

	for (i = 0; i < pages(size); i++) {
		m->file[addr / GUEST_PAGE + i] = file - m->files + 1;
		m->pgoff[addr / GUEST_PAGE + i] = offset / GUEST_PAGE + i;
	}
}

u32 guest_memory_find(const struct guest_memory *m, u32 size, u32 top)
{
	u32 nr = pages(size), at = top / GUEST_PAGE, run = 0;

	while (at > GUEST_LOW / GUEST_PAGE) {
		run = m->page[--at] ? 0 : run + 1;
		if (run == nr)
			return at * GUEST_PAGE;
	}
	return 0;
}

bool guest_memory_has(const struct guest_memory *m, u32 addr, u32 size)
{
	u64 last = (u64)addr + size - 1, at;

	if (size && last >> 32)
		return false;
	for (at = addr / GUEST_PAGE; size && at <= last / GUEST_PAGE; at++) {
		if (!m->page[at])
			return false;
	}
	return true;
}

static bool is_code(const struct guest_memory *m, u32 page)
{
	return m->page[page] & PROT_EXEC && m->file[page];
}

static bool continues(const struct guest_memory *m, u32 page)
{
	return is_code(m, page) && m->file[page] == m->file[page - 1] &&
	       m->pgoff[page] == m->pgoff[page - 1] + 1;
}

static void add_range(struct guest_memory *m, u32 start, u32 end)
{
	u32 n = m->chunk ? m->chunk->nr : 0;

	m->chunk = realloc(m->chunk, sizeof(*m->chunk) + (n + 1) * sizeof(m->chunk->range[0]));
	if (!m->chunk)
		oracle_die("out of memory");
	m->chunk->range[n] = (struct a32_range){
		.start = start * GUEST_PAGE, .end = end * GUEST_PAGE, .pgoff = m->pgoff[start],
		.code = &m->files[m->file[start] - 1].code,
	};
	m->chunk->nr = n + 1;
}

void guest_memory_publish(struct guest_memory *m)
{
	u32 page, start;

	free(m->chunk);
	m->chunk = NULL;
	for (page = 0; page < GUEST_HIGH / GUEST_PAGE; page++) {
		if (!is_code(m, page))
			continue;
		start = page;
		while (continues(m, page + 1))
			page++;
		add_range(m, start, page + 1);
	}
	m->map->slot[0] = (struct a32_slot){ 0, m->chunk };
	m->space.tag++;
}

const struct guest_file *guest_memory_file(const struct guest_memory *m, u32 addr, u32 *offset)
{
	u32 page = addr / GUEST_PAGE;

	if (!is_code(m, page))
		return NULL;
	*offset = m->pgoff[page] * GUEST_PAGE + addr % GUEST_PAGE;
	return &m->files[m->file[page] - 1];
}

bool guest_memory_is_own(const struct guest_memory *m, u32 addr)
{
	const struct guest_file *file;
	const struct a32_rules *parts;
	u32 offset, i;

	file = guest_memory_file(m, addr, &offset);
	if (!file)
		return false;
	if (file->code.table)
		return true;
	parts = file->code.parts;
	for (i = 0; parts && i < parts->nr; i++) {
		if (offset - parts->rule[i].start < parts->rule[i].end - parts->rule[i].start)
			return parts->rule[i].abi != A32_ABI_NONE;
	}
	return false;
}
