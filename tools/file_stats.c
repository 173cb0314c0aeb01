// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "ctl.h"
#include "file_stats.h"

static bool is_complete(__u32 stop)
{
	return stop == A32_STOP_OUTERMOST || stop == A32_STOP_MAX_STACK;
}

__u64 file_stats_ended(const struct a32_stats *file)
{
	__u64 sum = 0;
	__u32 i;

	for (i = 0; i < A32_STOP_ROOM; i++)
		if (!is_complete(i))
			sum += file->stop[i];
	return sum;
}

__u32 file_stats_main_stop(const struct a32_stats *file)
{
	__u32 i, best = A32_STOP_ABI_NONE;

	for (i = 0; i < A32_STOP_ROOM; i++)
		if (!is_complete(i) && file->stop[i] > file->stop[best])
			best = i;
	return best;
}

static bool is_idle(const struct a32_stats *file)
{
	return !file->samples && !file->frames && !file_stats_ended(file);
}

static int worst_first(const void *a, const void *b)
{
	const struct a32_stats *left = a, *right = b;
	__u64 left_ended = file_stats_ended(left);
	__u64 right_ended = file_stats_ended(right);

	if (left_ended != right_ended)
		return left_ended < right_ended ? 1 : -1;
	if (left->samples != right->samples)
		return left->samples < right->samples ? 1 : -1;
	return strcmp(left->path, right->path);
}

static void add(struct file_stats *files, size_t *room,
		const struct a32_stats *file)
{
	files->items = array_grow(files->items, files->nr, room, sizeof(*files->items));
	files->items[files->nr++] = *file;
}

int file_stats_read(int ctl, struct file_stats *files)
{
	struct a32_stats file = { 0 };
	size_t room = 0;
	int more;

	*files = (struct file_stats){ 0 };
	while ((more = ctl_next_file_stats(ctl, &file)) == 1)
		if (!is_idle(&file))
			add(files, &room, &file);
	if (files->nr)
		qsort(files->items, files->nr, sizeof(*files->items),
		      worst_first);
	return more;
}

void file_stats_free(struct file_stats *files)
{
	free(files->items);
}
