/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_SHA256_H
#define A32_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE 32	/* bytes of a digest */

/**
 * struct sha256 - a digest in the making (FIPS 180-4)
 * @size: bytes so far
 * @state: the hash value so far
 * @block: the bytes that don't fill a block yet
 */
struct sha256 {
	uint64_t size;
	uint32_t state[8];
	uint8_t block[64];
};

void sha256_begin(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *data, size_t size);
void sha256_end(struct sha256 *sha, uint8_t digest[SHA256_SIZE]);

#endif
