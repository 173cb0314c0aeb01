// SPDX-License-Identifier: GPL-2.0
/* In place of table_build.c where elfutils is not there */
#include <unistd.h>

#include "msg.h"
#include "table_build.h"

const bool table_build_is_there;

static int fail(void)
{
	return msg_fail("this a32uwctl was built without elfutils; make tables on another machine");
}

int table_build_bytes(const char *path, const struct args *args, uint8_t **bytes, size_t *size)
{
	(void)path;
	(void)args;
	*bytes = NULL;
	*size = 0;
	return fail();
}

int table_build_fd(int fd, const char *path, uint8_t **bytes, size_t *size)
{
	close(fd);
	return table_build_bytes(path, NULL, bytes, size);
}

int table_build(const struct args *args)
{
	(void)args;
	return fail();
}
