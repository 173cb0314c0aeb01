// SPDX-License-Identifier: GPL-2.0
/* What "explain" says to do about chains that end in a file. */
#include <stdlib.h>
#include <string.h>

#include "../../tools/mend.h"
#include "tap.h"

#define LIB		.path = "/lib/x.so", .exists = true
#define UNTAGGED	.tagged = A32_ABI_DEFAULT, .default_abi = A32_ABI_AUTO

static const struct {
	const char *name;
	struct mend_file file;
	__u32 stop;
	const char *want;	/* how it begins */
} cases[] = {
	{ "a file without frame pointers", { LIB, UNTAGGED }, A32_STOP_ABI_NONE,
	  "a32uwctl auto /lib/x.so" },
	{ "a name with a blank and a quote", { .path = "/a b's", .exists = true, UNTAGGED },
	  A32_STOP_ABI_NONE, "a32uwctl auto '/a b'\\''s'" },
	{ "a file that is tagged none",
	  { LIB, .tagged = A32_ABI_NONE, .default_abi = A32_ABI_AUTO }, A32_STOP_ABI_NONE,
	  "a32uwctl auto /lib/x.so" },
	{ "it got a table meanwhile", { LIB, UNTAGGED, .has_table = true }, A32_STOP_ABI_NONE,
	  "nothing: it has an unwind table by now" },
	{ "code that does not tell", { LIB, UNTAGGED }, A32_STOP_UNDECIDED,
	  "a32uwctl auto /lib/x.so" },
	{ "code that does not tell, in a file with a tag",
	  { LIB, .tagged = A32_ABI_GCC, .default_abi = A32_ABI_AUTO, .found = A32_ABI_DEFAULT },
	  A32_STOP_UNDECIDED, "a32uwctl auto /lib/x.so" },
	{ "the same, and its functions say so, too",
	  { LIB, .tagged = A32_ABI_GCC, .default_abi = A32_ABI_AUTO, .found = A32_ABI_GCC },
	  A32_STOP_UNDECIDED, "a32uwctl auto /lib/x.so" },
	{ "the same, and they are of more than one ABI",
	  { LIB, .tagged = A32_ABI_GCC, .default_abi = A32_ABI_AUTO, .found = A32_ABI_MIXED },
	  A32_STOP_UNDECIDED, "a32uwctl auto /lib/x.so" },
	{ "a tag that its functions speak against",
	  { LIB, .tagged = A32_ABI_GCC, .default_abi = A32_ABI_AUTO, .found = A32_ABI_NONE },
	  A32_STOP_UNDECIDED, "a32uwctl untag /lib/x.so (is it not gcc?)" },
	{ "a default that its functions speak against",
	  { LIB, .tagged = A32_ABI_DEFAULT, .default_abi = A32_ABI_APCS, .found = A32_ABI_NONE },
	  A32_STOP_UNDECIDED, "a32uwctl default auto (is it not apcs?)" },
	{ "a wrong tag", { LIB, .tagged = A32_ABI_GCC, .default_abi = A32_ABI_AUTO },
	  A32_STOP_NO_MAPPING, "a32uwctl untag /lib/x.so (is it not gcc?)" },
	{ "a wrong default", { LIB, .tagged = A32_ABI_DEFAULT, .default_abi = A32_ABI_APCS },
	  A32_STOP_NOT_A_CALL, "a32uwctl default auto (is it not apcs?)" },
	{ "a wrong default does not matter for a tagged file",
	  { LIB, .tagged = A32_ABI_AUTO, .default_abi = A32_ABI_AUTO }, A32_STOP_NO_PROGRESS,
	  "a32uwctl auto /lib/x.so" },
	{ "neither tag nor table", { LIB, UNTAGGED }, A32_STOP_UNPROVEN,
	  "a32uwctl auto /lib/x.so" },
	{ "a table that does not fit", { LIB, UNTAGGED, .has_table = true }, A32_STOP_NO_MAPPING,
	  "nothing: its unwind table does not fit there" },
	{ "code that no row can be made for", { LIB, UNTAGGED, .has_table = true }, A32_STOP_TABLE,
	  "nothing: the instructions do not tell" },
	{ "code that no row is for", { LIB, UNTAGGED, .has_table = true }, A32_STOP_NO_DATA,
	  "nothing: " },
	{ "a deep stack", { LIB, UNTAGGED }, A32_STOP_MAX_STACK,
	  "sysctl kernel.perf_event_max_stack=" },
	{ "code of a compiler at run time", { .path = "[anon]", UNTAGGED }, A32_STOP_ABI_NONE,
	  "a32uwctl tag ABI --pid PID --range START-END" },
	{ "the same in a memfd", { .path = "/memfd:jit (deleted)", UNTAGGED }, A32_STOP_ABI_NONE,
	  "a32uwctl tag ABI --pid PID --range START-END" },
	{ "a file that was replaced", { .path = "/lib/x.so (deleted)", UNTAGGED },
	  A32_STOP_ABI_NONE, "nothing: the file was replaced" },
	{ "a name that a process has for another file than it is here", { LIB, UNTAGGED, .pid = 7 },
	  A32_STOP_ABI_NONE, "a32uwctl auto --pid 7" },
	{ "or for one that is not here", { .path = "/lib/x.so", UNTAGGED, .pid = 7 },
	  A32_STOP_ABI_NONE, "a32uwctl auto --pid 7" },
	{ "a file that is not there", { .path = "/lib/x.so", UNTAGGED }, A32_STOP_ABI_NONE,
	  "nothing: there is no such file" },
	{ "no code of a file", { .path = "[unmapped]", UNTAGGED }, A32_STOP_NO_MAPPING,
	  "nothing: that is not code of a file" },
	{ "a process that has just begun", { .path = "[unmapped]", UNTAGGED }, A32_STOP_NO_INDEX,
	  "nothing: the process had just begun" },
};

/* Each reason has an answer, and one that says which of the two it is. */
static bool is_answered(__u32 stop)
{
	const struct mend_file file = { LIB, UNTAGGED };
	char *text = mend(&file, stop);
	bool is_command = !strncmp(text, "a32uwctl ", 9) || !strncmp(text, "sysctl ", 7);
	bool ok = is_command == mend_is_command(text) &&
		  (is_command || !strncmp(text, "nothing: ", 9));

	free(text);
	return ok;
}

static void test_case(unsigned int i)
{
	char *text = mend(&cases[i].file, cases[i].stop);
	bool ok = !strncmp(text, cases[i].want, strlen(cases[i].want));

	if (!ok)
		tap_note("it is: %s", text);
	tap_result(ok, "%s", cases[i].name);
	free(text);
}

int main(void)
{
	unsigned int i, nr = sizeof(cases) / sizeof(cases[0]), bad = 0;

	tap_plan(nr + 1);
	for (i = 0; i < nr; i++)
		test_case(i);
	for (i = 0; i < A32_STOP_NR; i++)
		bad += !is_answered(i);
	tap_result(!bad, "every reason has an answer");
	return tap_status();
}
