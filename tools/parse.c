// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "msg.h"
#include "names.h"
#include "parse.h"

struct number {
	__u64 value;
	bool hex;
	bool leading_zero;
	bool too_large;
};

/* strtoull() alone would take blanks, signs and octal. */
static const char *read_number(const char *text, struct number *number)
{
	const char *digits;
	char *end;

	number->hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	digits = number->hex ? text + 2 : text;
	if (number->hex ? !isxdigit((unsigned char)digits[0]) :
			  !isdigit((unsigned char)digits[0]))
		return NULL;

	number->leading_zero = !number->hex && digits[0] == '0' &&
			       isdigit((unsigned char)digits[1]);
	errno = 0;
	number->value = strtoull(digits, &end, number->hex ? 16 : 10);
	number->too_large = errno == ERANGE;
	return end;
}

static const char *objection(const struct number *start,
			     const struct number *end)
{
	if (start->too_large || end->too_large)
		return "a number is larger than 64 bits";
	/* As /proc/PID/maps has them: hex, and not to be taken for decimal. */
	if (start->leading_zero || end->leading_zero)
		return "write 0x before hex numbers, and no 0 before decimal ones";
	if (start->hex != end->hex && start->value)
		return "one number is hex and the other is not";
	if ((start->value | end->value) & 1)
		return "START and END must be even";
	if (start->value >= end->value)
		return "START must be below END";
	return NULL;
}

enum range_syntax parse_range(const char *text, struct range *range,
			      const char **why)
{
	struct number start, end;

	*why = "it must be START-END, both 0x... or decimal";
	text = read_number(text, &start);
	if (!text || *text != '-')
		return RANGE_NONE;
	text = read_number(text + 1, &end);
	if (!text || *text)
		return RANGE_NONE;

	*why = objection(&start, &end);
	if (*why)
		return RANGE_INVALID;

	range->start = start.value;
	range->end = end.value;
	return RANGE_VALID;
}

int parse_abi(const char *text, __u32 *abi)
{
	if (abi_from_name(text, abi))
		return msg_misuse("no ABI is called '%s'; the ABIs are %s",
				  text, name_all_abis());
	return DONE;
}

int parse_pid(const char *text, __s32 *pid)
{
	struct number number;
	const char *end = read_number(text, &number);

	if (!end || *end || number.hex || number.leading_zero ||
	    number.too_large || !number.value || number.value > 0x7fffffff)
		return msg_misuse("'%s' is no process number", text);

	*pid = (__s32)number.value;
	return DONE;
}

int parse_addresses(const char *text, struct range *range)
{
	const char *why;

	if (parse_range(text, range, &why) != RANGE_VALID)
		return msg_misuse("bad range '%s': %s", text, why);
	if (range->end > 0xffffffff)
		return msg_misuse("bad range '%s': an address has 32 bits", text);
	return DONE;
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

int parse_file_part(const char *text, char **path, struct range *range)
{
	const char *at = strrchr(text, '@');
	enum range_syntax syntax = RANGE_NONE;
	const char *why = NULL;

	if (at && at != text && !exists(text))
		syntax = parse_range(at + 1, range, &why);
	if (syntax == RANGE_INVALID)
		return msg_misuse("bad range in '%s': %s", text, why);
	if (syntax == RANGE_NONE)
		*range = (struct range){ 0, 0 };

	*path = syntax == RANGE_VALID ? strndup(text, (size_t)(at - text)) :
					strdup(text);
	if (!*path)
		msg_no_memory();
	return DONE;
}
