// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "msg.h"
#include "read_file.h"
#include "table_file.h"

static const char no_table[] = "not an unwind table; make one with 'a32uwctl table build'";

const struct a32_table_header *table_file_header(const struct table_file *table)
{
	return (const void *)table->bytes;
}

/* The module looks at all of it; this is to tell what else it may be. */
static int check(const struct table_file *table)
{
	const struct a32_table_header *header = table_file_header(table);

	if (table->size < sizeof(*header) || header->magic != A32_TABLE_MAGIC)
		return msg_fail("%s: %s", table->path, no_table);
	if (header->version != A32_TABLE_VERSION)
		return msg_fail("%s: an unwind table of version %u, not %u; build it again",
				table->path, header->version, A32_TABLE_VERSION);
	if (header->size != table->size)
		return msg_fail("%s: the unwind table is not whole; copy it again",
				table->path);
	return DONE;
}

int table_file_open(const char *path, struct table_file *table)
{
	struct stat st;

	*table = (struct table_file){ .path = path };
	table->bytes = read_file(path, A32_TABLE_SIZE_MAX, &table->size);
	if (table->bytes)
		return check(table);
	if (errno == EINVAL && !stat(path, &st) && S_ISDIR(st.st_mode))
		return msg_fail("%s: a folder; 'a32uwctl load' loads the tables in it", path);
	if (errno == EINVAL || errno == EFBIG)
		return msg_fail("%s: %s", path, no_table);
	return msg_fail("%s: %s; %s", path, strerror(errno), msg_todo(errno, "check the name"));
}

void table_file_close(struct table_file *table)
{
	free(table->bytes);
}
