// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "compiler.h"
#include "mend.h"
#include "msg.h"
#include "names.h"
#include "quote.h"

#define COMMAND "a32uwctl "
#define NOTHING "nothing: "

/* What a file can't be blamed for, or nobody can do anything about */
static const struct {
	__u32 stop;
	const char *text;
} fixed[] = {
	{ A32_STOP_MAX_STACK, "sysctl kernel.perf_event_max_stack=1024 (while no perf runs)" },
	{ A32_STOP_NO_INDEX, NOTHING "the process had just begun; it passes" },
	{ A32_STOP_CODE_FAULT, NOTHING "its code was not in memory; it passes" },
	{ A32_STOP_BAD_SIGFRAME, NOTHING "a signal handler has moved sp" },
	{ A32_STOP_SIG_DEPTH, NOTHING "more nested signals than a walk follows" },
	{ A32_STOP_URETPROBE, NOTHING "a uretprobe has taken the return address; it passes" },
	{ A32_STOP_TABLE, NOTHING "the instructions do not tell; its debug file may" },
	{ A32_STOP_NO_DATA, NOTHING "its unwind table has no row for that code" },
};

static const char *fixed_of(__u32 stop)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		if (fixed[i].stop == stop)
			return fixed[i].text;
	return NULL;
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t len = strlen(path), suffix_len = strlen(suffix);

	return len >= suffix_len && !strcmp(path + len - suffix_len, suffix);
}

/* What has no name in the file system that is still its own */
static const char *of_no_file(const struct mend_file *file)
{
	if (!strcmp(file->path, "[anon]") || !strncmp(file->path, "/memfd:", 7))
		return COMMAND "tag ABI --pid PID --range START-END (or by itself: jit.c)";
	if (file->path[0] == '[')
		return NOTHING "that is not code of a file";
	if (has_suffix(file->path, " (deleted)"))
		return NOTHING "the file was replaced or removed; start the program anew";
	if (file->exists || file->pid)
		return NULL;
	return NOTHING "there is no such file any more, or not here";
}

static bool is_abi(__u32 abi)
{
	return abi != A32_ABI_DEFAULT && abi != A32_ABI_AUTO && abi != A32_ABI_NONE;
}

static bool is_refuted(const struct mend_file *file)
{
	__u32 says = file->tagged == A32_ABI_DEFAULT ? file->default_abi : file->tagged;

	return file->found != A32_ABI_DEFAULT && file->found != A32_ABI_MIXED &&
	       file->found != says;
}

/* Chains that end undecided do so in code that follows the ABI as well. */
static bool is_of_wrong_abi(const struct mend_file *file, __u32 stop)
{
	return stop != A32_STOP_ABI_NONE && (stop != A32_STOP_UNDECIDED || is_refuted(file));
}

static void write_command(FILE *out, const struct mend_file *file, __u32 stop)
{
	bool is_wrong = is_of_wrong_abi(file, stop);

	if (file->has_table) {
		fprintf(out, NOTHING "%s", stop == A32_STOP_ABI_NONE ?
			"it has an unwind table by now" :
			"its unwind table does not fit there; see guide.rst");
	} else if (is_wrong && is_abi(file->tagged)) {
		fprintf(out, COMMAND "untag ");
		quote(out, file->path);
		fprintf(out, " (is it not %s?)", name_abi(file->tagged));
	} else if (is_wrong && is_abi(file->default_abi)) {
		fprintf(out, COMMAND "default auto (is it not %s?)", name_abi(file->default_abi));
	} else if (file->pid) {
		fprintf(out, COMMAND "auto --pid %d", file->pid);
	} else {
		fprintf(out, COMMAND "auto ");
		quote(out, file->path);
	}
}

char *mend(const struct mend_file *file, __u32 stop)
{
	const char *text = fixed_of(stop);
	char *buf = NULL;
	size_t size;
	FILE *out = open_memstream(&buf, &size);

	if (!out)
		msg_no_memory();
	if (!text)
		text = of_no_file(file);
	if (text)
		fputs(text, out);
	else
		write_command(out, file, stop);
	if (fclose(out))
		msg_no_memory();
	return buf;
}

bool mend_is_command(const char *text)
{
	return strncmp(text, NOTHING, strlen(NOTHING));
}
