// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data.h"
#include "util.h"

struct section {
	uint64_t offset, size;
};

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data;
};

struct timed {
	uint64_t time;
	const struct perf_event_header *record;
};

/* What is in front of a sample's chain, without PERF_SAMPLE_READ */
#define BEFORE_CHAIN	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |	\
			 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |		\
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static const uint8_t *image;
static struct perf_event_attr attr;
static struct timed *records;
static size_t nr_records, next;

/* How many of these a record has; each is 8 bytes. */
static size_t fields(uint64_t mask)
{
	return __builtin_popcountll(attr.sample_type & mask);
}

static uint64_t time_of(const struct perf_event_header *record)
{
	const uint64_t *field = (const uint64_t *)(record + 1);

	if (record->type == PERF_RECORD_SAMPLE)
		return field[fields(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID)];
	field = (const uint64_t *)((const uint8_t *)record + record->size);
	return field[-(int)fields(PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
				  PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)];
}

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->record < y->record ? -1 : x->record > y->record;
}

static void read_records(uint64_t from, uint64_t end)
{
	const struct perf_event_header *record;

	for (; from < end; from += record->size) {
		record = (const void *)(image + from);
		if (record->size < sizeof(*record) || record->size > end - from)
			die("a record with a length that can't be");
		/* Above are perf's own. */
		if (record->type >= PERF_RECORD_MAX)
			continue;
		records = grow(records, nr_records, sizeof(*records));
		records[nr_records].record = record;
		records[nr_records++].time = time_of(record);
	}
	qsort(records, nr_records, sizeof(*records), by_time);
}

void data_open(const char *path)
{
	const struct file_header *header;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	uint64_t end;

	if (fd < 0 || fstat(fd, &st) || st.st_size < (off_t)sizeof(*header))
		die("can't read %s", path);
	image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		die("can't map %s", path);
	header = (const void *)image;
	end = header->data.offset + header->data.size;
	if (memcmp(header->magic, "PERFILE2", 8) || end > (uint64_t)st.st_size ||
	    header->attrs.offset + PERF_ATTR_SIZE_VER0 > (uint64_t)st.st_size)
		die("%s is no perf.data", path);
	memcpy(&attr, image + header->attrs.offset, PERF_ATTR_SIZE_VER0);
	if (!attr.sample_id_all || attr.sample_type & PERF_SAMPLE_READ ||
	    !(attr.sample_type & PERF_SAMPLE_CALLCHAIN) || !(attr.sample_type & PERF_SAMPLE_TIME) ||
	    !(attr.sample_type & PERF_SAMPLE_TID))
		die("%s doesn't hold what perf record -g writes", path);
	read_records(header->data.offset, end);
	close(fd);
}

const struct perf_event_header *data_next(void)
{
	return next < nr_records ? records[next++].record : NULL;
}

void data_sample(const struct perf_event_header *record, struct sample *sample)
{
	const uint64_t *field = (const uint64_t *)(record + 1);
	const uint32_t *ids;

	ids = (const uint32_t *)(field + fields(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP));
	sample->pid = ids[0];
	sample->tid = ids[1];
	sample->user_mode = (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
	field += fields(BEFORE_CHAIN);
	sample->nr = *field++;
	sample->ips = field;
	if ((const uint8_t *)(field + sample->nr) > (const uint8_t *)record + record->size)
		die("a chain that is longer than its record");
}
