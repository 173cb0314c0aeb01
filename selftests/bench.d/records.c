// SPDX-License-Identifier: GPL-2.0
/*
 * records NAME PERF.DATA
 *
 * Prints "bytes NAME SAMPLES BYTES ENTRIES": how many samples perf record wrote
 * and how long they are, and the entries of their chains, marks included, both
 * as means. perf report -D says the same, but can't read all that perf writes.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The begin of perf.data: tools/perf/Documentation/perf.data-file-format.txt */
struct section {
	uint64_t offset, size;
};

struct header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data;
};

/* Each of these is 8 bytes in front of the chain, in a sample without PERF_SAMPLE_READ. */
#define BEFORE_CHAIN	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
			 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |		\
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static void read_at(FILE *file, uint64_t offset, void *to, size_t size)
{
	if (fseek(file, offset, SEEK_SET) || fread(to, 1, size, file) != size) {
		fprintf(stderr, "records: the file is cut short\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	double samples = 0, bytes = 0, entries = 0;
	struct perf_event_attr attr = {};
	struct perf_event_header record;
	struct header header;
	uint64_t at, end, nr;
	FILE *file = argc == 3 ? fopen(argv[2], "re") : NULL;

	if (!file)
		return 2;
	read_at(file, 0, &header, sizeof(header));
	read_at(file, header.attrs.offset, &attr, PERF_ATTR_SIZE_VER0);
	if (memcmp(header.magic, "PERFILE2", 8) || attr.sample_type & PERF_SAMPLE_READ)
		return 2;
	end = header.data.offset + header.data.size;
	for (at = header.data.offset; at < end; at += record.size) {
		read_at(file, at, &record, sizeof(record));
		if (record.type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		bytes += record.size;
		if (!(attr.sample_type & PERF_SAMPLE_CALLCHAIN))
			continue;
		read_at(file, at + sizeof(record) +
			8 * __builtin_popcountll(attr.sample_type & BEFORE_CHAIN), &nr, sizeof(nr));
		entries += nr;
	}
	printf("bytes %s %.0f %.1f %.2f\n", argv[1], samples, bytes / samples, entries / samples);
	return 0;
}
