// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fusefile.h"

#define REQUEST_BYTES	(FUSE_MIN_READ_BUFFER + FUSEFILE_BYTES)

struct answer {
	struct fuse_out_header head;
	union {
		struct fuse_init_out init;
		struct fuse_attr_out attr;
		struct fuse_open_out open;
		uint8_t bytes[FUSEFILE_BYTES];
	};
};

static void fill_attr(struct fuse_attr *attr)
{
	attr->ino = FUSE_ROOT_ID;
	attr->size = FUSEFILE_BYTES;
	attr->mode = S_IFREG | 0600;
	attr->nlink = 1;
}

/* Return: bytes of the answer, or a negative error number */
static int fill_answer(struct fusefile *self, uint32_t opcode, struct answer *answer)
{
	switch (opcode) {
	case FUSE_INIT:
		answer->init.major = FUSE_KERNEL_VERSION;
		answer->init.minor = FUSE_KERNEL_MINOR_VERSION;
		answer->init.max_write = FUSEFILE_BYTES;
		return sizeof(answer->init);
	case FUSE_GETATTR:
		fill_attr(&answer->attr.attr);
		return sizeof(answer->attr);
	case FUSE_OPEN:
		return sizeof(answer->open);
	case FUSE_READ:
		__atomic_fetch_add(&self->reads, 1, __ATOMIC_RELAXED);
		while (__atomic_load_n(&self->is_held, __ATOMIC_RELAXED))
			usleep(1000);
		memcpy(answer->bytes, self->bytes, FUSEFILE_BYTES);
		return FUSEFILE_BYTES;
	default:
		return -ENOSYS;
	}
}

/* Until the file is unmounted */
static void *serve(void *arg)
{
	static uint8_t request[REQUEST_BYTES] __attribute__((__aligned__(8)));
	const struct fuse_in_header *in = (const struct fuse_in_header *)request;
	struct fusefile *self = arg;
	struct answer answer;
	int n;

	while (read(self->fd, request, sizeof(request)) >= (ssize_t)sizeof(*in)) {
		if (in->opcode == FUSE_FORGET)
			continue;
		memset(&answer, 0, sizeof(answer));
		n = fill_answer(self, in->opcode, &answer);
		answer.head.unique = in->unique;
		answer.head.error = n < 0 ? n : 0;
		answer.head.len = sizeof(answer.head) + (n < 0 ? 0 : n);
		if (write(self->fd, &answer, answer.head.len) < 0)
			break;
	}
	return NULL;
}

int fusefile_begin(struct fusefile *self)
{
	char options[96];
	int fd;

	memset(self, 0, sizeof(*self));
	self->fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (self->fd < 0) {
		errno = ENODEV;
		return -1;
	}
	strcpy(self->path, "/tmp/fusefile.XXXXXX");
	fd = mkstemp(self->path);
	if (fd < 0)
		goto no_file;
	close(fd);
	snprintf(options, sizeof(options), "fd=%d,rootmode=%o,user_id=0,group_id=0", self->fd,
		 S_IFREG | 0600);
	if (mount("a32uwind", self->path, "fuse", 0, options))
		goto no_mount;
	if (!pthread_create(&self->server, NULL, serve, self))
		return 0;
	umount2(self->path, MNT_DETACH);
no_mount:
	unlink(self->path);
no_file:
	close(self->fd);
	return -1;
}

void fusefile_end(struct fusefile *self)
{
	umount2(self->path, MNT_DETACH);
	pthread_join(self->server, NULL);
	close(self->fd);
	unlink(self->path);
}
