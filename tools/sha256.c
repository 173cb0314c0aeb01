// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <string.h>

#include "sha256.h"

/* FIPS 180-4 section 4.2.2 */
static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
	0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
	0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
	0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t ror(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* Section 6.2.2, step 1 */
static void schedule(uint32_t w[64], const uint8_t *block)
{
	uint32_t word, s0, s1;
	int i;

	for (i = 0; i < 16; i++) {
		memcpy(&word, block + 4 * i, 4);
		w[i] = be32toh(word);
	}
	for (; i < 64; i++) {
		s0 = ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3;
		s1 = ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10;
		w[i] = w[i - 16] + s0 + w[i - 7] + s1;
	}
}

/* Steps 2 to 4; s is a to h. */
static void add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64], s[8], t1, t2;
	int i;

	schedule(w, block);
	memcpy(s, state, sizeof(s));
	for (i = 0; i < 64; i++) {
		t1 = s[7] + (ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25)) +
		     ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
		t2 = (ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22)) +
		     ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (i = 0; i < 8; i++)
		state[i] += s[i];
}

void sha256_begin(struct sha256 *sha)
{
	/* Section 5.3.3 */
	static const uint32_t initial[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};

	sha->size = 0;
	memcpy(sha->state, initial, sizeof(initial));
}

void sha256_add(struct sha256 *sha, const void *data, size_t size)
{
	const uint8_t *byte = data;
	size_t at, n;

	while (size) {
		at = sha->size % sizeof(sha->block);
		n = sizeof(sha->block) - at < size ? sizeof(sha->block) - at : size;
		memcpy(sha->block + at, byte, n);
		sha->size += n;
		byte += n;
		size -= n;
		if (at + n == sizeof(sha->block))
			add_block(sha->state, sha->block);
	}
}

void sha256_end(struct sha256 *sha, uint8_t digest[SHA256_SIZE])
{
	static const uint8_t padding[64] = { 0x80 };
	uint64_t bits = htobe64(sha->size * 8);
	size_t at = sha->size % sizeof(sha->block);
	uint32_t word;
	int i;

	/* Section 5.1.1: up to 8 bytes before the end of a block */
	sha256_add(sha, padding, (at < 56 ? 56 : 120) - at);
	sha256_add(sha, &bits, sizeof(bits));
	for (i = 0; i < 8; i++) {
		word = htobe32(sha->state[i]);
		memcpy(digest + 4 * i, &word, 4);
	}
}
