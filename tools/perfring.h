/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfring - sampled call chains straight from perf_event_open(), as stock
 * perf would record them.
 */
#ifndef _PERFRING_H
#define _PERFRING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct perfring;

/**
 * struct perfring_sample - one PERF_RECORD_SAMPLE; valid during the callback
 * @pid: process, 0 when it is gone
 * @tid: thread
 * @user_mode: the sample hit user code, not the kernel on its behalf
 * @time: ns; CLOCK_MONOTONIC
 * @ip: sampled pc, kernel or user
 * @nr: entries in @ips
 * @ips: the chain as perf wrote it, with its PERF_CONTEXT_* marks
 * @user_nr: entries in @user
 * @user: what follows PERF_CONTEXT_USER in @ips, up to the next mark
 * @regs: user r0 to pc when attr.sample_regs_user was PERFRING_REGS,
 *	else NULL
 */
struct perfring_sample {
	uint32_t pid;
	uint32_t tid;
	bool user_mode;
	uint64_t time;
	uint64_t ip;
	uint64_t nr;
	const uint64_t *ips;
	unsigned int user_nr;
	const uint64_t *user;
	const uint64_t *regs;
};

#define PERFRING_REGS	0xffff		/* r0 to pc */

struct perfring_counts {
	uint64_t samples;
	uint64_t lost;
	uint64_t throttled;
};

typedef void (*perfring_fn)(const struct perfring_sample *sample, void *arg);

/**
 * perfring_cpu_clock() - an attr for perf's cpu-clock event, user chains only
 * @attr: filled in; change it as needed before perfring_open()
 * @period_ns: time between two samples of a task or CPU
 */
void perfring_cpu_clock(struct perf_event_attr *attr, uint64_t period_ns);

/**
 * perfring_open() - open an event and map its rings
 * @attr: sample_type is overridden
 * @pid: task, or -1 for all tasks of a CPU
 * @cpu: CPU, or -1; one event and ring for each online CPU is opened when -1
 *	can't be mapped (attr.inherit, or @pid -1)
 * @pages: ring size in pages, a power of 2
 *
 * Return: NULL with errno set when an event can't be opened or mapped.
 */
struct perfring *perfring_open(const struct perf_event_attr *attr, pid_t pid,
			       int cpu, unsigned int pages);
int perfring_enable(struct perfring *ring);
int perfring_disable(struct perfring *ring);

/* Sleep until there is something to read, or @timeout_ms have passed. */
int perfring_wait(struct perfring *ring, int timeout_ms);

/* Bytes that are there to be read */
size_t perfring_waiting(const struct perfring *ring);

/* Hand all samples to @fn. Return: how many that were. */
unsigned int perfring_read(struct perfring *ring, perfring_fn fn, void *arg);
const struct perfring_counts *perfring_counts(const struct perfring *ring);

/* Clear bit 0 of the user entries: the stock walker leaves it in for Thumb. */
void perfring_clear_thumb_bits(const struct perfring_sample *sample);

void perfring_close(struct perfring *ring);

#endif /* _PERFRING_H */
