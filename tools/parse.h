/* SPDX-License-Identifier: GPL-2.0 */
#ifndef A32_PARSE_H
#define A32_PARSE_H

#include <linux/types.h>

/**
 * struct range - bytes of a file, or addresses
 * @start: the first byte
 * @end: behind the last byte; @start and @end 0: all of the file
 */
struct range {
	__u64 start;
	__u64 end;
};

enum range_syntax {
	RANGE_VALID,
	RANGE_INVALID,
	RANGE_NONE,
};

/**
 * parse_range - read "START-END", each 0x... or decimal
 * @text: all of it must be the range
 * @range: set when RANGE_VALID is returned
 * @why: why it isn't valid
 *
 * Returns RANGE_NONE when @text does not have that form, RANGE_INVALID when it
 * has but is empty, odd, or not clear about its base.
 */
enum range_syntax parse_range(const char *text, struct range *range,
			      const char **why);

/* Each of these returns DONE, or MISUSED once the reason is printed. */
int parse_abi(const char *text, __u32 *abi);
int parse_pid(const char *text, __s32 *pid);
int parse_addresses(const char *text, struct range *range);

/**
 * parse_file_part - split "FILE[@START-END]"
 * @text: when a file of that whole name exists, it is meant
 * @path: the file's name, for free()
 * @range: 0 and 0 for the whole file
 */
int parse_file_part(const char *text, char **path, struct range *range);

#endif
