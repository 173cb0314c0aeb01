// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler.h"
#include "names.h"

static const char *const abis[] = A32_ABI_NAMES;
static const char *const detects[] = A32_DETECT_NAMES;
static const char *const stops[] = A32_STOP_NAMES;
static const char *const rules[] = {
	[A32_RULE_RANGE] = "range",
	[A32_RULE_PART] = "part",
	[A32_RULE_FILE] = "file",
	[A32_RULE_DEFAULT] = "default",
	[A32_RULE_SPECIAL] = "special",
	[A32_RULE_TABLE] = "table",
};

static const char *const hooks[] = {
	[A32_HOOK_FTRACE] = "ftrace",
	[A32_HOOK_KPROBE] = "kprobe",
};

static_assert(ARRAY_SIZE(abis) == A32_ABI_NR, "an ABI without a name");
static_assert(ARRAY_SIZE(detects) == A32_DETECT_NR, "a way to detect without a name");
static_assert(ARRAY_SIZE(stops) == A32_STOP_NR, "a reason without a name");

#define NAME_MAX_LEN 24

static const char *name(const char *const *names, size_t nr, __u32 number,
			const char *what, char buf[NAME_MAX_LEN])
{
	if (number < nr && names[number])
		return names[number];
	snprintf(buf, NAME_MAX_LEN, "%s-%u", what, number);
	return buf;
}

const char *name_abi(__u32 abi)
{
	static char buf[NAME_MAX_LEN];

	if (abi == A32_ABI_DEFAULT)
		return "default";
	if (abi == A32_ABI_MIXED)
		return "mixed";
	if (abi == A32_ABI_TABLE)
		return "table";
	return name(abis, ARRAY_SIZE(abis), abi, "abi", buf);
}

const char *name_says(__u32 says, __u32 found, __u32 detect)
{
	static char buf[64];

	if (says != A32_ABI_AUTO)
		return name_abi(says);
	if (detect == A32_DETECT_DONE)
		snprintf(buf, sizeof(buf), "auto: %s", name_abi(found));
	else if (detect == A32_DETECT_NOT_YET)
		snprintf(buf, sizeof(buf), "auto: %s", name_detect(detect));
	else
		snprintf(buf, sizeof(buf), "auto: none (%s)", name_detect(detect));
	return buf;
}

const char *name_detect(__u32 detect)
{
	static char buf[NAME_MAX_LEN];

	return name(detects, ARRAY_SIZE(detects), detect, "detect", buf);
}

const char *name_stop(__u32 stop)
{
	static char buf[NAME_MAX_LEN];

	return name(stops, ARRAY_SIZE(stops), stop, "reason", buf);
}

const char *name_rule(__u32 kind)
{
	static char buf[NAME_MAX_LEN];

	return name(rules, ARRAY_SIZE(rules), kind, "rule", buf);
}

const char *name_hook(__u32 hook)
{
	static char buf[NAME_MAX_LEN];

	return name(hooks, ARRAY_SIZE(hooks), hook, "hook", buf);
}

const char *name_all_abis(void)
{
	static char list[A32_ABI_NR * NAME_MAX_LEN];
	size_t i;

	list[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(abis); i++) {
		if (i)
			strcat(list, ", ");
		strcat(list, abis[i]);
	}
	return list;
}

int abi_from_name(const char *text, __u32 *abi)
{
	__u32 i;

	for (i = 0; i < ARRAY_SIZE(abis); i++) {
		if (!strcmp(text, abis[i])) {
			*abi = i;
			return 0;
		}
	}
	return -1;
}
