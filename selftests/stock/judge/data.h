/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of a perf.data file, in the order of their time
 * (tools/perf/Documentation/perf.data-file-format.txt).
 */
#ifndef STOCK_DATA_H
#define STOCK_DATA_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct sample - a PERF_RECORD_SAMPLE
 * @pid: process
 * @tid: thread
 * @user_mode: user code was sampled, not the kernel on its behalf
 * @ips: the chain with its marks
 * @nr: entries in @ips
 */
struct sample {
	uint32_t pid;
	uint32_t tid;
	bool user_mode;
	const uint64_t *ips;
	size_t nr;
};

void data_open(const char *path);

/* The next record, or NULL. */
const struct perf_event_header *data_next(void);

void data_sample(const struct perf_event_header *record, struct sample *sample);

#endif /* STOCK_DATA_H */
