// SPDX-License-Identifier: GPL-2.0
/*
 * mixed-WAY FUNCTION...: calls them one from the other, in the main thread and in
 * two more at the same time.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

#include "hop.h"
#include "node.h"
#include "page.h"

#define MAX_HOPS	64

struct page *page;
void *hop_published;

static struct hop path[MAX_HOPS];

/* Not static: every thread may go through it. */
NODE unsigned int travel(const struct hop *first, unsigned int x)
{
	return mix(first->fn(first, x));
}

NODE unsigned int run(unsigned int x)
{
	while (!*(volatile uint32_t *)&page->stop)
		x = travel(path, x);
	return x;
}

NODE void *thread(void *arg)
{
	page->thread_ra = RETURN_ADDRESS();
	return (void *)(uintptr_t)mix(run((uintptr_t)arg));
}

int main(int argc, char **argv)
{
	pthread_t id[2];
	int i;

	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED,
		    PAGE_FD, 0);
	if (page == MAP_FAILED || argc < 2 || argc > MAX_HOPS)
		return 1;
	for (i = 1; i < argc; i++) {
		*(void **)&path[i - 1].fn = dlsym(RTLD_DEFAULT, argv[i]);
		if (!path[i - 1].fn)
			return 1;
	}
	page->main_ra = RETURN_ADDRESS();
	page->ready = 1;

	for (i = 0; i < 2; i++)
		pthread_create(&id[i], NULL, thread, NULL);
	run(1);
	for (i = 0; i < 2; i++)
		pthread_join(id[i], NULL);
	return 0;
}
