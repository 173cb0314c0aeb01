/* SPDX-License-Identifier: GPL-2.0 */
/* fusefile - a file whose pages this process serves itself, by FUSE */
#ifndef SELFTESTS_FUSEFILE_H
#define SELFTESTS_FUSEFILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define FUSEFILE_BYTES	4096

/**
 * struct fusefile - such a file
 * @path: where it is
 * @reads: how often its contents were asked for
 * @is_held: whoever asks for its contents waits as long as this is set
 * @bytes: its contents
 * @fd: the rest
 * @server: the rest
 */
struct fusefile {
	char path[32];
	unsigned int reads;
	bool is_held;
	uint8_t bytes[FUSEFILE_BYTES];
	int fd;
	pthread_t server;
};

/* Return: 0; or -1, with errno ENODEV where the kernel has no FUSE */
int fusefile_begin(struct fusefile *self);
void fusefile_end(struct fusefile *self);

#endif
