// SPDX-License-Identifier: GPL-2.0
/*
 * What a chain costs: page faults of this very program are sampled, in turn with and without user
 * chains. The hook runs for the former only, and nobody else's samples are touched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "doctor.h"
#include "perfring.h"

#define ROUNDS		40
#define FAULTS		50	/* at once: perf takes only so many samples in a tick */
#define RING_PAGES	16

static void count(const struct perfring_sample *sample, void *arg)
{
	unsigned int *chains = arg;

	*chains += sample->user_nr > 0;
}

static __u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (__u64)ts.tv_sec * 1000000000 + (__u64)ts.tv_nsec;
}

static struct perfring *open_faults(bool chains)
{
	struct perf_event_attr attr;

	perfring_cpu_clock(&attr, 1);
	attr.config = PERF_COUNT_SW_PAGE_FAULTS;
	attr.exclude_kernel = 1;
	attr.exclude_callchain_user = !chains;
	return perfring_open(&attr, 0, -1, RING_PAGES);
}

/* Returns ns a fault, of FAULTS of them. */
static __u64 fault(struct perfring *ring, char *memory, unsigned int *chains)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	__u64 begin, end;

	madvise(memory, FAULTS * page, MADV_DONTNEED);
	perfring_enable(ring);
	begin = now_ns();
	for (i = 0; i < FAULTS; i++)
		*(volatile char *)(memory + i * page) = 1;
	end = now_ns();
	perfring_disable(ring);
	perfring_read(ring, count, chains);
	/* The next tick has room for as many again. */
	usleep(10000);
	return (end - begin) / FAULTS;
}

static int by_size(const void *a, const void *b)
{
	const __u64 *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static __u64 median(__u64 *ns)
{
	qsort(ns, ROUNDS, sizeof(*ns), by_size);
	return ns[ROUNDS / 2];
}

static void measure(struct doctor *doctor, struct perfring *ring[2], char *memory)
{
	unsigned int chains[2] = { 0 };
	__u64 ns[2][ROUNDS], with, without;
	int i;

	for (i = 0; i < 2 * ROUNDS; i++)
		ns[i & 1][i / 2] = fault(ring[i & 1], memory, &chains[i & 1]);
	without = median(ns[0]);
	with = median(ns[1]);
	if (chains[0] || chains[1] < FAULTS * ROUNDS / 2)
		doctor_say(doctor, FOUND_WARN, "cost", "try again while nothing else samples",
			   "not measured: perf gave %u of %u samples", chains[1], FAULTS * ROUNDS);
	else
		doctor_say(doctor, FOUND_OK, "cost", "",
			   "a sample with a user chain takes %llu ns, without %llu (%u page faults of this program, median of %u times)",
			   (unsigned long long)with, (unsigned long long)without, FAULTS, ROUNDS);
}

void doctor_cost(struct doctor *doctor)
{
	size_t size = FAULTS * (size_t)sysconf(_SC_PAGESIZE);
	struct perfring *ring[2] = { open_faults(false), open_faults(true) };
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!ring[0] || !ring[1] || memory == MAP_FAILED)
		doctor_say(doctor, FOUND_WARN, "cost", "see above", "not measured: no event (%s)",
			   strerror(errno));
	else
		measure(doctor, ring, memory);
	if (memory != MAP_FAILED)
		munmap(memory, size);
	if (ring[0])
		perfring_close(ring[0]);
	if (ring[1])
		perfring_close(ring[1]);
}
