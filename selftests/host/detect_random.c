// SPDX-License-Identifier: GPL-2.0
/*
 * detect_random [ROUNDS [SEED]]
 *
 * core/detect.c and detect_elf.c on what is no program, or a broken one: they
 * keep within their bounds, and don't make records of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include "../../module/core/detect.h"
#include "random.h"
#include "tap.h"

enum { CODE_MAX = 4096, FILE_MAX = 65536, READ_MAX = 300 << 10 };

/* Half of the halfwords begin a prologue, so that more than the first look is at work. */
static void fill_pushes(u8 *bytes, u32 len)
{
	static const u16 likely[] = {
		0xb580, 0xb5f0, 0xaf00, 0xaf02, 0x466f, 0xe92d, 0x4ff0, 0x4800, 0xe28d, 0xb004,
		0xf84d, 0xe96d, 0xe52d, 0xe004, 0xd800, 0xe24c, 0xf10d, 0x0b08, 0x46eb,
	};
	u32 at, nr = sizeof(likely) / sizeof(likely[0]);

	random_fill(bytes, len);
	for (at = 0; at + 2 <= len; at += 2) {
		if (random_below(2))
			memcpy(bytes + at, &likely[random_below(nr)], 2);
	}
}

static u32 total(const struct a32_votes *votes)
{
	u32 abi, sum = 0;

	for (abi = 0; abi < A32_ABI_AUTO; abi++)
		sum += votes->abi[abi];
	return sum;
}

/* The sanitizers see a read beyond the buffer, which is just as long. */
static bool count_once(void)
{
	u32 len = random_below(CODE_MAX), from = random_below(2 * CODE_MAX);
	struct a32_votes votes = { 0 };
	u8 *code = malloc(len + !len);

	if (random_below(2))
		random_fill(code, len);
	else
		fill_pushes(code, len);
	a32_detect_count(code, len, from, &votes);
	free(code);
	return total(&votes) <= len / 2 && total(&votes) <= from;
}

static bool noise_is_none(void)
{
	u32 len = 1 << 20;
	struct a32_votes votes = { 0 };
	u8 *code = malloc(len);

	random_fill(code, len);
	a32_detect_count(code, len, len, &votes);
	free(code);
	tap_note("1 MiB of noise: %u of %u say a record", total(&votes) - votes.abi[A32_ABI_NONE],
		 total(&votes));
	return a32_detect_verdict(&votes) == A32_ABI_NONE;
}

/**
 * struct image - a file in memory
 * @byte: its beginning; all else is 0
 * @len: bytes there
 * @size: of the file
 * @asked: bytes asked for so far
 * @fail_at: reads from here on fail
 * @is_bounded: no read was larger than the buffer
 */
struct image {
	u8 byte[FILE_MAX];
	u32 len;
	u32 size;
	u32 asked;
	u32 fail_at;
	bool is_bounded;
};

static int read_image(void *arg, u32 pos, void *buf, u32 len)
{
	struct image *image = arg;
	u32 got = pos < image->size ? image->size - pos : 0, there;

	if (len > A32_DETECT_BUFFER)
		image->is_bounded = false;
	if (got > len)
		got = len;
	image->asked += len;
	if (pos + len > image->fail_at)
		return -5;
	memset(buf, 0, got);
	there = pos < image->len ? image->len - pos : 0;
	memcpy(buf, image->byte + (there ? pos : 0), there < got ? there : got);
	return (int)got;
}

static void put(u8 *at, u32 value, u32 bytes)
{
	while (bytes--) {
		*at++ = (u8)value;
		value >>= 8;
	}
}

static u32 random_offset(void)
{
	switch (random_below(4)) {
	case 0:
		return random32();
	case 1:
		return 0u - random_below(64);
	default:
		return random_below(FILE_MAX);
	}
}

/* An ELF header that is right, mostly, and program headers that say anything */
static void make_image(struct image *image)
{
	static const u8 ident[] = { 0x7f, 'E', 'L', 'F', 1, 1, 1 };
	u32 i, nr = random_below(80), phoff = random_below(8) ? 52 : random_offset();

	memset(image, 0, sizeof(*image));
	image->len = FILE_MAX;
	image->size = random_below(4) ? FILE_MAX : random_offset();
	image->fail_at = random_below(8) ? U32_MAX : random_offset();
	image->is_bounded = true;
	fill_pushes(image->byte, FILE_MAX);
	memcpy(image->byte, ident, sizeof(ident));
	put(image->byte + 18, 40, 2);
	put(image->byte + 28, phoff, 4);
	put(image->byte + 42, 32, 2);
	put(image->byte + 44, random_below(16) ? nr : random32(), 2);
	for (i = 0; i < nr; i++) {
		u8 *header = image->byte + 52 + 32 * i;

		put(header, random_below(4) ? 1 : random32(), 4);
		put(header + 4, random_offset(), 4);
		put(header + 16, random_offset(), 4);
		put(header + 24, random32(), 4);
	}
	for (i = random_below(3); i; i--)
		image->byte[random_below(84)] = (u8)random32();
}

static enum a32_detect detect(struct image *image, struct a32_votes *votes)
{
	struct a32_source source = { .read = read_image, .arg = image };
	enum a32_detect how;

	source.buf = malloc(A32_DETECT_BUFFER);
	how = a32_detect_file(&source, votes);
	free(source.buf);
	return how;
}

static bool file_once(void)
{
	static struct image image;
	struct a32_votes votes;
	enum a32_detect how;

	make_image(&image);
	how = detect(&image, &votes);
	if (how < A32_DETECT_NR && how != A32_DETECT_NOT_YET && how != A32_DETECT_NO_FILE &&
	    image.is_bounded && image.asked <= READ_MAX)
		return true;
	tap_note("result %u, %u bytes asked for", how, image.asked);
	return false;
}

/* One segment of nearly 4 GiB costs no more than a small file. */
static bool large_once(void)
{
	static struct image image;
	struct a32_votes votes;

	make_image(&image);
	memset(image.byte + 52, 0, 32);
	image.byte[4] = image.byte[5] = image.byte[6] = 1;
	put(image.byte, 0x464c457f, 4);
	put(image.byte + 18, 40, 2);
	put(image.byte + 28, 52, 4);
	put(image.byte + 42, 32, 2);
	put(image.byte + 44, 1, 2);
	put(image.byte + 52, 1, 4);
	put(image.byte + 52 + 16, 0xfffffff0, 4);
	put(image.byte + 52 + 24, 5, 4);
	image.size = image.fail_at = U32_MAX;
	return detect(&image, &votes) == A32_DETECT_DONE && image.is_bounded &&
	       image.asked <= READ_MAX && image.asked > 256 << 10;
}

static void run(bool (*once)(void), const char *name, u32 rounds, u64 seed)
{
	bool ok = true;

	random_seed(seed);
	while (ok && rounds--)
		ok = once();
	tap_result(ok, "%s", name);
}

int main(int argc, char **argv)
{
	u32 rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 4000;
	u64 seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 20240301;

	tap_plan(4);
	tap_note("%u rounds, seed %llu", rounds, (unsigned long long)seed);
	run(count_once, "any bytes as code", rounds, seed);
	run(noise_is_none, "noise follows no ABI", 4, seed);
	run(file_once, "any program headers", rounds, seed);
	run(large_once, "a segment of 4 GiB", 2, seed);
	return tap_status();
}
