/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a table in a child process, which may take as long as it likes, gets
 * the CPU and the disk when nobody else wants them, and can't do anything but
 * give back what it made: files come from anybody.
 */
#ifndef A32_WATCH_BUILD_H
#define A32_WATCH_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct builder - a child at work
 * @pid: it; 0 for none
 * @fd: where what it makes comes from
 * @size: bytes that have come
 * @room: bytes that fit into @bytes
 * @bytes: the table; or what went wrong, as text
 */
struct builder {
	pid_t pid;
	int fd;
	size_t size;
	size_t room;
	uint8_t *bytes;
};

/**
 * watch_build() - begin
 * @builder: the result
 * @fd: the file; stays open
 * @path: its name
 * @ctl: the module, which is no business of the child's
 *
 * Return: false with errno set
 */
bool watch_build(struct builder *builder, int fd, const char *path, int ctl);

/* Take what has come. Returns false when no more will. */
bool watch_build_read(struct builder *builder);

/**
 * watch_build_end() - wait for the child
 * @builder: it; builder->bytes are the caller's to free
 * @lasting: another attempt would come to the same
 *
 * Return: NULL when the bytes are a table; or why there is none, in a buffer that
 *	holds until the next call
 */
const char *watch_build_end(struct builder *builder, bool *lasting);

/* End the child, and drop what it has made. */
void watch_build_stop(struct builder *builder);

#endif
