// SPDX-License-Identifier: GPL-2.0
/* Stands in for analyse.c until that is there. */
#include <stdlib.h>

#include "analyse.h"
#include "msg.h"

static uint32_t code_end(const struct image *image, uint32_t addr)
{
	const struct segment *segment = image_at(image, addr, 1);

	return segment ? segment->addr + segment->size : addr;
}

void analyse_find(const struct image *image, const struct seed *seed, size_t nr,
		  struct functions *functions)
{
	uint32_t start, end;
	size_t i;

	functions->nr = 0;
	functions->function = calloc(nr + 1, sizeof(*functions->function));
	if (!functions->function)
		msg_no_memory();
	for (i = 0; i < nr; i++) {
		start = seed[i].addr & ~1u;
		end = i + 1 < nr ? seed[i + 1].addr & ~1u : code_end(image, start);
		if (seed[i].size && start + seed[i].size < end)
			end = start + seed[i].size;
		functions->function[functions->nr++] = (struct function){
			.start = start, .end = end, .thumb = seed[i].addr & 1,
		};
	}
}

void analyse_function(const struct image *image, const struct functions *functions,
		      const struct function *f, struct rows *rows)
{
	struct a32_table_rule none = rule_of_kind(A32_TABLE_NO_DATA, 0);

	(void)image;
	(void)functions;
	rows_add(rows, f->start, &none);
}
