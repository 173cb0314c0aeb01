// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include "fuzz.h"

enum { MAX_FIGURES = 8 };

static struct figure {
	const char *name;
	const u64 *value;
} figures[MAX_FIGURES];
static unsigned int nr_figures;

void fuzz_broken(const char *file, int line, const char *law)
{
	printf("%s:%d: does not hold: %s\n", file, line, law);
	fflush(stdout);
	abort();
}

static void print_figures(void)
{
	unsigned int i;

	for (i = 0; i < nr_figures; i++)
		printf("figure\t%s\t%llu\n", figures[i].name,
		       (unsigned long long)*figures[i].value);
}

void fuzz_figure(const char *name, const u64 *value)
{
	if (nr_figures == MAX_FIGURES || (!nr_figures && atexit(print_figures)))
		abort();
	figures[nr_figures++] = (struct figure){ name, value };
}

void fuzz_take(struct fuzz_input *in, void *buf, size_t size)
{
	size_t got = size < in->size ? size : in->size;

	memset(buf, 0, size);
	memcpy(buf, in->data, got);
	in->data += got;
	in->size -= got;
}

u8 fuzz_u8(struct fuzz_input *in)
{
	u8 val;

	fuzz_take(in, &val, sizeof(val));
	return val;
}

u16 fuzz_u16(struct fuzz_input *in)
{
	u16 val;

	fuzz_take(in, &val, sizeof(val));
	return val;
}

u32 fuzz_u32(struct fuzz_input *in)
{
	u32 val;

	fuzz_take(in, &val, sizeof(val));
	return val;
}
