// SPDX-License-Identifier: GPL-2.0
/*
 * detect_built TRUTH.NAME...
 *
 * Files that compilers made with known flags, named by what these make of a
 * file: does core/detect.c say the same?
 */
#include <stdio.h>
#include <string.h>
#include "detect_read.h"
#include "tap.h"

static const char *const abi_names[] = A32_ABI_NAMES;
static const char *const detect_names[] = A32_DETECT_NAMES;

static const char *verdict_name(u32 abi)
{
	return abi == A32_ABI_MIXED ? "mixed" : abi_names[abi];
}

static bool is_named(const char *path, const char *abi)
{
	return !strncmp(path, abi, strlen(abi)) && path[strlen(abi)] == '.';
}

static bool check(const char *path)
{
	struct a32_votes votes;
	enum a32_detect how = detect_read(path, &votes);
	const char *verdict;

	if (how) {
		tap_note("%s: %s", path, detect_names[how]);
		return false;
	}
	verdict = verdict_name(a32_detect_verdict(&votes));
	if (is_named(path, verdict))
		return true;
	tap_note("%s: %s: %u apcs, %u aapcs, %u gcc, %u aapcs-r7, %u none", path, verdict,
		 votes.abi[A32_ABI_APCS], votes.abi[A32_ABI_AAPCS], votes.abi[A32_ABI_GCC],
		 votes.abi[A32_ABI_AAPCS_R7], votes.abi[A32_ABI_NONE]);
	return false;
}

int main(int argc, char **argv)
{
	int i;

	tap_plan(argc - 1);
	for (i = 1; i < argc; i++)
		tap_result(check(argv[i]), "%s", argv[i]);
	return tap_status();
}
