/* SPDX-License-Identifier: GPL-2.0 */
/* What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput(). */
#ifndef A32_FUZZ_H
#define A32_FUZZ_H

#include "../host/port.h"

/* What has to hold for any input */
#define LAW(holds) do {						\
	if (!(holds))						\
		fuzz_broken(__FILE__, __LINE__, #holds);	\
} while (0)

_Noreturn void fuzz_broken(const char *file, int line, const char *law);

/* Print a figure at the end of the run: "figure <tab> NAME <tab> VALUE" */
void fuzz_figure(const char *name, const u64 *value);

/**
 * struct fuzz_input - an input, taken apart from its beginning
 * @data: what is left
 * @size: bytes of it
 */
struct fuzz_input {
	const u8 *data;
	size_t size;
};

/* The next bytes; zero where there are no more */
void fuzz_take(struct fuzz_input *in, void *buf, size_t size);
u8 fuzz_u8(struct fuzz_input *in);
u16 fuzz_u16(struct fuzz_input *in);
u32 fuzz_u32(struct fuzz_input *in);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#endif
