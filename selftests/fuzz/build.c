// SPDX-License-Identifier: GPL-2.0
/*
 * "a32uwctl table build" of a file that is anything: an ELF file with one thing or
 * everything wrong. The first byte says which sources are asked. A table that
 * comes of it is one that the module takes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../../module/core/table.h"
#include "../../tools/msg.h"
#include "../../tools/table_build.h"
#include "fuzz.h"

static const char *const sources[] = {
	NULL, "debug_frame", "eh_frame", "exidx", "code", "exidx,code",
};

static u64 tables;

/* The tool opens files by name. */
static int write_file(struct fuzz_input *in)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, in->data, in->size) != (ssize_t)in->size) {
		perror("memfd");
		abort();
	}
	return fd;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct args args = {
		.source = sources[fuzz_u8(&in) % (sizeof(sources) / sizeof(sources[0]))],
	};
	int fd = write_file(&in), err;
	uint8_t *bytes = NULL;
	char path[32];
	size_t len = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err = table_build_bytes(path, &args, &bytes, &len);
	LAW(err == DONE || err == REFUSED);
	if (err == DONE) {
		LAW(len <= A32_TABLE_SIZE_MAX && a32_table_check(bytes, len));
		tables++;
		free(bytes);
	}
	close(fd);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("tables made", &tables);
	return 0;
}
