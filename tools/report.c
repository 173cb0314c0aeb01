// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "msg.h"
#include "names.h"
#include "report.h"
#include "text.h"

static const char *const names[] = {
	[ACTION_BUILT] = "built",
	[ACTION_LOADED] = "loaded",
	[ACTION_TAGGED] = "tagged",
	[ACTION_KEPT] = "kept",
	[ACTION_LEFT] = "left",
	[ACTION_FAILED] = "failed",
};

void report_start(struct report *report, bool json)
{
	*report = (struct report){ .json = json ? json_new_array() : NULL };
}

static const char *abi_of(const struct deed *deed)
{
	return deed->abi == ABI_UNKNOWN ? "-" : name_abi(deed->abi);
}

static void print(const struct deed *deed)
{
	char *name = text_escape(deed->name), *why = text_escape(deed->why);

	printf("%s\t%s\t%s\t%s\n", names[deed->action], abi_of(deed), name, why);
	/* The next one may take a while. */
	fflush(stdout);
	free(why);
	free(name);
}

static json_t *to_json(const struct deed *deed)
{
	json_t *object = json_new_object();

	json_put_path(object, "path", deed->name);
	json_put_name(object, "action", names[deed->action]);
	if (deed->abi != ABI_UNKNOWN)
		json_put_name(object, "abi", name_abi(deed->abi));
	json_put_path(object, "why", deed->why);
	if (deed->origin)
		json_put_path(object, "origin", deed->origin);
	return object;
}

static bool is_empty(const struct report *report)
{
	size_t i;

	for (i = 0; i < ACTION_NR; i++)
		if (report->nr[i])
			return false;
	return true;
}

void report_add(struct report *report, const struct deed *deed)
{
	if (!report->json && is_empty(report))
		puts("ACTION\tABI\tFILE\tWHY");
	report->nr[deed->action]++;
	if (report->json)
		json_add(report->json, to_json(deed));
	else
		print(deed);
}

static void print_text(size_t new, size_t before, size_t failed)
{
	if (!new && !failed)
		printf("\nNothing new: %zu as before.\n", before);
	else
		printf("\n%zu new, %zu as before, %zu failed.\n", new, before, failed);
}

static void print_json(json_t *files, size_t new, size_t before, size_t failed)
{
	json_t *object = json_new_object();

	json_put(object, "files", files);
	json_put_count(object, "new", new);
	json_put_count(object, "before", before);
	json_put_count(object, "failed", failed);
	json_print(object);
}

int report_end(struct report *report, size_t failed)
{
	size_t new = report->nr[ACTION_BUILT] + report->nr[ACTION_LOADED] +
		     report->nr[ACTION_TAGGED];
	size_t before = report->nr[ACTION_KEPT] + report->nr[ACTION_LEFT];

	failed += report->nr[ACTION_FAILED];
	if (report->json)
		print_json(report->json, new, before, failed);
	else if (!is_empty(report))
		print_text(new, before, failed);
	return failed ? REFUSED : DONE;
}
