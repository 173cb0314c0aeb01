// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "compiler.h"

static bool at_least(__u64 part, unsigned int percent, __u64 all)
{
	return part && 100.0 * (double)part >= percent * (double)all;
}

static bool can_be_named(const char *path)
{
	const char *p;

	for (p = path; *p; p++)
		if (iscntrl((unsigned char)*p))
			return false;
	return path[0] == '/' && !access(path, F_OK);
}

static bool is_start_code(const char *path)
{
	static const char *const names[] = {
		"libc.so*", "libc-*.so*", "libuClibc-*.so*", "ld.so*",
		"ld-*.so*", "ld[0-9]*-uClibc*.so*",
	};
	const char *name = strrchr(path, '/');
	size_t i;

	for (i = 0; name && i < ARRAY_SIZE(names); i++)
		if (!fnmatch(names[i], name + 1, 0))
			return true;
	return false;
}

static bool is_rule_on(const struct a32_rule_item *rule, const char *path)
{
	return rule->kind != A32_RULE_RANGE && rule->kind != A32_RULE_TABLE && !rule->stale &&
	       !strcmp(rule->path, path);
}

static bool follows_an_abi(const struct rules *rules, const char *path)
{
	size_t i;

	for (i = 0; i < rules->nr; i++)
		if (is_rule_on(&rules->items[i], path) &&
		    rules->items[i].abi != A32_ABI_NONE)
			return true;
	return false;
}

/* With a table it is followed; the chains that ended in it did so before. */
static bool needs_no_advice(const struct rules *rules, const char *path)
{
	const struct a32_rule_item *rule;
	size_t i;

	for (i = 0; i < rules->nr; i++) {
		rule = &rules->items[i];
		if (rule->kind == A32_RULE_TABLE && !rule->stale && !strcmp(rule->path, path))
			return true;
		if (is_rule_on(rule, path) && rule->kind == A32_RULE_FILE &&
		    rule->abi == A32_ABI_NONE)
			return true;
	}
	return false;
}

static bool comes_of_wrong_abi(__u32 stop)
{
	switch (stop) {
	case A32_STOP_NO_MAPPING:
	case A32_STOP_NOT_A_CALL:
	case A32_STOP_NO_PROGRESS:
	case A32_STOP_MISALIGNED:
	case A32_STOP_FAULT:
	case A32_STOP_UNPROVEN:
		return true;
	default:
		return false;
	}
}

/* Chains that begin or end in it, whichever are more. */
static __u64 chains_of(const struct a32_stats *file)
{
	__u64 ends = 0;
	__u32 i;

	for (i = 0; i < A32_STOP_ROOM; i++)
		ends += file->stop[i];
	return ends > file->samples ? ends : file->samples;
}

/*
 * Chains that pass through a file are not counted, its frames are: a few ends
 * in a library that thousands of chains pass are no sign of a wrong ABI.
 */
static bool looks_mistagged(const struct a32_stats *file)
{
	__u32 stop = file_stats_main_stop(file);

	return comes_of_wrong_abi(stop) &&
	       at_least(file->stop[stop], 5, chains_of(file)) &&
	       at_least(file->stop[stop], 1, file->frames);
}

const struct a32_stats *advice_untagged(const struct file_stats *files,
					const struct rules *rules,
					__u64 samples)
{
	const struct a32_stats *best = NULL;
	__u64 most = 0;
	size_t i;

	for (i = 0; i < files->nr; i++) {
		const struct a32_stats *file = &files->items[i];

		if (file->stop[A32_STOP_ABI_NONE] > most &&
		    can_be_named(file->path) && !is_start_code(file->path) &&
		    !needs_no_advice(rules, file->path)) {
			best = file;
			most = file->stop[A32_STOP_ABI_NONE];
		}
	}
	return at_least(most, 1, samples) ? best : NULL;
}

const struct a32_stats *advice_mistagged(const struct file_stats *files,
					 const struct rules *rules)
{
	const struct a32_stats *best = NULL;
	__u64 ended, most = 0;
	size_t i;

	for (i = 0; i < files->nr; i++) {
		const struct a32_stats *file = &files->items[i];

		ended = file->stop[file_stats_main_stop(file)];
		if (ended > most && looks_mistagged(file) &&
		    can_be_named(file->path) &&
		    follows_an_abi(rules, file->path)) {
			best = file;
			most = ended;
		}
	}
	return best;
}
