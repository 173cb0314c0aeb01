// SPDX-License-Identifier: GPL-2.0
/*
 * The classifier: some code, or a file that is read through a callback. The first
 * byte says which, and what is wrong with the file.
 */
#include <stdlib.h>
#include "../../module/core/detect.h"
#include "fuzz.h"

enum { IS_FILE = 1, FAILS = 2, IS_LARGE = 4, READ_MAX = 300 << 10 };

/**
 * struct file - what is read
 * @byte: its beginning; all else is 0
 * @len: bytes there
 * @size: of the file
 * @fail_at: reads from here on fail
 * @asked: bytes asked for so far
 */
struct file {
	const u8 *byte;
	u32 len;
	u32 size;
	u32 fail_at;
	u32 asked;
};

static u64 files, max_asked;

static u32 total(const struct a32_votes *votes)
{
	u32 abi, sum = 0;

	for (abi = 0; abi < A32_ABI_AUTO; abi++)
		sum += votes->abi[abi];
	return sum;
}

static void check_votes(const struct a32_votes *votes)
{
	u32 verdict = a32_detect_verdict(votes);

	LAW(votes->r7_bottom <= votes->abi[A32_ABI_NONE]);
	LAW(verdict < A32_ABI_AUTO || verdict == A32_ABI_MIXED);
	/* An ABI that no function speaks for is never the one. */
	LAW(verdict == A32_ABI_NONE || verdict == A32_ABI_MIXED || votes->abi[verdict]);
}

/* In a buffer that is just as long: the sanitizers see reads behind it. */
static void count(struct fuzz_input *in, u32 from)
{
	struct a32_votes votes = { 0 }, again = { 0 };
	u32 len = in->size;
	u8 *code = malloc(len + !len);

	fuzz_take(in, code, len);
	a32_detect_count(code, len, from, &votes);
	LAW(total(&votes) <= len / 2 && total(&votes) <= from);
	check_votes(&votes);
	a32_detect_count(code, len, from, &again);
	LAW(!memcmp(&votes, &again, sizeof(votes)));
	free(code);
}

static int read_file(void *arg, u32 pos, void *buf, u32 len)
{
	struct file *file = arg;
	u32 got = pos < file->size ? file->size - pos : 0, there;

	LAW(len <= A32_DETECT_BUFFER);
	file->asked += len;
	if (got > len)
		got = len;
	if (pos + (u64)len > file->fail_at)
		return -5;
	there = pos < file->len ? file->len - pos : 0;
	if (there > got)
		there = got;
	if (there)
		memcpy(buf, file->byte + pos, there);
	memset((u8 *)buf + there, 0, got - there);
	return (int)got;
}

static void detect(struct fuzz_input *in, u8 kind, u32 fail_at)
{
	static u8 buf[A32_DETECT_BUFFER];
	struct file file = {
		.byte = in->data, .len = in->size, .fail_at = kind & FAILS ? fail_at : U32_MAX,
		.size = kind & IS_LARGE ? U32_MAX : in->size,
	};
	struct a32_source source = { .read = read_file, .arg = &file, .buf = buf };
	struct a32_votes votes = { 0 };
	enum a32_detect how = a32_detect_file(&source, &votes);

	LAW(how < A32_DETECT_NR && how != A32_DETECT_NOT_YET && how != A32_DETECT_NO_FILE);
	LAW(file.asked <= READ_MAX);
	if (how == A32_DETECT_DONE)
		check_votes(&votes);
	files++;
	if (file.asked > max_asked)
		max_asked = file.asked;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input in = { data, size };
	u8 kind = fuzz_u8(&in);
	u32 from = fuzz_u16(&in);

	if (kind & IS_FILE)
		detect(&in, kind, from);
	else
		count(&in, from);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	fuzz_figure("files", &files);
	fuzz_figure("most bytes read of a file", &max_asked);
	return 0;
}
