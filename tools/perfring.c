// SPDX-License-Identifier: GPL-2.0
#include "perfring.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The largest record: perf_event_header.size is 16 bits. */
#define RECORD_MAX	65536

struct ring {
	int fd;
	struct perf_event_mmap_page *page;
};

struct perfring {
	unsigned int nr;
	size_t data_size;
	size_t map_size;
	bool regs;
	struct perfring_counts counts;
	uint64_t record[RECORD_MAX / sizeof(uint64_t)];
	struct pollfd *poll;
	struct ring rings[];
};

void perfring_cpu_clock(struct perf_event_attr *attr, uint64_t period_ns)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CPU_CLOCK;
	attr->sample_period = period_ns;
	attr->exclude_callchain_kernel = 1;
	attr->disabled = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

static int ring_open(struct perfring *self, struct ring *ring,
		     struct perf_event_attr *attr, pid_t pid, int cpu)
{
	void *page;

	ring->fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1,
			   PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return -1;

	page = mmap(NULL, self->map_size, PROT_READ | PROT_WRITE, MAP_SHARED,
		    ring->fd, 0);
	if (page == MAP_FAILED)
		return -1;
	ring->page = page;
	return 0;
}

static struct perfring *rings_alloc(unsigned int nr, unsigned int pages)
{
	size_t page_size = sysconf(_SC_PAGESIZE);
	struct perfring *self;
	unsigned int i;

	self = calloc(1, sizeof(*self) + nr * sizeof(self->rings[0]));
	if (!self)
		return NULL;
	self->poll = calloc(nr, sizeof(*self->poll));
	if (!self->poll) {
		free(self);
		return NULL;
	}
	self->nr = nr;
	self->data_size = pages * page_size;
	self->map_size = self->data_size + page_size;
	for (i = 0; i < nr; i++)
		self->rings[i].fd = -1;
	return self;
}

struct perfring *perfring_open(const struct perf_event_attr *user_attr,
			       pid_t pid, int cpu, unsigned int pages)
{
	bool per_cpu = cpu == -1 && (user_attr->inherit || pid == -1);
	struct perf_event_attr attr = *user_attr;
	struct perfring *self;
	unsigned int i;

	self = rings_alloc(per_cpu ? sysconf(_SC_NPROCESSORS_ONLN) : 1, pages);
	if (!self)
		return NULL;

	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_CALLCHAIN;
	if (attr.sample_regs_user) {
		attr.sample_regs_user = PERFRING_REGS;
		attr.sample_type |= PERF_SAMPLE_REGS_USER;
		self->regs = true;
	}
	attr.watermark = 1;
	attr.wakeup_watermark = self->data_size / 4;

	for (i = 0; i < self->nr; i++) {
		if (ring_open(self, &self->rings[i], &attr, pid,
			      per_cpu ? (int)i : cpu)) {
			perfring_close(self);
			return NULL;
		}
		self->poll[i].fd = self->rings[i].fd;
		self->poll[i].events = POLLIN;
	}
	return self;
}

static int rings_ioctl(struct perfring *self, unsigned long cmd)
{
	unsigned int i;

	for (i = 0; i < self->nr; i++) {
		if (ioctl(self->rings[i].fd, cmd, 0))
			return -1;
	}
	return 0;
}

int perfring_enable(struct perfring *self)
{
	return rings_ioctl(self, PERF_EVENT_IOC_ENABLE);
}

int perfring_disable(struct perfring *self)
{
	return rings_ioctl(self, PERF_EVENT_IOC_DISABLE);
}

int perfring_wait(struct perfring *self, int timeout_ms)
{
	return poll(self->poll, self->nr, timeout_ms);
}

/* Addresses below the first mark; marks are the top 4095 values. */
static bool is_mark(uint64_t ip)
{
	return ip >= (uint64_t)PERF_CONTEXT_MAX;
}

static void find_user(struct perfring_sample *sample)
{
	uint64_t i;

	for (i = 0; i < sample->nr; i++) {
		if (sample->ips[i] == (uint64_t)PERF_CONTEXT_USER)
			break;
	}
	if (i == sample->nr)
		return;

	sample->user = &sample->ips[++i];
	while (i + sample->user_nr < sample->nr &&
	       !is_mark(sample->user[sample->user_nr]))
		sample->user_nr++;
}

static void parse_sample(struct perfring *self,
			 const struct perf_event_header *header,
			 perfring_fn fn, void *arg)
{
	const uint64_t *body = (const uint64_t *)(header + 1);
	struct perfring_sample sample = { 0 };
	uint32_t ids[2];

	memcpy(ids, &body[1], sizeof(ids));
	sample.ip = body[0];
	sample.pid = ids[0];
	sample.tid = ids[1];
	sample.time = body[2];
	sample.nr = body[3];
	sample.ips = &body[4];
	sample.user_mode = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
			   PERF_RECORD_MISC_USER;
	find_user(&sample);

	/* First the regs' ABI: 0 is none, for a kernel thread. */
	if (self->regs && sample.ips[sample.nr])
		sample.regs = &sample.ips[sample.nr + 1];

	self->counts.samples++;
	fn(&sample, arg);
}

static void parse_record(struct perfring *self, perfring_fn fn, void *arg)
{
	const struct perf_event_header *header = (const void *)self->record;
	const uint64_t *body = (const uint64_t *)(header + 1);

	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		parse_sample(self, header, fn, arg);
		break;
	case PERF_RECORD_LOST:
		self->counts.lost += body[1];
		break;
	case PERF_RECORD_LOST_SAMPLES:
		self->counts.lost += body[0];
		break;
	case PERF_RECORD_THROTTLE:
		self->counts.throttled++;
		break;
	}
}

/* Records wrap around the ring's end at any byte that is a multiple of 8. */
static void copy_out(struct perfring *self, const char *data, uint64_t from,
		     size_t len)
{
	size_t at = from & (self->data_size - 1);
	size_t head = self->data_size - at;

	if (head > len)
		head = len;
	memcpy(self->record, data + at, head);
	memcpy((char *)self->record + head, data, len - head);
}

static void ring_read(struct perfring *self, struct ring *ring,
		      perfring_fn fn, void *arg)
{
	struct perf_event_mmap_page *page = ring->page;
	const char *data = (const char *)page + page->data_offset;
	uint64_t tail = page->data_tail;
	/* Pairs with the barrier in perf_output_put_handle(). */
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);

	while (tail < head) {
		struct perf_event_header header;

		copy_out(self, data, tail, sizeof(header));
		memcpy(&header, self->record, sizeof(header));
		copy_out(self, data, tail, header.size);
		parse_record(self, fn, arg);
		tail += header.size;
	}
	/* The kernel may write there once it sees this. */
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

unsigned int perfring_read(struct perfring *self, perfring_fn fn, void *arg)
{
	uint64_t before = self->counts.samples;
	unsigned int i;

	for (i = 0; i < self->nr; i++)
		ring_read(self, &self->rings[i], fn, arg);
	return self->counts.samples - before;
}

size_t perfring_waiting(const struct perfring *self)
{
	const struct perf_event_mmap_page *page;
	size_t all = 0;
	unsigned int i;

	for (i = 0; i < self->nr; i++) {
		page = self->rings[i].page;
		all += __atomic_load_n(&page->data_head, __ATOMIC_RELAXED) - page->data_tail;
	}
	return all;
}

const struct perfring_counts *perfring_counts(const struct perfring *self)
{
	return &self->counts;
}

void perfring_clear_thumb_bits(const struct perfring_sample *sample)
{
	uint64_t *user = (uint64_t *)sample->user;
	unsigned int i;

	for (i = 0; i < sample->user_nr; i++)
		user[i] &= ~1ull;
}

void perfring_close(struct perfring *self)
{
	int saved = errno;
	unsigned int i;

	for (i = 0; i < self->nr; i++) {
		if (self->rings[i].page)
			munmap(self->rings[i].page, self->map_size);
		if (self->rings[i].fd >= 0)
			close(self->rings[i].fd);
	}
	free(self->poll);
	free(self);
	errno = saved;
}
