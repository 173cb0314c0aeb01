// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "oracle_bodies.h"

struct memory {
	const u8 *data;
	size_t size;
};

static int read_memory(void *arg, u32 pos, void *buf, u32 len)
{
	const struct memory *memory = arg;

	if (pos > memory->size)
		return 0;
	if (len > memory->size - pos)
		len = memory->size - pos;
	memcpy(buf, memory->data + pos, len);
	return len;
}

static u32 first_abi(const struct a32_rules *parts)
{
	u32 i;

	for (i = 0; i < parts->nr; i++) {
		if (parts->rule[i].abi > A32_ABI_NONE && parts->rule[i].abi < A32_ABI_AUTO)
			return parts->rule[i].abi;
	}
	return A32_ABI_NONE;
}

static const u32 *find(const struct a32_source *source, const struct a32_bodies *bodies, bool thumb)
{
	static struct a32_body_work work;
	u32 *line = calloc(bodies->nr_lines, sizeof(*line));
	bool any;

	if (!line)
		oracle_die("out of memory");
	if (!a32_bodies_find(source, bodies, thumb, line, &work, &any) && any)
		return line;
	free(line);
	return NULL;
}

const struct a32_bodies *oracle_bodies_find(const void *elf, size_t size,
					    const struct a32_rules *parts)
{
	static u8 buf[A32_DETECT_BUFFER];
	struct memory memory = { elf, size };
	struct a32_source source = { .read = read_memory, .arg = &memory, .buf = buf };
	struct a32_bodies *bodies = calloc(1, sizeof(*bodies));

	if (!bodies)
		oracle_die("out of memory");
	bodies->abi = first_abi(parts);
	if (bodies->abi != A32_ABI_NONE && !a32_bodies_extent(&source, bodies)) {
		bodies->line[0] = find(&source, bodies, false);
		bodies->line[1] = find(&source, bodies, true);
		return bodies;
	}
	free(bodies);
	return NULL;
}

void oracle_bodies_free(const struct a32_bodies *bodies)
{
	if (!bodies)
		return;
	free((void *)bodies->line[0]);
	free((void *)bodies->line[1]);
	free((void *)bodies);
}
