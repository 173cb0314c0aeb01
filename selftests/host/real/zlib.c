// SPDX-License-Identifier: GPL-2.0
/* Compresses and decompresses, at each kind of level, whole and in small steps. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIZE = 20000, STEP = 777 };

static unsigned char plain[SIZE], packed[SIZE + 1000], again[SIZE];

/* Words out of a small set, with a number now and then */
static void fill(void)
{
	static const char *const words[] = { "frame ", "pointer ", "return ", "stack ", "chain\n" };
	unsigned int seed = 1, at = 0;

	while (at < SIZE - 16) {
		const char *word = words[(seed = seed * 1103515245 + 12345) >> 16 & 3];

		memcpy(plain + at, word, strlen(word));
		at += strlen(word);
		if (!(seed >> 20 & 7))
			plain[at++] = seed >> 24;
	}
}

static unsigned long pack(int level, int strategy)
{
	z_stream z = { .next_in = plain, .next_out = packed };
	int status;

	if (deflateInit2(&z, level, Z_DEFLATED, 15, 8, strategy) != Z_OK)
		exit(2);
	do {
		z.avail_in = SIZE - z.total_in < STEP ? SIZE - z.total_in : STEP;
		z.avail_out = sizeof(packed) - z.total_out;
		status = deflate(&z, z.total_in + z.avail_in == SIZE ? Z_FINISH : Z_NO_FLUSH);
	} while (status == Z_OK);
	if (status != Z_STREAM_END || deflateEnd(&z) != Z_OK)
		exit(3);
	return z.total_out;
}

static void unpack(unsigned long size)
{
	z_stream z = { .next_in = packed, .avail_in = size, .next_out = again };
	int status;

	memset(again, 0, SIZE);
	if (inflateInit(&z) != Z_OK)
		exit(4);
	do {
		z.avail_out = SIZE - z.total_out < STEP ? SIZE - z.total_out : STEP;
		status = inflate(&z, Z_NO_FLUSH);
	} while (status == Z_OK);
	if (status != Z_STREAM_END || inflateEnd(&z) != Z_OK || memcmp(plain, again, SIZE))
		exit(5);
}

int main(void)
{
	static const int levels[] = { 0, 1, 6, 9 };
	unsigned long size = SIZE;
	unsigned int i;

	fill();
	for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		unpack(pack(levels[i], Z_DEFAULT_STRATEGY));
	unpack(pack(6, Z_FIXED));
	unpack(pack(6, Z_RLE));
	if (uncompress(again, &size, packed, 10) != Z_DATA_ERROR)
		exit(6);
	return crc32(0, plain, SIZE) == adler32(0, plain, SIZE);
}
